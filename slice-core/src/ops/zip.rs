//! Changing the elements of a slice by a function, and reading them one by one.
//!
//! Loops that continue each other are merged. What is left is walked two loops at a time: rows
//! without gaps as slices, of which the compiler makes vectors, and everything else element by
//! element.

use super::values::{Reading, Source, Values};
use super::view::{Place, View, ViewMut};
use crate::error::SliceError;
use crate::loops::{Loop, Steps, Walk, each_row, line};
use crate::offsets::Offsets;
use crate::plan::Plan;
use core::iter::FusedIterator;
use core::ops::AddAssign;
use core::slice;
use smallvec::SmallVec;

/// From this many elements on, a row without gaps is walked as a slice.
const SHORT: usize = 5;
/// The same where that takes a call for each row, or it runs backwards, or has gaps.
const LONG: usize = 16;

/// Whether elements have parts that fill vectors of 16 bytes, as complex numbers do. In rows of such
/// ones and values for them, the compiler makes vectors that it has to take apart and put together
/// again.
const fn fill_vectors<T>() -> bool {
    let size = size_of::<T>();
    size >= 16 && size.is_power_of_two() && align_of::<T>() < size
}

impl Place<'_> {
    /// The loops over this place and values for it, in an order in which each position may be
    /// visited.
    #[inline(never)]
    fn walk(&self, steps: Steps<'_>, line: usize, walk: &mut Walk) {
        let src = match steps {
            Steps::Still => Some(0),
            Steps::Dense => Some(1),
            Steps::Given(_) => None,
        };
        match (src, self.one_loop()) {
            (Some(src), Some(it)) => walk.one(Loop { src, ..it }),
            _ => walk.lay(self.parts(), steps, (line, false)),
        }
    }
}

/// Calls `f` with the element at each position of the loops, in order, and with the value for it,
/// which is always the same one unless `READS`: code that is compiled for each use should be short.
///
/// # Safety
///
/// From `to` and from `from` on, every position of the loops is an element. Those of `to` can be
/// written and nothing else refers to them; those of `from` can be read, and none of them is one of
/// `to`.
pub(crate) unsafe fn visit<T, U, const READS: bool>(
    all: &[Loop],
    to: *mut T,
    from: *const U,
    f: &mut impl FnMut(&mut T, &U),
) {
    let (&inner, rest) = all.split_last().unwrap_or((&Loop::ONE, &[]));
    let (&rows, outer) = rest.split_last().unwrap_or((&Loop::ONE, &[]));
    let apart = READS && lie_apart(all, to, from);
    each_row(outer, 0, 0, &mut |dst, src| {
        let (to, from) = (to.wrapping_offset(dst), from.wrapping_offset(src));
        // SAFETY: the two innermost loops, from a position of the outer ones.
        unsafe {
            match inner {
                _ if const { READS && fill_vectors::<T>() } => {
                    narrow::<T, U, 0>(rows, inner, to, from, f);
                }
                Loop { n: SHORT.., dst: 1, src: 0 } => each(rows, to, from, |to, from| {
                    let row = slice::from_raw_parts_mut(to, inner.n);
                    row.iter_mut().for_each(|a| f(a, &*from));
                }),
                Loop { n: SHORT.., dst: 1, src: 1 } if apart && rows.dst.min(rows.src) >= 0 => {
                    each(rows, to, from, |to, from| {
                        let values = slice::from_raw_parts(from, inner.n);
                        let row = slice::from_raw_parts_mut(to, inner.n);
                        row.iter_mut().zip(values).for_each(|(a, b)| f(a, b));
                    });
                }
                Loop { n: LONG.., dst: 1, src: 1 } if READS => each(rows, to, from, |to, from| {
                    let values = slice::from_raw_parts(from, inner.n);
                    pairs(slice::from_raw_parts_mut(to, inner.n).iter_mut(), values.iter(), f);
                }),
                Loop { n: LONG.., dst: 1, src: -1 } if READS => each(rows, to, from, |to, from| {
                    let first = from.wrapping_sub(inner.n.wrapping_sub(1));
                    let values = slice::from_raw_parts(first, inner.n).iter().rev();
                    pairs(slice::from_raw_parts_mut(to, inner.n).iter_mut(), values, f);
                }),
                Loop { n: LONG.., dst: 0, src: 1 } if READS => each(rows, to, from, |to, from| {
                    all_into(&mut *to, slice::from_raw_parts(from, inner.n), f);
                }),
                // Short loops are unrolled, which costs a third of a loop.
                Loop { n: 2, .. } => narrow::<T, U, 2>(rows, inner, to, from, f),
                Loop { n: 3, .. } => narrow::<T, U, 3>(rows, inner, to, from, f),
                Loop { n: 4, .. } => narrow::<T, U, 4>(rows, inner, to, from, f),
                Loop { n: LONG.., .. } => each(rows, to, from, |to, from| {
                    each_of_many(inner, to, from, |to, from| f(&mut *to, &*from));
                }),
                _ => narrow::<T, U, 0>(rows, inner, to, from, f),
            }
        }
    });
}

