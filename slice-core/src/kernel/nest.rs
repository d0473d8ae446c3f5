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

/// Room for the axes of a nest; make it with [`room`], next to where it is used.
pub(crate) type Room<T> = [MaybeUninit<T>; MAX];

/// A kilobyte that nobody writes before use. (A constructor that returned it inside a struct was turned into a `memset`.)
#[inline(always)]
pub(crate) fn room<T: Copy>() -> Room<T> {
    [const { MaybeUninit::uninit() }; MAX]
}

/// The merged loops of a view, innermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nest<'a> {
    /// The loops, innermost first.
    pub axes: &'a [Axis],
    /// Contiguous bytes moved at each position.
    pub run: usize,
    /// Byte offset of the first position.
    pub start: usize,
    /// Bytes of all positions together, not 0.
    pub total: usize,
}

impl<'a> Nest<'a> {
    /// Merges the axes of a view of elements of `elem` bytes; `None` if there is nothing in it.
    ///
    /// Every position of the view must lie inside one allocated buffer, so that no product here can overflow.
    #[inline(always)]
    pub(crate) fn merge(room: &'a mut Room<Axis>, view: &View<'_>, elem: usize) -> Option<Nest<'a>> {
        let mut run = elem;
        let mut total = elem;
        let mut len = 0;
        // The axis being grown is kept in registers until the next one starts.
        let mut last = Axis { n: 1, step: 0 };
        for (&n, &stride) in view.shape.iter().zip(view.strides).rev() {
            if n <= 1 {
                if n == 0 {
                    return None;
                }
                continue;
            }
            // Wrapping: only where another axis is empty can a product exceed what memory holds.
            total = total.wrapping_mul(n);
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
                room[len] = MaybeUninit::new(last);
                len += 1;
                last = Axis { n, step };
            }
        }
        if total == 0 {
            return None;
        }
        if last.n != 1 {
            room[len] = MaybeUninit::new(last);
            len += 1;
        }
        // SAFETY: the first `len` axes have just been written.
        let axes = unsafe { core::slice::from_raw_parts(room.as_ptr().cast::<Axis>(), len) };
        Some(Nest { axes, run, start: view.offset.wrapping_mul(elem), total })
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
