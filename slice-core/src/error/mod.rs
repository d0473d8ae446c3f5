//! [`SliceError`]: everything that can be wrong with a slice, a shape or a buffer. The messages are
//! in `display`.

pub(crate) mod const_message;
mod display;
mod lengths;
pub(crate) mod substring;

pub use lengths::Lengths;

use crate::syntax::error::SyntaxError;
use crate::syntax::snippet::Snippet;

/// What is wrong with a slice, a shape or a buffer.
///
/// The numbers are fields, so that a caller can act on them. [`Display`](core::fmt::Display) says
/// what is wrong, where, and what to write, and so does `Debug`, which `main` and `unwrap` print. The
/// text is the same in debug and release builds.
/// Entries and axes count from 0.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{SliceError, s};
///
/// let error = s![:, 7].plan(&[3, 4]).unwrap_err();
/// assert_eq!(error, SliceError::IndexOutOfRange { index: 7, axis: 1, len: 4 });
/// assert_eq!(
///     error.to_string(),
///     "index 7 is outside axis 1 of length 4; use -4 to 3, or a range, which is clamped"
/// );
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// A range has a step of 0.
    ZeroStep {
        /// The entry that has it.
        entry: usize,
    },
    /// An index is outside its axis. An index is never clamped.
    IndexOutOfRange {
        /// The index as it was given. A value of a wider type that does not fit `i64` is clamped.
        index: i64,
        /// The axis of the input; for an index into the result, of the result.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    },
    /// In a slice made
    /// [`strict()`](crate::Spec::strict), a range bound lies outside its axis.
    BoundOutOfRange {
        /// The bound as it was given.
        bound: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    },
    /// The slice has more indices and ranges than the input has axes.
    TooManyEntries {
        /// How many axes the slice needs.
        takes: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// The slice has more than 31 entries, which is TensorFlow's limit.
    TooLong {
        /// How many entries there are.
        entries: usize,
    },
    /// The slice has a second ellipsis.
    SecondEllipsis {
        /// The entry of the second one.
        entry: usize,
    },
    /// `begin`, `end` and `strides` (or `axes`, `starts`, `ends` and `steps`) differ in length.
    LengthMismatch {
        /// The vector that differs.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length of the first vector.
        expected: usize,
    },
    /// An entry under a shrink bit has a negative stride, which TensorFlow's kernel refuses.
    ShrinkStride {
        /// The entry.
        entry: usize,
        /// The axis of the input that it takes.
        axis: usize,
    },
    /// The input does not have this axis.
    AxisOutOfRange {
        /// The axis as it was given.
        axis: i64,
        /// How many axes there are.
        rank: usize,
    },
    /// An axis is given twice.
    RepeatedAxis {
        /// The axis, counted from the front.
        axis: usize,
    },
    /// An axis cannot be dropped, because it does not have length 1 after slicing.
    DropLength {
        /// The axis of the input.
        axis: usize,
        /// How many positions are taken.
        len: usize,
    },
    /// The element count of a shape does not fit in `isize`.
    ShapeTooLarge,
    /// A shape and its strides reach over more elements than `isize` counts.
    ReachTooLarge,
    /// The byte count of a shape does not fit in `isize`.
    BytesTooLarge {
        /// How many elements there are.
        elements: usize,
        /// How many bytes each takes.
        size: usize,
    },
    /// There are more axes than a plan can hold.
    RankTooHigh {
        /// How many axes there would be.
        rank: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A number of axes is not the one that is needed: that of strides, of an index or of another
    /// list with a value for each axis, or that of a result whose rank is part of a type.
    RankMismatch {
        /// How many axes were expected.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// The length of a buffer does not fit the plan.
    BufferLength {
        /// Which buffer.
        buffer: Buffer,
        /// How many elements it must have.
        expected: usize,
        /// How many it has.
        found: usize,
    },
    /// The length of a buffer of bytes does not fit the plan.
    ByteLength {
        /// Which buffer.
        buffer: Buffer,
        /// How many bytes it must have.
        expected: usize,
        /// How many it has.
        found: usize,
        /// How many bytes an element has.
        size: usize,
    },
    /// The shape of the values does not broadcast to the slice's shape.
    Broadcast {
        /// The axis of the slice, counted from the end (1 is the last).
        axis_from_back: usize,
        /// The length of the values there.
        values: usize,
        /// The length of the slice there; 1 if the slice has no such axis.
        slice: usize,
        /// The shape of the values.
        values_shape: Lengths,
        /// The shape of the slice.
        slice_shape: Lengths,
    },
    /// A new shape for the same elements has a different number of them.
    ElementCount {
        /// How many elements there are.
        expected: usize,
        /// How many the shape has.
        found: usize,
    },
    /// An axis whose length is not known has a minimum above its maximum.
    DimOrder {
        /// The axis.
        axis: usize,
        /// The minimum length.
        least: usize,
        /// The maximum length.
        most: usize,
    },
    /// One element is asked for, but the slice leaves axes.
    AxesLeft {
        /// How many it leaves.
        left: usize,
    },
    /// No strides give the new shape, so it needs a copy.
    NeedsCopy,
    /// A view reaches below the first element of its buffer.
    BeforeBuffer {
        /// The given position of element `[0, 0, …]`.
        first: usize,
        /// How far negative strides reach below it.
        below: usize,
    },
    /// The slice reads an element more than once, so its gradient is a sum.
    Repeats,
    /// The size of an element is 0, but bytes are counted.
    ZeroElementSize,
    /// The elements of two views of bytes have different sizes.
    ElementSizes {
        /// How many bytes an element of the slice has.
        expected: usize,
        /// How many bytes an element of the values has.
        found: usize,
    },
    /// There is not enough memory for the result.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
    /// Two slices share elements where they must not.
    Overlap {
        /// The earlier of the two, by position in the list at hand.
        first: usize,
        /// The later one.
        second: usize,
    },
    /// The text is not a slice.
    Syntax {
        /// The byte of the text where the mistaken tokens begin.
        first: u32,
        /// The byte after their end.
        last: u32,
        /// What is wrong with them.
        error: SyntaxError,
        /// The tokens themselves.
        snippet: Snippet,
    },
    /// Two plans for one buffer are for arrays of different lengths.
    DifferentBuffers {
        /// How many elements the first plan's array has.
        first: usize,
        /// How many the second's.
        second: usize,
    },
    /// The plan is [strided](crate::Plan::is_strided), and only plans of slices of C-contiguous
    /// arrays are supported.
    NeedsContiguous {
        /// What was asked for.
        what: &'static str,
    },
    /// Chunks have length 0 on an axis.
    ChunkLength {
        /// The axis.
        axis: usize,
    },
    /// The lengths of the chunks on an axis do not sum to its length.
    ChunkLengths {
        /// The axis.
        axis: usize,
        /// What they sum to; `usize::MAX` if it is more.
        sum: usize,
        /// How many elements the axis has.
        len: usize,
    },
    /// It would take too long to find out exactly whether elements are shared.
    WorkLimit,
    /// The slice has no counterpart in the other system.
    NotRepresentable {
        /// What, and why.
        what: &'static str,
    },
}

/// The buffer that a [`SliceError::BufferLength`] or [`SliceError::ByteLength`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Buffer {
    /// The array that is sliced.
    Source,
    /// The place for the result.
    Destination,
    /// The array that is assigned into.
    Target,
    /// The values that are assigned or added.
    Values,
    /// Values of a shape of their own, which are broadcast.
    BroadcastValues,
    /// The upstream gradient.
    Gradient,
}

impl SliceError {
    /// The error for values of one shape that do not broadcast to another. It is about one axis,
    /// counted from the end (1 is the last).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::SliceError;
    ///
    /// let error = SliceError::broadcast(1, &[3], &[2, 4]).to_string();
    /// assert!(
    ///     error.starts_with("shape (3,) does not broadcast to shape (2, 4): its axis -1"),
    ///     "{error}"
    /// );
    /// ```
    #[cold]
    #[must_use]
    pub fn broadcast(axis_from_back: usize, values: &[usize], slice: &[usize]) -> SliceError {
        let at = |shape: &[usize]| {
            let at = shape.len().checked_sub(axis_from_back.max(1));
            at.and_then(|at| shape.get(at)).copied().unwrap_or(1)
        };
        SliceError::Broadcast {
            axis_from_back,
            values: at(values),
            slice: at(slice),
            values_shape: Lengths::new(values),
            slice_shape: Lengths::new(slice),
        }
    }
}

impl core::error::Error for SliceError {}
