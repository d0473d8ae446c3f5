//! The positions that a plan takes, one by one and in runs, for elements that are not `Copy`, for
//! files and for other storage.

use crate::error::SliceError;
use crate::plan::Plan;
use alloc::vec::{self, Vec};
use core::cmp::Ordering;
use core::iter::FusedIterator;
use smallvec::SmallVec;

/// The length of an axis, and its stride.
type Axis = (usize, isize);

/// A loop, and which of its iterations is next.
#[derive(Clone, Copy, Debug)]
struct Wheel {
    n: usize,
    stride: isize,
    index: usize,
}

/// The positions that loops go through, the last loop innermost. An iterator is moved before it is
/// used, so there is room for few loops.
#[derive(Clone, Debug)]
struct Odometer {
    wheels: SmallVec<[Wheel; 2]>,
    /// The innermost loop.
    inner: Wheel,
    at: usize,
    left: usize,
}

impl Odometer {
    /// Loops over `left` positions of one buffer. Those that continue each other become one.
    #[inline]
    fn new(loops: impl Iterator<Item = Axis>, first: usize, left: usize) -> Odometer {
        let mut wheels = SmallVec::new();
        let mut inner = Wheel { n: 1, stride: 0, index: 0 };
        for (n, stride) in loops.filter(|&(n, _)| n != 1) {
            if inner.n == 1 || stride.checked_mul(n as isize) == Some(inner.stride) {
                inner = Wheel { n: inner.n.saturating_mul(n), stride, index: 0 };
            } else {
                wheels.push(inner);
                inner = Wheel { n, stride, index: 0 };
            }
        }
        Odometer { wheels, inner, at: first, left }
    }

    /// All loops, outermost first.
    fn loops(&self) -> impl Iterator<Item = Axis> {
        self.wheels.iter().chain([&self.inner]).map(|wheel| (wheel.n, wheel.stride))
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let here = self.at;
        self.inner.index = self.inner.index.saturating_add(1);
        if self.inner.index < self.inner.n {
            self.at = here.wrapping_add_signed(self.inner.stride);
        } else {
            self.turn();
        }
        Some(here)
    }

    /// Begins the innermost loop again, and goes on in the others.
    fn turn(&mut self) {
        for wheel in self.wheels.iter_mut().chain([&mut self.inner]).rev() {
            if wheel.index.saturating_add(1) < wheel.n {
                wheel.index = wheel.index.saturating_add(1);
                self.at = self.at.wrapping_add_signed(wheel.stride);
                return;
            }
            // This loop starts again, and the next outer one advances.
            wheel.index = 0;
            let back = wheel.stride.wrapping_mul(wheel.n.saturating_sub(1) as isize);
            self.at = self.at.wrapping_sub(back as usize);
        }
    }

    /// [`Iterator::fold`], with the innermost loop by itself. The list is not moved.
    #[inline]
    fn fold<B>(&mut self, mut all: B, mut f: impl FnMut(B, usize) -> B) -> B {
        while self.left > 0 {
            let Wheel { n, stride, index } = self.inner;
            let count = n.saturating_sub(index).min(self.left);
            let mut at = self.at;
            for _ in 0..count {
                all = f(all, at);
                at = at.wrapping_add_signed(stride);
            }
            self.left = self.left.wrapping_sub(count);
            // From the last position of the row.
            (self.inner.index, self.at) = (n, at.wrapping_sub(stride as usize));
            self.turn();
        }
        all
    }
}

/// The positions of a plan's elements in the buffer: made by [`Plan::offsets`].
#[derive(Clone, Debug)]
pub struct Offsets(Odometer);

impl Offsets {
    /// The positions of `count` iterations of loops, from the `first` on.
    #[cfg(feature = "kernels")]
    #[inline]
    pub(crate) fn new(loops: impl Iterator<Item = Axis>, first: usize, count: usize) -> Offsets {
        Offsets(Odometer::new(loops, first, count))
    }

