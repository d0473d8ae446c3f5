//! Copies from one slice to another, between two arrays or within one.

use crate::algebra::move_order::Move;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer, View};
use crate::ops::assign::broadcast_from;
use crate::ops::copy::as_uninit;
use crate::ops::job::Job;
use crate::ops::loops::Loop;
use crate::plan::Plan;
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};

/// At most this many bytes are copied to a temporary where no order of moves works.
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
    #[inline]
    pub fn copy_to<T: Copy>(&self, src: &[T], to: &Plan, dst: &mut [T]) -> Result<(), SliceError> {
        self.copy_to_how(src, to, dst, How::chosen())
    }

    /// [`copy_to`](Self::copy_to) by all threads of rayon's current pool, where
    /// [`par_copy`](Self::par_copy) uses them.
    ///
    /// # Errors
    ///
    /// Those of [`copy_to`](Self::copy_to).
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[inline]
    pub fn par_copy_to<T: Copy + Send + Sync>(
        &self,
        src: &[T],
        to: &Plan,
        dst: &mut [T],
    ) -> Result<(), SliceError> {
        self.copy_to_how(src, to, dst, How::parallel())
    }

    #[inline]
    fn copy_to_how<T: Copy>(
        &self,
        src: &[T],
        to: &Plan,
        dst: &mut [T],
        how: How,
    ) -> Result<(), SliceError> {
        let from = (src.as_ptr().cast(), src.len());
        let into = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: both are what their lengths say, and `dst`, being `&mut`, cannot overlap `src`.
        // Elements are `Copy`, so moving their bytes is moving them.
        unsafe { self.job().copy_to(size_of::<T>(), from, &to.job(), into, true, how) }
    }

    /// [`copy_to`](Self::copy_to) for a tensor whose element type is known only at run time: `size`
    /// is the size of one element in bytes, and both buffers are bytes. No alignment is assumed.
    ///
    /// # Errors
    ///
    /// [`SliceError::ByteLength`], [`SliceError::ZeroElementSize`],
    /// [`SliceError::BytesTooLarge`], or [`SliceError::Broadcast`]; nothing is written then.
    ///
    /// # Examples
    ///
    /// Chunks, as they come, are scattered into the result:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// // Elements of 2 bytes, in chunks of 4 that reach over the end of the array.
    /// let chunks = [*b"a0a1a2a3", *b"a4a5a6a7", *b"a8a9____"];
    /// let plan = s![::-3].plan(&[10])?;
    /// let mut result = vec![0; 2 * plan.len()];
    /// for chunk in plan.chunks(&[4])? {
    ///     let data = &chunks[chunk.coords()[0]];
    ///     chunk.plan().copy_to_bytes(2, data, chunk.target(), &mut result)?;
    /// }
    /// assert_eq!(result, b"a9a6a3a0");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn copy_to_bytes(
        &self,
        size: usize,
        src: &[u8],
        to: &Plan,
        dst: &mut [u8],
    ) -> Result<(), SliceError> {
        // SAFETY: only bytes of `src` are written.
        self.copy_to_bytes_how(size, src, to, unsafe { as_uninit(dst) }, true, How::chosen())
    }

    /// [`copy_to_bytes`](Self::copy_to_bytes) into memory that need not be initialised: on `Ok`,
    /// the elements that `to` takes are.
    ///
    /// # Errors
    ///
    /// Those of [`copy_to_bytes`](Self::copy_to_bytes).
    #[inline]
    pub fn copy_to_bytes_uninit(
        &self,
        size: usize,
        src: &[u8],
        to: &Plan,
        dst: &mut [MaybeUninit<u8>],
    ) -> Result<(), SliceError> {
        self.copy_to_bytes_how(size, src, to, dst, false, How::chosen())
    }

    /// [`copy_to_bytes`](Self::copy_to_bytes) by all threads of rayon's current pool, where
    /// [`par_copy`](Self::par_copy) uses them.
    ///
    /// # Errors
    ///
    /// Those of [`copy_to_bytes`](Self::copy_to_bytes).
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[inline]
    pub fn par_copy_to_bytes(
        &self,
        size: usize,
        src: &[u8],
        to: &Plan,
        dst: &mut [u8],
    ) -> Result<(), SliceError> {
        // SAFETY: only bytes of `src` are written.
        self.copy_to_bytes_how(size, src, to, unsafe { as_uninit(dst) }, true, How::parallel())
    }

    /// If `whole`, all of `dst` is initialised.
    #[inline]
    fn copy_to_bytes_how(
        &self,
        size: usize,
        src: &[u8],
        to: &Plan,
        dst: &mut [MaybeUninit<u8>],
        whole: bool,
        how: How,
    ) -> Result<(), SliceError> {
        let (job, target) = (self.job(), to.job());
        let from = job.check_array_bytes(Buffer::Source, size, src.len())?;
        let into = target.check_array_bytes(Buffer::Target, size, dst.len())?;
        let (from, into) = ((src.as_ptr(), from), (dst.as_mut_ptr().cast(), into));
        // SAFETY: as many elements of `size` bytes lie in `src` and `dst`, which is initialised if
        // it is `whole`, and, being `&mut`, cannot overlap `src`.
        unsafe { job.copy_to(size, from, &target, into, whole, how) }
    }

    /// Assigns a slice of an array to another slice of it: `data[to] = data[self]`, with NumPy's
    /// broadcasting, as if all of the source were read before anything is written.
    ///
    /// No temporary is needed if some order of axes and directions reads each element before it is
    /// overwritten, as for shifts (`x[1:] = x[:-1]`), slices that do not overlap, and most changes
    /// of step. If there is no such order (`x[:] = x[::-1]`), the slice is halved until there is,
    /// and only a half that would be overwritten is copied to a temporary. Pieces of up to 64 KiB
    /// without an order are copied whole. So are all elements if `to` was planned with strides by
    /// which it may take an element twice; then the last value wins.
    ///
    /// # Errors
    ///
    /// [`SliceError::DifferentBuffers`] if the plans are for arrays of different lengths,
    /// [`SliceError::BufferLength`] if `data` does not fit them, [`SliceError::Broadcast`] if the
    /// shape of this slice does not broadcast to the other's; nothing is written then.
    /// [`SliceError::OutOfMemory`] if memory for a copy of the source runs out. Some elements may
    /// have been written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4, 5, 6];
    /// // x[1:] = x[:-1]
    /// s![:-1].plan(&[6])?.move_within(&s![1:].plan(&[6])?, &mut x)?;
    /// assert_eq!(x, [1, 1, 2, 3, 4, 5]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's assignment between overlapping views of one array (1.13 and later).
    #[inline]
    pub fn move_within<T: Copy>(&self, to: &Plan, data: &mut [T]) -> Result<(), SliceError> {
        self.check_same_buffer(to)?;
        self.job().check_array(Buffer::Source, data.len())?;
        to.job().check_array(Buffer::Target, data.len())?;
        let all = self.move_to(to)?;
        if to.job().is_idle(size_of::<T>()) {
            return Ok(());
        }
        match all.arranged() {
            Some(arranged) => run(&arranged, data),
            None => to.assign_broadcast(data, &self.copy(data)?, self.shape()),
        }
    }

    /// [`move_within`](Self::move_within) for elements of `size` bytes; the buffer is bytes, and no
    /// alignment is assumed.
    ///
    /// # Errors
    ///
    /// Those of [`move_within`](Self::move_within), [`SliceError::ZeroElementSize`], or
    /// [`SliceError::BytesTooLarge`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut data = *b"aabbcc";
    /// // x[:] = x[::-1]
    /// s![::-1].plan(&[3])?.move_within_bytes(2, &s![:].plan(&[3])?, &mut data)?;
    /// assert_eq!(&data, b"ccbbaa");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn move_within_bytes(
        &self,
        size: usize,
        to: &Plan,
        data: &mut [u8],
    ) -> Result<(), SliceError> {
        self.check_same_buffer(to)?;
        self.job().check_array_bytes(Buffer::Source, size, data.len())?;
        to.job().check_array_bytes(Buffer::Target, size, data.len())?;
        let all = self.move_to(to)?;
        if to.job().is_idle(size) {
            return Ok(());
        }
        // Elements of the usual sizes move as one; others as an axis of bytes.
        match size {
            2 => return self.move_within(to, data.as_chunks_mut::<2>().0),
            4 => return self.move_within(to, data.as_chunks_mut::<4>().0),
            8 => return self.move_within(to, data.as_chunks_mut::<8>().0),
            16 => return self.move_within(to, data.as_chunks_mut::<16>().0),
            24 => return self.move_within(to, data.as_chunks_mut::<24>().0),
            32 => return self.move_within(to, data.as_chunks_mut::<32>().0),
            _ => {}
        }
        match all.of_bytes(size).arranged() {
            Some(arranged) => run(&arranged, data),
            None => {
                let aside = self.copy_bytes_to_vec(size, data)?;
                to.assign_broadcast_bytes(size, data, &aside, self.shape())
            }
        }
    }

    /// The move of this slice's elements to another's, with NumPy's broadcasting.
    #[inline]
    fn move_to(&self, to: &Plan) -> Result<Move, SliceError> {
        let strides = broadcast_from(to.shape(), self.shape(), Some(self.strides()))?;
        let axes =
            to.axes().zip(strides).map(|(axis, src)| Loop { n: axis.len, src, dst: axis.stride });
        Ok(Move { axes: axes.collect(), src: self.offset(), dst: to.offset() })
    }
}

