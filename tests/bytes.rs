//! The methods over bytes give what the typed ones give, at any alignment, and refuse what those
//! refuse.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Buffer, FixedPlan, Plan, SliceError, SpecBuf, s};
use support::{check, generate, naive};

/// Elements as their bytes, `shift` bytes past an aligned address.
fn raw(values: &[u32], shift: usize) -> Vec<u8> {
    vec![0xEE; shift].into_iter().chain(values.iter().flat_map(|v| v.to_ne_bytes())).collect()
}

/// An operation that is not symmetric, so that swapped arguments would show.
fn mixed(a: u32, b: u32) -> u32 {
    a.rotate_left(3).wrapping_add(b)
}

fn mixed_bytes(a: &mut [u8; 4], &b: &[u8; 4]) {
    *a = mixed(u32::from_ne_bytes(*a), u32::from_ne_bytes(b)).to_ne_bytes();
}

proptest! {
    #![proptest_config(generate::config(500))]

    #[test]
    fn bytes_give_what_elements_give(
        (shape, items) in generate::case(4, 400),
        shift in 0..5_usize,
    ) {
        let Some((plan, _)) = check::planned(&shape, &items) else { return Ok(()) };
        let data: Vec<u32> =
            (0..plan.input_len() as u32).map(|k| k.wrapping_mul(0x0101_0101)).collect();
        let values: Vec<u32> = (0..plan.len() as u32).map(|k| !k).collect();
        let (data_raw, values_raw) = (raw(&data, shift), raw(&values, shift));
        let (src, given) = (&data_raw[shift..], &values_raw[shift..]);
        let copied = raw(&plan.copy(&data).unwrap(), 0);
        prop_assert_eq!(plan.copy_bytes_to_vec(4, src).unwrap(), copied);
        let grad = raw(&plan.grad(&values).unwrap(), 0);
        prop_assert_eq!(plan.grad_bytes_to_vec(4, given).unwrap(), grad);
        let (mut typed, mut bytes) = (data.clone(), data_raw.clone());
        plan.zip_mut_with(&mut typed, &values, |a, &b| *a = mixed(*a, b)).unwrap();
        plan.zip_mut_with_bytes(&mut bytes[shift..], given, mixed_bytes).unwrap();
        prop_assert_eq!(bytes, raw(&typed, shift));
        // One value for all.
        if let Ok(all) = plan.broadcast_to(&[&[2][..], plan.shape()].concat()) {
            let values = values.repeat(2);
            let mut bytes = data_raw.clone();
            let mut typed = data.clone();
            all.zip_mut_with(&mut typed, &values, |a, &b| *a = mixed(*a, b)).unwrap();
            all.zip_mut_with_bytes(&mut bytes[shift..], &raw(&values, 0), mixed_bytes).unwrap();
            prop_assert_eq!(bytes, raw(&typed, shift));
        }
    }

    /// A result of any element size put together from its chunks: none of them is copied first,
    /// and the result need not be initialised.
    #[test]
    fn chunks_are_scattered_into_the_result(
        (shape, items) in generate::case(4, 300),
        sizes in proptest::collection::vec(1..7_usize, 4),
        size in prop_oneof![Just(1_usize), Just(2), Just(3), Just(4), Just(8), Just(12), Just(16)],
        shift in 0..5_usize,
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let array: Vec<u8> = (0..plan.input_len() * size).map(|k| (k % 251) as u8).collect();
        let wanted: Vec<u8> =
            picked.from.iter().flat_map(|at| &array[at * size..(at + 1) * size]).copied().collect();
        let mut result = vec![0xEE; shift + wanted.len()];
        let mut fresh = vec![0xEE; shift + wanted.len()];
        for chunk in plan.chunks(&sizes[..shape.len()]).unwrap() {
            // What the chunk holds, clipped, one element after the other.
            let (origin, extent) = (chunk.origin(), chunk.extent());
            let block: Vec<naive::Item> = (0..shape.len())
                .map(|a| naive::Item::Range {
                    start: Some(origin[a] as i128),
                    stop: Some((origin[a] + extent[a]) as i128),
                    step: 1,
                })
                .collect();
            let held = naive::pick(&shape, &block).unwrap().from;
            let data: Vec<u8> = vec![0xEE; shift]
                .into_iter()
                .chain(held.iter().flat_map(|at| &array[at * size..(at + 1) * size]).copied())
                .collect();
            let (part, target) = (chunk.clipped(), chunk.target());
            part.copy_to_bytes(size, &data[shift..], target, &mut result[shift..]).unwrap();
            let room = check::uninit(&mut fresh[shift..]);
            part.copy_to_bytes_uninit(size, &data[shift..], target, room).unwrap();
        }
        prop_assert_eq!(&result[shift..], &wanted);
        prop_assert_eq!(&fresh[shift..], &wanted);
    }
}

