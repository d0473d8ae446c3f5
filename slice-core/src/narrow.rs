//! The planner's arithmetic on a target of 32 bits: its own source, compiled once more with `u32` and `i32` for lengths and
//! strides, against arithmetic that cannot overflow.
//!
//! What is an index of Rust's stays a `usize`; there are never more than a few hundred of them.
#![allow(clippy::duplicate_mod, reason = "that is the point")]

#[allow(non_camel_case_types, reason = "as in the crate's own module of this name")]
mod int {
    pub(crate) type usize = u32;
    pub(crate) type isize = i32;
}
#[allow(dead_code, unreachable_pub, reason = "not all of it is asked here, and none is to be seen")]
#[path = "axis.rs"]
mod axis;
#[path = "plan/extent.rs"]
mod extent;
#[allow(dead_code, reason = "not all of it is asked here")]
#[path = "plan/walk.rs"]
mod walk;

use crate::error::SliceError;
use crate::spec::{Entry, SpecBuf};
use alloc::vec;
use alloc::vec::Vec;
use axis::{AxisRun, Bounds, axis_run};
use int::{isize as Stride, usize as Size};
use walk::{Axes, Input};

/// The greatest length, and count of elements.
const MOST: i128 = i32::MAX as i128;

/// A plan, or what the reference says of one. Strides only where there are elements.
#[derive(Debug, PartialEq)]
struct Planned {
    shape: Vec<i128>,
    strides: Vec<i128>,
    offset: i128,
    len: i128,
    count: i128,
}

const ROOM: usize = 10;

fn ours(spec: &SpecBuf, shape: &[u32], strides: Option<&[i32]>, bounds: Bounds) -> Result<Planned, SliceError> {
    let base = match strides {
        Some(strides) => extent::extent(shape, strides)?.0,
        None => 0,
    };
    let rank = walk::out_rank(spec.as_ref(), shape.len())?;
    let mut axes = Axes::<ROOM, ROOM>::ZERO;
    let head = walk::walk(spec.as_ref(), Input { shape, strides, base }, bounds, &mut axes)?;
    let wide = axes.strides[..rank].iter().map(|&s| s.into());
    Ok(Planned {
        shape: axes.shape[..rank].iter().map(|&n| n.into()).collect(),
        strides: if head.len == 0 { vec![] } else { wide.collect() },
        offset: head.offset.into(),
        len: head.len.into(),
        count: head.count.into(),
    })
}

/// The first position that `start:stop:step` takes of `n`, and how many it takes: CPython's `PySlice_AdjustIndices`.
fn picks(n: i128, start: Option<i64>, stop: Option<i64>, step: i64) -> (i128, i128) {
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let place = |bound: Option<i64>, absent: i128| {
        let Some(v) = bound.map(i128::from) else { return absent };
        (if v < 0 { v + n } else { v }).clamp(low, high)
    };
    let (first, past) =
        if step > 0 { (place(start, low), place(stop, high)) } else { (place(start, high), place(stop, low)) };
    let span = (past - first) * i128::from(step.signum());
    (first, if span > 0 { (span - 1) / i128::from(step).abs() + 1 } else { 0 })
}

/// How far elements lie from `[0, 0, …]`, on either side.
fn reach(shape: &[u32], strides: &[i32]) -> (i128, i128) {
    let axes = shape.iter().zip(strides).filter(|&(&n, _)| n > 0);
    axes.fold((0, 0), |(below, above), (&n, &s)| {
        let far = i128::from(n - 1) * i128::from(s);
        (below + (-far).max(0), above + far.max(0))
    })
}