/// Whether all that is read lies before or behind all that is written. In a loop over rows, the
/// compiler asks that of all rows at once before it makes vectors.
fn lie_apart<T, U>(all: &[Loop], to: *mut T, from: *const U) -> bool {
    let ends = |first: usize, step: fn(&Loop) -> isize, size: usize| {
        let far = |it: &Loop| step(it).wrapping_mul(it.n.wrapping_sub(1) as isize);
        let sum = |far: isize| far.wrapping_mul(size as isize) as usize;
        let (low, high) = all.iter().map(far).fold((0, 0), |(low, high): (isize, isize), far| {
            (low.wrapping_add(far.min(0)), high.wrapping_add(far.max(0)))
        });
        (first.wrapping_add(sum(low)), first.wrapping_add(sum(high)).wrapping_add(size))
    };
    let (low, high) = ends(to.addr(), |it| it.dst, size_of::<T>());
    let (first, last) = ends(from.addr(), |it| it.src, size_of::<U>());
    high <= first || last <= low
}

/// Calls `f` with the elements of a row and the values for them. Where rows take turns, a call for
/// each lets the compiler ask again whether the two lie apart.
#[inline(never)]
fn pairs<'a, T: 'a, U: 'a>(
    row: impl ExactSizeIterator<Item = &'a mut T>,
    values: impl ExactSizeIterator<Item = &'a U>,
    f: &mut impl FnMut(&mut T, &U),
) {
    row.zip(values).for_each(|(a, b)| f(a, b));
}

/// Calls `f` with one element and all values of a row. Behind a call, the compiler knows that it is
/// none of them, and keeps it in a register.
#[inline(never)]
fn all_into<T, U>(one: &mut T, values: &[U], f: &mut impl FnMut(&mut T, &U)) {
    values.iter().for_each(|value| f(one, value));
}

/// Calls `f` with the positions of one loop.
#[inline]
fn each<T, U>(it: Loop, mut to: *mut T, mut from: *const U, mut f: impl FnMut(*mut T, *const U)) {
    for _ in 0..it.n {
        f(to, from);
        (to, from) = (to.wrapping_offset(it.dst), from.wrapping_offset(it.src));
    }
}

/// [`each`] for a long loop. Where positions are counted from the first one, the compiler takes
/// several with one addition, which takes longer to begin.
#[inline]
fn each_of_many<T, U>(it: Loop, to: *mut T, from: *const U, mut f: impl FnMut(*mut T, *const U)) {
    for i in 0..it.n as isize {
        let (dst, src) = (it.dst.wrapping_mul(i), it.src.wrapping_mul(i));
        f(to.wrapping_offset(dst), from.wrapping_offset(src));
    }
}