/// Large enough for each kernel and for streaming. Chunks that are cut along the last axis as well
/// leave gaps between their places, which are not initialised yet.
#[test]
fn large_chunks_on_every_kernel() {
    let shape = [300, 70, 9];
    for text in ["::-1, ::2, ::-1", "..., 1:7:2", ":, ::-1", "1:, 3:, :-1"] {
        let spec: SpecBuf = text.parse().unwrap();
        let plan = spec.plan(&shape).unwrap();
        check::on_every_kernel(|| {
            for size in [1, 2, 3, 4, 8, 16] {
                let array: Vec<u8> =
                    (0..plan.input_len() * size).map(|k| (k % 251) as u8).collect();
                let wanted = plan.copy_bytes_to_vec(size, &array).unwrap();
                let (mut result, mut fresh) =
                    (vec![0; wanted.len()], Box::new_uninit_slice(wanted.len()));
                for chunk in plan.chunks_of_lengths(&[&[100, 200][..], &[70], &[4, 5]]).unwrap() {
                    let (origin, extent) = (chunk.origin(), chunk.extent());
                    let ends = [origin[0] + extent[0], origin[2] + extent[2]];
                    let block = s![(origin[0]):(ends[0]), :, (origin[2]):(ends[1])];
                    let held = block.plan(&shape).unwrap();
                    let data = held.copy_bytes_to_vec(size, &array).unwrap();
                    let target = chunk.target();
                    chunk.plan().copy_to_bytes(size, &data, target, &mut result).unwrap();
                    chunk.plan().copy_to_bytes_uninit(size, &data, target, &mut fresh).unwrap();
                }
                // SAFETY: the chunks' targets are all of the result.
                let fresh = unsafe { fresh.assume_init() };
                assert!(result == wanted && *fresh == wanted, "{text}, {size} bytes");
            }
        });
    }
}

/// Places that are shared by positions of the target: the last value stays, as for `copy_to`.
#[test]
fn the_last_value_wins() {
    let rows = s![].plan_strided(&[3, 2], &[1, 1]).unwrap();
    let from = s![].plan(&[3, 2]).unwrap();
    let (src, mut dst) = (*b"aabbccddeeff", [0; 8]);
    from.copy_to_bytes(2, &src, &rows, &mut dst).unwrap();
    assert_eq!(&dst, b"aacceeff");
    let mut data = *b"aabbccdd";
    s![1:]
        .plan(&[4])
        .unwrap()
        .move_within_bytes(2, &s![].plan_strided(&[3], &[0]).unwrap(), &mut data)
        .unwrap();
    assert_eq!(&data, b"ddbbccdd");
}

/// The error for a buffer of elements of 4 bytes.
fn length<T>(buffer: Buffer, expected: usize, found: usize) -> Result<T, SliceError> {
    Err(SliceError::ByteLength { buffer, expected, found, size: 4 })
}

/// Every form with buffers of any other length, in bytes.
macro_rules! wrong_lengths {
    ($plan:expr) => {{
        let plan = $plan;
        let (n, len) = (4 * plan.input_len(), 4 * plan.len());
        let (array, result) = (vec![0; n], vec![0; len]);
        for wrong in [0, 1, n - 4, n - 1, n + 1, n + 4] {
            let mut other = vec![1; wrong];
            assert_eq!(
                plan.copy_bytes(4, &other, &mut result.clone()),
                length(Buffer::Source, n, wrong)
            );
            let room = &mut result.clone();
            let done = plan.copy_bytes_uninit(4, &other, check::uninit(room));
            assert_eq!(done, length(Buffer::Source, n, wrong));
            assert_eq!(plan.copy_bytes_to_vec(4, &other), length(Buffer::Source, n, wrong));
            let done = plan.copy_bytes_into_vec(4, &other, &mut vec![1]);
            assert_eq!(done, length(Buffer::Source, n, wrong));
            assert_eq!(plan.assign_bytes(4, &mut other, &result), length(Buffer::Target, n, wrong));
            let done = plan.assign_broadcast_bytes(4, &mut other, &[1; 4], &[]);
            assert_eq!(done, length(Buffer::Target, n, wrong));
            assert_eq!(plan.fill_bytes(&mut other, &[2; 4]), length(Buffer::Target, n, wrong));
            assert_eq!(
                plan.grad_bytes(4, &result, &mut other),
                length(Buffer::Destination, n, wrong)
            );
            let done = plan.grad_bytes_uninit(4, &result, check::uninit(&mut other));
            assert_eq!(done, length(Buffer::Destination, n, wrong));
            let done = plan.zip_mut_with_bytes(&mut other, &result, mixed_bytes);
            assert_eq!(done, length(Buffer::Target, n, wrong));
            assert_eq!(other, vec![1; wrong], "a refused operation wrote something");
        }
        for wrong in [0, 1, len - 4, len - 1, len + 1, len + 4] {
            let (mut other, mut target) = (vec![1; wrong], array.clone());
            let done = plan.copy_bytes(4, &array, &mut other);
            assert_eq!(done, length(Buffer::Destination, len, wrong));
            let done = plan.copy_bytes_uninit(4, &array, check::uninit(&mut other));
            assert_eq!(done, length(Buffer::Destination, len, wrong));
            assert_eq!(
                plan.assign_bytes(4, &mut target, &other),
                length(Buffer::Values, len, wrong)
            );
            assert_eq!(
                plan.grad_bytes(4, &other, &mut target),
                length(Buffer::Gradient, len, wrong)
            );
            assert_eq!(plan.grad_bytes_to_vec(4, &other), length(Buffer::Gradient, len, wrong));
            let done = plan.zip_mut_with_bytes(&mut target, &other, mixed_bytes);
            assert_eq!(done, length(Buffer::Values, len, wrong));
            assert_eq!((other, target), (vec![1; wrong], array.clone()));
        }
        for done in [
            plan.copy_bytes(0, &array, &mut result.clone()),
            plan.copy_bytes_to_vec(0, &array).map(drop),
            plan.assign_bytes(0, &mut array.clone(), &result),
            plan.fill_bytes(&mut array.clone(), &[]),
            plan.grad_bytes(0, &result, &mut array.clone()),
            plan.grad_bytes_to_vec(0, &result).map(drop),
        ] {
            assert_eq!(done, Err(SliceError::ZeroElementSize));
        }
        let (elements, size) = (plan.input_len(), usize::MAX / 2);
        assert_eq!(
            plan.copy_bytes_to_vec(size, &array),
            Err(SliceError::BytesTooLarge { elements, size })
        );
        let elements = plan.len();
        assert_eq!(
            plan.grad_bytes_to_vec(size, &result),
            Err(SliceError::BytesTooLarge { elements, size })
        );
    }};
}

