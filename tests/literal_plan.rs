//! A literal slice is planned by code of its own, in which its numbers and the rank are constants.
//! The plan equals the general planner's, which recorded answers check, also if lengths are 0 or
//! huge and if there is a mistake.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyslice::{FixedPlan, Plan, SliceError, SpecBuf, plan, s};

type Planner = fn(&[usize]) -> Result<Plan, SliceError>;
type Copier = fn(&[usize], &[u16]) -> Result<Vec<u16>, SliceError>;

macro_rules! listed {
    ($([$($tokens:tt)*])*) => {
        const LIST: &[(&str, Planner, Copier)] = &[$((
            stringify!($($tokens)*),
            |shape| s![$($tokens)*].plan(shape),
            |shape, x| s![$($tokens)*].plan(shape)?.copy(x),
        ),)*];
    };
}

listed! {
    [] [0] [-1] [2] [-4] [:] [1:] [:-1] [::2] [::-1] [3:1] [-3:-1] [5::-2] [::-3] [40:] [:-40] [:0] [::1000000007]
    [...] [..., 0] [0, ...] [None] [..., None] [None, ..., 1:] [..., ::-1] [..., ::2, None]
    [1, 1:] [1:, 1:] [::-1, ::-1] [:, 1:-1] [1:, -1] [:, None, ::3] [::2, 0] [0, 0] [-1:, :-1]
    [2, ..., ::2] [1, 2:4, None, ..., :-3:-1, :] [:, :, 1] [::-1, ::2, ::-3] [0, 1, 2] [1:3, None, :0, ...]
    [:, :, :, ::2] [1, :, 1, :] [::2, ::2, ::2, ::2] [0, ..., 0, 1:] [..., 1, 1, 1]
    [:, :, :, :, ::-1] [0, 0, 0, 0, ...] [1:, 1:, 1:, 1:, 1:] [::-1, ::-1, ::-1, ::-1, ::-1, ::-1] [0, 0, 0, 0, 0, 0]
    [None, None, :, None, None] [:, :, :, :, :, :, ::2]
    [-9223372036854775808:9223372036854775807] [9223372036854775807:-9223372036854775808:-1]
    [::9223372036854775807] [::-9223372036854775808] [9223372036854775806]
}

fn hash(plan: &Plan) -> u64 {
    let mut hasher = DefaultHasher::new();
    plan.hash(&mut hasher);
    hasher.finish()
}

/// Every combination of `lengths` for each rank up to `most`.
fn each_shape(lengths: &[usize], most: usize, mut visit: impl FnMut(&[usize])) {
    for rank in 0..=most {
        let mut shape = vec![lengths[0]; rank];
        for number in 0..lengths.len().pow(rank as u32) {
            let mut rest = number;
            for n in &mut shape {
                *n = lengths[rest % lengths.len()];
                rest /= lengths.len();
            }
            visit(&shape);
        }
    }
}

#[test]
fn literal_slices_plan_as_parsed_ones_do() {
    let (mut planned, mut refused) = (0u32, 0u32);
    for &(text, plan, _) in LIST {
        let spec: SpecBuf = text.parse().expect(text);
        let mut agree = |shape: &[usize]| {
            let (literal, parsed) = (plan(shape), spec.plan(shape));
            assert_eq!(literal, parsed, "[{text}] on {shape:?}");
            if let (Ok(literal), Ok(parsed)) = (literal, parsed) {
                assert_eq!(hash(&literal), hash(&parsed), "[{text}] on {shape:?}");
                planned += 1;
            } else {
                refused += 1;
            }
        };
        each_shape(&[0, 1, 2, 5], 6, &mut agree);
        // Lengths on both sides of the one at which the general planner takes over: 2^bits, with 61
        // / rank bits, at most 31.
        let beside =
            [5u32, 7, 10, 12, 15, 20, 30, 31].map(|bits| (1usize << bits.min(usize::BITS - 2)) - 1);
        let lengths: Vec<usize> =
            beside.into_iter().flat_map(|n| [n, n + 1, n + 2]).chain([0, 3]).collect();
        each_shape(&lengths, 2, &mut agree);
        for rank in 3..=7 {
            for &n in
                lengths.iter().chain(&[isize::MAX as usize, isize::MAX as usize + 1, usize::MAX])
            {
                for at in 0..rank {
                    for others in [0, 1, 3, n] {
                        let mut shape = vec![others; rank];
                        shape[at] = n;
                        agree(&shape);
                    }
                }
            }
        }
    }
    assert!(planned > 100_000 && refused > 100_000, "{planned} planned, {refused} refused");
}