    /// The positions where the rows of loops begin, and the innermost loop, which is a row.
    #[cfg(feature = "kernels")]
    #[inline]
    pub(crate) fn rows(loops: impl Iterator<Item = Axis>, first: usize) -> (Offsets, Axis) {
        let mut all = Odometer::new(loops, first, 1);
        let row = (all.inner.n, all.inner.stride);
        all.inner = all.wheels.pop().unwrap_or(Wheel { n: 1, stride: 0, index: 0 });
        all.left = all.loops().fold(row.0.min(1), |left, (n, _)| left.wrapping_mul(n));
        (Offsets(all), row)
    }

    /// [`fold`](Iterator::fold), which moves nothing.
    #[inline]
    pub(crate) fn fold_rest<B>(&mut self, all: B, f: impl FnMut(B, usize) -> B) -> B {
        self.0.fold(all, f)
    }
}

impl Iterator for Offsets {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.left, Some(self.0.left))
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(mut self, all: B, f: F) -> B {
        self.fold_rest(all, f)
    }
}
impl ExactSizeIterator for Offsets {}
impl FusedIterator for Offsets {}

/// Runs of adjacent positions in the buffer, each as its first position and its length: made by
/// [`Plan::runs`].
#[derive(Clone, Debug)]
pub struct Runs(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// Runs of one length, one for each iteration of the loops.
    Even(Odometer, usize),
    /// The same in their order in memory, where some touch: these are one. `ahead` is the next run,
    /// or empty, and `left` how many come.
    Joined { starts: Odometer, len: usize, ahead: (usize, usize), left: usize },
    /// Runs that were merged from a sorted list of positions.
    Listed(vec::IntoIter<(usize, usize)>),
}

impl Iterator for Runs {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        match &mut self.0 {
            Kind::Even(starts, len) => Some((starts.next()?, *len)),
            Kind::Joined { starts, len, ahead, left } => {
                let (first, mut all) = *ahead;
                *ahead = (0, 0);
                while let Some(at) = starts.next() {
                    if at != first.saturating_add(all) {
                        *ahead = (at, *len);
                        break;
                    }
                    all = all.saturating_add(*len);
                }
                *left = left.saturating_sub(1);
                (all > 0).then_some((first, all))
            }
            Kind::Listed(runs) => runs.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Kind::Even(starts, _) => starts.left,
            Kind::Joined { left, .. } => *left,
            Kind::Listed(runs) => runs.len(),
        };
        (left, Some(left))
    }
}
impl ExactSizeIterator for Runs {}
impl FusedIterator for Runs {}

impl Runs {
    /// The runs that are left, from the lowest position to the highest, with runs that touch or
    /// overlap as one: for reading a file or a store front to back.
    ///
    /// A position that several elements share (an axis of stride 0, say) is in one run.
    ///
    /// # Errors
    ///
    /// [`SliceError::OutOfMemory`]: a list is made if the order cannot be told from the strides.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let corner = s![::-1, 1:].plan(&[2, 3])?;
    /// assert!(corner.runs().sorted()?.eq([(1, 2), (4, 2)]));
    /// // Whole rows, in any order, are one run.
    /// assert!(s![::-1].plan(&[4, 5])?.runs().sorted()?.eq([(0, 20)]));
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn sorted(self) -> Result<Runs, SliceError> {
        let Kind::Even(starts, run) = self.0 else { return Ok(self) };
        if let Some(upwards) = upwards(&starts, run) {
            return Ok(upwards);
        }
        let mut all: Vec<(usize, usize)> = Vec::new();
        let bytes = starts.left.saturating_mul(size_of::<(usize, usize)>());
        all.try_reserve_exact(starts.left).map_err(|_| SliceError::OutOfMemory { bytes })?;
        all.extend(Runs(Kind::Even(starts, run)));
        all.sort_unstable();
        all.dedup_by(|next, last| {
            // Both lie inside the buffer.
            let end = last.0.saturating_add(last.1);
            let touches = next.0 <= end;
            if touches {
                last.1 = end.max(next.0.saturating_add(next.1)).saturating_sub(last.0);
            }
            touches
        });
        Ok(Runs(Kind::Listed(all.into_iter())))
    }
}

