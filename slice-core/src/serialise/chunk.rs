//! A chunk as its numbers and its two plans, so that a queue can send it to a worker.

use super::record::{Maybe, record};
use crate::chunks::{Chunk, PerAxis};
use crate::plan::Plan;
use alloc::vec::Vec;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// A chunk as it is written and read.
struct ChunkForm {
    coords: Vec<u64>,
    origin: Vec<u64>,
    extent: Vec<u64>,
    plan: Plan,
    target: Plan,
}
impl Maybe for Plan {}
record!(ChunkForm as "Chunk", deny_unknown: true, { coords, origin, extent, plan, target });

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Chunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let wide = |numbers: &[usize]| numbers.iter().map(|&n| n as u64).collect();
        let form = ChunkForm {
            coords: wide(self.coords()),
            origin: wide(self.origin()),
            extent: wide(self.extent()),
            plan: self.plan().clone(),
            target: self.target().clone(),
        };
        form.serialize(serializer)
    }
}

/// Fails unless some slice of some grid touches such a chunk.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chunk, D::Error> {
        let forged = |what| D::Error::custom(format_args!("not a chunk of a slice: {what}"));
        ChunkForm::deserialize(deserializer)?.chunk().map_err(forged)
    }
}

impl ChunkForm {
    /// The chunk, or what is wrong with it.
    fn chunk(self) -> Result<Chunk, &'static str> {
        let ChunkForm { plan, target, .. } = &self;
        let (Ok(Some(parts)), Ok(Some(places))) = (plan.parts("a chunk"), target.parts("a chunk"))
        else {
            return Err("a plan of it takes nothing, or has strides of its own");
        };
        if plan.shape() != target.shape() {
            return Err("its plans have different shapes");
        }
        let in_order = places.iter().enumerate().all(|(i, part)| part.out == Some(i));
        if !in_order || places.iter().any(|part| part.step != 1) {
            return Err("its target is not a block of the result");
        }
        let numbers = |numbers: &[u64]| -> Option<PerAxis> {
            let fits = |&n: &u64| usize::try_from(n).ok().filter(|&n| n <= isize::MAX as usize);
            numbers
                .iter()
                .map(fits)
                .collect::<Option<_>>()
                .filter(|n: &PerAxis| n.len() == parts.len())
        };
        let (Some(coords), Some(origin), Some(extent)) =
            (numbers(&self.coords), numbers(&self.origin), numbers(&self.extent))
        else {
            return Err("it has not one coordinate, origin and extent for each axis");
        };
        for ((part, &from), &extent) in parts.iter().zip(&origin).zip(&extent) {
            if part.high() > extent as i64 {
                return Err("its plan takes more than lies within the array");
            }
            // Both fit isize, so the sum fits usize.
            if extent > part.axis_len || from.wrapping_add(extent) > isize::MAX as usize {
                return Err("it reaches over its end, or over that of every array");
            }
        }
        Ok(Chunk { coords, origin, extent, plan: self.plan, target: self.target })
    }
}
