//! [`SliceError`]: everything that can be wrong with a slice, a shape or a buffer, and the messages
//! for it.

use crate::const_message::Sentence;
use crate::lengths::Lengths;
use crate::syntax::error::SyntaxError;
use crate::syntax::snippet::Snippet;
use crate::unwritable::Unwritable;
use core::fmt;

/// What is wrong with a slice, a shape or a buffer.
///
/// The numbers are fields, so that a caller can act on them. [`Display`](fmt::Display) says what is
/// wrong, where, and what to write. The text is the same in debug and release builds. Entries and
/// axes count from 0.
///
/// # Examples
///
/// ```
/// use pyslice::{Entry, SliceError, SpecBuf};
///
/// let spec = SpecBuf::from_entries(&[Entry::FULL, Entry::Index(7)])?;
/// let error = spec.plan(&[3, 4]).unwrap_err();
/// assert_eq!(error, SliceError::IndexOutOfRange { index: 7, axis: 1, len: 4 });
/// assert_eq!(
///     error.to_string(),
///     "index 7 is outside axis 1 of length 4; use -4 to 3, or a range, which is clamped"
/// );
/// # Ok::<(), SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// A range has a step of 0.
    ZeroStep {
        /// The entry that has it.
        entry: usize,
    },
    /// An index is outside its axis. An index is never clamped.
    IndexOutOfRange {
        /// The index as it was given; the nearest end of `i64` for a value of a wider type outside
        /// of it.
        index: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    },
    /// Under [`Bounds::Strict`](crate::Bounds::Strict), or in a slice made
    /// [`strict()`](crate::Spec::strict), a range bound lies outside its axis.
    BoundOutOfRange {
        /// The bound as it was given.
        bound: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has.
        len: usize,
    },
    /// A window is not inside its axis, or ends before it starts, and the system that it comes from
    /// does not clamp.
    WindowOutOfRange {
        /// The first position.
        start: i64,
        /// The position after the last.
        stop: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has, at most.
        len: usize,
    },
    /// A step is below 1 in an operator that does not support such steps.
    StepTooSmall {
        /// The step.
        step: i64,
        /// The entry that has it.
        entry: usize,
    },
    /// The slice has more indices and ranges than the input has axes.
    TooManyEntries {
        /// How many axes the slice needs.
        takes: usize,
        /// How many axes there are.
        rank: usize,
    },
    /// The slice has more than 31 entries, which is what the five masks hold.
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
    /// A shape and its strides differ in length, or two shapes that go together do.
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
        /// How many elements (for [`copy_bytes`](crate::Plan), bytes) the plan wants.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The shape of the values does not broadcast to the slice's shape.
    Broadcast {
        /// The axis of the slice, counted from the back (1 is the last).
        axis_from_back: usize,
        /// The length of the values there.
        values: usize,
        /// The length of the slice there; 1 where the slice has no such axis.
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
    /// The new shape needs a copy: no strides give it.
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
    /// The element size is 0 where bytes are counted.
    ZeroElementSize,
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
    /// The plan was made with strides, and only plans for C-contiguous arrays are supported.
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
    /// Another system's operator cannot express what the slice does on an axis.
    Unwritable {
        /// The operator.
        operator: &'static str,
        /// The axis of the input; of the result where it is a new one.
        axis: usize,
        /// Why it cannot.
        why: Unwritable,
    },
    /// The slice has no counterpart in the other system.
    NotRepresentable {
        /// What, and why.
        what: &'static str,
    },
}

/// The buffer that a [`SliceError::BufferLength`] is about.
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
    /// The upstream gradient.
    Gradient,
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Buffer::Source => "source",
            Buffer::Destination => "destination",
            Buffer::Target => "target",
            Buffer::Values => "values",
            Buffer::Gradient => "gradient",
        })
    }
}

impl SliceError {
    /// Values of one shape do not broadcast to another, because of one axis, counted from the back
    /// (1 is the last).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::SliceError;
    ///
    /// let error = SliceError::broadcast(1, &[3], &[2, 4]).to_string();
    /// assert!(
    ///     error.starts_with("values of shape (3,) do not broadcast to shape (2, 4): axis -1"),
    ///     "{error}"
    /// );
    /// ```
    #[cold]
    #[must_use]
    pub fn broadcast(axis_from_back: usize, values: &[usize], slice: &[usize]) -> SliceError {
        let at = |shape: &[usize]| {
            shape.iter().rev().nth(axis_from_back.saturating_sub(1)).copied().unwrap_or(1)
        };
        SliceError::Broadcast {
            axis_from_back,
            values: at(values),
            slice: at(slice),
            values_shape: Lengths::new(values),
            slice_shape: Lengths::new(slice),
        }
    }

