//! [`PySlice`] for ndarray's types, and its operations other than views.

use crate::elements::Elements;
use crate::places::Places;
use crate::plain::{Plain, is_much, is_short};
use crate::{PySlice, SliceOf, info, update, view};
use ndarray::{
    Array, ArrayBase, ArrayRef, Axis, Data, DataMut, Dimension, OwnedRepr, RawArrayViewMut,
    RawData, ShapeBuilder, Slice,
};
use slice_core::__private::views::{count, reserve, window_ranges};
use slice_core::{SliceError, SliceIndex};

impl<S: RawData, D: Dimension> PySlice for ArrayBase<S, D> {
    type Elem = S::Elem;
    type Dim = D;
    type Storage = S;
    type Moved<E: Dimension> = ArrayBase<S, E>;

    fn read(&self) -> &ArrayRef<S::Elem, D>
    where
        S: Data,
    {
        self
    }

    fn write(&mut self) -> &mut ArrayRef<S::Elem, D>
    where
        S: DataMut,
    {
        self
    }

    #[inline]
    fn try_pyslice_move<I, O>(self, spec: I) -> Result<ArrayBase<S, O>, SliceError>
    where
        I: SliceOf<D, Out = O>,
        O: Dimension,
    {
        info::moved(self, &spec)
    }
}

/// ndarray's type for arguments, `&ArrayRef<A, D>`. It has no storage to keep, so there is no
/// `pyslice_move`.
impl<A, D: Dimension> PySlice for ArrayRef<A, D> {
    type Elem = A;
    type Dim = D;
    type Storage = OwnedRepr<A>;

    fn read(&self) -> &ArrayRef<A, D> {
        self
    }

    fn write(&mut self) -> &mut ArrayRef<A, D> {
        self
    }
}

/// The elements of a slice of plain data, where the number of axes of the array, of the result or
/// of the other array (`E`) is known only at run time.
#[inline]
fn elements<'a, A, D: Dimension, I: SliceOf<D>, E: Dimension>(
    room: &'a mut Elements,
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Option<(Plain<A>, &'a Elements)> {
    if const { D::NDIM.is_some() && I::Out::NDIM.is_some() && E::NDIM.is_some() } {
        return None;
    }
    let plain = Plain::new()?;
    Some((plain, room.find(array, spec)?))
}

pub(crate) fn copy<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Result<Array<A, I::Out>, SliceError> {
    let mut room = Elements::room();
    if let Some((plain, elements)) = elements::<A, D, I, I::Out>(&mut room, array, spec) {
        let from = elements.at(array.as_ptr().cast_mut());
        // SAFETY: these are elements of the array.
        let out = unsafe { plain.copy(array, from)? };
        if room.pack() {
            let (mut shape, mut strides) = (I::zeros(room.rank), I::zeros(room.rank));
            room.write(&mut shape, &mut strides);
            // SAFETY: there is an element for each position, and the strides are those of C order.
            return Ok(unsafe { Array::from_shape_vec_unchecked(shape.strides(strides), out) });
        }
        let mut dim = I::Out::zeros(room.rank);
        view::slots(&mut dim).copy_from_slice(room.shape());
        // SAFETY: the same.
        return Ok(unsafe { Array::from_shape_vec_unchecked(dim, out) });
    }
    let source = view::view(array, spec)?;
    let out = match source.as_slice() {
        Some(all) if is_short::<A>(all.len()) => {
            let mut out = Vec::new();
            reserve(&mut out, all.len())?;
            out.extend_from_slice(all);
            out
        }
        _ => match Plain::worth_it(source.len()) {
            // SAFETY: the places of a view are elements of its array.
            Some(plain) => unsafe { plain.copy(array, Places::of(&source))? },
            None => clones(&source)?,
        },
    };
    // SAFETY: there is an element for each position, and the strides are those of C order.
    Ok(unsafe { Array::from_shape_vec_unchecked(source.raw_dim(), out) })
}

