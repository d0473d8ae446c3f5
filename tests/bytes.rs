//! The methods over bytes give the same as the typed ones, at any alignment, and refuse the same.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Buffer, Plan, Shaped, SliceError, SpecBuf, s};
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
        let view = plan.bytes(4).on(src).unwrap();
        prop_assert_eq!(view.to_vec().unwrap(), &copied[..]);
        prop_assert!(view.iter().eq(&copied));
        let mut left = view.iter();
        prop_assert!(copied.iter().all(|byte| left.next() == Some(byte)) && left.next().is_none());
        let (mut typed, mut bytes) = (data.clone(), data_raw.clone());
        let (mut typed, mut place) =
            (plan.on_mut(&mut typed).unwrap(), plan.bytes(4).on_mut(&mut bytes[shift..]).unwrap());
        typed.for_each(|a| *a = !*a);
        place.for_each(|a| *a = !*a);
        typed.zip(&values, |a, b| *a ^= b).unwrap();
        place.zip(given, |a, b| *a ^= b).unwrap();
        prop_assert_eq!(place.view().to_vec().unwrap(), raw(&typed.view().to_vec().unwrap(), 0));
        let grad = raw(&plan.grad(&values).unwrap(), 0);
        prop_assert_eq!(plan.bytes(4).grad(given).unwrap(), grad);
        let (mut typed, mut bytes) = (data.clone(), data_raw.clone());
        plan.on_mut(&mut typed).unwrap().zip(&values, |a, &b| *a = mixed(*a, b)).unwrap();
        let place = bytes[shift..].as_chunks_mut::<4>().0;
        plan.on_mut(place).unwrap().zip(given.as_chunks::<4>().0, mixed_bytes).unwrap();
        prop_assert_eq!(bytes, raw(&typed, shift));
        // One value for all.
        if let Ok(all) = plan.broadcast_to(&[&[2][..], plan.shape()].concat()) {
            let values = values.repeat(2);
            let mut bytes = data_raw.clone();
            let mut typed = data.clone();
            all.on_mut(&mut typed).unwrap().zip(&values, |a, &b| *a = mixed(*a, b)).unwrap();
            let (place, values) = (bytes[shift..].as_chunks_mut::<4>().0, raw(&values, 0));
            all.on_mut(place).unwrap().zip(values.as_chunks::<4>().0, mixed_bytes).unwrap();
            prop_assert_eq!(bytes, raw(&typed, shift));
        }
    }

    /// A result of any element size put together from its chunks: none of them is copied first.
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
            let (part, target) = (part.bytes(size), target.bytes(size));
            let mut place = target.on_mut(&mut result[shift..]).unwrap();
            place.assign(part.on(&data[shift..]).unwrap()).unwrap();
        }
        prop_assert_eq!(&result[shift..], &wanted);
    }
}

/// Large enough for each kernel and for streaming. Chunks that are cut along the last axis as well
/// leave gaps between their places.
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
                let wanted = plan.bytes(size).on(&array).unwrap().to_vec().unwrap();
                let mut result = vec![0; wanted.len()];
                for chunk in plan.chunks_of_lengths(&[&[100, 200][..], &[70], &[4, 5]]).unwrap() {
                    let (origin, extent) = (chunk.origin(), chunk.extent());
                    let ends = [origin[0] + extent[0], origin[2] + extent[2]];
                    let block = s![(origin[0]):(ends[0]), :, (origin[2]):(ends[1])];
                    let held = block.plan(&shape).unwrap();
                    let data = held.bytes(size).on(&array).unwrap().to_vec().unwrap();
                    let (part, target) = (chunk.plan().bytes(size), chunk.target().bytes(size));
                    let values = part.on(&data).unwrap();
                    target.on_mut(&mut result).unwrap().assign(values).unwrap();
                }
                assert!(result == wanted, "{text}, {size} bytes");
            }
        });
    }
}