/// [`visit`] for two loops, the inner one of `N` iterations, or of any number if that is 0.
///
/// # Safety
///
/// As for [`visit`].
#[inline]
unsafe fn narrow<T, U, const N: usize>(
    rows: Loop,
    inner: Loop,
    to: *mut T,
    from: *const U,
    f: &mut impl FnMut(&mut T, &U),
) {
    let inner = if N == 0 { inner } else { Loop { n: N, ..inner } };
    each(rows, to, from, |to, from| {
        // SAFETY: one position of the caller's.
        each(inner, to, from, |to, from| unsafe { f(&mut *to, &*from) });
    });
}

impl<T> ViewMut<'_, T> {
    /// Calls `f` with every element of the slice: `np.multiply(x[spec], 2, out=x[spec])` and any
    /// other function of an element. The order is that of the memory if each stride steps over all
    /// that the smaller ones reach. Otherwise positions may share an element; the order is C order
    /// then, and a shared element is visited once for each.
    ///
    /// [`zip`](Self::zip) tells `f` which element it has, if the values are numbers in C order.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4, 5, 6];
    /// s![:, ::2].plan(&[2, 3])?.on_mut(&mut x)?.for_each(|a| *a *= 10);
    /// assert_eq!(x, [10, 2, 30, 40, 5, 60]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn for_each(&mut self, mut f: impl FnMut(&mut T)) {
        let nothing = Reading { data: &[()], len: 1, offset: 0, steps: Steps::Still };
        self.visit::<(), false>(nothing, |a, ()| f(a));
    }

    /// Calls `f` with every element of the slice and with the value for it: `x[spec] += values` and
    /// any other function of two elements. The order is that of [`for_each`](Self::for_each), by
    /// blocks of long rows where the values lie across them.
    ///
    /// The values may have another type. Where the compiler asks for it, say which in the closure:
    /// `|a, &b: &u16| ..`. If the plan's strides make positions share an element, every value
    /// counts.
    ///
    /// # Errors
    ///
    /// Those of [`assign`](Self::assign). Nothing is changed then.
    ///
    /// # Panics
    ///
    /// Panics if `f` does, as `+=` of integers does on overflow in debug builds. Elements before
    /// that one are changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Shaped, s};
    ///
    /// let mut x = [1.0, 2.0, 3.0, 4.0];
    /// let plan = s![:, ::-1].plan(&[2, 2])?;
    /// plan.on_mut(&mut x)?.zip(&[10_u8, 20, 30, 40], |a, &b: &u8| *a += f64::from(b))?;
    /// assert_eq!(x, [21.0, 12.0, 43.0, 34.0]);
    /// plan.on_mut(&mut x)?.zip(Shaped(&[2.0, 4.0], &[2]), |a, b| *a /= b)?;
    /// assert_eq!(x, [5.25, 6.0, 10.75, 17.0]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn zip<U>(
        &mut self,
        values: impl Values<U>,
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        self.zip_from(values.source(), f)
    }

    /// [`zip`](Self::zip) with the values that were given.
    pub(super) fn zip_from<U>(
        &mut self,
        source: Source<'_, U>,
        f: impl FnMut(&mut T, &U),
    ) -> Result<(), SliceError> {
        let mut room = SmallVec::new();
        let reading = self.place.reading(source, &mut room)?;
        self.visit::<U, true>(reading, f);
        Ok(())
    }

    /// Adds: `x[spec] += values`. [`Plan::add_assign`] says the rest.
    ///
    /// # Errors
    ///
    /// Those of [`assign`](Self::assign). Nothing is changed then.
    ///
    /// # Panics
    ///
    /// Panics if the element's `+=` does, as it does for integers on overflow in debug builds.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Shaped, s};
    ///
    /// let mut x = [1, 2, 3, 4];
    /// let plan = s![:, ::-1].plan(&[2, 2])?;
    /// plan.on_mut(&mut x)?.add_assign(Shaped(&[10, 20], &[2]))?;
    /// assert_eq!(x, [21, 12, 23, 14]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn add_assign(&mut self, values: impl Values<T>) -> Result<(), SliceError>
    where
        T: Copy + AddAssign,
    {
        self.zip(values, |a, &b| a.add_assign(b))
    }

    #[expect(clippy::arithmetic_side_effects, reason = "positions inside buffers")]
    fn visit<U, const READS: bool>(
        &mut self,
        reading: Reading<'_, '_, U>,
        mut f: impl FnMut(&mut T, &U),
    ) {
        if self.place.len == 0 {
            return;
        }
        // Elements that follow each other need no loops to be found.
        if const { READS && !fill_vectors::<T>() }
            && let (Steps::Dense, Some(run)) = (reading.steps, self.place.run())
        {
            let row = self.data.get_mut(run).unwrap_or(&mut []);
            return pairs(row.iter_mut(), reading.data.iter(), &mut f);
        }
        let mut walk = Walk::new();
        self.place.walk(reading.steps, line::<U>(), &mut walk);
        let to = self.data.as_mut_ptr().wrapping_add(self.place.first());
        let from = reading.data.as_ptr().wrapping_add(reading.offset * self.place.unit);
        for (all, (src, dst)) in walk.parts() {
            let (to, from) = (to.wrapping_offset(dst), from.wrapping_offset(src));
            // SAFETY: in any order, and in blocks, every position of the place is an element of
            // `self.data` (`Claim::check`), and the values have one for each of them, inside their
            // buffer (`Place::reading`, or one unit value). `self.data` is mutably borrowed, so the
            // values lie elsewhere.
            unsafe { visit::<T, U, READS>(all, to, from, &mut f) }
        }
    }
}

