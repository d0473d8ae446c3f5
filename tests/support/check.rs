//! Runs every operation of a plan and compares each with the index-by-index reference.

use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::ops::AddAssign;
use std::sync::{Mutex, PoisonError};

use pyslice::{Plan, Shaped, SliceError, kernel};

pub use super::entries::spec_of;
use super::naive::{self, Item, Picked};

/// An element type whose values tell positions apart as well as its size allows.
pub trait Element: Copy + Debug + Default + PartialEq {
    /// The value for position `k`.
    fn make(k: usize) -> Self;
}

macro_rules! plain {
    ($($t:ty)*) => { $(
        impl Element for $t {
            fn make(k: usize) -> Self {
                // Odd, so that the low bytes go through all values; 0 stays apart as the default.
                (k as $t).wrapping_mul(5).wrapping_add(1)
            }
        }
    )* };
}
plain!(u8 u16 u32 u64 u128);

macro_rules! several {
    ($($t:ty, $n:literal;)*) => { $(
        impl Element for [$t; $n] {
            fn make(k: usize) -> Self {
                std::array::from_fn(|i| <$t>::make(k.wrapping_mul($n).wrapping_add(i)))
            }
        }
    )* };
}
several!(u8, 3; u8, 5; u16, 3; u32, 3; u64, 3; u64, 4; u8, 0;);

/// Plans `items` on `shape` and compares the plan with the reference; `None` if both refuse.
pub fn planned(shape: &[usize], items: &[Item]) -> Option<(Plan, Picked)> {
    let ours = spec_of(items)?.and_then(|spec| spec.plan(shape));
    match (ours, naive::pick(shape, items)) {
        (Ok(plan), Ok(picked)) => {
            assert_eq!(plan.shape(), picked.shape, "shape of {items:?} on {shape:?}");
            assert_eq!(plan.len(), picked.from.len());
            assert_eq!(plan.is_empty(), picked.from.is_empty());
            assert_eq!(plan.input_len(), shape.iter().product::<usize>());
            let walked = walk(&plan);
            assert_eq!(walked, picked.from, "strides and offset of {items:?} on {shape:?}");
            let in_order = (0..walked.len()).all(|k| walked[k] == walked[0] + k);
            assert_eq!(plan.is_contiguous(), in_order, "{items:?} on {shape:?}: {plan:?}");
            let longer =
                |shape: &[usize]| shape.iter().copied().filter(|&n| n != 1).collect::<Vec<_>>();
            let whole = in_order
                && walked.len() == plan.input_len()
                && longer(&picked.shape) == longer(shape);
            assert_eq!(plan.is_identity(), whole, "{items:?} on {shape:?}: {plan:?}");
            Some((plan, picked))
        }
        (Err(_), Err(_)) => None,
        (ours, theirs) => panic!("{items:?} on {shape:?}: ours {ours:?}, reference {theirs:?}"),
    }
}

/// The positions a plan's shape, strides and offset stand for, in order.
pub fn walk(plan: &Plan) -> Vec<usize> {
    let mut found = vec![plan.offset() as i128];
    for (&n, &stride) in plan.shape().iter().zip(plan.strides()) {
        found = found
            .iter()
            .flat_map(|outer| (0..n as i128).map(move |at| outer + at * stride as i128))
            .collect();
    }
    found.into_iter().map(|at| at as usize).collect()
}

