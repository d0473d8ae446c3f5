//! The positions that a plan takes, one by one and in runs, for elements that are not `Copy`, for
//! files and for other storage.

use crate::error::{Buffer, SliceError};
use crate::plan::Plan;
use alloc::vec::{self, Vec};
use core::iter::FusedIterator;
use smallvec::SmallVec;

/// An axis as a loop: how many iterations it has, and how far each steps.
type Loop = (usize, isize);

/// The positions that loops go through, the last loop innermost.
#[derive(Clone, Debug)]
struct Odometer {
    loops: SmallVec<[Loop; 8]>,
    index: SmallVec<[usize; 8]>,
    at: usize,
    left: usize,
}

impl Odometer {
    /// Loops over `left` positions of one buffer.
    #[inline]
    fn new(loops: SmallVec<[Loop; 8]>, first: usize, left: usize) -> Odometer {
        Odometer { index: loops.iter().map(|_| 0).collect(), loops, at: first, left }
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let here = self.at;
        for (&(n, stride), i) in self.loops.iter().zip(&mut self.index).rev() {
            *i = i.saturating_add(1);
            if *i < n {
                self.at = self.at.wrapping_add_signed(stride);
                return Some(here);
            }
            // This loop starts again, and the next outer one advances.
            *i = 0;
            let back = stride.wrapping_mul(n.saturating_sub(1) as isize);
            self.at = self.at.wrapping_sub(back as usize);
        }
        Some(here)
    }
}

/// The positions of a plan's elements in the buffer: made by [`Plan::offsets`].
#[derive(Clone, Debug)]
pub struct Offsets(Odometer);

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
}
impl ExactSizeIterator for Offsets {}
impl FusedIterator for Offsets {}

/// Runs of adjacent positions in the buffer, each as its first position and its length: made by
/// [`Plan::runs`] and [`Plan::runs_in_memory_order`].
#[derive(Clone, Debug)]
pub struct Runs(Kind);

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one, where the loop over it is")]
enum Kind {
    /// Runs of one length, one for each iteration of the loops.
    Even(Odometer, usize),
    /// Runs that were merged from a sorted list of positions.
    Listed(vec::IntoIter<(usize, usize)>),
}

impl Iterator for Runs {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        match &mut self.0 {
            Kind::Even(starts, len) => Some((starts.next()?, *len)),
            Kind::Listed(runs) => runs.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Kind::Even(starts, _) => starts.left,
            Kind::Listed(runs) => runs.len(),
        };
        (left, Some(left))
    }
}
impl ExactSizeIterator for Runs {}
impl FusedIterator for Runs {}

/// Removes the innermost loops that run through adjacent positions. Returns how many positions
/// those are.
#[inline]
fn run(loops: &mut SmallVec<[Loop; 8]>) -> usize {
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
fn even(loops: SmallVec<[Loop; 8]>, len: usize, first: usize, count: usize) -> Runs {
    Runs(Kind::Even(Odometer::new(loops, first, count.checked_div(len).unwrap_or(0)), len))
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
        Offsets(Odometer::new(loops.collect(), self.offset(), self.len()))
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

    /// The positions that the slice takes, each once and in ascending order, as runs of adjacent
    /// positions in the buffer: the parts of a file to read, for example. No run ends where another
    /// begins.
    ///
    /// For layouts whose strides do not nest with gaps between, such as sliding windows, it makes
    /// and sorts a list of all positions.
    ///
    /// # Errors
    ///
    /// [`SliceError::OutOfMemory`] if memory for that list runs out.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// // The last two columns of each row are read, whatever the order of the result.
    /// let plan = s![::-1, :0:-1].plan(&[2, 3])?.permute(&[1, 0])?;
    /// assert!(plan.runs_in_memory_order()?.eq([(1, 2), (4, 2)]));
    /// let windows = s![].plan_strided(&[3, 3], &[1, 1])?;
    /// assert!(windows.runs_in_memory_order()?.eq([(0, 5)]));
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn runs_in_memory_order(&self) -> Result<Runs, SliceError> {
        if self.is_empty() {
            return Ok(even(SmallVec::new(), 1, 0, 0));
        }
        let (mut loops, mut first, mut count) =
            (SmallVec::<[Loop; 8]>::new(), self.offset(), 1usize);
        for (&n, &stride) in self.shape().iter().zip(self.strides()) {
            if n == 1 || stride == 0 {
                continue;
            }
            if stride < 0 {
                // The last position of the axis lies inside the buffer.
                first =
                    first.wrapping_add_signed(stride.wrapping_mul(n.saturating_sub(1) as isize));
            }
            loops.push((n, stride.saturating_abs()));
            count = count.saturating_mul(n);
        }
        loops.sort_unstable_by_key(|&(_, stride)| core::cmp::Reverse(stride));
        let len = run(&mut loops);
        // If each stride leaves a gap after all that the shorter ones reach, the loops go upwards,
        // and no two runs touch.
        let mut reach = len as isize;
        let apart = loops.iter().rev().all(|&(n, stride)| {
            let apart = stride > reach;
            reach = reach.saturating_add(stride.saturating_mul(n.saturating_sub(1) as isize));
            apart
        });
        if apart {
            return Ok(even(loops, len, first, count));
        }
        let mut all = Vec::new();
        let bytes = self.len().saturating_mul(size_of::<usize>());
        all.try_reserve_exact(self.len()).map_err(|_| SliceError::OutOfMemory { bytes })?;
        all.extend(self.offsets());
        all.sort_unstable();
        all.dedup();
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for at in all {
            match runs.last_mut() {
                Some((first, len)) if first.saturating_add(*len) == at => {
                    *len = len.saturating_add(1)
                }
                _ => runs.push((at, 1)),
            }
        }
        Ok(Runs(Kind::Listed(runs.into_iter())))
    }

    /// Clones the elements of the slice to a new vector, in C order. ([`copy`](Plan::copy) is
    /// faster, for elements that are `Copy`.)
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `src` is not the array the plan was made for;
    /// [`SliceError::OutOfMemory`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let names = ["a", "b", "c", "d"].map(String::from);
    /// assert_eq!(s![::-2].plan(&[4])?.copy_cloned(&names)?, ["d", "b"]);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn copy_cloned<T: Clone>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        let wrong = SliceError::BufferLength {
            buffer: Buffer::Source,
            expected: self.input_len(),
            found: src.len(),
        };
        if src.len() < self.input_len() || src.len() != self.input_len() && !self.is_strided() {
            return Err(wrong);
        }
        let mut out = Vec::new();
        let bytes = self.len().saturating_mul(size_of::<T>());
        out.try_reserve_exact(self.len()).map_err(|_| SliceError::OutOfMemory { bytes })?;
        for (first, len) in self.runs() {
            let run = first.checked_add(len).and_then(|end| src.get(first..end)).ok_or(wrong)?;
            out.extend_from_slice(run);
        }
        Ok(out)
    }
}
