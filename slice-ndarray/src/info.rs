//! Conversions to and from ndarray's own slices.

use crate::{SliceOf, view};
use ndarray::{ArrayBase, Dimension, RawData, SliceInfo, SliceInfoElem};
use slice_core::__private::views::whole_axes;
use slice_core::{AsSpec, Entry, SliceError, SpecBuf, StepRange};

/// `spec` as ndarray's own slice of an array of the given dimension: `x.slice(slice_info(spec,
/// x.raw_dim())?)` is `x.pyslice(spec)`.
///
/// [`StepRange`] explains how ndarray's ranges differ from Python's.
///
/// # Errors
///
/// Those of [`Spec::plan`](slice_core::Spec::plan).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use pyslice::nd::slice_info;
/// use pyslice::s;
///
/// let x = array![[0, 1, 2], [3, 4, 5]];
/// let spec = s![-1, :0:-1];
/// let info = slice_info(&spec, x.raw_dim())?;
/// assert_eq!(x.slice(&info), array![5, 4]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[allow(clippy::type_complexity, reason = "ndarray's own spelling of a slice")]
pub fn slice_info<D: Dimension, I: SliceOf<D>>(
    spec: I,
    dim: D,
) -> Result<SliceInfo<Vec<SliceInfoElem>, D, I::Out>, SliceError> {
    let shape: Vec<usize> = dim.as_array_view().to_vec();
    let elems = slice_elems(&spec, &shape)?;
    let found = elems.iter().filter(|e| !e.is_index()).count();
    let wrong = SliceError::RankMismatch { expected: I::Out::NDIM.unwrap_or(found), found };
    SliceInfo::try_from(elems).map_err(|_| wrong)
}

/// `spec` as the elements of ndarray's own slice of an array of the given shape: one for each axis
/// and each new axis, no bound negative or past the end.
///
/// # Errors
///
/// Those of [`Spec::plan`](slice_core::Spec::plan), and [`SliceError::NotRepresentable`] for a step
/// that does not fit `isize` and is taken more than once.
///
/// # Examples
///
/// ```
/// use ndarray::SliceInfoElem;
/// use pyslice::{nd::slice_elems, s};
///
/// let elems = slice_elems(s![-1, None], &[2, 3])?;
/// let whole = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
/// assert_eq!(elems, [SliceInfoElem::Index(1), SliceInfoElem::NewAxis, whole]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
pub fn slice_elems(spec: impl AsSpec, shape: &[usize]) -> Result<Vec<SliceInfoElem>, SliceError> {
    let (spec, mut out) = (spec.as_spec(), Vec::new());
    // Planning checks everything: rank, indices, steps, sizes.
    spec.plan(shape)?;
    let mut axes = shape.iter();
    let (before, spare) = whole_axes(spec, shape.len())?;
    let whole = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
    out.extend(axes.by_ref().take(before).map(|_| whole));
    for entry in spec.entries() {
        match entry {
            Entry::NewAxis => out.push(SliceInfoElem::NewAxis),
            Entry::Ellipsis => out.extend(axes.by_ref().take(spare).map(|_| whole)),
            Entry::Index(index) => {
                let Some(&n) = axes.next() else { continue };
                // Planning has found it inside.
                let at = if index < 0 { index.wrapping_add(n as i64) } else { index };
                out.push(SliceInfoElem::Index(at as isize));
            }
            Entry::Range { start, stop, step } => {
                let Some(&n) = axes.next() else { continue };
                out.push(elem(StepRange::from_entry(start, stop, step, n)?)?);
            }
        }
    }
    // Without an ellipsis, one is implied at the end.
    out.extend(axes.map(|_| whole));
    Ok(out)
}

/// `array[spec]`, keeping the storage.
pub(crate) fn moved<S: RawData, D: Dimension, I: SliceOf<D>>(
    mut array: ArrayBase<S, D>,
    spec: &I,
) -> Result<ArrayBase<S, I::Out>, SliceError> {
    let dim = array.raw_dim();
    let sliced = if view::keeps_axes(spec.as_spec()) {
        view::cut(array.as_mut(), spec).and_then(|()| I::known(array))
    } else {
        let mut array = array.into_dyn();
        view::take::<S::Elem, D, I>(array.as_mut(), spec).and_then(|()| I::known(array))
    };
    sliced.ok_or_else(|| view::no_view::<I::Out>(spec.as_spec(), dim.slice()))
}

#[inline]
fn elem(range: StepRange) -> Result<SliceInfoElem, SliceError> {
    let isize = |v: i64| {
        let what = "a bound or step beyond isize, which is what ndarray's slices hold";
        isize::try_from(v).map_err(|_| SliceError::NotRepresentable { what })
    };
    Ok(SliceInfoElem::Slice {
        start: isize(range.start)?,
        end: range.end.map(isize).transpose()?,
        step: isize(range.step)?,
    })
}

/// ndarray's own slice as Python's: `x.pyslice(from_slice_info(&info)?)` is `x.slice(info)`.
///
/// No shape is needed. If a bound lies outside its axis, ndarray panics and Python clamps;
/// everything else is the same.
///
/// # Errors
///
/// A step of 0, more than 31 elements, and [`SliceError::NotRepresentable`] for a bound of
/// `i64::MIN` under a negative step.
///
/// # Examples
///
/// ```
/// use ndarray::s;
/// use pyslice::nd::from_slice_info;
///
/// assert_eq!(from_slice_info(s![1..4;-1, -2, ..])?.to_string(), "3:0:-1, -2, :");
/// # Ok::<(), pyslice::SliceError>(())
/// ```
pub fn from_slice_info(info: impl AsRef<[SliceInfoElem]>) -> Result<SpecBuf, SliceError> {
    let mut entries = Vec::new();
    for (entry, elem) in info.as_ref().iter().enumerate() {
        entries.push(match *elem {
            SliceInfoElem::NewAxis => Entry::NewAxis,
            SliceInfoElem::Index(i) => Entry::Index(i as i64),
            SliceInfoElem::Slice { step: 0, .. } => return Err(SliceError::ZeroStep { entry }),
            SliceInfoElem::Slice { start, end, step } => {
                StepRange { start: start as i64, end: end.map(|v| v as i64), step: step as i64 }
                    .to_entry()?
            }
        });
    }
    SpecBuf::from_entries(&entries)
}