/// Places that are shared by positions of the target: the last value stays.
#[test]
fn the_last_value_wins() {
    let rows = s![].plan_strided(&[3, 2], &[1, 1]).unwrap();
    let from = s![].plan(&[3, 2]).unwrap();
    let (src, mut dst) = (*b"aabbccddeeff", [0; 8]);
    let values = from.bytes(2);
    rows.bytes(2).on_mut(&mut dst).unwrap().assign(values.on(&src).unwrap()).unwrap();
    assert_eq!(&dst, b"aacceeff");
    let mut data = *b"aabbccdd";
    s![1:]
        .plan(&[4])
        .unwrap()
        .bytes(2)
        .move_within(&s![].plan_strided(&[3], &[0]).unwrap(), &mut data)
        .unwrap();
    assert_eq!(&data, b"ddbbccdd");
}

/// The error for a buffer of elements of 4 bytes.
fn length<T>(buffer: Buffer, expected: usize, found: usize) -> Result<T, SliceError> {
    Err(SliceError::ByteLength { buffer, expected, found, size: 4 })
}

/// Every form with buffers of any other length, in bytes.
#[test]
fn wrong_lengths_are_named_in_bytes() {
    for plan in [s![1::2].plan(&[6, 5]).unwrap(), s![::-1].plan(&[9]).unwrap()] {
        let (n, len) = (4 * plan.input_len(), 4 * plan.len());
        let (array, result, bytes) = (vec![0; n], vec![0; len], plan.bytes(4));
        for wrong in [0, 1, n - 4, n - 1, n + 1, n + 4] {
            let mut other = vec![1; wrong];
            assert_eq!(bytes.on(&other).map(drop), length(Buffer::Source, n, wrong));
            assert_eq!(bytes.on_mut(&mut other).map(drop), length(Buffer::Target, n, wrong));
            let done = bytes.grad_into(&result, &mut other[..]);
            assert_eq!(done, length(Buffer::Destination, n, wrong));
            let done = bytes.grad_into(&result, check::uninit(&mut other));
            assert_eq!(done, length(Buffer::Destination, n, wrong));
            let moved = bytes.move_within(&plan, &mut other);
            assert_eq!(moved, length(Buffer::Source, n, wrong));
            assert_eq!(other, vec![1; wrong], "a refused operation wrote something");
        }
        for wrong in [0, 1, len - 4, len - 1, len + 1, len + 4] {
            let (mut other, mut target) = (vec![1; wrong], array.clone());
            let view = bytes.on(&array).unwrap();
            let done = view.copy_into(&mut other[..]);
            assert_eq!(done, length(Buffer::Destination, len, wrong));
            let done = view.copy_into(check::uninit(&mut other));
            assert_eq!(done, length(Buffer::Destination, len, wrong));
            let mut place = bytes.on_mut(&mut target).unwrap();
            assert_eq!(place.assign(&other), length(Buffer::Values, len, wrong));
            assert_eq!(place.zip(&other, |a, b| *a = *b), length(Buffer::Values, len, wrong));
            assert_eq!(place.grad(&other), length(Buffer::Gradient, len, wrong));
            let broadcast = place.assign(Shaped(&other, plan.shape()));
            assert_eq!(broadcast, length(Buffer::BroadcastValues, len, wrong));
            assert_eq!(bytes.grad(&other), length(Buffer::Gradient, len, wrong));
            assert_eq!((other, target), (vec![1; wrong], array.clone()));
        }
        let none = plan.bytes(0);
        for done in [
            none.on(&array).map(drop),
            none.on_mut(&mut array.clone()).map(drop),
            none.grad(&result).map(drop),
            none.grad_into(&result, &mut array.clone()[..]),
            none.move_within(&plan, &mut array.clone()),
        ] {
            assert_eq!(done, Err(SliceError::ZeroElementSize));
        }
        let (elements, size) = (plan.input_len(), usize::MAX / 2);
        let too_large = SliceError::BytesTooLarge { elements, size };
        assert_eq!(plan.bytes(size).on(&array).err(), Some(too_large));
        assert_eq!(plan.bytes(size).grad(&result), Err(too_large));
    }
}

