//! The messages of [`SliceError`]: what is wrong, where, and what to write instead.

use super::{Buffer, SliceError};
use crate::error::const_message::Value::{Count, Number, Text};
use crate::error::const_message::{Sentence, fill};
use core::fmt;

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Broadcast { axis_from_back, values, slice, values_shape, slice_shape } => {
                write!(f, "shape {values_shape} does not broadcast to shape {slice_shape}")?;
                fill(
                    f,
                    ": its axis -{} has length {}; it must have length {}{}",
                    &[
                        Count(axis_from_back),
                        Count(values),
                        Count(slice),
                        Text(if slice == 1 { "" } else { " or 1" }),
                    ],
                )
            }
            Self::Syntax { first, error, ref snippet, .. } => {
                error.message(f, snippet.as_str())?;
                fill(f, " (at byte {}); ", &[Number(first as i128)])?;
                error.help(f, snippet.as_str(), true)
            }
            _ => self.sentence().map_or(Ok(()), |sentence| sentence.fmt(f)),
        }
    }
}

impl SliceError {
    /// The message, which constant evaluation can make too; none where it shows more than texts and
    /// numbers.
    #[expect(clippy::arithmetic_side_effects, reason = "a usize in i128")]
    pub(crate) const fn sentence(self) -> Option<Sentence> {
        Some(match self {
            Self::ZeroStep { entry } => Sentence::new(
                "step is 0 on entry {}; a step must be 1 or more, or -1 or less",
                &[Count(entry)],
            ),
            Self::IndexOutOfRange { index, axis, len } => {
                // A value of a wider type saturates on its way here.
                let beyond = match index {
                    i64::MAX => " or more",
                    i64::MIN => " or less",
                    _ => "",
                };
                let text = match len {
                    0 => {
                        "index {}{} is outside axis {} of length {}; the axis is empty and has no \
                         valid index"
                    }
                    1 => {
                        "index {}{} is outside axis {} of length {}; use 0 or -1, or a range, which \
                         is clamped"
                    }
                    _ => {
                        "index {}{} is outside axis {} of length {}; use {} to {}, or a range, \
                         which is clamped"
                    }
                };
                let n = len as i128;
                Sentence::new(
                    text,
                    &[
                        Number(index as i128),
                        Text(beyond),
                        Count(axis),
                        Count(len),
                        Number(-n),
                        Number(n - 1),
                    ],
                )
            }
            Self::BoundOutOfRange { bound, axis, len: 0 } => Sentence::new(
                "bound {} is outside axis {} of length 0; the axis is empty, so use 0, leave the \
                 bound out, or slice without strict bounds, which clamps it",
                &[Number(bound as i128), Count(axis)],
            ),
            Self::BoundOutOfRange { bound, axis, len } => {
                let n = len as i128;
                Sentence::new(
                    "bound {} is outside axis {} of length {}; use {} to {} (under a negative step, \
                     {} to {} as a start and {} to {} as a stop), leave the bound out, or slice \
                     without strict bounds, which clamps it",
                    &[
                        Number(bound as i128),
                        Count(axis),
                        Count(len),
                        Number(-n),
                        Count(len),
                        Number(-n),
                        Number(n - 1),
                        Number(-n - 1),
                        Number(n - 1),
                    ],
                )
            }
            Self::TooManyEntries { takes, rank } => {
                let more = takes.saturating_sub(rank);
                Sentence::new(
                    "the slice needs {} {}, but the array has {}; remove {} {}, or insert axes with \
                     `None` in a slice before this one",
                    &[
                        Count(takes),
                        Text(if takes == 1 { "axis" } else { "axes" }),
                        Count(rank),
                        Count(more),
                        Text(if more == 1 { "entry" } else { "entries" }),
                    ],
                )
            }
            Self::TooLong { entries } => Sentence::new(
                "the slice has {} entries, but it can have at most 31; slice in two steps",
                &[Count(entries)],
            ),
            Self::SecondEllipsis { entry } => Sentence::new(
                "entry {} is a second `...`; keep the first and write `:` for each axis here",
                &[Count(entry)],
            ),
            Self::LengthMismatch { what, found, expected } => Sentence::new(
                "`{}` has length {}, but the first vector has length {}; give one value for each \
                 entry",
                &[Text(what), Count(found), Count(expected)],
            ),
            Self::ShrinkStride { entry, axis } => Sentence::new(
                "entry {} drops axis {} with a negative stride; use a stride of 1 where the shrink \
                 bit is set",
                &[Count(entry), Count(axis)],
            ),
            Self::AxisOutOfRange { axis, rank } => Sentence::new(
                match rank {
                    0 => "axis {} is outside an array of rank {}; it has no axes, so give none",
                    1 => "axis {} is outside an array of rank {}; use 0 or -1",
                    _ => {
                        "axis {} is outside an array of rank {}; use 0 to {}, or -{} to -1 from the \
                         last one"
                    }
                },
                &[Number(axis as i128), Count(rank), Count(rank.saturating_sub(1)), Count(rank)],
            ),
            Self::RepeatedAxis { axis } => {
                Sentence::new("axis {} is given twice; give each axis once", &[Count(axis)])
            }
            Self::DropLength { axis, len } => Sentence::new(
                "axis {} cannot be dropped, because it has length {} after slicing; take one \
                 position on it",
                &[Count(axis), Count(len)],
            ),
            Self::ShapeTooLarge => Sentence::new(
                "the shape has more elements than isize::MAX ({}); use a smaller shape",
                &[Number(isize::MAX as i128)],
            ),
            Self::ReachTooLarge => Sentence::new(
                "the shape and strides reach over more elements than isize::MAX ({}); give strides \
                 of one buffer, negative ones as signed numbers",
                &[Number(isize::MAX as i128)],
            ),
            Self::BytesTooLarge { elements, size } => Sentence::new(
                "{} elements of {} bytes are more than isize::MAX ({}) bytes; use a smaller shape",
                &[Count(elements), Count(size), Number(isize::MAX as i128)],
            ),
            Self::RankTooHigh { rank, limit } => Sentence::new(
                "the number of axes is {}, but a plan holds at most {}; merge some before slicing",
                &[Count(rank), Count(limit)],
            ),
            Self::RankMismatch { expected, found } => Sentence::new(
                "the number of axes is {}, but it must be {}; give one value for each axis, or \
                 change the rank in the type",
                &[Count(found), Count(expected)],
            ),
            Self::BufferLength { buffer, expected, found } => Sentence::new(
                "the {} buffer has length {}, but {} needs {}; {}",
                &[
                    Text(buffer.name()),
                    Count(found),
                    Text(buffer.holds()),
                    Count(expected),
                    Text(buffer.advice()),
                ],
            ),
            Self::ByteLength { buffer, expected, found, size } => Sentence::new(
                "the {} buffer has {} bytes, but {} needs {} (elements of {} bytes); {}",
                &[
                    Text(buffer.name()),
                    Count(found),
                    Text(buffer.holds()),
                    Count(expected),
                    Count(size),
                    Text(buffer.advice()),
                ],
            ),
            Self::ElementCount { expected, found } => Sentence::new(
                "the shape has {} elements, but the slice has {}; give a shape of {} elements",
                &[Count(found), Count(expected), Count(expected)],
            ),
            Self::DimOrder { axis, least, most } => Sentence::new(
                "axis {} has a minimum length of {} and a maximum length of {}; give the smaller \
                 number first",
                &[Count(axis), Count(least), Count(most)],
            ),
            Self::AxesLeft { left } => Sentence::new(
                "the slice leaves {} {}, but one element is asked for; give an index for each axis",
                &[Count(left), Text(if left == 1 { "axis" } else { "axes" })],
            ),
            Self::NeedsCopy => Sentence::new(
                "the slice cannot take this shape without a copy; copy it, and reshape the copy",
                &[],
            ),
            Self::BeforeBuffer { first, below } => Sentence::new(
                "element [0, 0, …] is at position {}, but negative strides reach {} elements below \
                 it; give its position in the buffer, {} or more",
                &[Count(first), Count(below), Count(below)],
            ),
            Self::Repeats => Sentence::new(
                "the slice reads some elements more than once, so its gradient is a sum; use \
                 `add_assign` on zeros",
                &[],
            ),
            Self::ZeroElementSize => {
                Sentence::new("the element size is 0 bytes; give the size of one element", &[])
            }
            Self::ElementSizes { expected, found } => Sentence::new(
                "the elements of the slice have {} bytes, and those of the values {}; give both the \
                 same size in `bytes`",
                &[Count(expected), Count(found)],
            ),
            Self::OutOfMemory { bytes } => Sentence::new(
                "not enough memory for a result of {} bytes; take a smaller slice, or copy into a \
                 buffer of your own",
                &[Count(bytes)],
            ),
            Self::Overlap { first, second } => Sentence::new(
                "slices {} and {} share elements; take slices that do not overlap",
                &[Count(first), Count(second)],
            ),
            Self::DifferentBuffers { first, second } => Sentence::new(
                "one plan is for {} elements and the other for {}, so they cannot share a buffer; \
                 make both plans for the same array",
                &[Count(first), Count(second)],
            ),
            Self::NeedsContiguous { what } => Sentence::new(
                "{} needs a slice of a C-contiguous array, but this plan was made with strides, \
                 permuted, broadcast or reshaped; use `plan` and `then`",
                &[Text(what)],
            ),
            Self::ChunkLength { axis } => Sentence::new(
                "chunks have length 0 on axis {}; give each axis a length of 1 or more",
                &[Count(axis)],
            ),
            Self::ChunkLengths { axis, sum, len } => Sentence::new(
                "the lengths of the chunks on axis {} sum to {}, but the axis has length {}; give \
                 lengths that sum to {}",
                &[Count(axis), Count(sum), Count(len), Count(len)],
            ),
            Self::WorkLimit => Sentence::new(
                "it would take too long to find out whether elements are shared; slice arrays whose \
                 strides nest, or copy one slice first",
                &[],
            ),
            Self::NotRepresentable { what } => {
                Sentence::new("not representable: {}", &[Text(what)])
            }
            Self::Broadcast { .. } | Self::Syntax { .. } => return None,
        })
    }
}

impl Buffer {
    const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Destination => "destination",
            Self::Target => "target",
            Self::Values | Self::BroadcastValues => "values",
            Self::Gradient => "gradient",
        }
    }

    /// What says how many elements it has.
    const fn holds(self) -> &'static str {
        match self {
            Self::BroadcastValues => "their shape",
            _ => "the plan",
        }
    }

    /// What to do if it has a different number.
    const fn advice(self) -> &'static str {
        match self {
            Self::Source | Self::Target => "pass the buffer the plan was made for",
            Self::Destination => "pass a buffer of that length",
            Self::Values => {
                "give one value for each element of the slice, or `Shaped(&values, &shape)`, which \
                 broadcasts"
            }
            Self::BroadcastValues => "give one value for each element of their shape",
            Self::Gradient => "give one value for each element of the slice",
        }
    }
}

/// The text, since that is what a program shows whose `main` returns the error.
impl fmt::Debug for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