/// Every operation that moves elements as they are.
pub fn moves<T: Element>(plan: &Plan, from: &[usize]) {
    let (n, len) = (plan.input_len(), plan.len());
    let data: Vec<T> = (0..n).map(T::make).collect();
    let wanted: Vec<T> = from.iter().map(|&at| data[at]).collect();
    let what = || format!("{} bytes, {plan:?}", size_of::<T>());

    assert_eq!(plan.copy(&data).unwrap(), wanted, "copy, {}", what());

    let odd = T::make(n + 7);
    let mut out = vec![odd; len];
    plan.copy_into(&data, &mut out[..]).unwrap();
    assert_eq!(out, wanted, "copy_into, {}", what());
    let mut vector = vec![odd; 3];
    plan.copy_into(&data, &mut vector).unwrap();
    assert_eq!(vector, wanted, "copy_into a vector, {}", what());
    let view = plan.on(&data).unwrap();
    assert_eq!((view.shape(), view.len()), (plan.shape(), len), "{}", what());
    assert_eq!(view.to_vec().unwrap(), wanted, "to_vec, {}", what());
    assert!(view.iter().copied().eq(wanted.iter().copied()), "iter, {}", what());

    let mut raw: Vec<MaybeUninit<T>> = vec![MaybeUninit::new(odd); len];
    plan.copy_into(&data, &mut raw[..]).unwrap();
    let read = |v: &MaybeUninit<T>| {
        // SAFETY: every element was initialised above; later writes change only its value.
        unsafe { v.assume_init() }
    };
    let out: Vec<T> = raw.iter().map(read).collect();
    assert_eq!(out, wanted, "copy_into uninitialised, {}", what());

    let values: Vec<T> = (0..len).map(|k| T::make(n + 1 + k)).collect();
    let mut dst = data.clone();
    plan.assign(&mut dst, &values).unwrap();
    let mut wanted_dst = data.clone();
    from.iter().zip(&values).for_each(|(&at, &v)| wanted_dst[at] = v);
    assert_eq!(dst, wanted_dst, "assign, {}", what());
    let (mut dst, mut calls) = (data.clone(), 0);
    let once = |a: &mut T| (*a, calls) = (odd, calls + 1);
    plan.on_mut(&mut dst).unwrap().for_each(once);
    let mut each = data.clone();
    from.iter().for_each(|&at| each[at] = odd);
    assert_eq!((dst, calls), (each, len), "for_each, {}", what());
    let mut dst = data.clone();
    plan.on_mut(&mut dst).unwrap().zip(&values, |a, &b| *a = b).unwrap();
    assert_eq!(dst, wanted_dst, "zip, {}", what());
    // Values of a view, which reads an array backwards.
    let reversed: Vec<T> = values.iter().rev().copied().collect();
    let back = spec_of(&[naive::Item::Range { start: None, stop: None, step: -1 }]);
    let back = back.unwrap().unwrap().plan(&[len]).unwrap().reshape(plan.shape());
    if let Ok(back) = back {
        let mut dst = data.clone();
        plan.assign(&mut dst, back.on(&reversed).unwrap()).unwrap();
        assert_eq!(dst, wanted_dst, "assign a view, {}", what());
    }

    let mut dst = data.clone();
    plan.fill(&mut dst, odd).unwrap();
    let mut wanted_dst = data;
    from.iter().for_each(|&at| wanted_dst[at] = odd);
    assert_eq!(dst, wanted_dst, "fill, {}", what());

    let mut wanted_dx = vec![T::default(); n];
    from.iter().zip(&values).for_each(|(&at, &v)| wanted_dx[at] = v);
    let mut dx = vec![odd; n];
    let mut places = from.to_vec();
    places.sort_unstable();
    if places.windows(2).any(|two| two[0] == two[1]) {
        // An element that is read more than once has the sum as its gradient, which is the
        // caller's.
        assert_eq!(plan.grad(&values), Err(SliceError::Repeats), "grad, {}", what());
        assert_eq!(
            plan.grad_into(&values, &mut dx[..]),
            Err(SliceError::Repeats),
            "grad_into, {}",
            what()
        );
        return;
    }
    assert_eq!(plan.grad(&values).unwrap(), wanted_dx, "grad, {}", what());
    plan.grad_into(&values, &mut dx[..]).unwrap();
    assert_eq!(dx, wanted_dx, "grad_into, {}", what());
    plan.grad_into(&values, &mut vector).unwrap();
    assert_eq!(vector, wanted_dx, "grad_into a vector, {}", what());
    dx.fill(odd);
    plan.on_mut(&mut dx).unwrap().grad(&values).unwrap();
    assert_eq!(dx, wanted_dx, "grad of a view, {}", what());
}

