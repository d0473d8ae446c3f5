//! The messages of [`SliceError`]: what is wrong, where, and what to write instead.

use super::{Buffer, SliceError};
use crate::const_message::Sentence;
use core::fmt;

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

impl SliceError {
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
