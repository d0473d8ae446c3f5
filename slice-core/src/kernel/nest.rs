//! A view reduced to the loops that are really needed.
//!
//! Unit axes vanish, neighbours that step alike become one axis, and the contiguous end of the view becomes
//! one run of bytes. Nothing here touches memory of the caller, and nothing is allocated: a nest lives on the stack
//! and only its used part is ever written.

use core::mem::MaybeUninit;

use super::View;

/// One loop: how often, and how many bytes further in the strided buffer each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    /// Number of positions, at least 2.
    pub n: usize,
    /// Bytes from one position to the next; negative or 0 too.
    pub step: isize,
}

/// The highest number of axes: longer than 1 each, 63 of them already exceed every address space.
const MAX: usize = 64;

/// The merged loops of a view, innermost first.
pub(crate) struct Nest {
    axes: [MaybeUninit<Axis>; MAX],
    len: usize,
    /// Contiguous bytes moved at each position; 0 only where nothing is to be moved.
    pub run: usize,
    /// Byte offset of the first position.
    pub start: usize,
}

impl Nest {
    /// An empty nest, to be filled by [`merge`](Nest::merge); its 1 KiB is left unwritten.
    #[inline(always)]
    pub(crate) const fn new() -> Nest {
        Nest { axes: [MaybeUninit::uninit(); MAX], len: 0, run: 0, start: 0 }
    }

    /// Takes over the view of elements of `elem` bytes. Returns the number of bytes it has; 0 if there is nothing to do.
    ///
    /// Every position of the view must lie inside one allocated buffer, so that no product here can overflow.
    #[inline(always)]
    pub(crate) fn merge(&mut self, view: &View<'_>, elem: usize) -> usize {
        let mut run = elem;
        let mut total = elem;
        let mut len = 0;
        // The axis being grown is kept in registers until the next one starts.
        let mut last = Axis { n: 1, step: 0 };
        for (&n, &stride) in view.shape.iter().zip(view.strides).rev() {
            if n == 1 {
                continue;
            }
            // Wrapping: only where an axis is empty can a product exceed what memory holds.
            total = total.wrapping_mul(n);
            if n == 0 {
                return 0;
            }
            let step = stride.wrapping_mul(elem as isize);
            if last.n == 1 {
                if step == run as isize {
                    run = run.wrapping_mul(n);
                } else {
                    last = Axis { n, step };
                }
            } else if step == last.step.wrapping_mul(last.n as isize) {
                last.n = last.n.wrapping_mul(n);
            } else {
                self.axes[len] = MaybeUninit::new(last);
                len += 1;
                last = Axis { n, step };
            }
        }
        if last.n != 1 {
            self.axes[len] = MaybeUninit::new(last);
            len += 1;
        }
        self.len = len;
        self.run = run;
        self.start = view.offset.wrapping_mul(elem);
        total
    }

    /// The axes, innermost first.
    #[inline(always)]
    pub(crate) fn axes(&self) -> &[Axis] {
        // SAFETY: `merge` wrote the first `len` axes, and nothing else changes `len`.
        unsafe { core::slice::from_raw_parts(self.axes.as_ptr().cast::<Axis>(), self.len) }
    }
}

/// The span of bytes that positions of `axes` with runs of `run` bytes reach, relative to the first: `(lowest, end)`.
#[inline(always)]
pub(crate) fn extent(axes: &[Axis], run: usize) -> (isize, isize) {
    let (mut low, mut high) = (0, run as isize);
    for axis in axes {
        let reach = axis.step * (axis.n as isize - 1);
        if reach < 0 { low += reach } else { high += reach }
    }
    (low, high)
}

/// A loop over two strided buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Number of positions, at least 2.
    pub n: usize,
    /// Bytes from one position to the next in the source.
    pub src: isize,
    /// The same in the destination.
    pub dst: isize,
}

/// Merged loops over two strided buffers, innermost first.
pub(crate) struct PairNest {
    axes: [MaybeUninit<Pair>; MAX],
    len: usize,
    /// Bytes contiguous on both sides.
    pub run: usize,
}

impl PairNest {
    /// An empty nest; its storage is left unwritten.
    #[inline(always)]
    pub(crate) const fn new() -> PairNest {
        PairNest { axes: [MaybeUninit::uninit(); MAX], len: 0, run: 0 }
    }

    /// Takes over two layouts of one shape, strides in elements of `elem` bytes. Returns the number of bytes to move.
    ///
    /// All positions must lie inside one allocated buffer on each side.
    pub(crate) fn merge(&mut self, shape: &[usize], src: &[isize], dst: &[isize], elem: usize) -> usize {
        self.len = 0;
        self.run = elem;
        let mut total = elem;
        for ((&n, &s), &d) in shape.iter().zip(src).zip(dst).rev() {
            if n == 1 {
                continue;
            }
            total = total.wrapping_mul(n);
            if n == 0 {
                return 0;
            }
            let pair = Pair { n, src: s.wrapping_mul(elem as isize), dst: d.wrapping_mul(elem as isize) };
            if self.len == 0 && pair.src == self.run as isize && pair.dst == pair.src {
                self.run = self.run.wrapping_mul(n);
                continue;
            }
            self.push(pair);
        }
        total
    }

    /// Adds an axis outside all others, merging it with the last where both sides run on.
    #[inline]
    pub(crate) fn push(&mut self, pair: Pair) {
        if let Some(last) = self.axes_mut().last_mut() {
            let n = last.n as isize;
            if pair.src == last.src.wrapping_mul(n) && pair.dst == last.dst.wrapping_mul(n) {
                last.n = last.n.wrapping_mul(pair.n);
                return;
            }
        }
        self.axes[self.len] = MaybeUninit::new(pair);
        self.len += 1;
    }

    /// The axes, innermost first.
    #[inline]
    pub(crate) fn axes(&self) -> &[Pair] {
        // SAFETY: `push` wrote the first `len` axes, and nothing else changes `len` but for setting it to 0.
        unsafe { core::slice::from_raw_parts(self.axes.as_ptr().cast::<Pair>(), self.len) }
    }

    /// The axes, innermost first; they may be put into another order.
    #[inline]
    pub(crate) fn axes_mut(&mut self) -> &mut [Pair] {
        // SAFETY: as in `axes`.
        unsafe { core::slice::from_raw_parts_mut(self.axes.as_mut_ptr().cast::<Pair>(), self.len) }
    }
}
