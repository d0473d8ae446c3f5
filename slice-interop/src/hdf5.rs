//! HDF5's regular hyperslabs.

use crate::error::{InteropError, not_representable};
use crate::operator::{Ints, sealed::Parts};
use crate::window::{check, counted, up_to};
use crate::write::{Form, Steps, count, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, SliceError};

/// Writes a hyperslab: the vectors `start`, `count` and `stride`; each block is one position. Steps
/// are 1 or more.
pub const HYPERSLAB: Form<3> = Form {
    steps: Steps::Forward,
    ranks: (1, 32),
    ..Form::new("an HDF5 hyperslab", [start, count, step])
};

/// A hyperslab, made by [`hyperslab()`].
#[derive(Clone, Copy, Debug)]
pub struct Hyperslab<'a> {
    start: Ints<'a>,
    count: Ints<'a>,
    stride: Option<Ints<'a>>,
    block: Option<Ints<'a>>,
}

/// Reads a hyperslab selection, as `H5Sselect_hyperslab` takes it: on each axis `count` blocks from
/// `start`, whose first positions are `stride` apart; stride and block are 1 unless set.
///
/// It is a slice if the blocks are single positions, if there is one block, or if the blocks touch.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the dataspace has axes, a stride of 0, blocks that overlap, and
/// [`InteropError::WindowOutOfRange`] for positions outside. [`SliceError::NotRepresentable`] for
/// two blocks or more with gaps between them.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, hdf5};
///
/// let op = hdf5::hyperslab(&[0_u64, 1], &[1_u64, 4]).stride(&[1_u64, 2]).block(&[3_u64, 1]);
/// assert_eq!(op.to_spec(&[5, 8])?.to_string(), "0:3, 1:8:2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// HDF5 as h5py 3.14 ships it (recorded answers, `import_hdf5`).
pub fn hyperslab<'a>(start: impl Into<Ints<'a>>, count: impl Into<Ints<'a>>) -> Hyperslab<'a> {
    Hyperslab { start: start.into(), count: count.into(), stride: None, block: None }
}

impl<'a> Hyperslab<'a> {
    /// Sets how far apart the blocks begin; the default is 1.
    pub fn stride(mut self, stride: impl Into<Ints<'a>>) -> Self {
        self.stride = Some(stride.into());
        self
    }

    /// Sets how many positions each block has; the default is 1.
    pub fn block(mut self, block: impl Into<Ints<'a>>) -> Self {
        self.block = Some(block.into());
        self
    }
}

impl Parts for Hyperslab<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Hyperslab { start, count, stride, block } = self;
        count.expect("count", start.len())?;
        stride.map_or(Ok(()), |v| v.expect("stride", start.len()))?;
        block.map_or(Ok(()), |v| v.expect("block", start.len()))?;
        let or_one = |v: &Option<Ints<'_>>, i: usize| v.map_or(Some(1), |v| v.get(i));
        // Errors that do not depend on the shape come first, for all axes.
        if let Some(entry) = (0..shape.len()).find(|&i| or_one(stride, i) == Some(0)) {
            return Err(SliceError::ZeroStep { entry }.into());
        }
        let overlaps = |i: usize| {
            count.get(i).is_some_and(|n| n > 1)
                && or_one(block, i) > or_one(stride, i).or(Some(i64::MAX))
        };
        if (0..shape.len()).any(overlaps) {
            return Err(not_representable(
                "a hyperslab whose blocks overlap, which HDF5 refuses too",
            ));
        }
        let part = |(i, &dim): (usize, &Dim)| {
            slab(i, dim, start.get(i), count.get(i), or_one(stride, i), or_one(block, i))
        };
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.start)
    }
}

fn slab(
    axis: usize,
    dim: Dim,
    start: Option<i64>,
    count: Option<i64>,
    stride: Option<i64>,
    block: Option<i64>,
) -> Result<Part, InteropError> {
    let (Some(start), Some(count), Some(stride), Some(block)) = (start, count, stride, block)
    else {
        let total = count.zip(block).map(|(n, b)| n.saturating_mul(b)).filter(|&n| n >= 0);
        return Ok(Part::Later(
            total
                .and_then(|n| usize::try_from(n).ok())
                .map_or(up_to(dim.limits().1 as i128), Dim::Known),
        ));
    };
    if count == 0 || block == 0 {
        // Nothing is selected, so the start does not matter.
        return counted(axis, dim, Some(0), Some(0), Some(1));
    }
    if block == 1 {
        return counted(axis, dim, Some(start), Some(count), Some(stride));
    }
    let total = count.saturating_mul(block);
    if count == 1 || block == stride {
        return counted(axis, dim, Some(start), Some(total), Some(1));
    }
    let end = i128::from(start)
        .saturating_add(i128::from(count).saturating_sub(1).saturating_mul(stride.into()))
        .saturating_add(block.into());
    check(axis, dim, start.into(), end)?;
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    Ok(Part::Never(
        Dim::Known(total),
        "a hyperslab of blocks with gaps between them; split the axis in two by a reshape, or \
         take one slice a block",
    ))
}
