//! Changes elements in place: `x[spec] *= y`, and any function of an element.
//!
//! Elements are visited one by one in the slice's order, by safe code: what is done to each takes
//! longer than finding it.

use crate::error::{Buffer, SliceError};
use crate::kernel::View;
use crate::ops::assign::broadcast_from;
use crate::ops::job::Job;
use crate::ops::loops::{Loop, each_row, loops};
use crate::plan::{FixedPlan, Plan};
use core::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

impl Job<'_> {
    fn for_each_mut<T>(&self, dst: &mut [T], mut f: impl FnMut(&mut T)) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        let still = alloc::vec![0; self.view.shape.len()];
        self.visit(dst, (&[()], 0), &still, |a, ()| f(a));
        Ok(())
    }

    pub(crate) fn zip_mut_with<T, U>(
        &self,
        dst: &mut [T],
        values: &[U],
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        self.check_result(Buffer::Values, values.len())?;
        self.zip_mut_with_broadcast(dst, values, self.view.shape, f)
    }

    fn zip_mut_with_broadcast<T, U>(
        &self,
        dst: &mut [T],
        values: &[U],
        values_shape: &[usize],
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        let strides = self.check_values(values_shape, values.len())?;
        self.visit(dst, (values, 0), &strides, f);
        Ok(())
    }

    fn zip_to<T, U>(
        &self,
        src: &[U],
        to: &Job<'_>,
        dst: &mut [T],
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        to.check_array(Buffer::Target, dst.len())?;
        let View { shape, strides, offset } = self.view;
        let strides = broadcast_from(to.view.shape, shape, Some(strides))?;
        to.visit(dst, (src, offset), &strides, f);
        Ok(())
    }

    /// Calls `f` with every element of the view, in order, and with the value that `strides` give
    /// for it, from the `first` one on. Both sides have been checked; positions outside would be
    /// skipped.
    fn visit<T, U>(
        &self,
        dst: &mut [T],
        (values, first): (&[U], usize),
        strides: &[isize],
        mut f: impl FnMut(&mut T, &U),
    ) {
        if self.len == 0 {
            return;
        }
        let View { shape, strides: to, offset } = self.view;
        let loops = loops(shape, to, strides);
        let Some((&Loop { n, dst: step, src: by }, outer)) = loops.split_last() else {
            if let (Some(a), Some(b)) = (dst.get_mut(offset), values.get(first)) {
                f(a, b);
            }
            return;
        };
        // Positions inside a buffer fit isize.
        each_row(outer, offset as isize, first as isize, &mut |at, from| match (step, by) {
            // Rows without gaps, which the compiler can vectorise.
            (1, 1) => {
                let (Some(row), Some(values)) =
                    (dst.get_mut(at as usize..), values.get(from as usize..))
                else {
                    return;
                };
                row.iter_mut().zip(values).take(n).for_each(|(a, b)| f(a, b));
            }
            (1, 0) => {
                let (Some(row), Some(b)) = (dst.get_mut(at as usize..), values.get(from as usize))
                else {
                    return;
                };
                row.iter_mut().take(n).for_each(|a| f(a, b));
            }
            _ => {
                let (mut at, mut from) = (at, from);
                for _ in 0..n {
                    if let (Some(a), Some(b)) =
                        (dst.get_mut(at as usize), values.get(from as usize))
                    {
                        f(a, b);
                    }
                    (at, from) = (at.wrapping_add(step), from.wrapping_add(by));
                }
            }
        });
    }
}