/// The runs sorted, if loops over the axes can do that: no stride is shorter than all that the
/// shorter ones reach.
#[inline]
fn upwards(starts: &Odometer, run: usize) -> Option<Runs> {
    if starts.left == 0 {
        return Some(even(SmallVec::new(), 1, 0, 0));
    }
    let (mut loops, mut first, mut count) = (SmallVec::<[Axis; 8]>::new(), starts.at, run);
    let mut total = 1usize;
    for (n, stride) in starts.loops() {
        total = total.saturating_mul(n);
        if n == 1 || stride == 0 {
            continue;
        }
        if stride < 0 {
            // The last position of the axis lies inside the buffer.
            first = first.wrapping_add_signed(stride.wrapping_mul(n.saturating_sub(1) as isize));
        }
        loops.push((n, stride.saturating_abs()));
        count = count.saturating_mul(n);
    }
    if total != starts.left {
        // Some were taken.
        return None;
    }
    loops.push((run, 1));
    loops.sort_unstable_by_key(|&(_, stride)| core::cmp::Reverse(stride));
    let len = self::run(&mut loops);
    let runs = count.checked_div(len).unwrap_or(0);
    let (mut reach, mut outer, mut touching) = (len as isize, runs, 0_usize);
    for &(n, stride) in loops.iter().rev() {
        outer = outer.checked_div(n).unwrap_or(0);
        match stride.cmp(&reach) {
            Ordering::Less => return None,
            // Each of these runs begins where the one before it ends.
            Ordering::Equal => {
                touching = touching.saturating_add(outer.saturating_mul(n.saturating_sub(1)));
            }
            Ordering::Greater => {}
        }
        reach = reach.saturating_add(stride.saturating_mul(n.saturating_sub(1) as isize));
    }
    if touching == 0 {
        return Some(even(loops, len, first, count));
    }
    let mut starts = Odometer::new(loops.into_iter(), first, runs);
    let ahead = (starts.next()?, len);
    Some(Runs(Kind::Joined { starts, len, ahead, left: runs.saturating_sub(touching) }))
}

/// Removes the innermost loops that run through adjacent positions. Returns how many positions
/// those are.
#[inline]
fn run(loops: &mut SmallVec<[Axis; 8]>) -> usize {
    let mut len = 1usize;
    while let Some(&(n, stride)) = loops.last() {
        if n != 1 && stride != len as isize {
            break;
        }
        // The run lies inside the buffer.
        len = len.saturating_mul(n);
        loops.pop();
    }
    len
}

/// Runs of `len` positions, one for each iteration of the loops; `count` positions in all.
#[inline]
fn even(loops: SmallVec<[Axis; 8]>, len: usize, first: usize, count: usize) -> Runs {
    let count = count.checked_div(len).unwrap_or(0);
    Runs(Kind::Even(Odometer::new(loops.into_iter(), first, count), len))
}

impl Plan {
    /// Where in the buffer the elements of the result are, in the result's order (C order).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let names = ["a", "b", "c", "d", "e", "f"].map(String::from);
    /// let corner = s![::-1, 1:].plan(&[2, 3])?;
    /// assert!(corner.offsets().eq([4, 5, 1, 2]));
    /// assert_eq!(corner.offsets().map(|at| names[at].as_str()).collect::<String>(), "efbc");
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn offsets(&self) -> Offsets {
        let loops = self.shape().iter().copied().zip(self.strides().iter().copied());
        Offsets(Odometer::new(loops, self.offset(), self.len()))
    }

    /// The elements of the result, in its order, as runs of adjacent positions in the buffer: the
    /// first position of each run, and its length. All runs have the same length, which is as large
    /// as the order allows.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let corner = s![::-1, 1:].plan(&[2, 3])?;
    /// assert!(corner.runs().eq([(4, 2), (1, 2)]));
    /// // Whole rows in order are one run.
    /// assert!(s![1:3].plan(&[4, 5])?.runs().eq([(5, 10)]));
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn runs(&self) -> Runs {
        let mut loops = self.shape().iter().copied().zip(self.strides().iter().copied()).collect();
        let len = if self.is_empty() { 1 } else { run(&mut loops) };
        even(loops, len, self.offset(), self.len())
    }
}
