//! An array on disk whose every value is known, made chunk by chunk.

use crate::{Error, Store};
use pyslice::{Plan, s};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::sync::Arc;
use zarrs::array::{Array, ArrayBuilder, data_type};

/// What stands where a chunk reaches over the end of the array.
const OUTSIDE: u32 = u32::MAX;

/// The value at a position of the array in C order: neighbours differ, and so do rows.
pub(crate) fn pattern(position: usize) -> u32 {
    (position as u32 ^ (position >> 32) as u32).wrapping_mul(2_654_435_761)
}

/// Opens the array in the store, or makes it there.
pub(crate) fn open_or_create(
    store: &Arc<Store>,
    shape: &[usize],
    chunk: &[usize],
) -> Result<Array<Store>, Error> {
    if let Ok(array) = Array::open(store.clone(), "/") {
        let found: Vec<u64> = array.shape().to_vec();
        if found.iter().eq(shape.iter().map(|&n| n as u64).collect::<Vec<_>>().iter()) {
            return Ok(array);
        }
        return Err(format!(
            "there is an array of shape {found:?} already; give that --shape, or another --dir"
        )
        .into());
    }
    let wide = |numbers: &[usize]| numbers.iter().map(|&n| n as u64).collect::<Vec<u64>>();
    let array = ArrayBuilder::new(wide(shape), wide(chunk), data_type::uint32(), OUTSIDE)
        .build(store.clone(), "/")?;
    array.store_metadata()?;

    // The whole array as a slice: its chunks are all chunks, and each knows where its elements
    // belong.
    let whole = s![...].plan(shape)?;
    whole.chunks(chunk)?.par_bridge().try_for_each(|chunk| {
        let mut values = vec![OUTSIDE; chunk.plan().input_len()];
        let positions: Vec<u32> = walk(chunk.target()).map(pattern).collect();
        chunk.plan().assign(&mut values, &positions)?;
        let coords: Vec<u64> = chunk.coords().iter().map(|&c| c as u64).collect();
        array.store_chunk(&coords, &values)?;
        Ok::<(), Error>(())
    })?;
    Ok(array)
}

/// The positions that a plan selects, in order, one index after the other.
pub(crate) fn walk(plan: &Plan) -> impl Iterator<Item = usize> + '_ {
    let mut index = vec![0usize; plan.shape().len()];
    (0..plan.len()).map(move |_| {
        let by: isize =
            index.iter().zip(plan.strides()).map(|(&i, &stride)| i as isize * stride).sum();
        for (i, &n) in index.iter_mut().zip(plan.shape()).rev() {
            *i += 1;
            if *i < n {
                break;
            }
            *i = 0;
        }
        plan.offset().wrapping_add_signed(by)
    })
}

/// Compares a slice of the sample with the pattern.
pub(crate) fn check(plan: &Plan, values: &[u32]) -> Result<(), Error> {
    for (place, (position, &value)) in walk(plan).zip(values).enumerate() {
        if value != pattern(position) {
            return Err(format!(
                "element {place} of the result is {value}, not {}",
                pattern(position)
            )
            .into());
        }
    }
    if values.len() == plan.len() { Ok(()) } else { Err(format!("{} values", values.len()).into()) }
}
