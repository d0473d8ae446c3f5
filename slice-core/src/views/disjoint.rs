//! Decides whether slices of one array are disjoint.
//!
//! A slice takes, on each axis of the array, positions that lie evenly between two ends, and every
//! combination of them. So two slices share an element exactly if they share a position on every
//! axis, which is a question of remainders. It is decided by indices, not by memory: in an array
//! that can be written, no two indices name one element.

use crate::algebra::bounded_sum::{candidates, gcd};
use crate::algebra::runs::AxisPart;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use alloc::vec::Vec;

/// Whether a position of the axis is in both parts.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "both take something, so low is below high, steps are not 0, and all are positions of \
              one axis"
)]
#[inline]
fn meet(one: &AxisPart, other: &AxisPart) -> bool {
    let (by, step) = (one.step.unsigned_abs() as i64, other.step.unsigned_abs() as i64);
    let apart = one.low() - other.low();
    if by == step {
        return apart % step == 0 && one.low() < other.high() && other.low() < one.high();
    }
    // one.low + by · z is a position of the other: a multiple of its step from where it begins.
    let reach = other.high() - 1 - other.low();
    let top = one.len as i128 - 1;
    candidates(-i128::from(by), top, apart.into(), (0, reach.into()), step.into()).next().is_some()
}

/// Checks that no two of the slices of an array of this shape share an element.
///
/// # Errors
///
/// Those of planning, and [`SliceError::Overlap`], which names the first slice that overlaps an
/// earlier one, and the earlier one.
#[inline]
pub fn disjoint(shape: &[usize], specs: &[SpecRef<'_>]) -> Result<(), SliceError> {
    let rank = shape.len();
    let (mut all, mut taken) = (Vec::new(), Vec::new());
    for (i, spec) in specs.iter().enumerate() {
        if let Some(parts) = spec.plan(shape)?.parts("a list of slices")? {
            taken.push(i);
            all.extend(parts);
        }
    }
    match all.chunks_exact(rank.max(1)).len() {
        // Arrays without axes have one element.
        0 => match *taken.as_slice() {
            [first, second, ..] => Err(SliceError::Overlap { first, second }),
            _ => Ok(()),
        },
        _ => sweep(&all, rank, &taken),
    }
}

/// The remainder of the first position, and the position.
type Key = (i64, i64);

/// [`disjoint`] of `parts`, `rank` of them for each slice that is in `taken`.
#[inline]
fn sweep(parts: &[AxisPart], rank: usize, taken: &[usize]) -> Result<(), SliceError> {
    let of = |k: usize| parts.chunks_exact(rank).nth(k).unwrap_or(&[]);
    // Only slices that overlap on one axis are compared: the axis on which they are fewest. All
    // steps there are multiples of one number, so slices that begin at different remainders of it
    // never meet: they are sorted by that remainder first.
    let on = |axis: usize| -> Vec<(Key, AxisPart, usize)> {
        let parts = || parts.iter().skip(axis).step_by(rank).copied();
        let steps = parts().filter(|part| part.len > 1).map(|part| part.step.unsigned_abs());
        let common = i64::try_from(steps.fold(0, gcd)).unwrap_or(1).max(1);
        let key = |part: &AxisPart| (part.low().checked_rem(common).unwrap_or(0), part.low());
        let mut order: Vec<(Key, AxisPart, usize)> =
            parts().zip(0..taken.len()).map(|(part, i)| (key(&part), part, i)).collect();
        order.sort_unstable_by_key(|&(key, ..)| key);
        order
    };
    let end = |&((rest, _), part, _): &(Key, AxisPart, usize)| (rest, part.high());
    let pairs = |order: &[(Key, AxisPart, usize)]| -> usize {
        let later = |one: (usize, &(Key, AxisPart, usize))| {
            order.partition_point(|(other, ..)| *other < end(one.1)).saturating_sub(one.0)
        };
        order.iter().enumerate().map(later).fold(0, usize::saturating_add)
    };
    let orders = (0..rank).map(on).map(|order| (pairs(&order), order));
    let Some((_, order)) = orders.min_by_key(|&(pairs, _)| pairs) else { return Ok(()) };
    // The pair to be reported: the second slice and the first.
    let mut found: Option<(usize, usize)> = None;
    let mut rest = order.as_slice();
    while let Some((first, later)) = rest.split_first() {
        rest = later;
        let (_, _, one) = first;
        for (_, _, other) in later.iter().take_while(|(other, ..)| *other < end(first)) {
            let pair = (*one.max(other), *one.min(other));
            if found.is_none_or(|found| pair < found)
                && of(*one).iter().zip(of(*other)).all(|(a, b)| meet(a, b))
            {
                found = Some(pair);
            }
        }
    }
    match found {
        Some((second, first)) => match (taken.get(first), taken.get(second)) {
            (Some(&first), Some(&second)) => Err(SliceError::Overlap { first, second }),
            _ => Ok(()),
        },
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{AxisPart, meet};

    fn part(start: usize, step: usize, len: usize) -> AxisPart {
        AxisPart { axis_len: usize::MAX, start, step: step as isize, len, out: None }
    }

    #[test]
    fn parts_meet_where_a_position_is_in_both() {
        let all = || {
            (0..7_usize).flat_map(|low| {
                (1..8_usize).flat_map(move |step| (1..6_usize).map(move |n| part(low, step, n)))
            })
        };
        let positions =
            |part: AxisPart| (part.start..).step_by(part.step.unsigned_abs()).take(part.len);
        for a in all() {
            for b in all() {
                assert_eq!(
                    meet(&a, &b),
                    positions(a).any(|at| positions(b).any(|other| other == at)),
                    "{a:?} {b:?}"
                );
                let last = a.start + (a.len - 1) * a.step.unsigned_abs();
                let backwards = AxisPart { start: last, step: -a.step, ..a };
                assert_eq!(meet(&a, &b), meet(&backwards, &b), "{a:?} {b:?}");
            }
        }
        // As far apart as positions go, with steps whose product is beyond them.
        let far = |low, step| part(low, step, (usize::MAX / 4 - 9) / step + 1);
        let half = 1 << (usize::BITS / 2 - 1);
        assert!(meet(&far(1, half), &far(1 + half * 12345, half + 1)));
        assert!(!meet(&far(0, half - 2), &far(1, half)));
    }
}
