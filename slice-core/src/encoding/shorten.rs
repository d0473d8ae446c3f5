//! Finds the shortest list of entries that takes a given part of each axis.

use super::{Entry, MAX_ENTRIES};
use alloc::vec::Vec;

/// Takes one entry for each axis (`None` for a whole axis) and the new axes between them. Leaves
/// out the whole axes at the end. If the list is still too long, the longest run of whole axes
/// becomes `...`.
#[inline]
pub fn shorten(named: &[Option<Entry>]) -> Vec<Entry> {
    let used = named.iter().rposition(Option::is_some).map_or(0, |i| i.saturating_add(1));
    let head = named.get(..used).unwrap_or(named);
    if used <= MAX_ENTRIES {
        return head.iter().map(|e| e.unwrap_or(Entry::FULL)).collect();
    }
    // Runs of whole axes as (start, length), including the one at the end of the array.
    let (mut best, mut run) = ((0, 0), (0, 0));
    for (i, e) in named.iter().enumerate() {
        run = if e.is_none() {
            (if run.1 == 0 { i } else { run.0 }, usize::saturating_add(run.1, 1))
        } else {
            (0, 0)
        };
        if run.1 > best.1 {
            best = run;
        }
    }
    let (from, to) = (best.0, usize::saturating_add(best.0, best.1));
    let mut out = Vec::new();
    for (i, e) in named.iter().enumerate() {
        if i == from && best.1 > 0 {
            out.push(Entry::Ellipsis);
        }
        if i < from || i >= to {
            out.push(e.unwrap_or(Entry::FULL));
        }
    }
    out
}