/// A copy of a view, in C order.
///
/// # Safety
///
/// The elements of `source` are elements of `array`.
pub(crate) unsafe fn copy_view<A: Clone, D: Dimension, O: Dimension>(
    array: &ArrayRef<A, D>,
    source: &ArrayRef<A, O>,
) -> Result<Array<A, O>, SliceError> {
    let out = match Plain::new() {
        // SAFETY: the caller's promise.
        Some(plain) => unsafe { plain.copy(array, Places::of(source))? },
        None => clones(source)?,
    };
    // SAFETY: there is an element for each position, and the strides are those of C order.
    Ok(unsafe { Array::from_shape_vec_unchecked(source.raw_dim(), out) })
}

/// The elements, cloned in C order.
#[inline]
fn clones<A: Clone, D: Dimension>(source: &ArrayRef<A, D>) -> Result<Vec<A>, SliceError> {
    let mut out: Vec<A> = Vec::new();
    reserve(&mut out, source.len())?;
    source.iter().for_each(|one| {
        // SAFETY: there is room for as many elements as the array has.
        unsafe { out.as_mut_ptr().add(out.len()).write(one.clone()) };
        // SAFETY: one more was written.
        unsafe { out.set_len(out.len().wrapping_add(1)) };
    });
    Ok(out)
}

/// `out[...] = array[spec]`, broadcast as NumPy does. Unlike a view, the kernels may read what lies
/// between the elements of the slice.
pub(crate) fn copy_into<A: Clone, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &ArrayRef<A, D>,
    spec: &I,
    out: &mut ArrayRef<A, E>,
) -> Result<(), SliceError> {
    if let Some((plain, elements)) = elements::<A, D, I, E>(&mut Elements::room(), array, spec) {
        let from = elements.at(array.as_ptr().cast_mut());
        let whole = out.raw_view_mut();
        // SAFETY: these are elements of the array, and all of another one, mutably borrowed.
        return unsafe { plain.assign(out, Places::of_raw(&whole), array, from) };
    }
    let source = view::view(array, spec)?;
    if let Some(plain) = Plain::worth_it(out.len()) {
        let whole = out.raw_view_mut();
        // SAFETY: the places of a view are elements of its array, and `out` is another one, mutably
        // borrowed.
        return unsafe { plain.assign(out, Places::of_raw(&whole), array, Places::of(&source)) };
    }
    let dim = out.raw_dim();
    update::broadcast(&source, dim, |source| out.assign(&source))
}

/// A window of the array that may hang over its edges, where it is filled with `fill`.
pub(crate) fn window<A: Clone, D: Dimension>(
    array: &ArrayRef<A, D>,
    begin: &[impl SliceIndex + Copy],
    size: D,
    fill: A,
) -> Result<Array<A, D>, SliceError> {
    let (mut source, mut inner) = (array.view(), size.clone());
    let mut begins = size.clone();
    let ranges = window_ranges(array.shape(), begin, size.slice())?;
    for (axis, [taken, placed]) in ranges.enumerate() {
        begins[axis] = placed.start;
        inner[axis] = placed.len();
        source.slice_axis_inplace(Axis(axis), Slice::from(taken));
    }
    if inner == size {
        // SAFETY: this is a view of the array.
        return unsafe { copy_view(array, &source) };
    }
    let len = count(size.slice()).ok_or(SliceError::ShapeTooLarge)?;
    let mut out = Vec::new();
    reserve(&mut out, len)?;
    out.resize(len, fill);
    // SAFETY: there is an element for each position, and the strides are those of C order.
    let mut out = unsafe { Array::from_shape_vec_unchecked(size, out) };
    let mut place = out.view_mut();
    for axis in 0..place.ndim() {
        let (begin, len) = (begins[axis], inner[axis]);
        place.slice_axis_inplace(Axis(axis), Slice::from(begin..begin.wrapping_add(len)));
    }
    let place = place.raw_view_mut();
    // SAFETY: the only view of the new array.
    unsafe { put(&out, place, &source)? };
    Ok(out)
}