/// The same by arithmetic that cannot overflow; `None` for an error. `spec` takes no more axes than there are.
fn reference(spec: &SpecBuf, shape: &[u32], strides: Option<&[i32]>, bounds: Bounds) -> Option<Planned> {
    if shape.iter().any(|&n| i128::from(n) > MOST) {
        return None;
    }
    let product = |shape: &[u32]| shape.iter().map(|&n| i128::from(n)).product::<i128>();
    let count = product(shape);
    if count > MOST {
        return None;
    }
    let (below, above) = strides.map_or((0, 0), |strides| reach(shape, strides));
    if below + above >= MOST {
        return None;
    }
    let mut steps: Vec<i128> = match strides {
        Some(strides) => strides.iter().map(|&s| s.into()).collect(),
        None => (0..shape.len()).map(|i| product(&shape[i + 1..])).collect(),
    };
    if count == 0 {
        steps.fill(0);
    }
    let mut axes = shape.iter().map(|&n| i128::from(n)).zip(steps);
    let spare = shape.len() - spec.takes();
    let (mut out, mut offset) = (vec![], below);
    for entry in spec.entries() {
        match entry {
            Entry::NewAxis => out.push((1, 0)),
            Entry::Ellipsis => out.extend(axes.by_ref().take(spare)),
            Entry::Index(at) => {
                let (n, stride) = axes.next()?;
                let at = i128::from(at);
                if at < -n || at >= n {
                    return None;
                }
                offset += at.rem_euclid(n) * stride;
            }
            Entry::Range { start, stop, step } => {
                let (n, stride) = axes.next()?;
                let outside = |bound: Option<i64>| bound.is_some_and(|v| i128::from(v).abs() > n);
                if step == 0 || bounds == Bounds::Strict && (outside(start) || outside(stop)) {
                    return None;
                }
                let (first, count) = picks(n, start, stop, step);
                offset += first * stride;
                let scaled = stride * i128::from(step);
                let cut = scaled.clamp(i32::MIN.into(), i32::MAX.into());
                assert!(count < 2 || cut == scaled, "a stride that is walked fits");
                out.push((count, cut));
            }
        }
    }
    out.extend(axes);
    let len = out.iter().map(|&(n, _)| n).product();
    let past = if strides.is_some() { below + above + 1 } else { count };
    assert!((0..=MOST).contains(&len) && (len == 0 || (0..past).contains(&offset)));
    Some(Planned {
        shape: out.iter().map(|&(n, _)| n).collect(),
        strides: if len == 0 { vec![] } else { out.iter().map(|&(_, s)| s).collect() },
        offset: if len == 0 { 0 } else { offset },
        len,
        count,
    })
}

fn compare(spec: &SpecBuf, shape: &[u32], strides: Option<&[i32]>, bounds: Bounds) -> bool {
    let (found, wanted) = (ours(spec, shape, strides, bounds), reference(spec, shape, strides, bounds));
    let same = found.as_ref().ok() == wanted.as_ref();
    assert!(same, "{spec} on {shape:?}, {strides:?}, {bounds:?}: {found:?}, reference {wanted:?}");
    found.is_ok()
}