impl Job<'_> {
    /// Assigns this slice of one array to the slice `to` of another, with NumPy's broadcasting;
    /// elements have `size` bytes.
    ///
    /// # Safety
    ///
    /// As many elements as are given lie at `src`, which can be read, and at `dst`, which can be
    /// written, and also read if `whole`. The two do not overlap.
    #[inline]
    unsafe fn copy_to(
        &self,
        size: usize,
        (src, src_len): (*const u8, usize),
        to: &Job<'_>,
        (dst, dst_len): (*mut u8, usize),
        whole: bool,
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src_len)?;
        to.check_array(Buffer::Target, dst_len)?;
        let shape = to.view.shape;
        let strides = broadcast_from(shape, self.view.shape, Some(self.view.strides))?;
        let read = View { shape, strides: &strides, offset: self.view.offset };
        if read.fits(src_len) != Some(to.len) {
            let (expected, found) = (self.input_len, src_len);
            return Err(SliceError::BufferLength { buffer: Buffer::Source, expected, found });
        }
        let src = Side::view(src, src_len, &read);
        let dst = Side { whole, ..Side::view(dst, dst_len, &to.view) };
        // SAFETY: both views have the shape of `to`; every position of the one lies below `src_len`
        // (`fits`, just above), every position of the other below `dst_len` (check_array). What
        // may be read and written, and that nothing overlaps, is the caller's promise.
        unsafe { kernel::transfer(&Transfer { shape, elem: size, src, dst }, how) };
        Ok(())
    }
}

