//! Copies and adds from one slice to another, between two arrays or within one.

use crate::algebra::move_order::{Move, Pair};
use crate::assign::broadcast_from;
use crate::copy::Job;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Transfer, View};
use crate::plan::Plan;
use alloc::vec::Vec;
use core::mem::size_of;

/// Up to this many bytes are copied aside where no order of moves works.
const ASIDE: usize = 1 << 16;

impl Plan {
    /// Assigns a slice of one array to a slice of another: `dst[to] = src[self]`, with NumPy's
    /// broadcasting, and with no temporary.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if a buffer's length does not fit its plan,
    /// [`SliceError::Broadcast`] if the shape of this slice does not broadcast to the other's;
    /// nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let backwards = s![::-1].plan(&[3])?;
    /// let odd = s![1::2].plan(&[7])?;
    /// let mut data = [0; 7];
    /// backwards.copy_to(&[1, 2, 3], &odd, &mut data)?;
    /// assert_eq!(data, [0, 3, 0, 2, 0, 1, 0]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn copy_to<T: Copy>(&self, src: &[T], to: &Plan, dst: &mut [T]) -> Result<(), SliceError> {
        let (from, target) = (self.job(), to.job());
        from.check_array(Buffer::Source, src.len())?;
        target.check_array(Buffer::Target, dst.len())?;
        let strides = broadcast_from(to.shape(), self.shape(), Some(self.strides()))?;
        let read = View { shape: to.shape(), strides: &strides, offset: self.offset() };
        if to.is_empty() || size_of::<T>() == 0 {
            return Ok(());
        }
        if read.fits(src.len()) != Some(to.len()) {
            let (expected, found) = (self.input_len(), src.len());
            return Err(SliceError::BufferLength { buffer: Buffer::Source, expected, found });
        }
        // SAFETY: both views have the shape of `to`; every position of the one lies inside `src`
        // (`fits`, just above), every position of the other inside `dst` (check_array),
        // which, being `&mut`, cannot overlap `src`.
        unsafe {
            let (from, into) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
            let (src, dst) = (
                kernel::Side::view(from, src.len(), &read),
                kernel::Side::view(into, dst.len(), &target.view),
            );
            let job = Transfer { shape: to.shape(), elem: size_of::<T>(), src, dst };
            kernel::transfer(&job, How::chosen());
        }
        Ok(())
    }

    /// Assigns a slice of an array to another slice of it: `data[to] = data[self]`, with NumPy's
    /// broadcasting, as if all of the source were read before anything is written.
    ///
    /// Where an order of axes and directions reads each element before it is overwritten, as for
    /// shifts (`x[1:] = x[:-1]`), slices that do not overlap and most changes of step, there is no
    /// temporary. Where there is none (`x[:] = x[::-1]`), the slice is halved until there is, and
    /// only a half that would be lost is put aside. Pieces of up to 64 KiB without an order are put
    /// aside whole. So are all elements if `to` was planned with strides by which it may meet an
    /// element twice; the last value wins then.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `data` does not fit both plans, [`SliceError::Broadcast`] if
    /// the shape of this slice does not broadcast to the other's; nothing is written then.
    /// [`SliceError::OutOfMemory`] if nothing can be put aside; part of the slice may then have
    /// been written.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let range = |start: Option<i64>, stop: Option<i64>| s![start:stop].plan(&[6]);
    /// let mut x = [1, 2, 3, 4, 5, 6];
    /// // x[1:] = x[:-1]
    /// range(None, Some(-1))?.move_within(&range(Some(1), None)?, &mut x)?;
    /// assert_eq!(x, [1, 1, 2, 3, 4, 5]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's assignment between overlapping views of one array (1.13 and later).
    pub fn move_within<T: Copy>(&self, to: &Plan, data: &mut [T]) -> Result<(), SliceError> {
        self.job().check_array(Buffer::Source, data.len())?;
        to.job().check_array(Buffer::Target, data.len())?;
        let strides = broadcast_from(to.shape(), self.shape(), Some(self.strides()))?;
        if to.is_empty() || size_of::<T>() == 0 {
            return Ok(());
        }
        let axes =
            to.axes().zip(strides).map(|(axis, src)| Pair { n: axis.len, src, dst: axis.stride });
        let all = Move { axes: axes.collect(), src: self.offset(), dst: to.offset() };
        match all.arranged() {
            Some(arranged) => run(&arranged, data),
            None => to.assign_broadcast(data, &self.copy(data)?, self.shape()),
        }
    }
}