    /// The sentence for an error that a slice can have on a shape, for constant evaluation; none
    /// for others.
    #[expect(clippy::arithmetic_side_effects, reason = "a usize in i128")]
    pub(crate) const fn sentence(self) -> Option<Sentence> {
        let s = Sentence::new();
        Some(match self {
            Self::ZeroStep { entry } => s
                .text("step is 0 on entry ")
                .number(entry as i128)
                .text("; a step must be 1 or more, or -1 or less"),
            Self::IndexOutOfRange { index, axis, len } => {
                // A value of a wider type saturates on its way here.
                let s = s.text("index ").number(index as i128).text(match index {
                    i64::MAX => " or more is outside axis ",
                    i64::MIN => " or less is outside axis ",
                    _ => " is outside axis ",
                });
                let s = s.number(axis as i128);
                let s = s.text(" of length ").number(len as i128);
                match len {
                    0 => s.text("; the axis is empty and has no valid index"),
                    1 => s.text("; use 0 or -1, or a range, which is clamped"),
                    _ => s
                        .text("; use ")
                        .number(-(len as i128))
                        .text(" to ")
                        .number(len as i128 - 1)
                        .text(", or a range, which is clamped"),
                }
            }
            Self::BoundOutOfRange { bound, axis, len } => {
                let s = s.text("bound ").number(bound as i128).text(" is outside axis ");
                let s = s.number(axis as i128).text(" of length ").number(len as i128);
                let n = len as i128;
                let s = if len == 0 {
                    s.text("; the axis is empty, so use 0")
                } else {
                    let s = s.text("; use ").number(-n).text(" to ").number(n);
                    let s = s.text(" (under a negative step, ").number(-n).text(" to ");
                    let s = s.number(n - 1).text(" as a start and ").number(-n - 1).text(" to ");
                    s.number(n - 1).text(" as a stop)")
                };
                s.text(", leave the bound out, or slice without strict bounds, which clamps it")
            }
            Self::TooManyEntries { takes, rank } => {
                let more = takes.saturating_sub(rank);
                s.text("the slice needs ")
                    .number(takes as i128)
                    .text(if takes == 1 { " axis" } else { " axes" })
                    .text(", but the array has ")
                    .number(rank as i128)
                    .text("; remove ")
                    .number(more as i128)
                    .text(if more == 1 { " entry" } else { " entries" })
                    .text(", or insert axes with `None` in a slice before this one")
            }
            Self::ShapeTooLarge => s
                .text("the shape has more elements than isize::MAX (")
                .number(isize::MAX as i128)
                .text("); use a smaller shape"),
            Self::RankTooHigh { rank, limit } => s
                .text("the number of axes is ")
                .number(rank as i128)
                .text(", but a plan holds at most ")
                .number(limit as i128)
                .text("; merge some before slicing"),
            Self::RankMismatch { expected, found } => s
                .text("the number of axes is ")
                .number(found as i128)
                .text(", but it must be ")
                .number(expected as i128)
                .text("; give one value for each axis"),
            _ => return None,
        })
    }
}

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SliceError::*;
        match *self {
            ZeroStep { .. }
            | IndexOutOfRange { .. }
            | BoundOutOfRange { .. }
            | TooManyEntries { .. }
            | ShapeTooLarge
            | RankTooHigh { .. }
            | RankMismatch { .. } => match self.sentence() {
                Some(sentence) => sentence.fmt(f),
                None => Ok(()),
            },
            WindowOutOfRange { start, stop, axis, len } => write!(
                f,
                "positions {start}..{stop} are outside axis {axis} of length {len}; this operator \
                 does not clamp, so start at 0 or later and stop at {len} or earlier"
            ),
            StepTooSmall { step, entry } => write!(
                f,
                "step {step} on entry {entry} is below 1, which this operator does not support; \
                 reverse the axis with a second operator"
            ),
            TooLong { entries } => {
                write!(
                    f,
                    "the slice has {entries} entries, but the masks hold at most 31; slice in two \
                     steps"
                )
            }
            SecondEllipsis { entry } => {
                write!(
                    f,
                    "entry {entry} is a second `...`; keep the first and write `:` for each axis \
                     here"
                )
            }
            LengthMismatch { what, found, expected } => {
                write!(
                    f,
                    "`{what}` has {found} values, but the first vector has {expected}; give one \
                     value for each entry"
                )
            }
            ShrinkStride { entry, axis } => {
                write!(
                    f,
                    "entry {entry} drops axis {axis} with a negative stride; use a stride of 1 \
                     where the shrink bit is set"
                )
            }
            AxisOutOfRange { axis, rank } => {
                write!(f, "axis {axis} is outside an array of rank {rank}")?;
                match rank {
                    0 => write!(f, "; it has no axes, so give none"),
                    1 => write!(f, "; use 0 or -1"),
                    _ => write!(f, "; use -{rank} to {}", rank.saturating_sub(1)),
                }
            }
            RepeatedAxis { axis } => write!(f, "axis {axis} is given twice; give each axis once"),
            DropLength { axis, len } => {
                write!(
                    f,
                    "axis {axis} cannot be dropped, because it has length {len} after slicing; \
                     take one position on it"
                )
            }
            BytesTooLarge { elements, size } => write!(
                f,
                "{elements} elements of {size} bytes are more than isize::MAX ({}) bytes; use a \
                 smaller shape",
                isize::MAX
            ),
            BufferLength { buffer, expected, found } => {
                write!(
                    f,
                    "the {buffer} buffer has length {found}, but the plan needs {expected}; "
                )?;
                f.write_str(match buffer {
                    Buffer::Source | Buffer::Target => "pass the buffer the plan was made for",
                    Buffer::Destination => "pass a buffer of that length",
                    Buffer::Values => {
                        "give one value for each element of the slice, or of the shape given with \
                         them"
                    }
                    Buffer::Gradient => "give one value for each element of the slice",
                })
            }
            Broadcast { axis_from_back, values, slice, values_shape, slice_shape } => {
                write!(
                    f,
                    "values of shape {values_shape} do not broadcast to shape {slice_shape}: axis \
                     -{axis_from_back} of the values has length {values}; it must have length \
                     {slice}"
                )?;
                if slice == 1 { Ok(()) } else { f.write_str(" or 1") }
            }
            ElementCount { expected, found } => {
                write!(
                    f,
                    "the shape has {found} elements, but the slice has {expected}; give a shape \
                     of {expected} elements"
                )
            }
            DimOrder { axis, least, most } => write!(
                f,
                "axis {axis} has a minimum length of {least} and a maximum length of {most}; give \
                 the smaller number first"
            ),
            AxesLeft { left } => write!(
                f,
                "the slice leaves {left} {}, but one element is asked for; give an index for each \
                 axis",
                if left == 1 { "axis" } else { "axes" }
            ),
            NeedsCopy => {
                write!(
                    f,
                    "the slice cannot take this shape without a copy; copy it, and reshape the \
                     copy"
                )
            }
            BeforeBuffer { first, below } => write!(
                f,
                "element [0, 0, …] is at position {first}, but negative strides reach {below} \
                 elements below it; give its position in the buffer, {below} or more"
            ),
            Repeats => write!(
                f,
                "the slice reads some elements more than once, so its gradient is a sum; use \
                 `add_assign` on zeros"
            ),
            ZeroElementSize => {
                write!(f, "the element size is 0 bytes; give the size of one element")
            }
            OutOfMemory { bytes } => {
                write!(
                    f,
                    "not enough memory for a result of {bytes} bytes; take a smaller slice, or \
                     copy into a buffer of your own"
                )
            }
            Overlap { first, second } => {
                write!(
                    f,
                    "slices {first} and {second} share elements; take slices that do not overlap"
                )
            }
            Syntax { first, error, ref snippet, .. } => {
                error.message(f, snippet.as_str())?;
                write!(f, " (at byte {first}); ")?;
                error.help(f, snippet.as_str(), true)
            }
            DifferentBuffers { first, second } => write!(
                f,
                "one plan is for {first} elements and the other for {second}, so they cannot \
                 share a buffer; make both plans for the same array"
            ),
            NeedsContiguous { what } => write!(
                f,
                "{what} needs a slice of a C-contiguous array, but this plan was made with \
                 strides, permuted, broadcast or reshaped; use `plan` and `then`"
            ),
            ChunkLength { axis } => {
                write!(
                    f,
                    "chunks have length 0 on axis {axis}; give each axis a length of 1 or more"
                )
            }
            ChunkLengths { axis, sum, len } => write!(
                f,
                "the lengths of the chunks on axis {axis} sum to {sum}, but the axis has length \
                 {len}; give lengths that sum to {len}"
            ),
            WorkLimit => write!(
                f,
                "it would take too long to find out whether elements are shared; slice arrays \
                 whose strides nest, or copy one slice first"
            ),
            Unwritable { operator, axis, why } => why.fmt(f, operator, axis),
            NotRepresentable { what } => write!(f, "not representable: {what}"),
        }
    }
}

impl core::error::Error for SliceError {}