/// The copy that follows a literal plan is code of its own too; a plan that was stored goes by its
/// rank at run time.
#[test]
fn literal_slices_copy_as_parsed_ones_do() {
    let x: Vec<u16> = (0..4096).collect();
    let mut copied = 0;
    for &(text, plan, copy) in LIST {
        let spec: SpecBuf = text.parse().expect(text);
        each_shape(&[1, 2, 3, 7], 6, |shape| {
            let Some(x) = x.get(..shape.iter().product()) else { return };
            let Ok(parsed) = spec.plan(shape) else { return };
            // Index by index, from what the plan says.
            let mut expected = Vec::new();
            for mut at in 0..parsed.len() {
                let mut place = parsed.offset() as isize;
                for (&n, &stride) in parsed.shape().iter().zip(parsed.strides()).rev() {
                    place += (at % n) as isize * stride;
                    at /= n;
                }
                expected.push(x[place as usize]);
            }
            let stored = std::hint::black_box(plan(shape).unwrap());
            for result in [copy(shape, x), stored.copy(x), parsed.copy(x)] {
                assert_eq!(result.as_ref(), Ok(&expected), "[{text}] on {shape:?}");
            }
            let mut into = vec![0; expected.len()];
            assert_eq!(
                (stored.copy_into(x, &mut into), &into),
                (Ok(()), &expected),
                "[{text}] on {shape:?}"
            );
            let too_short = x.split_last().map_or(x, |(_, rest)| rest);
            assert!(
                copy(shape, too_short).is_err() && stored.copy(too_short).is_err(),
                "[{text}] on {shape:?}"
            );
            copied += 1;
        });
    }
    assert!(copied > 10_000, "only {copied} copied");
}

#[test]
fn a_shape_in_parentheses_is_a_constant() {
    const SHAPE: [usize; 2] = [4, 6];
    #[allow(non_upper_case_globals, reason = "the advice is about such a name")]
    const shape: [usize; 2] = SHAPE;
    const PLAN: FixedPlan<2, 1> = plan!((shape); 1);
    assert_eq!(PLAN, plan!([4, 6]; 1));
    assert_eq!(plan!((SHAPE); 1), plan!(SHAPE; 1));
}

/// Each entry of a literal is planned by its own code, and strictness belongs to all of it.
#[test]
fn a_literal_is_strict_at_every_entry() {
    macro_rules! refused {
        ($rank:literal; $($tokens:tt)*) => {{
            let error = s![$($tokens)*].strict().plan(&[4; $rank]).unwrap_err();
            assert_eq!(error, SliceError::BoundOutOfRange { bound: 9, axis: $rank - 1, len: 4 });
        }};
    }
    refused!(1; :9);
    refused!(2; 0, :9);
    refused!(3; 0, 0, :9);
    refused!(4; 0, 0, 0, :9);
    refused!(5; 0, 0, 0, 0, :9);
    refused!(6; 0, 0, 0, 0, 0, :9);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn a_literal_counts_elements_without_wrapping() {
    let too_large = Some(SliceError::ShapeTooLarge);
    assert_eq!(s![0, 0].plan(&[1 << 32; 2]).err(), too_large);
    assert_eq!(s![0, 0, 0].plan(&[1 << 21; 3]).err(), too_large);
    assert_eq!(s![0, 0, 0, 0].plan(&[1 << 16; 4]).err(), too_large);
    assert!(s![0, 0, 0].plan(&[(1 << 21) - 1, 1 << 21, 1 << 21]).is_ok());
}

/// Small slices are copied before the general checks.
#[test]
fn a_small_literal_takes_no_longer_array() {
    let (plan, long) = (s![::2].plan(&[4]).unwrap(), [1, 2, 3, 4, 5]);
    assert!(plan.copy(&long).is_err());
    assert!(plan.copy_into(&long, &mut [0; 2]).is_err());
    assert!(plan.assign(&mut long.clone(), &[0; 2]).is_err());
}