impl Plan {
    /// Adds: `dst[spec] += values`, where `values` is one element, a slice of as many elements in C
    /// order, [`Shaped`](crate::Shaped) values or a [`View`], which broadcast.
    ///
    /// If the plan's strides make positions share an element, every value is added. Other operators
    /// are closures of [`ViewMut::zip`].
    ///
    /// # Errors
    ///
    /// Those of [`assign`](Self::assign); nothing is written then.
    ///
    /// # Panics
    ///
    /// Panics if the element's `+=` does, as it does for integers on overflow in debug builds. Sums
    /// before it stay. Use [`core::num::Wrapping`] for sums that wrap.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![::-1].plan(&[3])?;
    /// let mut data = [10, 20, 30];
    /// plan.add_assign(&mut data, &[1, 2, 3])?;
    /// assert_eq!(data, [13, 22, 31]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn add_assign<T: Copy + AddAssign>(
        &self,
        dst: &mut [T],
        values: impl Values<T>,
    ) -> Result<(), SliceError> {
        self.on_mut(dst)?.add_assign(values)
    }
}

/// The elements of a [`View`], in C order. [`View::iter`] makes it.
#[derive(Clone, Debug)]
pub struct Iter<'a, T> {
    data: &'a [T],
    /// Where the rows begin that have not been entered.
    rows: Offsets,
    /// The next element of this row, how many are left of it, and of how many each row has.
    at: usize,
    in_row: usize,
    row: usize,
    step: isize,
    left: usize,
}

impl<'a, T> View<'a, T> {
    /// The elements of the slice, in C order.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let words = ["a", "b", "c", "d"].map(String::from);
    /// let plan = s![::-2].plan(&[4])?;
    /// let taken: Vec<String> = plan.on(&words)?.iter().cloned().collect();
    /// assert_eq!(taken, ["d", "b"]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> Iter<'a, T> {
        let (place, data) = (&self.place, self.data);
        let left = place.len.saturating_mul(place.unit);
        let at = place.first();
        if let Some(Loop { dst: step, .. }) = place.one_loop() {
            let rows = Offsets::new(core::iter::empty(), 0, 0);
            return Iter { data, rows, at, in_row: left, row: left, step, left };
        }
        let (unit, shape, strides) = place.parts();
        let axes = shape.iter().zip(strides);
        let axes = axes.map(|(&n, by)| (n, by.wrapping_mul(unit as isize)));
        let (rows, (row, step)) = Offsets::rows(axes.chain([(unit, 1)]), at);
        Iter { data, rows, at: 0, in_row: 0, row, step, left }
    }
}