#[test]
fn wrong_lengths_are_named_in_bytes() {
    wrong_lengths!(s![1::2].plan(&[6, 5]).unwrap());
    wrong_lengths!(FixedPlan::<2, 2>::new(s![1::2].as_ref(), [6, 5]).unwrap());
    wrong_lengths!(s![::-1].plan(&[9]).unwrap());
}

/// A strided array may be longer than the plan needs, by any number of bytes; a gradient covers all
/// of it.
#[test]
fn a_strided_array_may_be_longer() {
    let plan = s![::-1].plan_strided(&[3], &[2]).unwrap();
    let data = *b"aa--bb--cc+";
    assert_eq!(plan.copy_bytes_to_vec(2, &data).unwrap(), b"ccbbaa");
    let short =
        Err(SliceError::ByteLength { buffer: Buffer::Source, expected: 10, found: 9, size: 2 });
    assert_eq!(plan.copy_bytes_to_vec(2, &data[..9]), short);
    for size in [2, 80] {
        let dy: Vec<u8> = (1..=3 * size as u8).collect();
        let mut dx = vec![9; 5 * size + size / 2];
        plan.grad_bytes(size, &dy, &mut dx).unwrap();
        let parts: Vec<&[u8]> = dy.chunks(size).rev().collect();
        let zeros = vec![0; size];
        let wanted = [parts[0], &zeros, parts[1], &zeros, parts[2], &zeros[..size / 2]].concat();
        assert_eq!(dx, wanted);
    }
    let mut data = *b"aa--bb--cc+";
    s![:2]
        .plan_strided(&[3], &[2])
        .and_then(|from| from.move_within_bytes(2, &s![1:].plan_strided(&[3], &[2])?, &mut data))
        .unwrap();
    assert_eq!(&data, b"aa--aa--bb+");
}

/// Elements of any size, in arrays that have none: no memory is allocated.
#[test]
fn huge_elements_that_nobody_has() {
    let none = s![...].plan(&[0, 3]).unwrap();
    for size in [1, 65, isize::MAX as usize, usize::MAX] {
        assert_eq!(none.copy_bytes_to_vec(size, &[]), Ok(vec![]));
        assert_eq!(none.grad_bytes(size, &[], &mut []), Ok(()));
        assert_eq!(none.grad_bytes_to_vec(size, &[]), Ok(vec![]));
        assert_eq!(none.move_within_bytes(size, &none, &mut []), Ok(()));
        assert_eq!(none.copy_to_bytes(size, &[], &none, &mut []), Ok(()));
    }
    let one = s![..., 0].plan_strided(&[0, 3], &[3, 1]).unwrap();
    let mut dx = [7; 5];
    assert_eq!(one.grad_bytes(usize::MAX, &[], &mut dx), Ok(()));
    assert_eq!(dx, [0; 5]);
    let large: Plan = s![:].plan(&[isize::MAX as usize]).unwrap();
    let (elements, size) = (isize::MAX as usize, 2);
    assert_eq!(
        large.copy_bytes_to_vec(2, &[1; 8]),
        Err(SliceError::BytesTooLarge { elements, size })
    );
    let few = s![:3].plan(&[isize::MAX as usize]).unwrap();
    let grad = few.grad_bytes_to_vec(1, &[1; 3]);
    assert!(usize::BITS == 32 || matches!(grad, Err(SliceError::OutOfMemory { .. })), "{grad:?}");
}
