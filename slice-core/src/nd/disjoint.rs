//! Decides whether slices of one array are disjoint.
//!
//! A slice takes, on each axis of the array, positions that lie evenly between two ends, and every
//! combination of them. So two slices share an element exactly if they share a position on every
//! axis, which is a question of remainders. It is decided by indices, not by memory: in an array
//! that can be written, no two indices name one element.

use crate::error::SliceError;
use crate::plan::Plan;
use crate::spec::SpecRef;
use alloc::vec;
use alloc::vec::Vec;

/// The positions of a slice on one axis: from `low` to `high`, each `step` from the last.
#[derive(Clone, Copy, Debug)]
struct Run {
    low: usize,
    high: usize,
    step: usize,
}

impl Run {
    /// Whether a position is in both.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "steps are above 0, `low` is the larger of both ends, and the rest is in i128, \
                  where products of usize fit"
    )]
    fn meets(self, other: Run) -> bool {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low > high {
            return false;
        }
        // One of them begins at `low`. If that is a position of the other too, or if both steps are
        // equal, the answer is known.
        let (first, second) = if self.low == low { (self, other) } else { (other, self) };
        let past = (low - second.low) % second.step;
        if past == 0 {
            return true;
        }
        if first.step == second.step {
            return false;
        }
        // low + first.step · k ≡ second.low: the least k, if any.
        let (a, m) = (first.step as i128, second.step as i128);
        let (g, inverse) = inverse(a % m, m);
        let missing = m - past as i128;
        if missing % g != 0 {
            return false;
        }
        let m = m / g;
        let k = missing / g * inverse % m;
        low as i128 + a * k <= high as i128
    }
}

/// The greatest common divisor g of a and m, and the i from 0 to m / g with a · i ≡ g (mod m).
#[expect(
    clippy::arithmetic_side_effects,
    reason = "Euclid's numbers stay below m, which was a usize, in i128"
)]
fn inverse(a: i128, m: i128) -> (i128, i128) {
    let (mut old, mut now, mut old_i, mut i) = (m, a, 0, 1);
    while now != 0 {
        let q = old / now;
        (old, now) = (now, old - q * now);
        (old_i, i) = (i, old_i - q * i);
    }
    (old, old_i.rem_euclid(m / old))
}

/// The runs of a slice on the axes of an array in C order.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "no axis is empty where the slice is not, and offset and strides are positions of an \
              array whose elements can be counted"
)]
fn runs(plan: &Plan, shape: &[usize], out: &mut [Run]) {
    // The digits of the offset are the first positions on the axes.
    let mut rest = plan.offset();
    let mut stride = 1;
    let mut strides = vec![0; shape.len()];
    for ((&n, run), s) in shape.iter().zip(out.iter_mut()).zip(&mut strides).rev() {
        let at = rest % n;
        (*run, *s) = (Run { low: at, high: at, step: 1 }, stride);
        (rest, stride) = (rest / n, stride * n);
    }
    for ((source, &n), &step) in plan.source_axes().zip(plan.shape()).zip(plan.strides()) {
        let Some(axis) = source else { continue };
        if let (Some(run), Some(&stride), true) = (out.get_mut(axis), strides.get(axis), n > 1) {
            run.step = step.unsigned_abs() / stride;
            let reach = run.step * (n - 1);
            if step < 0 { run.low -= reach } else { run.high += reach }
        }
    }
}

/// Checks that no two of the slices of an array of this shape share an element.
///
/// # Errors
///
/// Those of planning, and [`SliceError::Overlap`], which names the first slice that overlaps an
/// earlier one, and the earlier one.
pub(super) fn check(shape: &[usize], specs: &[SpecRef<'_>]) -> Result<(), SliceError> {
    let rank = shape.len();
    let start = Run { low: 0, high: 0, step: 1 };
    let (mut all, mut taken) = (Vec::new(), Vec::new());
    for (i, spec) in specs.iter().enumerate() {
        let plan = spec.plan(shape)?;
        if !plan.is_empty() {
            taken.push(i);
            let begin = all.len();
            all.resize(begin.saturating_add(rank), start);
            runs(&plan, shape, all.get_mut(begin..).unwrap_or(&mut []));
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

/// [`check`] of `runs`, `rank` of them for each slice that is in `taken`.
fn sweep(runs: &[Run], rank: usize, taken: &[usize]) -> Result<(), SliceError> {
    let of = |k: usize| runs.chunks_exact(rank).nth(k).unwrap_or(&[]);
    // Only slices that overlap on one axis are compared: the axis on which they are fewest.
    let on = |axis: usize| -> Vec<(Run, usize)> {
        let mut order: Vec<(Run, usize)> =
            runs.iter().skip(axis).step_by(rank).copied().zip(0..taken.len()).collect();
        order.sort_unstable_by_key(|(run, _)| run.low);
        order
    };
    let pairs = |order: &[(Run, usize)]| -> usize {
        let later =
            |&(run, _): &(Run, usize)| order.partition_point(|(other, _)| other.low <= run.high);
        order.iter().map(later).fold(0, usize::saturating_add)
    };
    let orders = (0..rank).map(on).map(|order| (pairs(&order), order));
    let Some((_, order)) = orders.min_by_key(|&(pairs, _)| pairs) else { return Ok(()) };
    // The pair to be reported: the second slice and the first.
    let mut found: Option<(usize, usize)> = None;
    let mut rest = order.as_slice();
    while let Some(((run, one), later)) = rest.split_first() {
        rest = later;
        for (_, other) in later.iter().take_while(|(other, _)| other.low <= run.high) {
            let pair = (*one.max(other), *one.min(other));
            if found.is_none_or(|found| pair < found)
                && of(*one).iter().zip(of(*other)).all(|(a, b)| a.meets(*b))
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
    use super::Run;

    #[test]
    fn runs_meet_where_a_position_is_in_both() {
        let all = || {
            (0..7_usize).flat_map(|low| {
                (1..8_usize).flat_map(move |step| {
                    (0..5_usize).map(move |n| Run { low, high: low + step * n, step })
                })
            })
        };
        let positions = |run: Run| (run.low..=run.high).step_by(run.step);
        for a in all() {
            for b in all() {
                assert_eq!(
                    a.meets(b),
                    positions(a).any(|at| positions(b).any(|other| other == at)),
                    "{a:?} {b:?}"
                );
            }
        }
        // As far apart as positions go, with steps whose product is beyond them.
        let far = |low, step| Run { low, high: low + (usize::MAX / 4 - 9) / step * step, step };
        let half = 1 << (usize::BITS / 2 - 1);
        assert!(far(1, half).meets(far(1 + half * 12345, half + 1)));
        assert!(!far(0, half - 2).meets(far(1, half)));
    }
}
