//! Changes one slice of an array by another slice of it.

use crate::places::Places;
use crate::plain::{FEW, Plain};
use crate::{SliceOf, array, update, view};
use ndarray::{Array, ArrayRef, Axis, Dimension, RawArrayViewMut};
use slice_core::SliceError;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// Bytes up to which a slice is read and written again sooner than it is compared with another: what
/// a first-level cache holds.
const SMALL: usize = 1 << 14;

/// `array[to] = array[from]`, as if all of the source were read first.
pub(crate) fn assign<A: Clone, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
) -> Result<(), SliceError> {
    let whole = array.raw_view_mut();
    let Some(source) = view::raw_view_mut(whole.clone(), from) else {
        return Err(view::no_view::<I::Out>(from.as_spec(), array.shape()));
    };
    let Some(place) = view::raw_view_mut(whole, to) else {
        return Err(view::no_view::<J::Out>(to.as_spec(), array.shape()));
    };
    if Places::of_raw(&source).are_plainly_apart(&Places::of_raw(&place), FEW) {
        // SAFETY: their elements are the array's, which is mutably borrowed, and they share none.
        let (values, mut place) =
            unsafe { (source.deref_into_view(), place.deref_into_view_mut()) };
        let places = place.raw_view_mut();
        // SAFETY: all of the view, which is the only one of its elements.
        return unsafe { array::put(&place, places, &values) };
    }
    let (read, written) = (Places::of_raw(&source), Places::of_raw(&place));
    let one = |stride: &isize| stride.unsigned_abs() == 1;
    let shifted = || read.strides == written.strides && read.strides.iter().any(one);
    if (shifted() || source.len().saturating_mul(size_of::<A>()) > SMALL)
        && let Some(plain) = Plain::new()
        && let Some(data) = array.as_slice_memory_order_mut()
        && plain.move_within(&read, &written, data, SMALL)?
    {
        return Ok(());
    }
    // SAFETY: a view of the array, which is not changed while it is read.
    let values = unsafe { copy_like(array, source, &place)? };
    // SAFETY: the only view of the array, which is mutably borrowed; the values are copies.
    unsafe { array::put(array, place, &values) }
}

/// Calls `f` with every element of `array[to]` and its partner in `array[from]`, as if all of the
/// source were read first.
pub(crate) fn zip<A: Clone, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
    f: impl FnMut(&mut A, &A),
) -> Result<(), SliceError> {
    let whole = array.raw_view_mut();
    let Some(source) = view::raw_view_mut(whole.clone(), from) else {
        return Err(view::no_view::<I::Out>(from.as_spec(), array.shape()));
    };
    let Some(place) = view::raw_view_mut(whole, to) else {
        return Err(view::no_view::<J::Out>(to.as_spec(), array.shape()));
    };
    if Places::of_raw(&source).are_plainly_apart(&Places::of_raw(&place), FEW) {
        // SAFETY: its elements are the array's, which is mutably borrowed, and not `place`'s.
        let values = unsafe { source.deref_into_view() };
        // SAFETY: the only view of these elements of the array, which is mutably borrowed.
        return update::zip_view(unsafe { place.deref_into_view_mut() }, &values, f);
    }
    // SAFETY: a view of the array, which is not changed while it is read.
    let values = unsafe { copy_like(array, source, &place)? };
    // SAFETY: the only view of the array, which is mutably borrowed; the values are copies.
    update::zip_view(unsafe { place.deref_into_view_mut() }, &values, f)
}