/// Moves in order if there is one, else piece by piece. No two positions of the destination are
/// one.
fn run<T: Copy>(all: &Move, data: &mut [T]) -> Result<(), SliceError> {
    if all.is_still() {
        return Ok(());
    }
    if let Some(ordered) = all.ordered() {
        return walk(&ordered, data);
    }
    let small = all.len().saturating_mul(size_of::<T>()) <= ASIDE;
    match all.halves() {
        Some([one, two]) if !small => {
            if !one.spoils(&two) {
                run(&one, data)?;
                run(&two, data)
            } else if !two.spoils(&one) {
                run(&two, data)?;
                run(&one, data)
            } else {
                let aside = read(&two, data)?;
                run(&one, data)?;
                write(&two, data, &aside)
            }
        }
        _ => {
            let aside = read(all, data)?;
            write(all, data, &aside)
        }
    }
}

/// One side of a move: shape, strides, offset.
struct Side {
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl Side {
    fn new(of: &Move, stride: fn(&Pair) -> isize, offset: usize) -> Side {
        Side {
            shape: of.axes.iter().map(|a| a.n).collect(),
            strides: of.axes.iter().map(stride).collect(),
            offset,
        }
    }

    fn source(of: &Move) -> Side {
        Side::new(of, |a| a.src, of.src)
    }

    fn target(of: &Move) -> Side {
        Side::new(of, |a| a.dst, of.dst)
    }

    /// As a plan over a buffer of `len` elements.
    fn job(&self, len: usize) -> Job<'_> {
        let view = View { shape: &self.shape, strides: &self.strides, offset: self.offset };
        Job { view, len: self.shape.iter().product(), input_len: len, strided: true }
    }
}

/// The elements to be moved, in order.
fn read<T: Copy>(from: &Move, data: &[T]) -> Result<Vec<T>, SliceError> {
    let mut out = Vec::new();
    Side::source(from).job(data.len()).copy_into_vec(data, &mut out, How::chosen())?;
    Ok(out)
}

/// Puts elements where the move wants them.
fn write<T: Copy>(to: &Move, data: &mut [T], values: &[T]) -> Result<(), SliceError> {
    Side::target(to).job(data.len()).assign(data, values, How::chosen())
}

/// Moves in the order given.
fn walk<T: Copy>(ordered: &Move, data: &mut [T]) -> Result<(), SliceError> {
    let (source, target) = (Side::source(ordered), Side::target(ordered));
    source.job(data.len()).check_array(Buffer::Source, data.len())?;
    target.job(data.len()).check_array(Buffer::Target, data.len())?;
    let start = data.as_mut_ptr();
    // SAFETY: every position of the axes lies inside `data` on both sides, as just checked, and all
    // access goes through the one pointer made from `&mut`. (Whether the order is right decides
    // what is moved, not what is touched.)
    unsafe {
        in_order(&ordered.axes, start.wrapping_add(ordered.src), start.wrapping_add(ordered.dst))
    };
    Ok(())
}

/// Moves one element for each position of the axes, in their order (the last axis is the
/// innermost); a last axis with both strides 1 is moved as if all of it were read first.
///
/// # Safety
///
/// Every position of the axes lies inside one buffer, on both sides: `src` can be read and `dst`
/// written there.
#[expect(clippy::arithmetic_side_effects, reason = "how far a position of one buffer lies away")]
unsafe fn in_order<T: Copy>(axes: &[Pair], src: *mut T, dst: *mut T) {
    match *axes {
        // SAFETY: one element on either side, which may be the same.
        [] => unsafe { dst.write(src.read()) },
        // SAFETY: n neighbours on either side, which may overlap.
        [Pair { n, src: 1, dst: 1 }] => unsafe { src.copy_to(dst, n) },
        [Pair { n, src: s, dst: d }, ref rest @ ..] => {
            for i in 0..n as isize {
                // SAFETY: the positions of `rest` from position i of this axis are positions of all
                // the axes.
                unsafe { in_order(rest, src.offset(i * s), dst.offset(i * d)) }
            }
        }
    }
}