pub(crate) fn assign<A: Clone, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    values: &ArrayRef<A, E>,
) -> Result<(), SliceError> {
    if values.ndim() == 0
        && let Some(one) = values.first()
    {
        return fill(array, spec, one.clone());
    }
    if let Some((plain, elements)) = elements::<A, D, I, E>(&mut Elements::room(), array, spec) {
        let to = elements.at(array.as_mut_ptr());
        // SAFETY: these are elements of the array, which is mutably borrowed, so `values` are not.
        return unsafe { plain.assign(array, to, values, Places::of(values)) };
    }
    let Some(place) = view::place(array, spec) else {
        return Err(view::no_view::<I::Out>(spec.as_spec(), array.shape()));
    };
    // SAFETY: this is the only view of the place, whose array is mutably borrowed, so `values` are
    // not its.
    unsafe { put(array, place, values) }
}

/// `place[...] = values`, broadcast as NumPy does.
///
/// # Safety
///
/// `place` is a view of `array`, to which the caller has the only reference while this runs. No
/// element of `values` is one of the array's.
#[inline]
pub(crate) unsafe fn put<A: Clone, D: Dimension, O: Dimension, E: Dimension>(
    array: &ArrayRef<A, D>,
    place: RawArrayViewMut<A, O>,
    values: &ArrayRef<A, E>,
) -> Result<(), SliceError> {
    if let Some(plain) = Plain::worth_it_for(place.shape()) {
        let (to, from) = (Places::of_raw(&place), Places::of(values));
        // SAFETY: the places of a view are elements of its array; the rest is the caller's promise.
        return unsafe { plain.assign(array, to, values, from) };
    }
    // SAFETY: the caller's promise; this is the only view.
    let mut target = unsafe { place.deref_into_view_mut() };
    if values.shape() == target.shape() {
        target.assign(values);
        return Ok(());
    }
    let dim = target.raw_dim();
    update::broadcast(values, dim, |values| target.assign(&values))
}