/// One of `+=`, `-=`, `*=`, `/=`: with values of the slice's shape, and with values that broadcast.
macro_rules! operation {
    (
        $(#[$plain:meta])* $name:ident, $(#[$wide:meta])* $broadcast:ident,
        $op:ident::$method:ident
    ) => {
        $(#[$plain])*
        ///
        /// If the plan was made with strides by which positions share an element, every value
        /// counts.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; nothing is
        /// written then.
        ///
        /// # Panics
        ///
        /// Panics if the operator of the elements does, as it may for integers. Elements before
        /// that one are changed.
        pub fn $name<T: Copy + $op>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError> {
            self.job().zip_mut_with(dst, values, |a, &b| a.$method(b))
        }

        operation!($(#[$wide])* $broadcast, $op::$method);
    };
    ($(#[$wide:meta])* $broadcast:ident, $op:ident::$method:ident) => {
        $(#[$wide])*
        ///
        /// For one value for all elements, pass a slice of one element and the shape `[]`.
        ///
        /// # Errors
        ///
        /// [`SliceError::Broadcast`] if the values' shape does not broadcast to the slice's,
        /// [`SliceError::BufferLength`]; nothing is written then.
        ///
        /// # Panics
        ///
        /// Panics if the operator of the elements does, as it may for integers. Elements before
        /// that one are changed.
        pub fn $broadcast<T: Copy + $op>(
            &self,
            dst: &mut [T],
            values: &[T],
            values_shape: &[usize],
        ) -> Result<(), SliceError> {
            self.job().zip_mut_with_broadcast(dst, values, values_shape, |a, &b| a.$method(b))
        }
    };
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! updates {
    () => {
        /// Calls `f` with every element that the slice takes, in the order of the slice.
        ///
        /// If the plan was made with strides by which positions share an element, `f` is called
        /// once for each position.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if `dst` is not the array the plan was made for.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut x = [1, 2, 3, 4, 5, 6];
        /// s![::2].plan(&[6])?.for_each_mut(&mut x, |v| *v *= 10)?; // x[::2] *= 10
        /// assert_eq!(x, [10, 2, 30, 4, 50, 6]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn for_each_mut<T>(
            &self,
            dst: &mut [T],
            f: impl FnMut(&mut T),
        ) -> Result<(), SliceError> {
            self.job().for_each_mut(dst, f)
        }

        /// Calls `f` with every element that the slice takes, in the order of the slice, and with
        /// the value at the same place in `values`, which has the shape of the slice, in C order.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; nothing is
        /// written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut x = [1.0, 5.0, 3.0, 4.0];
        /// // np.maximum(x[::-2], [2.0, 7.0], out=x[::-2])
        /// s![::-2].plan(&[4])?.zip_mut_with(&mut x, &[2.0, 7.0], |a, b| *a = f64::max(*a, *b))?;
        /// assert_eq!(x, [1.0, 7.0, 3.0, 4.0]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn zip_mut_with<T, U>(
            &self,
            dst: &mut [T],
            values: &[U],
            f: impl FnMut(&mut T, &U),
        ) -> Result<(), SliceError> {
            self.job().zip_mut_with(dst, values, f)
        }

        /// [`zip_mut_with`](Self::zip_mut_with) with NumPy's broadcasting: `values` has the shape
        /// `values_shape`, in C order.
        ///
        /// # Errors
        ///
        /// [`SliceError::Broadcast`] if that shape does not broadcast to the slice's,
        /// [`SliceError::BufferLength`]; nothing is written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut bits = [0b0001_u8; 6];
        /// // bits[:, 1:] |= [[2], [4]]
        /// let plan = s![:, 1:].plan(&[2, 3])?;
        /// plan.zip_mut_with_broadcast(&mut bits, &[2, 4], &[2, 1], |a, b| *a |= b)?;
        /// assert_eq!(bits, [1, 3, 3, 1, 5, 5]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn zip_mut_with_broadcast<T, U>(
            &self,
            dst: &mut [T],
            values: &[U],
            values_shape: &[usize],
            f: impl FnMut(&mut T, &U),
        ) -> Result<(), SliceError> {
            self.job().zip_mut_with_broadcast(dst, values, values_shape, f)
        }

        operation! {
            /// Adds with NumPy's broadcasting: `dst[spec] += values`, where `values` has the shape
            /// `values_shape`, in C order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [0, 0, 0, 0, 0, 0];
            /// let plan = s![:, 1:].plan(&[2, 3])?;
            /// plan.add_assign_broadcast(&mut x, &[7, 8], &[2])?; // x[:, 1:] += [7, 8]
            /// plan.add_assign_broadcast(&mut x, &[1], &[])?; //      x[:, 1:] += 1
            /// assert_eq!(x, [0, 8, 9, 0, 8, 9]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            add_assign_broadcast, AddAssign::add_assign
        }
        operation! {
            /// Subtracts: `dst[spec] -= values`, where `values` has the shape of the slice, in C
            /// order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [10, 20, 30];
            /// s![::-1].plan(&[3])?.sub_assign(&mut x, &[1, 2, 3])?; // x[::-1] -= [1, 2, 3]
            /// assert_eq!(x, [7, 18, 29]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            sub_assign,
            /// Subtracts with NumPy's broadcasting: `dst[spec] -= values`, where `values` has the
            /// shape `values_shape`, in C order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [5, 6, 7, 8];
            /// s![1].plan(&[2, 2])?.sub_assign_broadcast(&mut x, &[3], &[])?; // x[1] -= 3
            /// assert_eq!(x, [5, 6, 4, 5]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            sub_assign_broadcast, SubAssign::sub_assign
        }
        operation! {
            /// Multiplies: `dst[spec] *= values`, where `values` has the shape of the slice, in C
            /// order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [1.0, 2.0, 3.0, 4.0];
            /// s![1::2].plan(&[4])?.mul_assign(&mut x, &[10.0, 0.5])?; // x[1::2] *= [10, 0.5]
            /// assert_eq!(x, [1.0, 20.0, 3.0, 2.0]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            mul_assign,
            /// Multiplies with NumPy's broadcasting: `dst[spec] *= values`, where `values` has the
            /// shape `values_shape`, in C order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [1, 2, 3, 4];
            /// s![..., 0].plan(&[2, 2])?.mul_assign_broadcast(&mut x, &[9], &[])?; // x[..., 0] *= 9
            /// assert_eq!(x, [9, 2, 27, 4]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            mul_assign_broadcast, MulAssign::mul_assign
        }
        operation! {
            /// Divides: `dst[spec] /= values`, where `values` has the shape of the slice, in C
            /// order.
            ///
            /// Integers are divided as Rust divides them, towards 0; Python's `//` rounds down.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [1.0, 2.0, 3.0, 4.0];
            /// s![..., 2:].plan(&[4])?.div_assign(&mut x, &[2.0, 4.0])?; // x[..., 2:] /= [2, 4]
            /// assert_eq!(x, [1.0, 2.0, 1.5, 1.0]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            div_assign,
            /// Divides with NumPy's broadcasting: `dst[spec] /= values`, where `values` has the
            /// shape `values_shape`, in C order.
            ///
            /// # Examples
            ///
            /// ```
            /// use pyslice::s;
            ///
            /// let mut x = [2.0, 4.0, 6.0, 8.0];
            /// let plan = s![:, ::-1].plan(&[2, 2])?;
            /// plan.div_assign_broadcast(&mut x, &[2.0, 1.0], &[2])?; // x[:, ::-1] /= [2, 1]
            /// assert_eq!(x, [2.0, 2.0, 6.0, 4.0]);
            /// # Ok::<(), pyslice::SliceError>(())
            /// ```
            div_assign_broadcast, DivAssign::div_assign
        }
    };
}

impl Plan {
    updates!();

    /// Adds a slice of an array to another slice of it: `data[to] += data[self]`, with NumPy's
    /// broadcasting, as if all of the source were read before anything is written.
    ///
    /// # Errors
    ///
    /// [`SliceError::DifferentBuffers`] if the plans are for arrays of different lengths,
    /// [`SliceError::BufferLength`] if `data` does not fit them, [`SliceError::Broadcast`] if the
    /// shape of this slice does not broadcast to the other's, [`SliceError::OutOfMemory`] if
    /// memory for a copy of the source runs out; nothing is written then.
    ///
    /// # Panics
    ///
    /// Panics if `+=` of the elements does, as it may for integers. Elements before that one are
    /// changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4, 5];
    /// s![:-1].plan(&[5])?.add_within(&s![1:].plan(&[5])?, &mut x)?; // x[1:] += x[:-1]
    /// assert_eq!(x, [1, 3, 5, 7, 9]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn add_within<T: Copy + AddAssign>(
        &self,
        to: &Plan,
        data: &mut [T],
    ) -> Result<(), SliceError> {
        self.zip_within(to, data, |place, value| place.add_assign(*value))
    }

    /// Calls `f` with every element that another slice takes of the array, in its order, and with
    /// the element at the same place of this slice, with NumPy's broadcasting, as if all of the
    /// source were read before anything is written: `data[to] -= data[self]` and its like.
    ///
    /// # Errors
    ///
    /// Those of [`add_within`](Self::add_within); nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 3, 5, 7, 9];
    /// // x[1:] -= x[:-1]
    /// s![:-1].plan(&[5])?.zip_within(&s![1:].plan(&[5])?, &mut x, |a, b| *a -= b)?;
    /// assert_eq!(x, [1, 2, 2, 2, 2]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "sub_within")]
    pub fn zip_within<T: Copy>(
        &self,
        to: &Plan,
        data: &mut [T],
        f: impl FnMut(&mut T, &T),
    ) -> Result<(), SliceError> {
        self.check_same_buffer(to)?;
        to.zip_mut_with_broadcast(data, &self.copy(data)?, self.shape(), f)
    }

    /// Calls `f` with every element that another slice takes of `dst`, in its order, and with the
    /// element at the same place of this slice of `src`, with NumPy's broadcasting:
    /// `dst[to] += src[self]` and its like.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if a buffer's length does not fit its plan,
    /// [`SliceError::Broadcast`] if the shape of this slice does not broadcast to the other's;
    /// nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let (y, mut x) = ([1, 2, 3], [10, 20, 30, 40]);
    /// // x[1:] += y[::-1]
    /// s![::-1].plan(&[3])?.zip_to(&y, &s![1:].plan(&[4])?, &mut x, |a, b| *a += b)?;
    /// assert_eq!(x, [10, 23, 32, 41]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "add_to")]
    pub fn zip_to<T, U>(
        &self,
        src: &[U],
        to: &Plan,
        dst: &mut [T],
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        self.job().zip_to(src, &to.job(), dst, f)
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    updates!();
}
