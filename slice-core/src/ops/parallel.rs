//! The same operations by several threads: a view made by `par` says so to the kernels.

use super::view::Place;
#[cfg(feature = "rayon")]
use super::view::{View, ViewMut};
use crate::kernel::How;

impl Place<'_> {
    /// How the kernels carry out an operation at this place.
    pub(super) fn how(&self) -> How {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return How::parallel();
        }
        How::chosen()
    }
}

#[cfg(feature = "rayon")]
impl<T: Send + Sync> View<'_, T> {
    /// The same view, whose [`to_vec`](Self::to_vec) and [`copy_into`](Self::copy_into) use all
    /// threads of rayon's current pool for results of some MiB and more.
    ///
    /// The calling thread takes its share of the work, and all of it where the pool is busy or
    /// cannot be started.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let x = vec![1.5_f32; 1 << 20];
    /// let plan = s![::-1].plan(&[1 << 20])?;
    /// assert_eq!(plan.on(&x)?.par().to_vec()?, x);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[must_use]
    pub fn par(self) -> Self {
        View { place: Place { parallel: true, ..self.place }, ..self }
    }
}

#[cfg(feature = "rayon")]
impl<T: Send + Sync> ViewMut<'_, T> {
    /// The same view, whose [`assign`](Self::assign), [`fill`](Self::fill) and [`grad`](Self::grad)
    /// use all threads of rayon's current pool for results of some MiB and more. [`zip`](Self::zip) and
    /// [`for_each`](Self::for_each) stay on the calling thread, whose closure they call.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = vec![0_u8; 1 << 20];
    /// s![::2].plan(&[1 << 20])?.on_mut(&mut x)?.par().assign(7)?;
    /// assert_eq!(x[..4], [7, 0, 7, 0]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[must_use]
    pub fn par(self) -> Self {
        ViewMut { place: Place { parallel: true, ..self.place }, ..self }
    }
}
