//! Two layouts of one shape, reduced to the loops that are really needed.
//!
//! The way back writes into a view, so it is the *destination* whose order decides: unless positions share memory, the loops are
//! turned and sorted until the destination is written from its first byte to its last. A reversed assignment becomes a reversed
//! read, a transposed one a transposed read.

use core::mem::MaybeUninit;

use super::nest::{Pair, Room};

/// Merged loops over two strided buffers, innermost first.
pub(crate) struct Pairs<'a> {
    room: &'a mut Room<Pair>,
    len: usize,
    /// Bytes contiguous on both sides.
    pub run: usize,
    /// Bytes in all.
    pub total: usize,
    /// Byte offsets of the first position, from where the caller's pointers are.
    pub src: isize,
    pub dst: isize,
}

impl<'a> Pairs<'a> {
    /// Takes over two layouts of one shape, strides in elements of `elem` bytes; `src` `None`: in C order, without gaps.
    /// `None` if there is nothing to move. The order of the positions is kept.
    ///
    /// All positions must lie inside one allocated buffer on each side, so that no product of strides here can overflow. Their number may, where
    /// places are shared: a loop that moves neither is left out, being the same move again, and what is left saturates.
    #[inline]
    pub(crate) fn merge(
        room: &'a mut Room<Pair>,
        shape: &[usize],
        src: Option<&[isize]>,
        dst: &[isize],
        elem: usize,
    ) -> Option<Pairs<'a>> {
        let mut pairs = Pairs { room, len: 0, run: elem, total: elem, src: 0, dst: 0 };
        for (i, (&n, &d)) in shape.iter().zip(dst).enumerate().rev() {
            if n == 1 {
                continue;
            }
            if n == 0 {
                return None;
            }
            // Wrapping: only where another axis is empty can a stride exceed what memory holds.
            let s = match src {
                None => pairs.total as isize,
                Some(strides) => strides.get(i).map_or(0, |s| s.wrapping_mul(elem as isize)),
            };
            if s == 0 && d == 0 {
                continue;
            }
            pairs.total = pairs.total.saturating_mul(n);
            pairs.push(Pair { n, src: s, dst: d.wrapping_mul(elem as isize) });
        }
        (pairs.total != 0).then_some(pairs)
    }

    /// Adds a loop outside all others, merging it with what it continues.
    #[inline(always)]
    fn push(&mut self, pair: Pair) {
        let Some(last) = self.axes_mut().last_mut() else {
            if pair.src == self.run as isize && pair.dst == pair.src {
                self.run = self.run.wrapping_mul(pair.n);
                return;
            }
            self.room[0] = MaybeUninit::new(pair);
            self.len = 1;
            return;
        };
        let n = last.n as isize;
        if pair.src == last.src.wrapping_mul(n) && pair.dst == last.dst.wrapping_mul(n) {
            last.n = last.n.wrapping_mul(pair.n);
        } else {
            self.room[self.len] = MaybeUninit::new(pair);
            self.len += 1;
        }
    }

    /// The loops, innermost first.
    #[inline(always)]
    pub(crate) fn axes(&self) -> &[Pair] {
        // SAFETY: `push` wrote the first `len` pairs, and `sort` only lowers `len`.
        unsafe { core::slice::from_raw_parts(self.room.as_ptr().cast::<Pair>(), self.len) }
    }

    #[inline(always)]
    fn axes_mut(&mut self) -> &mut [Pair] {
        // SAFETY: as in `axes`.
        unsafe { core::slice::from_raw_parts_mut(self.room.as_mut_ptr().cast::<Pair>(), self.len) }
    }

    /// Turns and sorts the loops so that the destination is walked upwards: every loop steps over all that the loops inside it reach.
    ///
    /// False if that cannot be seen to be so. Positions may share memory then, and must be written in the order that was given; the loops
    /// are of no use any more.
    pub(crate) fn sort(&mut self) -> bool {
        let (mut src, mut dst) = (self.src, self.dst);
        for axis in self.axes_mut() {
            if axis.dst < 0 {
                let last = axis.n as isize - 1;
                (src, dst) = (src + axis.src * last, dst + axis.dst * last);
                (axis.src, axis.dst) = (-axis.src, -axis.dst);
            }
        }
        (self.src, self.dst) = (src, dst);
        // A handful of loops, mostly sorted already.
        let axes = self.axes_mut();
        for i in 1..axes.len() {
            let mut j = i;
            while j > 0 && axes[j - 1].dst > axes[j].dst {
                axes.swap(j - 1, j);
                j -= 1;
            }
        }
        let mut reach = self.run as isize;
        for axis in self.axes() {
            if axis.dst < reach {
                return false;
            }
            reach += axis.dst * (axis.n as isize - 1);
        }
        // What was apart may run on now. `push` writes below what is read: it never adds more than it was given.
        let len = self.len;
        self.len = 0;
        for i in 0..len {
            // SAFETY: the first `len` pairs were written, and `push` has only written over earlier ones.
            let pair = unsafe { self.room[i].assume_init() };
            self.push(pair);
        }
        true
    }
}

impl Pairs<'_> {
    /// Makes one run of the innermost loop if one value of `run` bytes is written everywhere and that loop writes it fewer than `most` bytes in a
    /// row; says how often the value is in the run now. For sorted loops.
    pub(crate) fn widen(&mut self, most: usize) -> usize {
        let &[Pair { n, dst, .. }, ..] = self.axes() else { return 1 };
        let run = self.run;
        if dst != run as isize || n * run >= most || self.axes().iter().any(|axis| axis.src != 0) {
            return 1;
        }
        self.room.copy_within(1..self.len, 0);
        self.len -= 1;
        self.run *= n;
        n
    }
}

/// The bytes that `axes` with runs of `run` bytes reach in the destination, where all steps are positive.
#[inline(always)]
pub(crate) fn reach(axes: &[Pair], run: usize) -> usize {
    axes.iter().fold(run, |reach, axis| reach + axis.dst as usize * (axis.n - 1))
}

/// The bytes that they reach in the source.
pub(crate) fn read(axes: &[Pair], run: usize) -> usize {
    axes.iter().fold(run, |reach, axis| reach.saturating_add(axis.src.unsigned_abs().saturating_mul(axis.n - 1)))
}
