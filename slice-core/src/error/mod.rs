//! [`SliceError`]: everything that can be wrong with a slice, a shape or a buffer, and the message
//! of each.

mod display;
mod lengths;

pub use lengths::Lengths;

use crate::messages::const_message::Sentence;
use crate::messages::const_message::Value::{Count, Number, Text};
use crate::messages::{Snippet, SyntaxError};

/// The enum, and beside each variant the text of its message with a blank, `{}`, for each value.
macro_rules! slice_errors {
    (
        $(
            $(#[$doc:meta])*
            $name:ident $({ $($(#[$what:meta])* $field:ident: $type:ty,)* })?
                $(=> $text:expr, $values:expr)?;
        )*
    ) => {
        /// What is wrong with a slice, a shape or a buffer.
        ///
        /// The numbers are fields, so that a caller can act on them.
        /// [`Display`](core::fmt::Display) says what is wrong, where, and what to write, and so
        /// does `Debug`, which `main` and `unwrap` print. The text is the same in debug and release
        /// builds. Entries and axes count from 0.
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
            $($(#[$doc])* $name $({ $($(#[$what])* $field: $type,)* })?,)*
        }

        impl SliceError {
            /// The message, which constant evaluation can make too; none where it shows more than
            /// texts and numbers.
            #[expect(clippy::arithmetic_side_effects, reason = "a usize in i128")]
            #[allow(unused_variables, reason = "a variant without a row")]
            pub(crate) const fn sentence(self) -> Option<Sentence> {
                match self {
                    $(Self::$name $({ $($field),* })? => slice_errors!(@ $($text, $values)?),)*
                }
            }
        }
    };
    (@) => { None };
    (@ $text:expr, $values:expr) => { Some(Sentence::new($text, &$values)) };
}

slice_errors! {
    /// A range has a step of 0.
    ZeroStep {
        /// The entry that has it.
        entry: usize,
    } =>
        "step is 0 on entry {}; a step must be 1 or more, or -1 or less",
        [Count(entry)];
    /// An index is outside its axis. An index is never clamped.
    IndexOutOfRange {
        /// The index as it was given. A value of a wider type that does not fit `i64` is clamped.
        index: i64,
        /// The axis of the input; for an index into the result, of the result.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    } => match len {
        0 => {
            "index {}{} is outside axis {} of length {}; the axis is empty and has no valid index"
        }
        1 => {
            "index {}{} is outside axis {} of length {}; use 0 or -1, or a range, which is clamped"
        }
        _ => {
            "index {}{} is outside axis {} of length {}; use {} to {}, or a range, which is clamped"
        }
    }, [
        Number(index as i128),
        // A value of a wider type saturates on its way here.
        Text(match index {
            i64::MAX => " or more",
            i64::MIN => " or less",
            _ => "",
        }),
        Count(axis),
        Count(len),
        Number(-(len as i128)),
        Number(len as i128 - 1),
    ];
    /// In a slice made [`strict()`](crate::Spec::strict), a range bound lies outside its axis.
    BoundOutOfRange {
        /// The bound as it was given.
        bound: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    } => match len {
        0 => {
            "bound {} is outside axis {} of length {}; the axis is empty, so use 0, leave the \
             bound out, or slice without strict bounds, which clamps it"
        }
        _ => {
            "bound {} is outside axis {} of length {}; use {} to {} (under a negative step, {} to \
             {} as a start and {} to {} as a stop), leave the bound out, or slice without strict \
             bounds, which clamps it"
        }
    }, [
        Number(bound as i128),
        Count(axis),
        Count(len),
        Number(-(len as i128)),
        Count(len),
        Number(-(len as i128)),
        Number(len as i128 - 1),
        Number(-(len as i128) - 1),
        Number(len as i128 - 1),
    ];
    /// The slice has more indices and ranges than the input has axes.
    TooManyEntries {
        /// How many axes the slice needs.
        takes: usize,
        /// How many axes there are.
        rank: usize,
    } =>
        "the slice needs {} {}, but the array has {}; remove {} {}, or insert axes with `None` in \
         a slice before this one",
        [
            Count(takes),
            Text(if takes == 1 { "axis" } else { "axes" }),
            Count(rank),
            Count(takes.saturating_sub(rank)),
            Text(if takes.saturating_sub(rank) == 1 { "entry" } else { "entries" }),
        ];
    /// The slice has more than 31 entries, which is TensorFlow's limit.
    TooLong {
        /// How many entries there are.
        entries: usize,
    } =>
        "the slice has {} entries, but it can have at most 31; slice in two steps",
        [Count(entries)];
    /// The slice has a second ellipsis.
    SecondEllipsis {
        /// The entry of the second one.
        entry: usize,
    } =>
        "entry {} is a second `...`; keep the first and write `:` for each axis here",
        [Count(entry)];
    /// The ellipsis mask has a second bit, and the slice has no such entry.
    EllipsisBit {
        /// The bit, counted from 0.
        bit: usize,
        /// How many entries there are.
        entries: usize,
    } =>
        "the ellipsis mask has a second bit, {}, but the slice has {} {}; clear bit {}",
        [
            Count(bit),
            Count(entries),
            Text(if entries == 1 { "entry" } else { "entries" }),
            Count(bit),
        ];
    /// `begin`, `end` and `strides` (or `axes`, `starts`, `ends` and `steps`) differ in length.
    LengthMismatch {
        /// The vector that differs.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length of the first vector.
        expected: usize,
    } =>
        "`{}` has length {}, but the first vector has length {}; give one value for each entry",
        [Text(what), Count(found), Count(expected)];
    /// An entry under a shrink bit has a negative stride, which TensorFlow's kernel refuses.
    ShrinkStride {
        /// The entry.
        entry: usize,
        /// The axis of the input that it takes.
        axis: usize,
    } =>
        "entry {} drops axis {} with a negative stride; use a stride of 1 where the shrink bit is \
         set",
        [Count(entry), Count(axis)];
    /// The input does not have this axis.
    AxisOutOfRange {
        /// The axis as it was given.
        axis: i64,
        /// How many axes there are.
        rank: usize,
    } => match rank {
        0 => "axis {} is outside an array of rank {}; it has no axes, so give none",
        1 => "axis {} is outside an array of rank {}; use 0 or -1",
        _ => {
            "axis {} is outside an array of rank {}; use 0 to {}, or -{} to -1 from the last one"
        }
    }, [
        Number(axis as i128),
        Count(rank),
        Count(rank.saturating_sub(1)),
        Count(rank),
    ];
    /// An axis is given twice.
    RepeatedAxis {
        /// The axis, counted from the front.
        axis: usize,
    } =>
        "axis {} is given twice; give each axis once",
        [Count(axis)];
    /// An axis cannot be dropped, because it does not have length 1 after slicing.
    DropLength {
        /// The axis of the input.
        axis: usize,
        /// How many positions are taken.
        len: usize,
    } =>
        "axis {} cannot be dropped, because it has length {} after slicing; take one position on \
         it",
        [Count(axis), Count(len)];
    /// The element count of a shape does not fit in `isize`.
    ShapeTooLarge =>
        "the shape, or an axis of it, has more elements than isize::MAX ({}); use a smaller shape",
        [Number(isize::MAX as i128)];
    /// A shape and its strides reach over more elements than `isize` counts.
    ReachTooLarge =>
        "the shape and strides reach over more elements than isize::MAX ({}); give strides of one \
         buffer, negative ones as signed numbers",
        [Number(isize::MAX as i128)];
    /// The byte count of a shape does not fit in `isize`.
    BytesTooLarge {
        /// How many elements there are.
        elements: usize,
        /// How many bytes each takes.
        size: usize,
    } =>
        "{} elements of {} bytes are more than isize::MAX ({}) bytes; use a smaller shape",
        [Count(elements), Count(size), Number(isize::MAX as i128)];
    /// There are more axes than a plan can hold.
    RankTooHigh {
        /// How many axes there would be.
        rank: usize,
        /// How many there may be.
        limit: usize,
    } =>
        "the number of axes is {}, but a plan holds at most {}; merge some before slicing",
        [Count(rank), Count(limit)];
    /// A list with a value for each axis, such as strides or an index, is too long or too short, or
    /// a result does not have the rank that its type names.
    RankMismatch {
        /// How many axes were expected.
        expected: usize,
        /// How many were found.
        found: usize,
    } =>
        "the number of axes is {}, but it must be {}; give one value for each axis, or change the \
         rank in the type",
        [Count(found), Count(expected)];
    /// The length of a buffer does not fit the plan.
    BufferLength {
        /// Which buffer.
        buffer: Buffer,
        /// How many elements it must have.
        expected: usize,
        /// How many it has.
        found: usize,
    } =>
        "the {} buffer has length {}, but {} needs {}; {}",
        [
            Text(buffer.name()),
            Count(found),
            Text(buffer.holds()),
            Count(expected),
            Text(buffer.advice()),
        ];
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
    } =>
        "the {} buffer has {} bytes, but {} needs {} (elements of {} bytes); {}",
        [
            Text(buffer.name()),
            Count(found),
            Text(buffer.holds()),
            Count(expected),
            Count(size),
            Text(buffer.advice()),
        ];
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
    };
    /// A new shape for the same elements has a different number of them.
    ElementCount {
        /// How many elements there are.
        expected: usize,
        /// How many the shape has.
        found: usize,
    } =>
        "the shape has {} elements, but the slice has {}; give a shape of {} elements",
        [Count(found), Count(expected), Count(expected)];
    /// An axis whose length is not known has a minimum above its maximum.
    DimOrder {
        /// The axis.
        axis: usize,
        /// The minimum length.
        least: usize,
        /// The maximum length.
        most: usize,
    } =>
        "axis {} has a minimum length of {} and a maximum length of {}; give the smaller number \
         first",
        [Count(axis), Count(least), Count(most)];
    /// One element is asked for, but the slice leaves axes.
    AxesLeft {
        /// How many it leaves.
        left: usize,
    } =>
        "the slice leaves {} {}, but one element is asked for; give an index for each axis",
        [Count(left), Text(if left == 1 { "axis" } else { "axes" })];
    /// No strides give the new shape, so it needs a copy.
    NeedsCopy =>
        "the slice cannot take this shape without a copy; copy it, and reshape the copy", [];
    /// A view reaches below the first element of its buffer.
    BeforeBuffer {
        /// The given position of element `[0, 0, …]`.
        first: usize,
        /// How far negative strides reach below it.
        below: usize,
    } =>
        "element [0, 0, …] is at position {}, but negative strides reach {} elements below it; \
         give its position in the buffer, {} or more",
        [Count(first), Count(below), Count(below)];
    /// The slice reads an element more than once, so its gradient is a sum.
    Repeats =>
        "the slice reads some elements more than once, so its gradient is a sum; use `add_assign` \
         on zeros", [];
    /// The size of an element is 0, but bytes are counted.
    ZeroElementSize =>
        "the element size is 0 bytes; give the size of one element", [];
    /// The elements of two views of bytes have different sizes.
    ElementSizes {
        /// How many bytes an element of the slice has.
        expected: usize,
        /// How many bytes an element of the values has.
        found: usize,
    } =>
        "the elements of the slice have {} bytes, and those of the values {}; give both the same \
         size in `bytes`",
        [Count(expected), Count(found)];
    /// There is not enough memory for the result.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    } =>
        "not enough memory for a result of {} bytes; take a smaller slice, or copy into a buffer \
         of your own",
        [Count(bytes)];
    /// Two slices share elements where they must not.
    Overlap {
        /// The earlier of the two, by position in the list at hand.
        first: usize,
        /// The later one.
        second: usize,
    } =>
        "slices {} and {} share elements; take slices that do not overlap",
        [Count(first), Count(second)];
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
    };
    /// Two plans for one buffer are for arrays of different lengths.
    DifferentBuffers {
        /// How many elements the first plan's array has.
        first: usize,
        /// How many the second's.
        second: usize,
    } =>
        "one plan is for {} elements and the other for {}, so they cannot share a buffer; make \
         both plans for the same array",
        [Count(first), Count(second)];
    /// The plan is [strided](crate::Plan::is_strided), and only plans of slices of C-contiguous
    /// arrays are supported.
    NeedsContiguous {
        /// What was asked for.
        what: &'static str,
    } =>
        "{} needs a slice of a C-contiguous array, but this plan was made with strides, permuted, \
         broadcast or reshaped; use `plan` and `then`",
        [Text(what)];
    /// Chunks have length 0 on an axis.
    ChunkLength {
        /// The axis.
        axis: usize,
    } =>
        "chunks have length 0 on axis {}; give each axis a length of 1 or more",
        [Count(axis)];
    /// The lengths of the chunks on an axis do not sum to its length.
    ChunkLengths {
        /// The axis.
        axis: usize,
        /// What they sum to; `usize::MAX` if it is more.
        sum: usize,
        /// How many elements the axis has.
        len: usize,
    } =>
        "the lengths of the chunks on axis {} sum to {}, but the axis has length {}; give lengths \
         that sum to {}",
        [Count(axis), Count(sum), Count(len), Count(len)];
    /// It would take too long to find out exactly whether elements are shared.
    WorkLimit =>
        "it would take too long to find out whether elements are shared; slice arrays whose \
         strides nest, or copy one slice first", [];
    /// The slice has no counterpart in the other system.
    NotRepresentable {
        /// What, and why.
        what: &'static str,
    } =>
        "not representable: {}",
        [Text(what)];
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
    /// How many bytes so many elements have, if `isize` holds it.
    #[cfg(feature = "kernels")]
    pub(crate) const fn bytes(elements: usize, size: usize) -> Result<usize, SliceError> {
        match elements.checked_mul(size) {
            Some(bytes) if bytes <= isize::MAX as usize => Ok(bytes),
            _ => Err(SliceError::BytesTooLarge { elements, size }),
        }
    }

    /// The error for a result that cannot be allocated.
    #[cfg(feature = "kernels")]
    pub(crate) const fn no_room(elements: usize, size: usize) -> SliceError {
        match SliceError::bytes(elements, size) {
            Ok(bytes) => SliceError::OutOfMemory { bytes },
            Err(error) => error,
        }
    }

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