/// A copy of a slice. If it has more than a few elements, it lies in memory as those of `place` do,
/// so that both are walked alike.
///
/// # Safety
///
/// The elements of `source` are elements of `array`, and nothing writes them while this runs.
unsafe fn copy_like<A: Clone, D: Dimension, O: Dimension, P: Dimension>(
    array: &ArrayRef<A, D>,
    source: RawArrayViewMut<A, O>,
    place: &RawArrayViewMut<A, P>,
) -> Result<Array<A, O>, SliceError> {
    // SAFETY: the caller's promise.
    let mut source = unsafe { source.deref_into_view() };
    let strides = place.strides();
    let in_order = strides.is_sorted_by(|outer, inner| outer >= inner && *inner >= 0);
    if in_order || source.len() <= FEW || source.shape() != place.shape() {
        // SAFETY: the caller's promise.
        return unsafe { array::copy_view(array, &source) };
    }
    let mut order: SmallVec<[(usize, isize); 6]> = strides.iter().copied().enumerate().collect();
    let turned: SmallVec<[Axis; 6]> =
        order.iter().filter(|(_, stride)| *stride < 0).map(|&(axis, _)| Axis(axis)).collect();
    order.sort_by_key(|(_, stride)| Reverse(stride.unsigned_abs()));
    turned.iter().for_each(|&axis| source.invert_axis(axis));
    let (mut there, mut back) = (O::zeros(order.len()), O::zeros(order.len()));
    for (at, &(axis, _)) in order.iter().enumerate() {
        there[at] = axis;
        back[axis] = at;
    }
    // SAFETY: the caller's promise; these are the same elements.
    let copy = unsafe { array::copy_view(array, &source.permuted_axes(there))? };
    let mut copy = copy.permuted_axes(back);
    turned.iter().for_each(|&axis| copy.invert_axis(axis));
    Ok(copy)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use crate::PySlice;
    use ndarray::{Array2, Axis, ShapeBuilder, s as nd};
    use pyslice::s;

    /// Slices that overlap, lie apart, and take turns, of arrays in C order, Fortran's and
    /// reversed, with few elements and many, beside a copy that is assigned by ndarray. Under Miri
    /// it also says that no pointer is used after a reference took its place.
    #[test]
    fn moves_within_arrays_of_all_layouts() {
        fn layouts(n: usize) -> Vec<Array2<u32>> {
            let value = |(i, j): (usize, usize)| (i * 100 + j) as u32;
            let c = Array2::from_shape_fn((n, n), value);
            let f = Array2::from_shape_fn((n, n).f(), value);
            let mut turned = c.clone();
            turned.invert_axis(Axis(0));
            let mut both = f.clone();
            both.invert_axis(Axis(0));
            both.invert_axis(Axis(1));
            vec![c, f, turned, both]
        }
        macro_rules! check {
            ($n:expr; $($from:tt $to:tt = $nd_from:tt $nd_to:tt;)*) => { $(
                for x in layouts($n) {
                    let values = x.slice(nd!$nd_from).to_owned();
                    let (mut moved, mut wanted) = (x.clone(), x.clone());
                    wanted.slice_mut(nd!$nd_to).assign(&values);
                    moved.pyslice_move_within(s!$from, s!$to);
                    assert_eq!(moved, wanted, "{:?}", x.strides());
                    let mut dynamic = x.clone().into_dyn();
                    dynamic.pyslice_move_within(s!$from, s!$to);
                    assert_eq!(dynamic, wanted.into_dyn());

                    let change = |a: &mut u32, b: &u32| *a = 3 * *a + b;
                    let (mut zipped, mut wanted) = (x.clone(), x.clone());
                    let place = wanted.slice(nd!$nd_to).raw_dim();
                    let values = values.broadcast(place).unwrap().to_owned();
                    wanted.slice_mut(nd!$nd_to).zip_mut_with(&values, change);
                    zipped.pyslice_zip_within(s!$from, s!$to, change);
                    assert_eq!(zipped, wanted, "{:?}", x.strides());

                    let (mut words, x) = (x.map(u32::to_string), x.map(u32::to_string));
                    let values = x.slice(nd!$nd_from).to_owned();
                    let mut wanted = x;
                    wanted.slice_mut(nd!$nd_to).assign(&values);
                    words.pyslice_move_within(s!$from, s!$to);
                    assert_eq!(words, wanted);
                }
            )* };
        }
        for n in if cfg!(miri) { vec![3, 10] } else { vec![3, 10, 40, 100] } {
            check! { n;
                [1:] [:-1] = [1.., ..] [..-1, ..];
                [:, :-1] [:, 1:] = [.., ..-1] [.., 1..];
                [:, ::-1] [...] = [.., ..;-1] [.., ..];
                [::-1, ::-1] [...] = [..;-1, ..;-1] [.., ..];
                [1:, :-1] [:-1, 1:] = [1.., ..-1] [..-1, 1..];
                [0] [2] = [0, ..] [2, ..];
                [:, 0] [:, 2] = [.., 0] [.., 2];
                [:1] [2:] = [..1, ..] [2.., ..];
                [:, :n - 1] [:, 1:] = [.., ..n - 1] [.., 1..];
                [1] [...] = [1, ..] [.., ..];
                [:0] [:0] = [..0, ..] [..0, ..];
            }
            if n % 2 == 0 {
                check! { n;
                    [::2] [1::2] = [..;2, ..] [1..;2, ..];
                    [:, 1::2] [:, ::-2] = [.., 1..;2] [.., ..;-2];
                    [n / 2:, n / 2:] [:n / 2, :n / 2] = [n / 2.., n / 2..] [..n / 2, ..n / 2];
                }
            }
        }
    }
}
