//! Slices by a plain typed loop whose strides are known at run time, and what it moves.

use pyslice::Plan;

/// An element.
pub(crate) trait Element: Copy + Default + PartialEq + 'static {
    const NAME: &'static str;
    fn at(i: usize) -> Self;
    /// The sum of two; integers wrap.
    #[allow(dead_code, reason = "some benchmarks only move elements")]
    fn plus(self, other: Self) -> Self;
}

macro_rules! elements {
    ($($t:ty = $name:literal $sum:expr;)*) => { $(impl Element for $t {
        const NAME: &'static str = $name;
        fn at(i: usize) -> Self {
            (i % 65_521) as $t
        }
        fn plus(self, other: Self) -> Self {
            $sum(self, other)
        }
    })* };
}
elements! {
    u8 = "u8" u8::wrapping_add;
    u16 = "u16" u16::wrapping_add;
    f32 = "f32" |a, b| a + b;
    f64 = "f64" |a, b| a + b;
}

macro_rules! groups {
    ($([$t:ty; $n:literal] = $name:literal)*) => { $(impl Element for [$t; $n] {
        const NAME: &'static str = $name;
        fn at(i: usize) -> Self {
            std::array::from_fn(|k| <$t>::at(i + k))
        }
        fn plus(self, other: Self) -> Self {
            std::array::from_fn(|k| self[k].plus(other[k]))
        }
    })* };
}
groups!([u8; 3] = "3 u8" [f32; 3] = "3 f32" [f64; 2] = "c128" [f64; 3] = "3 f64");

/// An array and the elements of one of its slices, and where a new result was put.
pub(crate) struct Buffers<T> {
    pub(crate) x: Vec<T>,
    pub(crate) y: Vec<T>,
    pub(crate) new: Vec<T>,
}

/// Moves one element after the other, by strides that are known at run time.
///
/// # Safety
///
/// As for [`plain_with`].
unsafe fn plain<T: Copy>(shape: &[usize], from: (*const T, &[isize]), to: (*mut T, &[isize])) {
    // SAFETY: the caller's positions.
    unsafe { plain_with(shape, from, to, &mut |from, to| *to = *from) }
}

/// [`plain`], with a function that is called with each position of both sides.
///
/// # Safety
///
/// All positions of both sides can be read and written, and none is on both sides.
pub(crate) unsafe fn plain_with<T>(
    shape: &[usize],
    (from, from_strides): (*const T, &[isize]),
    (to, to_strides): (*mut T, &[isize]),
    f: &mut impl FnMut(&T, &mut T),
) {
    let (&[n, ref inner @ ..], &[s, ref ss @ ..], &[d, ref ds @ ..]) =
        (shape, from_strides, to_strides)
    else {
        // SAFETY: the caller's only position.
        return unsafe { f(&*from, &mut *to) };
    };
    for i in 0..n as isize {
        // SAFETY: the caller's positions.
        unsafe {
            if inner.is_empty() {
                f(&*from.offset(s * i), &mut *to.offset(d * i));
            } else {
                plain_with(inner, (from.offset(s * i), ss), (to.offset(d * i), ds), f);
            }
        }
    }
}

/// [`plain`] between a slice and a dense buffer, by the number of the operation: into a buffer, to a
/// new one, assigned, filled, or as a gradient.
pub(crate) fn by_loop<T: Element>(operation: usize, plan: &Plan, b: &mut Buffers<T>) {
    let shape = plan.shape();
    let mut dense = vec![1isize; shape.len()];
    for i in (1..shape.len()).rev() {
        dense[i - 1] = dense[i] * shape[i] as isize;
    }
    let (x, strides) = (b.x.as_mut_ptr().wrapping_add(plan.offset()), plan.strides());
    let none = vec![0; shape.len()];
    let y = b.y.as_mut_ptr();
    // SAFETY: the plan was made for the shape of `x`, and `y` has as many elements as it has.
    unsafe {
        match operation {
            0 => plain(shape, (x, strides), (y, &dense)),
            1 => {
                let mut new = Vec::with_capacity(plan.len());
                plain(shape, (x, strides), (new.as_mut_ptr(), &dense));
                new.set_len(plan.len());
                b.new = new;
            }
            2 => plain(shape, (y, &dense), (x, strides)),
            3 => plain(shape, (y, &none), (x, strides)),
            _ => {
                b.x.fill(T::default());
                plain(shape, (y, &dense), (x, strides));
            }
        }
    }
}