#[inline]
pub(crate) fn fill<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    value: A,
) -> Result<(), SliceError> {
    if let Some((plain, elements)) = elements::<A, D, I, I::Out>(&mut Elements::room(), array, spec)
    {
        let to = elements.at(array.as_mut_ptr());
        // SAFETY: these are elements of the array, which is mutably borrowed.
        unsafe { plain.fill(array, to, &value) };
        return Ok(());
    }
    let Some(place) = view::place(array, spec) else {
        return Err(view::no_view::<I::Out>(spec.as_spec(), array.shape()));
    };
    // ndarray's loop over one value is hard to beat where rows are in one piece, not narrow, and
    // fit a cache.
    let row = place.shape().last().zip(place.strides().last());
    let rows = row.is_some_and(|(&n, &by)| n >= 8 && by == 1) && !is_much::<A>(place.len());
    match Plain::worth_it_for(place.shape()).filter(|_| !rows) {
        // SAFETY: the places of a view are elements of its array, which is mutably borrowed.
        Some(plain) => unsafe { plain.fill(array, Places::of_raw(&place), &value) },
        // SAFETY: this is the only view of the place, whose array is mutably borrowed.
        None => unsafe { place.deref_into_view_mut() }.fill(value),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::PySlice;
    use ndarray::{Array2, NewAxis, s as nd};
    use pyslice::s;

    /// Few elements and many, in one piece and with gaps, plain data and not. Under Miri it also
    /// says that no pointer is used after a reference took its place.
    #[test]
    fn arrays_of_all_ranks_are_read_and_written_as_by_ndarray() {
        macro_rules! both {
            ($x:expr, $one:expr; $($ours:tt $theirs:tt),*) => { $(
                let (x, one) = (&$x, $one);
                let dynamic = x.clone().into_dyn();
                let taken = x.slice(nd!$theirs).to_owned();
                assert_eq!(x.pyslice_copy(s!$ours), taken);
                assert_eq!(dynamic.pyslice_copy(s!$ours), taken.clone().into_dyn());
                assert_eq!(x.clone().pyslice_move(s!$ours), taken);

                assert_eq!(dynamic.clone().pyslice_move(s!$ours), taken.clone().into_dyn());

                let mut out = taken.clone();
                out.fill(one.clone());
                let mut out_dynamic = out.clone().into_dyn();
                x.pyslice_copy_into(s!$ours, &mut out);
                dynamic.pyslice_copy_into(s!$ours, &mut out_dynamic);
                assert_eq!((&out, &out_dynamic), (&taken, &taken.clone().into_dyn()));

                let mut y = x.t().to_owned();
                let mut z = y.clone().into_dyn();
                let mut wanted = y.clone();
                wanted.slice_mut(nd!$theirs).assign(&taken);
                y.pyslice_assign(s!$ours, x.pyslice(s!$ours));
                z.pyslice_assign(s!$ours, &dynamic.pyslice(s!$ours));
                assert_eq!((&y, &z), (&wanted, &wanted.clone().into_dyn()));

                wanted.slice_mut(nd!$theirs).fill(one.clone());
                y.pyslice_fill(s!$ours, one.clone());
                z.pyslice_fill(s!$ours, one.clone());
                assert_eq!((&y, &z), (&wanted, &wanted.clone().into_dyn()));
            )* };
        }
        for side in [1, 3, 12] {
            let x = Array2::from_shape_fn((side, side), |(i, j)| (i * side + j) as u32);
            both!(x, 7_u32; [...] [.., ..], [-1] [-1, ..], [:, 0] [.., 0], [1:, ::2] [1.., ..;2],
                [1:, ...] [1.., ..], [..., 0] [.., 0],
                [::-1, :-1] [..;-1, ..-1], [None, ..., ::-3] [NewAxis, .., ..;-3], [:0] [..0, ..]);
            let words = x.map(u32::to_string);
            both!(words, String::new(); [...] [.., ..], [0] [0, ..], [1:, ::-2] [1.., ..;-2]);
        }
        // More than a few elements of 16 bytes.
        let x = Array2::from_shape_fn((12, 12), |(i, j)| (i * 12 + j) as u128);
        both!(x, 7_u128; [...] [.., ..], [1:, ::2] [1.., ..;2], [::-1, :-1] [..;-1, ..-1]);
        // More than a few elements, which share no line of a cache.
        let x = Array2::from_shape_fn((65, 65), |(i, j)| (i * 65 + j) as u32);
        both!(x, 7_u32; [:, 1] [.., 1], [::-1, -1] [..;-1, -1]);
    }

    /// Values that broadcast, and one value, in C order and not.
    #[test]
    fn arrays_of_all_ranks_are_changed_as_by_ndarray() {
        macro_rules! both {
            ($x:expr; $($ours:tt $theirs:tt),*) => { $(
                let x: &Array2<u32> = $x;
                for turned in [false, true] {
                    let (mut y, values) = (x.clone(), x.map(|v| v * 3));
                    let values = if turned { values.t().to_owned() } else { values };
                    let mut z = y.clone().into_dyn();
                    let mut wanted = y.clone();
                    let change = |a: &mut u32, b: &u32| *a = 7 * *a + b;
                    let part = values.slice(nd!$theirs);

                    wanted.slice_mut(nd!$theirs).zip_mut_with(&part, change);
                    y.pyslice_zip_mut_with(s!$ours, &part, change);
                    z.pyslice_zip_mut_with(s!$ours, &part.into_dyn(), change);
                    assert_eq!((&y, &z), (&wanted, &wanted.clone().into_dyn()));

                    *&mut wanted.slice_mut(nd!$theirs) += 5;
                    y.pyslice_add_assign(s!$ours, 5);
                    z.pyslice_add_assign(s!$ours, 5);
                    assert_eq!((&y, &z), (&wanted, &wanted.clone().into_dyn()));

                    let row = values.slice(nd![0, ..;-1]).to_owned();
                    *&mut wanted.slice_mut(nd![.., ..]) *= &row;
                    y.pyslice_mul_assign(s![...], &row);
                    z.pyslice_mul_assign(s![...], &row.into_dyn());
                    assert_eq!((&y, &z), (&wanted, &wanted.clone().into_dyn()));
                }
            )* };
        }
        for side in [1, 3, 5] {
            let x = Array2::from_shape_fn((side, side), |(i, j)| (i * side + j) as u32);
            for x in [&x, &x.t().to_owned()] {
                both!(x; [...] [.., ..], [-1] [-1, ..], [:, 0] [.., 0], [1:, ::2] [1.., ..;2],
                    [::-1, :-1] [..;-1, ..-1], [None, ..., ::-3] [NewAxis, .., ..;-3],
                    [:0] [..0, ..]);
            }
        }
    }
}