impl<'a, T> Iter<'a, T> {
    /// The next element that `wanted` accepts, row by row.
    #[inline]
    fn until(&mut self, mut wanted: impl FnMut(&'a T) -> bool) -> Option<&'a T> {
        loop {
            if self.in_row == 0 {
                (self.at, self.in_row) = (self.rows.next()?, self.row);
            }
            let (at, count, step) = (self.at, self.in_row, self.step);
            let (mut taken, mut found) = (0_usize, None);
            if step == 1 {
                let row = self.data.get(at..at.wrapping_add(count)).unwrap_or(&[]);
                let k = row.iter().position(&mut wanted);
                taken = k.map_or(count, |k| k.wrapping_add(1));
                found = k.and_then(|k| row.get(k));
            } else {
                let mut at = at;
                while taken < count && found.is_none() {
                    taken = taken.wrapping_add(1);
                    found = self.data.get(at).filter(|a| wanted(a));
                    at = at.wrapping_add_signed(step);
                }
            }
            self.at = at.wrapping_add_signed(step.wrapping_mul(taken as isize));
            self.in_row = count.wrapping_sub(taken);
            self.left = self.left.wrapping_sub(taken);
            if found.is_some() {
                return found;
            }
        }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        if self.in_row == 0 {
            (self.at, self.in_row) = (self.rows.next()?, self.row);
        }
        let here = self.data.get(self.at);
        self.at = self.at.wrapping_add_signed(self.step);
        self.in_row = self.in_row.wrapping_sub(1);
        self.left = self.left.wrapping_sub(1);
        here
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn all<F: FnMut(&'a T) -> bool>(&mut self, mut f: F) -> bool {
        self.until(|a| !f(a)).is_none()
    }

    #[inline]
    fn any<F: FnMut(&'a T) -> bool>(&mut self, f: F) -> bool {
        self.until(f).is_some()
    }

    #[inline]
    fn find<P: FnMut(&&'a T) -> bool>(&mut self, mut predicate: P) -> Option<&'a T> {
        self.until(|a| predicate(&a))
    }

    #[inline]
    fn position<P: FnMut(&'a T) -> bool>(&mut self, predicate: P) -> Option<usize> {
        let before = self.left;
        let found = self.until(predicate).is_some();
        found.then(|| before.wrapping_sub(self.left).wrapping_sub(1))
    }

    /// Row by row, for sums and other uses of all elements.
    #[inline]
    fn fold<B, F: FnMut(B, &'a T) -> B>(mut self, all: B, mut f: F) -> B {
        let (data, step, row) = (self.data, self.step, self.row);
        let mut some = |all: B, at: usize, count: usize| {
            if step == 1 {
                let row = data.get(at..at.wrapping_add(count)).unwrap_or(&[]);
                return row.iter().fold(all, &mut f);
            }
            let first = data.as_ptr().wrapping_add(at);
            // SAFETY: all positions of a place are elements of its buffer (`Claim::check`), and
            // `count` of this row, from `at` on, were not taken yet.
            let mut one = |all, place: *const T| f(all, unsafe { &*place });
            if count >= LONG {
                // As in `each_of_many`.
                let place = |i| first.wrapping_offset(step.wrapping_mul(i));
                return (0..count as isize).fold(all, |all, i| one(all, place(i)));
            }
            let (mut all, mut place) = (all, first);
            for _ in 0..count {
                all = one(all, place);
                place = place.wrapping_offset(step);
            }
            all
        };
        let all = some(all, self.at, self.in_row);
        self.rows.fold_rest(all, |all, at| some(all, at, row))
    }
}
impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T> FusedIterator for Iter<'_, T> {}

impl<'a, T> IntoIterator for View<'a, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}
