//! Methods of a slice that the macro crate does not need.

use crate::encoding::{AsSpec, OnAxis, Spec, SpecBuf, SpecRef};
use crate::error::SliceError;
use crate::forms::AxesForm;
use crate::infer::{self, Dim, Dims};

/// The methods that all three forms of a slice have.
macro_rules! shared {
    () => {
        /// The slice in axes form for an array of the given shape, as ONNX's `Slice` and Paddle's
        /// `strided_slice` take it, with the axes to drop and to add.
        ///
        /// # Errors
        ///
        /// Those of [`plan`](Self::plan).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let spec = s![1, None, ::-1];
        /// let form = spec.to_axes(&[4, 6])?;
        /// assert_eq!((form.starts, form.ends), (vec![1, 5], vec![2, -7]));
        /// assert_eq!(form.strides, [1, -1]);
        /// assert_eq!((form.axes, form.drop, form.add), (vec![0, 1], vec![0], vec![0]));
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn to_axes(&self, shape: &[usize]) -> Result<AxesForm, SliceError> {
            self.plan(shape)?.to_axes()
        }
        /// Whether both slices select the same elements of an array of the given shape: results of
        /// equal shape, with the same element at each position.
        ///
        /// # Errors
        ///
        /// Those of [`plan`](Self::plan) for either slice.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let last = s![-1:];
        /// let third = s![3:2:-7];
        /// assert!(last.same_on(&third, &[4])? && !last.same_on(&third, &[5])?);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn same_on(&self, other: impl AsSpec, shape: &[usize]) -> Result<bool, SliceError> {
            Ok(self.plan(shape)?.selects_same(&other.as_spec().plan(shape)?))
        }
        /// The canonical form of the slice for arrays of the given shape. All slices that select
        /// [the same](Self::same_on) have the same form.
        ///
        /// It keeps axes rather than dropping and adding them, leaves out bounds that are not
        /// needed, and leaves out whole axes at the end.
        ///
        /// # Errors
        ///
        /// Those of [`plan`](Self::plan), and [`SliceError::TooLong`] if it takes more than 31
        /// entries, which can happen on arrays of more than 31 axes.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let spec = s![-100:100:3, 2, None, -1:-9:-1];
        /// assert_eq!(spec.canonical_on(&[10, 3, 4])?.to_string(), "::3, 2:, ::-1");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn canonical_on(&self, shape: &[usize]) -> Result<SpecBuf, SliceError> {
            self.plan(shape)?.to_spec()
        }
        /// The same slice with its entries counted from axis 0, as other systems' encodings and
        /// Python write it: what is left of [`on_axis`](Spec::on_axis) are entries. Other slices
        /// stay as they are.
        ///
        /// # Errors
        ///
        /// [`SliceError::TooLong`] for more than 31 entries; [`SliceError::SecondEllipsis`] for a
        /// negative axis of a slice that has an ellipsis; [`SliceError::TooManyEntries`] if there
        /// are fewer axes from a negative axis to the end than the slice takes;
        /// [`SliceError::ZeroStep`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// assert_eq!(s![2:5].on_axis(1).expand()?, s![:, 2:5].to_buf());
        /// assert_eq!(s![::-1].on_axis(-2).expand()?, s![..., ::-1, :].to_buf());
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn expand(&self) -> Result<SpecBuf, SliceError> {
            self.as_spec().expanded()
        }
        /// The shape of the result for an input whose shape is not fully known.
        ///
        /// # Errors
        ///
        /// Too many entries, a step of 0, and an index (for a strict slice, a bound) outside every
        /// length that its axis may have; [`SliceError::DimOrder`] for limits that no length meets,
        /// such as `Dim::Between(5, 2)`. On an axis of unknown length no index is checked, as in
        /// TensorFlow. How many elements and axes there are is checked by [`plan`](Self::plan).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{Dim, SliceError, s};
        ///
        /// let dims = s![0, :3].infer_shape(&[Dim::Unknown, Dim::Between(2, 9)])?;
        /// assert_eq!(*dims, [Dim::Between(2, 3)]);
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// TensorFlow's static shape inference never knows more than this does (recorded answers).
        /// It knows less where one bound decides: `[:0]` is empty for every length of the axis.
        #[inline]
        pub fn infer_shape(&self, shape: &[Dim]) -> Result<Dims, SliceError> {
            infer::infer(self.as_spec(), shape)
        }
    };
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    shared!();
}
impl SpecBuf {
    shared!();
}
impl SpecRef<'_> {
    shared!();
}
impl<const L: usize, const T: usize, const D: usize, const A: usize> OnAxis<Spec<L, T, D, A>> {
    shared!();
}
