//! An array on disk whose every value is known, made chunk by chunk.

use crate::{Error, Store};
use pyslice::{Plan, s};
use pyslice_zarrs::PyArray;
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
    shards: bool,
) -> Result<Array<Store>, Error> {
    let wide = |numbers: &[usize]| numbers.iter().map(|&n| n as u64).collect::<Vec<u64>>();
    if let Ok(array) = Array::open(store.clone(), "/") {
        if array.shape() == wide(shape) {
            return Ok(array);
        }
        let found = array.shape();
        return Err(format!(
            "there is an array of shape {found:?} already; give that --shape, or another --dir"
        )
        .into());
    }
    let mut builder = ArrayBuilder::new(wide(shape), wide(chunk), data_type::uint32(), OUTSIDE);
    if shards {
        // A shard has 8 chunks along each axis.
        builder.subchunk_shape(wide(chunk).iter().map(|&n| n.div_ceil(8)).collect::<Vec<u64>>());
    }
    let array = builder.build(store.clone(), "/")?;
    array.store_metadata()?;

    array.pyslice(s![])?.assign_parts(|target, values: &mut [u32]| {
        for (value, position) in values.iter_mut().zip(target.offsets()) {
            *value = pattern(position);
        }
        Ok::<(), Error>(())
    })?;
    Ok(array)
}

/// Compares a slice of the sample with the pattern.
pub(crate) fn check(plan: &Plan, values: &[u32]) -> Result<(), Error> {
    for (place, (position, &value)) in plan.offsets().zip(values).enumerate() {
        if value != pattern(position) {
            let expected = pattern(position);
            return Err(format!("element {place} of the result is {value}, not {expected}").into());
        }
    }
    if values.len() == plan.len() { Ok(()) } else { Err(format!("{} values", values.len()).into()) }
}