/// What moves bytes, for one element size, from and to places `shift` bytes past an aligned one;
/// the bytes around the result stay as they are.
pub fn moves_bytes(plan: &Plan, from: &[usize], size: usize, shift: usize) {
    let src: Vec<u8> = (0..shift + plan.input_len() * size).map(u8::make).collect();
    let src = &src[shift..];
    let room = plan.len() * size;
    let mut dst = vec![0xA5; shift + room + 64];
    let bytes = plan.bytes(size);
    let view = bytes.on(src).unwrap();
    view.copy_into(&mut dst[shift..shift + room]).unwrap();
    let mut wanted = vec![0xA5; shift];
    from.iter().for_each(|&at| wanted.extend(&src[at * size..(at + 1) * size]));
    wanted.extend([0xA5; 64]);
    assert_eq!(dst, wanted, "copy_into({size}), {shift} bytes on, {plan:?}");
    let result = &wanted[shift..shift + room];
    assert_eq!(view.to_vec().unwrap(), result, "to_vec({size}), {plan:?}");
    assert!(view.iter().eq(result), "iter({size}), {plan:?}");
    let mut vector = vec![1; 9];
    view.copy_into(&mut vector).unwrap();
    assert_eq!(vector, result, "copy_into a vector({size}), {plan:?}");
    dst[shift..shift + room].fill(0x5A);
    view.copy_into(uninit(&mut dst[shift..shift + room])).unwrap();
    assert_eq!(dst, wanted, "copy_into uninitialised({size}), {shift} bytes on, {plan:?}");

    let whole = shift + src.len();
    let values: Vec<u8> = (0..shift + room).map(|k| u8::make(k + 77)).collect();
    let values = &values[shift..];
    let mut dst = vec![0xA5; whole + 64];
    bytes.on_mut(&mut dst[shift..whole]).unwrap().assign(values).unwrap();
    let mut wanted = vec![0xA5; whole + 64];
    let places = || from.iter().map(|at| shift + at * size);
    places()
        .zip(values.chunks(size))
        .for_each(|(at, value)| wanted[at..at + size].copy_from_slice(value));
    assert_eq!(dst, wanted, "assign({size}), {shift} bytes on, {plan:?}");

    let value: Vec<u8> = (0..size).map(|k| u8::make(k + 200)).collect();
    bytes.on_mut(&mut dst[shift..whole]).unwrap().assign(Shaped(&value, &[])).unwrap();
    places().for_each(|at| wanted[at..at + size].copy_from_slice(&value));
    assert_eq!(dst, wanted, "fill({size}), {shift} bytes on, {plan:?}");

    let mut dx = vec![0xA5; whole + 64];
    let mut sorted = from.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|two| two[0] == two[1]) {
        let refused = bytes.grad_into(values, &mut dx[shift..whole]);
        assert_eq!(refused, Err(SliceError::Repeats), "grad_into({size}), {plan:?}");
        return;
    }
    let mut wanted = vec![0xA5; whole + 64];
    wanted[shift..whole].fill(0);
    places()
        .zip(values.chunks(size))
        .for_each(|(at, value)| wanted[at..at + size].copy_from_slice(value));
    bytes.grad_into(values, &mut dx[shift..whole]).unwrap();
    assert_eq!(dx, wanted, "grad_into({size}), {shift} bytes on, {plan:?}");
    dx[shift..whole].fill(0x5A);
    bytes.grad_into(values, uninit(&mut dx[shift..whole])).unwrap();
    assert_eq!(dx, wanted, "grad_into uninitialised({size}), {shift} bytes on, {plan:?}");
    dx[shift..whole].fill(0x5A);
    bytes.on_mut(&mut dx[shift..whole]).unwrap().grad(values).unwrap();
    assert_eq!(dx, wanted, "grad of a view({size}), {shift} bytes on, {plan:?}");
    assert_eq!(bytes.grad(values).unwrap(), wanted[shift..whole], "grad({size}), {plan:?}");
}

/// The bytes, typed as not initialised.
pub fn uninit(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: both types have one layout, and what is written through it is initialised.
    unsafe { &mut *(std::ptr::from_mut(bytes) as *mut [MaybeUninit<u8>]) }
}

/// `data[slice] += values`.
pub fn adds<T: Element + AddAssign>(plan: &Plan, from: &[usize], small: fn(usize) -> T) {
    let data: Vec<T> = (0..plan.input_len()).map(small).collect();
    let values: Vec<T> = (0..plan.len()).map(|k| small(k + 3)).collect();
    let mut dst = data.clone();
    plan.add_assign(&mut dst, &values).unwrap();
    let mut wanted = data;
    from.iter().zip(&values).for_each(|(&at, &v)| wanted[at] += v);
    assert_eq!(dst, wanted, "add_assign, {plan:?}");
}

/// Every operation, for every element size.
pub fn everything(plan: &Plan, from: &[usize]) {
    moves::<u8>(plan, from);
    moves::<u16>(plan, from);
    moves::<[u8; 3]>(plan, from);
    moves::<u32>(plan, from);
    moves::<[u8; 5]>(plan, from);
    moves::<[u16; 3]>(plan, from);
    moves::<u64>(plan, from);
    moves::<[u32; 3]>(plan, from);
    moves::<u128>(plan, from);
    moves::<[u64; 3]>(plan, from);
    moves::<[u64; 4]>(plan, from);
    moves::<[u8; 0]>(plan, from);
    for (shift, size) in [1, 2, 3, 4, 7, 8, 12, 16, 24, 33].into_iter().enumerate() {
        moves_bytes(plan, from, size, shift % 5);
    }
    adds::<u8>(plan, from, |k| (k % 100) as u8);
    adds::<u16>(plan, from, |k| (k % 30_000) as u16);
    adds::<u32>(plan, from, |k| k as u32);
    adds::<u64>(plan, from, |k| k as u64);
    adds::<u128>(plan, from, |k| k as u128);
}

/// Runs `body` on every kernel this machine can run, with results kept in the caches and streamed
/// past them. One at a time: the choice is the process's.
pub fn on_every_kernel(body: impl Fn()) {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let usual = kernel::streaming_threshold();
    for isa in kernel::available() {
        assert!(kernel::force(Some(isa)), "{isa:?} is available");
        for threshold in [usual, 1] {
            kernel::set_streaming_threshold(threshold);
            body();
        }
        kernel::set_streaming_threshold(usual);
    }
    kernel::force(None);
    drop(alone);
}