/// Numbers near which something could overflow or change sign.
fn edges(n: i64) -> Vec<i64> {
    let around = [i64::MIN, i64::MAX, -1 << 32, 1 << 32, -1 << 31, 1 << 31, -1 << 16, 1 << 16, 0, -n, n, -n / 2, n / 2];
    let mut all: Vec<i64> = around.iter().flat_map(|&v| (-2..=2).filter_map(move |by| v.checked_add(by))).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn one_axis_at_the_edges() {
    let mut compared = 0;
    for n in [0, 1, 2, 3, 46_340, 65_535, 65_536, 1 << 30, (1 << 31) - 2, (1 << 31) - 1_u32] {
        let numbers = edges(n.into());
        let bounds: Vec<_> = numbers.iter().copied().map(Some).chain([None]).collect();
        for &start in &bounds {
            for &stop in &bounds {
                for &step in numbers.iter().filter(|&&step| step != 0) {
                    let Ok(AxisRun { start: first, len, .. }) = axis_run(n, start, stop, step) else {
                        panic!("{n} fits")
                    };
                    let found = (i128::from(first), i128::from(len));
                    assert_eq!(found, picks(n.into(), start, stop, step), "{start:?}:{stop:?}:{step} on {n}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_000_000);
    for n in [1 << 31, (1 << 31) + 1, u32::MAX] {
        assert_eq!(axis_run(n, None, None, 1), Err(SliceError::ShapeTooLarge));
    }
}

/// Every shape of so many axes with these lengths.
fn every_shape(rank: usize, lengths: &[u32], mut look: impl FnMut(&[u32])) {
    let mut places = vec![0; rank];
    loop {
        look(&places.iter().map(|&at| lengths[at]).collect::<Vec<u32>>());
        let Some(axis) = places.iter().position(|&at| at + 1 < lengths.len()) else { return };
        places[..axis].fill(0);
        places[axis] += 1;
    }
}

#[test]
fn counts_of_elements_at_the_edges() {
    let whole = SpecBuf::default();
    let many = [
        0,
        1,
        2,
        3,
        7,
        8,
        127,
        128,
        129,
        1290,
        1291,
        32_767,
        32_768,
        46_340,
        46_341,
        65_535,
        65_536,
        65_537,
        1 << 30,
        (1 << 30) + 1,
        (1 << 31) - 1,
        1 << 31,
        u32::MAX,
    ];
    let (mut taken, mut refused) = (0, 0);
    let mut look = |shape: &[u32]| match compare(&whole, shape, None, Bounds::Clamp) {
        true => taken += 1,
        false => refused += 1,
    };
    (0..=4).for_each(|rank| every_shape(rank, &many, &mut look));
    // Lengths of just as many bits as are taken to be few enough, and of one more.
    every_shape(5, &[0, 1, 15, 16, 127, 128], &mut look);
    every_shape(6, &[1, 15, 16, 31, 32, 36], &mut look);
    every_shape(7, &[0, 1, 7, 8, 21, 22], &mut look);
    every_shape(8, &[1, 7, 8, 14, 15], &mut look);
    every_shape(9, &[1, 7, 8, 12], &mut look);
    assert!(taken > 100_000 && refused > 100_000, "{taken} taken, {refused} refused");
}

/// A pseudo-random sequence (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Lengths whose product is mostly about as large as it may be.
    fn shape(&mut self) -> Vec<u32> {
        let rank = self.below(6);
        let mut left = self.of(&[1_u64 << 31, 1 << 31, 1 << 32, 1 << 20, 0]);
        let mut shape: Vec<u32> = (0..rank)
            .map(|i| {
                let most = if i + 1 == rank { left } else { 1 << self.below(32) };
                let n = most.min(left).saturating_sub(self.below(3) as u64);
                left /= n.max(1);
                n as u32
            })
            .collect();
        if rank > 0 {
            let axis = self.below(rank);
            shape.rotate_left(axis);
        }
        shape
    }

    fn entries(&mut self, shape: &[u32]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = shape[..self.below(shape.len() + 1)]
            .iter()
            .map(|&n| {
                let numbers = edges(n.into());
                if self.below(4) == 0 {
                    // Mostly inside.
                    let inside = if n == 0 { 0 } else { self.below(n as usize) as i64 };
                    let any = self.of(&numbers);
                    return Entry::Index(self.of(&[0, -1, inside, inside - i64::from(n), any]));
                }
                let mut bound = || (self.below(3) > 0).then(|| self.of(&numbers));
                let (start, stop) = (bound(), bound());
                let small = [1, -1, 2, -2, 3, 1000];
                let step = if self.below(2) == 0 { self.of(&small) } else { self.of(&numbers) };
                Entry::Range { start, stop, step }
            })
            .collect();
        if self.below(3) == 0 {
            entries.insert(self.below(entries.len() + 1), Entry::NewAxis);
        }
        if self.below(3) == 0 {
            entries.insert(self.below(entries.len() + 1), Entry::Ellipsis);
        }
        entries
    }
}

#[test]
fn slices_of_large_arrays() {
    let (mut random, mut taken, mut refused) = (Random(31), 0, 0);
    for _ in 0..400_000 {
        let shape = random.shape();
        let Ok(spec) = SpecBuf::from_entries(&random.entries(&shape)) else { continue };
        let bounds = random.of(&[Bounds::Clamp, Bounds::Clamp, Bounds::Strict]);
        match compare(&spec, &shape, None, bounds) {
            true => taken += 1,
            false => refused += 1,
        }
    }
    assert!(taken > 50_000 && refused > 50_000, "{taken} taken, {refused} refused");
}

#[test]
fn strides_of_large_arrays() {
    let (mut random, mut taken, mut refused) = (Random(32), 0, 0);
    for _ in 0..400_000 {
        let shape = random.shape();
        let strides: Vec<i32> = shape
            .iter()
            .map(|&n| {
                // About as long as the axis allows, or anything.
                let longest = (i32::MAX as u32 / n.max(1)) as i32;
                let long = longest.saturating_add(random.below(3) as i32 - 1);
                random.of(&[0, 1, -1, 2, long, -long, long / 2, i32::MIN, i32::MAX, 1 - i32::MAX])
            })
            .collect();
        let (below, above) = reach(&shape, &strides);
        let wanted = if below + above >= MOST {
            Err(SliceError::ShapeTooLarge)
        } else if shape.contains(&0) {
            Ok((0, 0))
        } else {
            Ok((below as Size, (below + above + 1) as Size))
        };
        assert_eq!(extent::extent(&shape, &strides), wanted, "{shape:?}, {strides:?}");
        let Ok(spec) = SpecBuf::from_entries(&random.entries(&shape)) else { continue };
        match compare(&spec, &shape, Some(&strides), random.of(&[Bounds::Clamp, Bounds::Strict])) {
            true => taken += 1,
            false => refused += 1,
        }
    }
    assert!(taken > 50_000 && refused > 50_000, "{taken} taken, {refused} refused");
}
