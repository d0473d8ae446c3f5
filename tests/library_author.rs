//! What a library author builds on: elements of run-time size, bytes, ranks in types, plans as
//! keys.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Buffer, FixedPlan, Plan, Rank, Shaped, SliceError, SliceRank, SpecBuf, s};
use std::collections::{HashMap, HashSet};
use support::{check, generate, naive};

/// The rank of the result, found by the compiler and given as a number.
fn rank<const IN: usize, const OUT: usize>(
    _: [usize; IN],
    _: impl SliceRank<IN, Out = Rank<OUT>>,
) -> usize {
    OUT
}

#[test]
fn ranks_are_found_by_the_compiler() {
    assert_eq!(rank([0; 3], s![1, None, ..., ::-1]), 3);
    assert_eq!(rank([0; 0], s![]), 0);
    assert_eq!(rank([0; 0], s![None, None]), 2);
    assert_eq!(rank([0; 16], s![]), 16);
    assert_eq!(rank([0; 16], s![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 0);
    assert_eq!(
        rank(
            [0; 2],
            s![
                0, 0, None, None, None, None, None, None, None, None, None, None, None, None, None,
                None
            ]
        ),
        14
    );
    let by_reference = &s![:, 0];
    assert_eq!(rank([0; 5], by_reference), 4);
    assert_eq!(format!("{:?}", Rank::<3>), "Rank<3>");
}

#[test]
fn bytes_are_counted_or_refused() {
    let plan = s![1, ::-2].plan(&[2, 5]).unwrap();
    assert_eq!(
        (plan.byte_offset(8).unwrap(), plan.byte_strides(8).unwrap().collect::<Vec<_>>()),
        (72, vec![-16])
    );
    assert_eq!(plan.byte_offset(0), Err(SliceError::ZeroElementSize));
    let wide = SliceError::BytesTooLarge { elements: 10, size: usize::MAX };
    assert_eq!(plan.byte_offset(usize::MAX), Err(wide));
    assert_eq!(plan.byte_strides(usize::MAX).map(|_| ()), Err(wide));
    assert_eq!(plan.byte_offset(isize::MAX as usize / 10).map(|n| n > 0), Ok(true));
    // A stride that is never walked may be longer than anything there is.
    let odd = s![::9223372036854775807].plan(&[3]).unwrap();
    assert_eq!(odd.byte_strides(8).unwrap().collect::<Vec<_>>(), [isize::MAX]);
    let empty = s![].plan(&[0, 3]).unwrap();
    assert_eq!(
        empty.byte_offset(usize::MAX),
        Err(SliceError::BytesTooLarge { elements: 0, size: usize::MAX })
    );
}

#[test]
fn buffers_of_bytes_must_fit() {
    let plan = s![1:].plan(&[3]).unwrap();
    let mut dst = [0_u8; 6];
    let wrong = |buffer, size, expected, found| {
        Err(SliceError::ByteLength { buffer, expected, found, size })
    };
    let mut assign = |size, values: &[u8]| plan.bytes(size).on_mut(&mut dst)?.assign(values);
    assert_eq!(assign(2, &[1; 3]), wrong(Buffer::Values, 2, 4, 3));
    assert_eq!(assign(4, &[1; 8]), wrong(Buffer::Target, 4, 12, 6));
    assert_eq!(assign(3, &[1; 6]), wrong(Buffer::Target, 3, 9, 6));
    assert_eq!(assign(0, &[]), Err(SliceError::ZeroElementSize));
    let mut place = plan.bytes(2).on_mut(&mut dst).unwrap();
    assert_eq!(place.assign(Shaped(&[1; 3], &[1])), wrong(Buffer::BroadcastValues, 2, 2, 3));
    assert_eq!(place.assign(Shaped(&[1; 1], &[])), wrong(Buffer::BroadcastValues, 2, 2, 1));
    let broadcast = SliceError::broadcast(1, &[3], &[2]);
    assert_eq!(place.assign(Shaped(&[1; 6], &[3])), Err(broadcast));
    assert_eq!(dst, [0; 6], "nothing is written when an error is returned");
    s![::-1].plan(&[3]).unwrap().bytes(2).on_mut(&mut dst).unwrap().assign(b"aabbcc").unwrap();
    assert_eq!(&dst, b"ccbbaa");
}

#[test]
fn plans_and_slices_are_keys() {
    let mut cache: HashMap<(SpecBuf, Vec<usize>), Plan> = HashMap::new();
    for text in ["::-1", " :: -1 ", "None, ...", "np.newaxis"] {
        let spec: SpecBuf = text.parse().unwrap();
        let made = spec.plan(&[4]).unwrap();
        cache.insert((spec, vec![4]), made);
    }
    assert_eq!(cache.len(), 3);
    let distinct: HashSet<Plan> = cache.into_values().collect();
    assert_eq!(distinct.len(), 2, "`None, ...` and `None` are one plan");
}

/// Compares the copies of a plan with static ranks, where it is listed, with the positions `from`.
/// Returns whether it is listed.
fn copied_by_fixed_plans(spec: &SpecBuf, shape: &[usize], out: usize, from: &[usize]) -> bool {
    macro_rules! ranks {
        ($(($inp:literal, $out:literal))*) => {
            match (shape.len(), out) {
                $(($inp, $out) => {
                    let plan = FixedPlan::<$inp, $out>::new(spec.as_ref(), shape.try_into().unwrap()).unwrap();
                    let x: Vec<u32> = (0..plan.input_len() as u32).collect();
                    let wanted: Vec<u32> = from.iter().map(|&at| at as u32).collect();
                    assert_eq!(plan.copy(&x).unwrap(), wanted);
                    let bytes: Vec<[u8; 3]> = x.iter().map(|&at| [at as u8, 7, (at >> 8) as u8]).collect();
                    let wanted: Vec<[u8; 3]> = from.iter().map(|&at| bytes[at]).collect();
                    assert_eq!(plan.copy(&bytes).unwrap(), wanted);
                    true
                })*
                _ => false,
            }
        };
    }
    ranks! {
        (0, 0) (0, 1) (0, 2) (1, 0) (1, 1) (1, 2) (1, 3) (2, 0) (2, 1) (2, 2) (2, 3) (2, 4)
        (3, 0) (3, 1) (3, 2) (3, 3) (3, 4) (3, 5)
        (4, 1) (4, 2) (4, 3) (4, 4) (4, 5) (4, 6) (5, 3) (5, 4) (5, 5) (5, 6) (5, 7) (6, 4) (6, 5) (6, 6) (6, 7)
    }
}

#[test]
fn fixed_plans_copy_as_the_reference_does() {
    let count = std::cell::Cell::new(0);
    let config = generate::config(4000);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let tried = runner.run(&generate::case(6, 200), |(shape, items)| {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let spec = check::spec_of(&items).unwrap().unwrap();
        let listed = copied_by_fixed_plans(&spec, &shape, plan.shape().len(), &picked.from);
        count.set(count.get() + u32::from(listed));
        Ok(())
    });
    tried.unwrap();
    assert!(count.get() > 0, "no plan has any of the ranks that are listed");
}

proptest! {
    #![proptest_config(generate::config(400))]

    /// Elements of any size at any address are written as the reference says, and nothing beside
    /// them.
    #[test]
    fn bytes_go_where_elements_go(
        (shape, items) in generate::case(5, 300),
        size in prop_oneof![Just(1_usize), Just(2), Just(3), Just(4), Just(8), Just(16), 5..40_usize],
        shift in 0..9_usize,
        narrow in proptest::collection::vec(any::<bool>(), 6),
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let byte = |n: usize| (n % 251) as u8;
        let room = plan.input_len() * size;
        let before: Vec<u8> = (0..shift + room + 70).map(byte).collect();
        let values: Vec<u8> = (0..shift + plan.len() * size).map(|k| byte(k * 7 + 3)).collect();
        let values = &values[shift..];
        let wanted = |value_of: &dyn Fn(usize) -> usize| {
            let mut wanted = before.clone();
            for (k, &at) in picked.from.iter().enumerate() {
                let v = value_of(k) * size;
                wanted[shift + at * size..][..size].copy_from_slice(&values[v..v + size]);
            }
            wanted
        };
        let mut dst = before.clone();
        plan.bytes(size).on_mut(&mut dst[shift..shift + room]).unwrap().assign(values).unwrap();
        prop_assert_eq!(&dst, &wanted(&|k| k));

        if !plan.is_empty() {
            let mut dst = before.clone();
            let one = Shaped(&values[..size], &[]);
            plan.bytes(size).on_mut(&mut dst[shift..shift + room]).unwrap().assign(one).unwrap();
            prop_assert_eq!(&dst, &wanted(&|_| 0));

            // Some axes of the values are 1 long and repeat.
            let small: Vec<usize> =
                plan.shape().iter().zip(narrow.iter().cycle()).map(|(&n, &one)| if one { 1 } else { n }).collect();
            let from = naive::broadcast(plan.shape(), &small).unwrap();
            let count: usize = small.iter().product();
            let mut dst = before.clone();
            let few = Shaped(&values[..count * size], &small);
            plan.bytes(size).on_mut(&mut dst[shift..shift + room]).unwrap().assign(few).unwrap();
            prop_assert_eq!(&dst, &wanted(&|k| from[k]));
        }
    }
}