/// A strided array may be longer than the plan needs, by any number of bytes; a gradient covers all
/// of it.
#[test]
fn a_strided_array_may_be_longer() {
    let plan = s![::-1].plan_strided(&[3], &[2]).unwrap();
    let data = *b"aa--bb--cc+";
    assert_eq!(plan.bytes(2).on(&data).unwrap().to_vec().unwrap(), b"ccbbaa");
    let short = SliceError::ByteLength { buffer: Buffer::Source, expected: 10, found: 9, size: 2 };
    assert_eq!(plan.bytes(2).on(&data[..9]).err(), Some(short));
    for size in [2, 80] {
        let dy: Vec<u8> = (1..=3 * size as u8).collect();
        let mut dx = vec![9; 5 * size + size / 2];
        plan.bytes(size).on_mut(&mut dx).unwrap().grad(&dy).unwrap();
        let parts: Vec<&[u8]> = dy.chunks(size).rev().collect();
        let zeros = vec![0; size];
        let wanted = [parts[0], &zeros, parts[1], &zeros, parts[2], &zeros[..size / 2]].concat();
        assert_eq!(dx, wanted);
    }
    let mut data = *b"aa--bb--cc+";
    let to = s![1:].plan_strided(&[3], &[2]).unwrap();
    s![:2].plan_strided(&[3], &[2]).unwrap().bytes(2).move_within(&to, &mut data).unwrap();
    assert_eq!(&data, b"aa--aa--bb+");
}

/// Elements of any size, in arrays that have none: no memory is allocated.
#[test]
fn huge_elements_that_nobody_has() {
    let none = s![...].plan(&[0, 3]).unwrap();
    for size in [1, 65, isize::MAX as usize, usize::MAX] {
        let bytes = none.bytes(size);
        let nothing = bytes.on(&[]).unwrap();
        assert_eq!(nothing.to_vec(), Ok(vec![]));
        assert_eq!(nothing.iter().len(), 0);
        assert_eq!(bytes.grad_into(&[], &mut [0; 0][..]), Ok(()));
        assert_eq!(bytes.grad(&[]), Ok(vec![]));
        assert_eq!(bytes.move_within(&none, &mut []), Ok(()));
        let mut place = [];
        let mut place = bytes.on_mut(&mut place).unwrap();
        assert_eq!(place.assign(nothing), Ok(()));
        assert_eq!(place.grad(&[]), Ok(()));
        assert_eq!(place.zip(nothing, |a, b| *a = *b), Ok(()));
        place.for_each(|_| unreachable!("there are no bytes"));
    }
    let one = s![..., 0].plan_strided(&[0, 3], &[3, 1]).unwrap();
    let mut dx = [7; 5];
    assert_eq!(one.bytes(usize::MAX).on_mut(&mut dx).unwrap().grad(&[]), Ok(()));
    assert_eq!(dx, [0; 5]);
    let large: Plan = s![:].plan(&[isize::MAX as usize]).unwrap();
    let (elements, size) = (isize::MAX as usize, 2);
    let too_large = SliceError::BytesTooLarge { elements, size };
    assert_eq!(large.bytes(2).on(&[1; 8]).err(), Some(too_large));
    // Elements as well as bytes.
    let repeated = s![].plan_strided(&[elements], &[0]).unwrap();
    let too_large = Some(SliceError::BytesTooLarge { elements, size: 4 });
    assert_eq!(repeated.copy(&[1_u32]).err(), too_large);
    assert_eq!(repeated.copy_into(&[1_u32], &mut Vec::new()).err(), too_large);
    assert_eq!(repeated.on(&[1_u32]).unwrap().to_vec().err(), too_large);
    assert_eq!(large.grad(&[1_u32]).err(), too_large);
    let few = s![:3].plan(&[isize::MAX as usize]).unwrap();
    let grad = few.bytes(1).grad(&[1; 3]);
    assert!(usize::BITS == 32 || matches!(grad, Err(SliceError::OutOfMemory { .. })), "{grad:?}");
}
