//! C++'s `submdspan`: its slices, of C++26 and of the libraries before it.

use super::operator::{Ints, sealed::Parts};
use super::window::{counted, limited};
use super::write::{Form, Steps, count, start, step};
use crate::encoding::Entry;
use crate::error::SliceError;
use crate::error::Unwritable;
use crate::infer::{Dim, Part};
use crate::plan::Plan;
use alloc::vec::Vec;

/// One slice specifier of `submdspan`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slice {
    /// `full_extent`: the whole axis.
    Full,
    /// An integer: takes one position and drops the axis.
    Index(i64),
    /// A pair: from the first up to the second.
    Pair(i64, i64),
    /// C++26's `extent_slice`: `extent` is how many positions the **result** has.
    Extent {
        /// The first position.
        offset: i64,
        /// How many positions the result has.
        extent: i64,
        /// How far apart they are; this does not matter for fewer than two.
        stride: i64,
    },
    /// C++26's `range_slice`: every `stride`-th position from `first` up to `last`.
    Range {
        /// The first position.
        first: i64,
        /// The position before which to stop.
        last: i64,
        /// How far apart they are.
        stride: i64,
    },
    /// `strided_slice` of P2630 and of the libraries that followed it: `extent` is how many
    /// positions of the **input** are walked.
    Strided {
        /// The first position.
        offset: i64,
        /// How many positions of the input lie in the window.
        extent: i64,
        /// The step.
        stride: i64,
    },
}

/// `submdspan`, made by [`submdspan()`].
#[derive(Clone, Copy, Debug)]
pub struct Submdspan<'a>(&'a [Slice]);

/// Reads the slice specifiers of `submdspan`, one for each axis. Nothing is clamped or counted from
/// the end.
///
/// # Errors
///
/// [`to_spec`](crate::interop::Operator::to_spec) returns an error for another number of specifiers
/// than axes, and what C++ leaves undefined: a position outside its axis, or a stride below 1
/// where two positions or more are taken.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{
///     Operator,
///     mdspan::{Slice, submdspan},
/// };
///
/// // `extent` counts results now; before, it counted positions of the input.
/// let now = submdspan(&[Slice::Extent { offset: 1, extent: 4, stride: 3 }]);
/// let before = submdspan(&[Slice::Strided { offset: 1, extent: 4, stride: 3 }]);
/// assert_eq!(now.to_spec(&[12])?.plan(&[12])?.shape(), [4]);
/// assert_eq!(before.to_spec(&[12])?.plan(&[12])?.shape(), [2]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// C++26's `[mdspan.sub.range.slices]`, whose example is one of the tests; P2630 for
/// `strided_slice`.
#[inline]
pub const fn submdspan(slices: &[Slice]) -> Submdspan<'_> {
    Submdspan(slices)
}

const EXTENTS: Form<3> =
    Form { steps: Steps::Forward, ..Form::new("C++'s `submdspan`", [start, count, step]) };

/// Writes a slice as the slice specifiers of C++26's `submdspan`, one for each axis.
///
/// # Errors
///
/// Those of [`Plan::write`]; no step is negative, and no axis is added.
///
/// # Examples
///
/// ```
/// use pyslice::interop::mdspan::{self, Slice};
/// use pyslice::s;
///
/// let slices = mdspan::slices(&s![1, :, ::3].plan(&[2, 5, 8])?)?;
/// let every_third = Slice::Extent { offset: 0, extent: 3, stride: 3 };
/// assert_eq!(slices, [Slice::Index(1), Slice::Full, every_third]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[inline]
pub fn slices(plan: &Plan) -> Result<Vec<Slice>, SliceError> {
    let written = plan.write(EXTENTS)?;
    if let Some(&axis) = written.add.first() {
        let why = Unwritable::NewAxis;
        return Err(SliceError::Unwritable { operator: EXTENTS.operator, axis, why });
    }
    let [offsets, extents, strides] = &written.vectors;
    let axes = offsets.iter().zip(extents).zip(strides).zip(plan.input_shape()).enumerate();
    let slice = |(axis, (((&offset, &extent), &stride), &len))| match (offset, extent, stride) {
        _ if written.drop.contains(&axis) => Slice::Index(offset),
        (0, all, 1) if all == len as i64 => Slice::Full,
        _ => Slice::Extent { offset, extent, stride },
    };
    Ok(axes.map(slice).collect())
}

impl Parts for Submdspan<'_> {
    #[inline]
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, SliceError> {
        let part = |(i, (&slice, &dim)): (usize, (&Slice, &Dim))| match slice {
            Slice::Full => Ok(Part::Entry(Entry::FULL)),
            Slice::Index(at) => {
                counted(i, dim, Some(at), Some(1), Some(1)).map(|_| Part::Entry(Entry::Index(at)))
            }
            Slice::Pair(first, last) => limited(i, dim, Some(first), Some(last), Some(1)),
            Slice::Extent { extent: 2.., stride, .. } if stride < 1 => {
                Err(SliceError::StepTooSmall { step: stride, entry: i })
            }
            Slice::Extent { offset, extent, stride } => {
                counted(i, dim, Some(offset), Some(extent), Some(stride))
            }
            Slice::Range { first, last, stride } => {
                limited(i, dim, Some(first), Some(last), Some(stride))
            }
            Slice::Strided { offset, extent, stride } => {
                limited(i, dim, Some(offset), Some(offset.saturating_add(extent)), Some(stride))
            }
        };
        let axes = self.0.iter().zip(shape).enumerate();
        axes.map(part).collect()
    }

    #[inline]
    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(Ints::Later(self.0.len()))
    }
}
