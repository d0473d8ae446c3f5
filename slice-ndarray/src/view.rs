//! Views of an array: slice-core lays out their axes, and ndarray's views are made of these.
//!
//! What takes a slice stands behind a call, so that a use of it costs the compiler little, and is
//! generic over its type, which says how many entries there are.

use crate::SliceOf;
use crate::elements::{Elements, INLINE};
use ndarray::{
    ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, LayoutRef, RawArrayView,
    RawArrayViewMut, ShapeBuilder, Slice, StrideShape,
};
use slice_core::__private::views::{Cut, lay, mistake, narrow, out_rank, position};
use slice_core::{SliceError, SpecRef};
use std::array::from_fn;
use std::sync::LazyLock;

/// Takes `spec`, which keeps all axes, of an array in place.
#[inline(never)]
pub(crate) fn cut<A, D: Dimension, I: SliceOf<D>>(
    array: &mut LayoutRef<A, D>,
    spec: &I,
) -> Option<()> {
    take_by(array, spec.as_spec(), |_, _, _| {})
}

/// Takes `spec`, which is a slice of an array of `D`, of an array in place.
#[inline(never)]
pub(crate) fn take<A, D: Dimension, I: SliceOf<D>>(
    array: &mut LayoutRef<A, IxDyn>,
    spec: &I,
) -> Option<()> {
    take_by(array, spec.as_spec(), |array, axis, index| match index {
        Some(at) => array.index_axis_inplace(Axis(axis), at),
        None => array.insert_axis_inplace(Axis(axis)),
    })
}

/// Both of them: `change` drops an axis, or inserts one.
#[inline]
fn take_by<A, D: Dimension>(
    array: &mut LayoutRef<A, D>,
    spec: SpecRef<'_>,
    change: impl Fn(&mut LayoutRef<A, D>, usize, Option<usize>),
) -> Option<()> {
    let left = out_rank(spec, array.ndim()).ok()?;
    let len = |array: &LayoutRef<A, D>, axis| array.len_of(Axis(axis));
    let cut = |array: &mut LayoutRef<A, D>, axis, Cut { begin, end, step }: Cut| {
        array.slice_axis_inplace(Axis(axis), Slice::new(begin, Some(end), step));
    };
    narrow(&spec, array.ndim(), array, len, cut, change)?;
    // A forged type may announce others.
    (array.ndim() == left).then_some(())
}

/// Whether the slice leaves every axis and adds none.
#[inline]
pub(crate) fn keeps_axes(spec: SpecRef<'_>) -> bool {
    spec.masks().shrink_axis | spec.masks().new_axis == 0
}

/// The lengths of a shape, to be written.
#[inline]
pub(crate) fn slots<O: Dimension>(dim: &mut O) -> &mut [usize] {
    dim.as_array_view_mut().into_slice().unwrap_or_default()
}

/// What is wrong with a slice that does not give a view of ndarray's type `O`.
#[cold]
#[inline(never)]
pub(crate) fn no_view<O: Dimension>(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    match (O::NDIM, out_rank(spec, shape.len())) {
        (Some(expected), Ok(found)) if expected != found => {
            SliceError::RankMismatch { expected, found }
        }
        _ => mistake(spec, shape),
    }
}

/// Functions that make ndarray's `$View` of what `spec` takes of an array; `None` where there is no
/// such view.
macro_rules! views {
    ($name:ident $by_steps:ident $View:ident $first:ident) => {
        #[inline]
        #[allow(unused_mut, reason = "only a pointer to be written needs it")]
        pub(crate) fn $name<A, D: Dimension, I: SliceOf<D>>(
            mut array: $View<A, D>,
            spec: &I,
        ) -> Option<$View<A, I::Out>> {
            if const { I::Out::NDIM.is_none() } {
                return $by_steps(array, spec);
            }
            let first = array.$first();
            // SAFETY: the positions of the view are the array's; see `laid`.
            let make = |shape, lowest| unsafe {
                $View::from_shape_ptr(shape, first.wrapping_offset(lowest))
            };
            laid(array.as_ref(), spec, make, |view, axis| view.invert_axis(axis))
        }

        /// The same where the number of axes is known only at run time.
        #[inline(never)]
        fn $by_steps<A, D: Dimension, I: SliceOf<D>>(
            array: $View<A, D>,
            spec: &I,
        ) -> Option<$View<A, I::Out>> {
            let mut array = array.into_dyn();
            take::<A, D, I>(array.as_mut(), spec)?;
            I::known(array)
        }
    };
}
views!(raw_view raw_view_by_steps RawArrayView as_ptr);
views!(raw_view_mut raw_view_mut_by_steps RawArrayViewMut as_mut_ptr);

/// The most axes that a dimension type of ndarray has, other than `IxDyn`.
const MOST_AXES: usize = 6;

