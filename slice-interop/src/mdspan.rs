//! C++'s `submdspan`: its slices, of C++26 and of the libraries before it.

use crate::error::{InteropError, Unwritable};
use crate::operator::{Ints, sealed::Parts};
use crate::window::{counted, limited};
use crate::write::{Form, Steps, count, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Entry, Plan};

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
/// [`to_spec`](crate::Operator::to_spec) returns an error if there are more or fewer specifiers
/// than axes, and where C++ leaves the result undefined: for a position outside its axis, or a
/// stride below 1 where two or more positions are taken.
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// C++26's `[mdspan.sub.range.slices]`, whose example is one of the tests; P2630 for
/// `strided_slice`.
pub const fn submdspan(slices: &[Slice]) -> Submdspan<'_> {
    Submdspan(slices)
}

const EXTENTS: Form<3> =
    Form { steps: Steps::Forward, ..Form::new("C++'s `submdspan`", [start, count, step]) };

/// Writes a slice as the slice specifiers of C++26's `submdspan`, one for each axis.
///
/// # Errors
///
/// Those of [`Form::write`]; no step is negative, and no axis is added.
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
pub fn slices(plan: &Plan) -> Result<Vec<Slice>, InteropError> {
    let written = EXTENTS.write(plan)?;
    if let Some(&axis) = written.add.first() {
        let why = Unwritable::NewAxis;
        return Err(InteropError::Unwritable { operator: EXTENTS.operator, axis, why });
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
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let part = |(i, (&slice, &dim)): (usize, (&Slice, &Dim))| match slice {
            Slice::Full => Ok(Part::Entry(Entry::FULL)),
            Slice::Index(at) => {
                counted(i, dim, Some(at), Some(1), Some(1)).map(|_| Part::Entry(Entry::Index(at)))
            }
            Slice::Pair(first, last) => limited(i, dim, Some(first), Some(last), Some(1)),
            Slice::Extent { offset, extent: 2.., stride } if stride < 1 => {
                counted(i, dim, Some(offset), Some(1), Some(1))?;
                Err(InteropError::StepTooSmall { step: stride, entry: i })
            }
            Slice::Extent { offset, extent, stride } => {
                counted(i, dim, Some(offset), Some(extent), Some(stride))
            }
            Slice::Range { first, last, stride } => strided(i, dim, first, last, stride),
            Slice::Strided { offset, extent, stride } => {
                strided(i, dim, offset, offset.saturating_add(extent), stride)
            }
        };
        let axes = self.0.iter().zip(shape).enumerate();
        axes.map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(Ints::Later(self.0.len()))
    }
}

/// Every `stride`-th position from `first` up to `last`. The window has to lie on the axis; if it
/// has fewer than two positions, the stride does not matter.
fn strided(
    axis: usize,
    dim: Dim,
    first: i64,
    last: i64,
    stride: i64,
) -> Result<Part, InteropError> {
    let window = limited(axis, dim, Some(first), Some(last), Some(1))?;
    if last.saturating_sub(first) < 2 {
        return Ok(window);
    }
    limited(axis, dim, Some(first), Some(last), Some(stride))
}
