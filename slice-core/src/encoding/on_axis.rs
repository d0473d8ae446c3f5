//! [`OnAxis`]: a slice of an axis that is known only at run time.

use super::{AsSpec, Entry, SliceIndex, Spec, SpecBuf, SpecRef};
use crate::error::SliceError;
use core::fmt;

/// A slice whose first entry belongs to an axis that is known only at run time, made by
/// [`on_axis`](Spec::on_axis). It can be used wherever a slice can.
///
/// It has the type of the slice `S`, so the compiler knows by how many axes it changes an array.
///
/// # Examples
///
/// ```
/// use pyslice::{AsSpec, SliceError, s};
///
/// /// The shape of `np.diff(x, axis=axis)`.
/// fn diff_shape(shape: &[usize], axis: i64) -> Result<Vec<usize>, SliceError> {
///     Ok(s![1:].on_axis(axis).plan(shape)?.shape().to_vec())
/// }
///
/// assert_eq!(diff_shape(&[4, 5, 6], 1)?, [4, 4, 6]);
/// assert_eq!(diff_shape(&[4, 5, 6], -1)?, [4, 5, 5]);
/// assert_eq!(
///     diff_shape(&[4, 5], 5).unwrap_err(),
///     SliceError::AxisOutOfRange { axis: 5, rank: 2 }
/// );
/// # Ok::<(), SliceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnAxis<S> {
    spec: S,
    axis: i64,
}

/// The number of an axis, which is a primitive integer. A negative one counts from the end.
///
/// # Examples
///
/// ```
/// use pyslice::SliceAxis;
///
/// assert_eq!((1_usize.to_axis(), (-1_i8).to_axis()), (1, -1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the number of an axis, which is an integer",
    label = "this is `{Self}`, not an integer",
    note = "write `1`, or `-1` for the last axis; `axis.index()` for ndarray's `Axis`, `*x` for a \
            reference",
    note = "`on_axis` takes one axis; for several, write an entry for each one, as in `s![:, ::-1]`"
)]
pub trait SliceAxis {
    /// The number, saturated to `i64`.
    fn to_axis(self) -> i64;
}

// The compiler would speak of an index.
#[diagnostic::do_not_recommend]
impl<T: SliceIndex> SliceAxis for T {
    #[inline]
    fn to_axis(self) -> i64 {
        self.to_index()
    }
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    /// The same slice, of `axis` instead of axis 0 (and of the axes behind it, if it takes more
    /// than one). A negative axis counts from the end. The axes before and behind are taken whole.
    /// This is for an axis that is known only at run time.
    ///
    /// An axis that an array does not have is an error of the call that slices the array. A new
    /// axis stands before `axis`, as in Python's `list.insert`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let (axis, start, length) = (1_usize, 2, 3);
    /// // PyTorch: x.narrow(axis, start, length) inside of the axis, x.select(axis, -1), x.flip(-2)
    /// let plan = s![start:start + length].on_axis(axis).plan(&[4, 6])?;
    /// assert_eq!(plan, s![:, 2:5].plan(&[4, 6])?);
    /// assert_eq!(s![-1].on_axis(axis).plan(&[4, 6])?, s![:, -1].plan(&[4, 6])?);
    /// assert_eq!(s![::-1].on_axis(-2).plan(&[4, 6])?, s![::-1].plan(&[4, 6])?);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// Python's `x[(slice(None),) * axis + key]`.
    #[doc(alias = "narrow", alias = "select", alias = "flip", alias = "unsqueeze")]
    #[inline]
    pub fn on_axis(self, axis: impl SliceAxis) -> OnAxis<Self> {
        OnAxis { spec: self, axis: axis.to_axis() }
    }
}

impl SpecBuf {
    /// The same slice, of `axis` instead of axis 0, or of the axis given before: see
    /// [`Spec::on_axis`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SpecBuf, s};
    ///
    /// let typed: SpecBuf = "::-1".parse()?;
    /// assert_eq!(typed.on_axis(1).plan(&[2, 3])?, s![:, ::-1].plan(&[2, 3])?);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn on_axis(mut self, axis: impl SliceAxis) -> SpecBuf {
        self.axis = axis.to_axis();
        self
    }
}

impl SpecRef<'_> {
    /// The same slice, of `axis` instead of axis 0, or of the axis given before: see
    /// [`Spec::on_axis`].
    #[must_use]
    #[inline]
    pub fn on_axis(mut self, axis: impl SliceAxis) -> Self {
        self.axis = axis.to_axis();
        self
    }

    /// [`expand`](SpecBuf::expand).
    pub(crate) fn expanded(self) -> Result<SpecBuf, SliceError> {
        let SpecRef { axis, strict, .. } = self;
        if axis == 0 {
            return Ok(SpecBuf::from_ref(self));
        }
        let (takes, far) =
            (self.takes(), usize::try_from(axis.unsigned_abs()).unwrap_or(usize::MAX));
        let (before, fill, behind) = match far.checked_sub(takes) {
            _ if axis >= 0 => (far, Entry::FULL, 0),
            Some(behind) => (1, Entry::Ellipsis, behind),
            None => return Err(SliceError::TooManyEntries { takes, rank: far }),
        };
        let mut out = SpecBuf::default();
        for _ in 0..before {
            out.push(fill)?;
        }
        for (entry, &stride) in self.entries().zip(self.strides) {
            match entry {
                Entry::Index(index) if stride < 0 => out.push_bad_shrink(index)?,
                _ => out.push(entry)?,
            }
        }
        for _ in 0..behind {
            out.push(Entry::FULL)?;
        }
        Ok(if strict { out.strict() } else { out })
    }
}

impl<const L: usize, const T: usize, const D: usize, const A: usize> OnAxis<Spec<L, T, D, A>> {
    /// Borrows the slice.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "the same name as on Spec")]
    pub const fn as_ref(&self) -> SpecRef<'_> {
        let mut spec = self.spec.as_ref();
        spec.axis = self.axis;
        spec
    }

    /// The same slice, but planning it fails if a range bound lies outside its axis: see
    /// [`Spec::strict`].
    #[must_use]
    #[inline]
    pub const fn strict(self) -> Self {
        OnAxis { spec: self.spec.strict(), axis: self.axis }
    }

    /// Copies the slice to a [`SpecBuf`], which is one type for slices of any length.
    #[inline]
    pub fn to_buf(&self) -> SpecBuf {
        self.as_ref().to_buf()
    }
}

#[diagnostic::do_not_recommend]
impl<const L: usize, const T: usize, const D: usize, const A: usize> AsSpec
    for OnAxis<Spec<L, T, D, A>>
{
    #[inline]
    fn as_spec(&self) -> SpecRef<'_> {
        self.as_ref()
    }
}

impl<const L: usize, const T: usize, const D: usize, const A: usize> From<OnAxis<Spec<L, T, D, A>>>
    for SpecBuf
{
    #[inline]
    fn from(spec: OnAxis<Spec<L, T, D, A>>) -> SpecBuf {
        spec.to_buf()
    }
}

impl<S> fmt::Debug for OnAxis<S>
where
    OnAxis<S>: AsSpec,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_spec().debug("OnAxis", f)
    }
}
