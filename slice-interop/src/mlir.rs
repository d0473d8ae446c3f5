//! MLIR: `tensor.extract_slice`, `tensor.insert_slice`, `memref.subview`.

use crate::error::InteropError;
use crate::operator::{Ints, sealed::Parts};
use crate::window::{check, counted};
use crate::write::{Form, count, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Entry, SliceError};

/// `ShapedType::kDynamic`: the value in MLIR's static attributes where an operand gives the number.
pub const DYNAMIC: i64 = i64::MIN;

/// Writes `tensor.extract_slice`, `tensor.insert_slice` and `memref.subview`: the vectors
/// `offsets`, `sizes` and `strides`. The result may leave out the axes in
/// [`drop`](super::Written::drop) itself. Empty slices are refused, because MLIR checks that their
/// last position, -1, lies on the axis.
pub const EXTRACT_SLICE: Form<3> =
    Form { empty: false, ..Form::new("MLIR's `extract_slice`", [start, count, step]) };

/// `extract_slice`, made by [`extract_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct ExtractSlice<'a> {
    offsets: Ints<'a>,
    sizes: Ints<'a>,
    strides: Ints<'a>,
    dropped: &'a [usize],
}

/// Reads `tensor.extract_slice` and `memref.subview`: `sizes` positions of the result on each axis,
/// from `offsets`, `strides` apart. `tensor.insert_slice` writes to the same window: plan the slice
/// and `assign`.
///
/// The attributes may hold [`DYNAMIC`], MLIR's mark for a number that an operand gives. It counts
/// as not known yet.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes, and [`InteropError::WindowOutOfRange`] for a negative size or a position
/// outside its axis. [`SliceError::NotRepresentable`] for a stride of 0 where two positions or more
/// are taken.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, mlir};
///
/// // tensor.extract_slice %t[0, 4] [1, 3] [1, 2] : tensor<8x16xf32> to tensor<3xf32>
/// let op = mlir::extract_slice(&[0, 4], &[1, 3], &[1, 2]).dropping(&[0]);
/// assert_eq!(op.to_spec(&[8, 16])?.to_string(), "0, 4:9:2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// MLIR's verifier (recorded answers, `import_mlir`).
pub fn extract_slice<'a>(
    offsets: impl Into<Ints<'a>>,
    sizes: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> ExtractSlice<'a> {
    ExtractSlice {
        offsets: offsets.into(),
        sizes: sizes.into(),
        strides: strides.into(),
        dropped: &[],
    }
}

impl<'a> ExtractSlice<'a> {
    /// The axes that a rank-reducing result type leaves out, each of which must have size 1.
    pub fn dropping(mut self, axes: &'a [usize]) -> Self {
        self.dropped = axes;
        self
    }
}

impl Parts for ExtractSlice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let ExtractSlice { offsets, sizes, strides, dropped } = self;
        sizes.expect("sizes", offsets.len())?;
        strides.expect("strides", offsets.len())?;
        if let Some(&axis) = dropped.iter().find(|&&axis| axis >= shape.len()) {
            return Err(SliceError::AxisOutOfRange { axis: axis as i64, rank: shape.len() }.into());
        }
        let mut parts = Vec::with_capacity(shape.len());
        for (i, &dim) in shape.iter().enumerate() {
            let known = |v: &Ints<'_>| v.get(i).filter(|&v| v != DYNAMIC);
            let (first, count) = (known(offsets), known(sizes));
            let part = counted(i, dim, first, count, known(strides))?;
            if let Some(first) = first {
                // Unlike the others, MLIR also requires the offset of an empty slice to lie on the
                // axis.
                check(i, dim, first.into(), i128::from(first).saturating_add(1))?;
            }
            parts.push(match (dropped.contains(&i), count, first) {
                (false, ..) => part,
                (true, Some(n), _) if n != 1 => {
                    return Err(SliceError::DropLength {
                        axis: i,
                        len: usize::try_from(n).unwrap_or(0),
                    }
                    .into());
                }
                (true, _, Some(first)) => Part::Entry(Entry::Index(first)),
                (true, _, None) => Part::LaterIndex,
            });
        }
        Ok(parts)
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.offsets)
    }
}