/// Moves in one order if there is one, otherwise piece by piece. No two positions of the
/// destination are the same element.
#[inline]
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
struct End {
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl End {
    #[inline]
    fn new(of: &Move, stride: fn(&Loop) -> isize, offset: usize) -> End {
        End {
            shape: of.axes.iter().map(|a| a.n).collect(),
            strides: of.axes.iter().map(stride).collect(),
            offset,
        }
    }

    #[inline]
    fn source(of: &Move) -> End {
        End::new(of, |a| a.src, of.src)
    }

    #[inline]
    fn target(of: &Move) -> End {
        End::new(of, |a| a.dst, of.dst)
    }

    /// The plan of this side over a buffer of `len` elements.
    #[inline]
    fn job(&self, len: usize) -> Job<'_> {
        let view = View { shape: &self.shape, strides: &self.strides, offset: self.offset };
        Job { view, len: self.shape.iter().product(), input_len: len, strided: true }
    }
}

/// The elements to be moved, in order.
#[inline]
fn read<T: Copy>(from: &Move, data: &[T]) -> Result<Vec<T>, SliceError> {
    let mut out = Vec::new();
    End::source(from).job(data.len()).copy_into_vec(data, &mut out, How::chosen())?;
    Ok(out)
}

/// Puts elements where the move wants them.
#[inline]
fn write<T: Copy>(to: &Move, data: &mut [T], values: &[T]) -> Result<(), SliceError> {
    End::target(to).job(data.len()).assign(data, values, How::chosen())
}

/// Moves in the order given.
#[inline]
fn walk<T: Copy>(ordered: &Move, data: &mut [T]) -> Result<(), SliceError> {
    let (source, target) = (End::source(ordered), End::target(ordered));
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
#[inline]
unsafe fn in_order<T: Copy>(axes: &[Loop], src: *mut T, dst: *mut T) {
    match *axes {
        // SAFETY: one element on either side, which may be the same.
        [] => unsafe { dst.write(src.read()) },
        // SAFETY: n neighbours on either side, which may overlap.
        [Loop { n, src: 1, dst: 1 }] => unsafe { src.copy_to(dst, n) },
        [Loop { n, src: s, dst: d }, ref rest @ ..] => {
            for i in 0..n as isize {
                // SAFETY: the positions of `rest` from position i of this axis are positions of all
                // the axes.
                unsafe { in_order(rest, src.offset(i * s), dst.offset(i * d)) }
            }
        }
    }
}
