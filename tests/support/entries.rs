//! The reference's slices as specs of the library.

use pyslice::{Entry, SliceError, SpecBuf};

use super::naive::Item;

/// A spec from the reference's entries; `None` if a number is outside `i64`.
pub fn spec_of(items: &[Item]) -> Option<Result<SpecBuf, SliceError>> {
    let number = |v: i128| i64::try_from(v).ok();
    let bound = |v: Option<i128>| v.map_or(Some(None), |v| number(v).map(Some));
    let entry = |item: &Item| {
        Some(match *item {
            Item::Index { at, .. } => Entry::Index(number(at)?),
            Item::Range { start, stop, step } => {
                Entry::Range { start: bound(start)?, stop: bound(stop)?, step: number(step)? }
            }
            Item::NewAxis => Entry::NewAxis,
            Item::Ellipsis => Entry::Ellipsis,
        })
    };
    let entries = items.iter().map(entry).collect::<Option<Vec<Entry>>>()?;
    Some(SpecBuf::from_entries(&entries))
}