/// Lays out the view that `spec` takes of an array. `make` makes it of its shape, with strides that
/// are not negative, and of where its lowest element is, counted from the array's element
/// `[0, 0, …]`; `invert` inverts an axis of it whose stride is negative.
///
/// What is made is sound:
/// - Not empty: [`lay`] takes each axis of the array once, and only positions inside it. So every
///   element of the view is one of the array's, and no two positions are one element where none of
///   the array's are.
/// - Empty: the start is 0, and the strides are ndarray's own for empty arrays.
#[inline]
#[expect(clippy::indexing_slicing, reason = "only the axes of the array are asked for")]
fn laid<A, D: Dimension, I: SliceOf<D>, V>(
    array: &LayoutRef<A, D>,
    spec: &I,
    make: impl Fn(StrideShape<I::Out>, isize) -> V,
    invert: impl Fn(&mut V, Axis),
) -> Option<V> {
    let rank = I::Out::NDIM?;
    // In pairs, so that each is read as it was written: a wider read would wait for two writes.
    let mut pairs = [(0, 0); MOST_AXES];
    let (lengths, strides) = (array.shape(), array.strides());
    let axis = |axis: usize| (lengths[axis], strides[axis]);
    let mut count = 0;
    // Which axes have a negative stride, and how far their last positions lie before the first.
    let (mut inverted, mut below) = (0_u32, 0_isize);
    let first = lay(&spec.as_spec(), lengths.len(), axis, |n, stride| {
        let pair = pairs.get_mut(count).filter(|_| count < rank)?;
        if stride < 0 {
            inverted |= 1_u32.checked_shl(count as u32)?;
            // The sum stays inside the array.
            below = below.wrapping_add(stride.wrapping_mul(n.wrapping_sub(1) as isize));
        }
        *pair = (n, stride.unsigned_abs());
        count = count.wrapping_add(1);
        Some(())
    })?;
    if count < rank {
        return None;
    }
    let (mut shape, mut steps) = (I::Out::zeros(rank), I::Out::zeros(rank));
    for ((length, step), pair) in slots(&mut shape).iter_mut().zip(slots(&mut steps)).zip(&pairs) {
        (*length, *step) = *pair;
    }
    if shape.slice().contains(&0) {
        return Some(make(shape.into(), 0));
    }
    let mut view = make(shape.strides(steps), first.wrapping_add(below));
    while inverted != 0 {
        invert(&mut view, Axis(inverted.trailing_zeros() as usize));
        inverted &= inverted.wrapping_sub(1);
    }
    Some(view)
}

/// Functions that make ndarray's `$View` of the [few elements](Elements::few) that `I` takes.
macro_rules! views_of_few {
    ($name:ident $View:ident $first:ident $($mut:tt)?) => {
        /// # Safety
        ///
        /// The elements were found in this array.
        #[inline]
        pub(crate) unsafe fn $name<'a, A, D: Dimension, I: SliceOf<D>>(
            array: &'a $($mut)? ArrayRef<A, D>,
            elements: &Elements,
            _: &I,
        ) -> $View<'a, A, I::Out> {
            let first = array.$first().wrapping_offset(elements.first);
            let (mut shape, mut strides) = (I::zeros(elements.rank), I::zeros(elements.rank));
            elements.write(&mut shape, &mut strides);
            // SAFETY: all positions of the view are the array's, which is borrowed for 'a; see
            // `Elements::find`.
            unsafe { $View::from_shape_ptr(shape.strides(strides), first) }
        }
    };
}
views_of_few!(of_few ArrayView as_ptr);
views_of_few!(of_few_mut ArrayViewMut as_mut_ptr mut);

/// `IxDyn::zeros`, of at most [`INLINE`] axes. A clone stays in registers. What ndarray makes of a
/// slice of lengths is written one by one and moved as a whole, which waits for all of them.
#[inline]
#[expect(clippy::indexing_slicing, reason = "the index is one of the list's")]
pub(crate) fn zeros(rank: usize) -> IxDyn {
    static ZEROS: LazyLock<[IxDyn; INLINE + 1]> = LazyLock::new(|| from_fn(IxDyn::zeros));
    ZEROS[rank.min(INLINE)].clone()
}

/// `array[spec]`
#[inline]
pub(crate) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    match raw_view(array.raw_view(), spec) {
        // SAFETY: all positions of the view are the array's, which is borrowed for 'a.
        Some(view) => Ok(unsafe { view.deref_into_view() }),
        None => Err(no_view::<I::Out>(spec.as_spec(), array.shape())),
    }
}

/// Where `array[spec]` lies, to be written: its positions are the array's. [`no_view`] gives the
/// error for `None`. A `Result` would be moved.
#[inline]
pub(crate) fn place<A, D: Dimension, I: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
) -> Option<RawArrayViewMut<A, I::Out>> {
    raw_view_mut(array.raw_view_mut(), spec)
}

/// `array[spec]`, to be written.
#[inline]
pub(crate) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    let place = place(array, spec);
    let place = place.ok_or_else(|| no_view::<I::Out>(spec.as_spec(), array.shape()))?;
    // SAFETY: all positions of the view are the array's, which is mutably borrowed for 'a: ndarray
    // lets no two positions of such an array be one element. This is the only view that is made.
    Ok(unsafe { place.deref_into_view_mut() })
}

/// How many axes a slice leaves that should leave none.
#[cold]
fn axes_left(left: usize) -> SliceError {
    SliceError::AxesLeft { left }
}

/// `array[spec]`, one element.
#[inline]
pub(crate) fn element<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a A, SliceError> {
    if let Some(at) = position(&spec.as_spec(), array.shape(), array.strides()) {
        // SAFETY: this is an element of the array, which is borrowed for 'a.
        return Ok(unsafe { &*array.as_ptr().offset(at) });
    }
    let view = view(array, spec)?;
    let left = view.ndim();
    view.into_iter().next().filter(|_| left == 0).ok_or_else(|| axes_left(left))
}

/// `array[spec]`, one element to be written.
#[inline]
pub(crate) fn element_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a mut A, SliceError> {
    if let Some(at) = position(&spec.as_spec(), array.shape(), array.strides()) {
        // SAFETY: this is an element of the array, which is mutably borrowed for 'a.
        return Ok(unsafe { &mut *array.as_mut_ptr().offset(at) });
    }
    let view = view_mut(array, spec)?;
    let left = view.ndim();
    view.into_iter().next().filter(|_| left == 0).ok_or_else(|| axes_left(left))
}
