//! Writes go to the places of a slice and nowhere else: not in front of the buffer, not behind it,
//! not between places. On Linux, pages that nobody may touch lie on both sides of a buffer and of
//! what is read.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::{FixedPlan, Plan, Shaped, SliceError, SpecBuf, View, ViewMut};
use std::mem::MaybeUninit;
use std::sync::{
    Barrier,
    atomic::{AtomicUsize, Ordering},
};
use support::{check, generate, naive};

/// The number of bytes in front of a buffer, and the largest number behind it.
const FRONT: usize = 64;

/// Room for what one case needs.
const ROOM: usize = 1 << 14;

/// Memory between two pages that cannot be touched.
struct Arena(&'static mut [u8]);

impl Arena {
    #[cfg(all(target_os = "linux", not(miri)))]
    fn new(room: usize) -> Arena {
        use std::ffi::{c_int, c_void};
        unsafe extern "C" {
            fn mmap(
                at: *mut c_void,
                len: usize,
                may: c_int,
                how: c_int,
                file: c_int,
                offset: isize,
            ) -> *mut c_void;
            fn mprotect(at: *mut c_void, len: usize, may: c_int) -> c_int;
        }
        // A multiple of every page that Linux uses.
        const PAGE: usize = 1 << 16;
        let room = room.next_multiple_of(PAGE);
        // SAFETY: new private memory; only its middle can be touched. It is never freed.
        unsafe {
            let all = mmap(std::ptr::null_mut(), room + 2 * PAGE, 0, 0x22, -1, 0);
            assert!(all.addr() != usize::MAX, "no memory");
            let middle = all.wrapping_byte_add(PAGE);
            assert_eq!(mprotect(middle, room, 3), 0);
            Arena(std::slice::from_raw_parts_mut(middle.cast(), room))
        }
    }

    #[cfg(not(all(target_os = "linux", not(miri))))]
    fn new(room: usize) -> Arena {
        Arena(vec![0; room].leak())
    }

    /// The last `len` bytes.
    fn back(&mut self, len: usize) -> &mut [u8] {
        let first = self.0.len() - len;
        &mut self.0[first..]
    }
}

/// A slice of an array, the values written into it, and the array afterwards.
struct Case<'a, const N: usize> {
    plan: &'a Plan,
    fixed: Option<FixedPlan<1, 1>>,
    /// The same slice in another order, whose elements are moved to this one.
    other: Plan,
    /// The values, one of them, and the array, each at the end of what can be read.
    values: &'a [[u8; N]],
    array: &'a [[u8; N]],
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "there is one thread"))]
    parallel: bool,
}

const ONE: u8 = 0x77;

/// What a write leaves.
#[derive(Clone, Copy)]
enum Left {
    Values,
    One,
    Gradient,
    Moved,
    Copy,
}

type Write<const N: usize> = fn(&Case<'_, N>, &mut [[u8; N]]) -> Result<(), SliceError>;

impl<const N: usize> Case<'_, N> {
    fn place<'b, T: Send + Sync>(&self, place: ViewMut<'b, T>) -> ViewMut<'b, T> {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return place.par();
        }
        place
    }

    fn view<'b, T: Send + Sync>(&self, view: View<'b, T>) -> View<'b, T> {
        #[cfg(feature = "rayon")]
        if self.parallel {
            return view.par();
        }
        view
    }

    /// Every way to write into a slice, or into a result.
    fn writes() -> Vec<(&'static str, Left, Write<N>)> {
        vec![
            ("assign", Left::Values, |c, x| c.plan.assign(x, c.values)),
            ("view.assign", Left::Values, |c, x| c.place(c.plan.on_mut(x)?).assign(c.values)),
            ("assign a shape", Left::Values, |c, x| {
                c.place(c.plan.on_mut(x)?).assign(Shaped(c.values, c.plan.shape()))
            }),
            ("assign a view", Left::Moved, |c, x| {
                c.place(c.plan.on_mut(x)?).assign(c.other.on(c.array)?)
            }),
            ("zip", Left::Values, |c, x| c.plan.on_mut(x)?.zip(c.values, |a, &b| *a = b)),
            ("zip a view", Left::Moved, |c, x| {
                c.plan.on_mut(x)?.zip(c.other.on(c.array)?, |a, &b| *a = b)
            }),
            ("for_each", Left::One, |c, x| {
                c.plan.on_mut(x)?.for_each(|a| *a = [ONE; N]);
                Ok(())
            }),
            ("fill", Left::One, |c, x| c.plan.fill(x, [ONE; N])),
            ("assign one", Left::One, |c, x| c.place(c.plan.on_mut(x)?).assign([ONE; N])),
            ("zip one", Left::One, |c, x| c.plan.on_mut(x)?.zip([ONE; N], |a, &b| *a = b)),
            ("bytes.assign", Left::Values, |c, x| {
                let place = c.plan.bytes(N).on_mut(x.as_flattened_mut())?;
                c.place(place).assign(c.values.as_flattened())
            }),
            ("bytes.assign one", Left::One, |c, x| {
                let place = c.plan.bytes(N).on_mut(x.as_flattened_mut())?;
                c.place(place).assign(Shaped(&[ONE; N], &[]))
            }),
            ("bytes.zip", Left::Values, |c, x| {
                let mut place = c.plan.bytes(N).on_mut(x.as_flattened_mut())?;
                place.zip(c.values.as_flattened(), |a, &b| *a = b)
            }),
            ("move_within", Left::Moved, |c, x| c.other.move_within(c.plan, x)),
            ("bytes.move_within", Left::Moved, |c, x| {
                c.other.bytes(N).move_within(c.plan, x.as_flattened_mut())
            }),
            ("zip_within", Left::Moved, |c, x| c.other.zip_within(c.plan, x, |a, &b| *a = b)),
            ("bytes.grad_into", Left::Gradient, |c, x| {
                c.plan.bytes(N).grad_into(c.values.as_flattened(), x.as_flattened_mut())
            }),
            ("bytes.on_mut.grad", Left::Gradient, |c, x| {
                let place = c.plan.bytes(N).on_mut(x.as_flattened_mut())?;
                c.place(place).grad(c.values.as_flattened())
            }),
            ("FixedPlan::assign", Left::Values, |c, x| match &c.fixed {
                Some(fixed) => fixed.assign(x, c.values),
                None => c.plan.assign(x, c.values),
            }),
            ("FixedPlan::fill", Left::One, |c, x| match &c.fixed {
                Some(fixed) => fixed.fill(x, [ONE; N]),
                None => c.plan.fill(x, [ONE; N]),
            }),
            ("copy_into", Left::Copy, |c, out| c.plan.copy_into(c.array, out)),
            ("copy_into uninitialised", Left::Copy, |c, out| {
                c.plan.copy_into(c.array, uninit(out))
            }),
            ("view.copy_into", Left::Copy, |c, out| c.view(c.plan.on(c.array)?).copy_into(out)),
            ("bytes.copy_into", Left::Copy, |c, out| {
                let view = c.plan.bytes(N).on(c.array.as_flattened())?;
                c.view(view).copy_into(out.as_flattened_mut())
            }),
            ("FixedPlan::copy_into", Left::Copy, |c, out| match &c.fixed {
                Some(fixed) => fixed.copy_into(c.array, out),
                None => c.plan.copy_into(c.array, out),
            }),
        ]
    }
}

fn uninit<T: Copy>(values: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: both types have one layout, and what is written through it is initialised.
    unsafe { &mut *(std::ptr::from_mut(values) as *mut [MaybeUninit<T>]) }
}

/// Bytes that differ from their neighbours and from every value.
fn canary(k: usize) -> u8 {
    0x80 | (k * 11 % 127) as u8
}

/// Tries every write through a slice, `shifts` bytes before memory that cannot be touched.
fn tried<const N: usize>(
    arenas: &mut [Arena; 3],
    shape: &[usize],
    text: &str,
    shifts: impl Iterator<Item = usize> + Clone,
    parallel: bool,
) {
    let items = naive::from_text(text).unwrap();
    let spec: SpecBuf = text.parse().unwrap();
    let plan = spec.plan(shape).unwrap();
    let from = naive::pick(shape, &items).unwrap().from;
    let (n, len) = (plan.input_len() * N, plan.len() * N);
    let other = plan.then("..., ::-1".parse::<SpecBuf>().unwrap()).unwrap();
    let [places, values, array] = arenas;
    let (values, array) = (values.back(len), array.back(n));
    values.iter_mut().enumerate().for_each(|(k, v)| *v = (k % 113) as u8 + 1);
    array.iter_mut().enumerate().for_each(|(k, v)| *v = canary(k + 5));
    let put = |x: &mut [u8], of: &dyn Fn(usize) -> usize, values: &[u8]| {
        for (k, &at) in from.iter().enumerate() {
            x[at * N..][..N].copy_from_slice(&values[of(k) * N..][..N]);
        }
    };
    let wanted = |left: Left| {
        let mut x = array.to_vec();
        match left {
            Left::Values => put(&mut x, &|k| k, values),
            Left::One => put(&mut x, &|_| 0, &[ONE; N]),
            Left::Gradient => {
                x.fill(0);
                put(&mut x, &|k| k, values);
            }
            Left::Moved => {
                let row = plan.shape()[plan.shape().len() - 1];
                put(&mut x, &|k| from[k / row * row + (row - 1 - k % row)], array);
            }
            Left::Copy => {
                x.clear();
                from.iter().for_each(|&at| x.extend(&array[at * N..][..N]));
            }
        }
        let around = |k: usize| canary(3 * k);
        let behind = (0..FRONT).map(|k| around(k + 1000));
        (0..FRONT).map(around).chain(x).chain(behind).collect::<Vec<u8>>()
    };
    let lefts = [Left::Values, Left::One, Left::Gradient, Left::Moved, Left::Copy].map(wanted);
    let case = Case {
        plan: &plan,
        fixed: <[usize; 1]>::try_from(shape)
            .ok()
            .map(|shape| FixedPlan::new(spec.as_ref(), shape).unwrap()),
        other,
        values: values.as_chunks().0,
        array: array.as_chunks().0,
        parallel,
    };
    for (name, left, write) in Case::<N>::writes() {
        let wanted = &lefts[left as usize];
        let room = wanted.len() - 2 * FRONT;
        let mut before = wanted.clone();
        match left {
            Left::Copy => before[FRONT..][..room].fill(0x55),
            _ => before[FRONT..][..room].copy_from_slice(array),
        }
        let compare = |place: &mut [u8], front: usize, shift: usize| {
            let part = FRONT - front..FRONT + room + shift;
            place.copy_from_slice(&before[part.clone()]);
            write(&case, place[front..front + room].as_chunks_mut().0).unwrap();
            assert!(
                *place == wanted[part],
                "{name} of {N} bytes, {text} of {shape:?}, {front} bytes in front, {shift} behind"
            );
        };
        for shift in shifts.clone() {
            compare(places.back(FRONT + room + shift), FRONT, shift);
        }
        compare(&mut places.0[..room + FRONT], 0, FRONT);
    }
}

/// Lengths about as long as vectors, up to the widest.
fn lengths() -> impl Iterator<Item = usize> {
    [2, 9, 15, 33, 64, 127, 200, 259, 1023].into_iter()
}

fn every_slice<const N: usize>(
    arenas: &mut [Arena; 3],
    shifts: impl Iterator<Item = usize> + Clone,
    parallel: bool,
) {
    for n in lengths().filter(|n| n * N <= 3100) {
        for text in ["::2", "1::2", "::-1", "1::3", "1:-1"] {
            tried::<N>(arenas, &[n], text, shifts.clone(), parallel);
        }
        if n % 3 == 0 {
            for (columns, text) in [(3, ":, 1:"), (3, "..., 0"), (n / 3, "::-1, ::2")] {
                tried::<N>(arenas, &[n / columns, columns], text, shifts.clone(), parallel);
            }
        }
    }
}

fn arenas(room: usize) -> [Arena; 3] {
    [(); 3].map(|()| Arena::new(room))
}

/// All alignments if all cases are tried, otherwise every third, and always the one next to the
/// forbidden page.
fn alignments() -> impl Iterator<Item = usize> + Clone {
    let step = if generate::config(100).cases >= 100 { 1 } else { 3 };
    (0..64).step_by(step)
}

fn on_every_kernel<const N: usize>() {
    let mut arenas = arenas(ROOM);
    let arenas = std::cell::RefCell::new(&mut arenas);
    check::on_every_kernel(|| every_slice::<N>(&mut arenas.borrow_mut(), alignments(), false));
}

#[test]
fn single_bytes() {
    on_every_kernel::<1>();
}

#[test]
fn two_and_three_bytes() {
    on_every_kernel::<2>();
    on_every_kernel::<3>();
}

#[test]
fn four_and_eight_bytes() {
    on_every_kernel::<4>();
    on_every_kernel::<8>();
}

#[test]
fn sixteen_bytes_and_odd_sizes() {
    on_every_kernel::<16>();
    on_every_kernel::<13>();
}

/// The same where every piece of work is shared out, however small, and where `par` shares it out.
#[cfg(feature = "rayon")]
#[test]
fn several_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let small = std::cell::RefCell::new(arenas(ROOM));
    check::on_every_kernel(|| {
        let small = &mut *small.borrow_mut();
        pool.install(|| {
            pyslice::kernel::set_parallel_threshold(1);
            every_slice::<1>(small, [0, 13].into_iter(), false);
            every_slice::<4>(small, [0, 5].into_iter(), false);
            pyslice::kernel::set_parallel_threshold(usize::MAX);
        });
    });
    let mut large = arenas(10 << 20);
    pool.install(|| {
        tried::<8>(&mut large, &[(1 << 20) + 1023], "::2", [0, 7].into_iter(), true);
        tried::<16>(&mut large, &[280_001, 2], "::-1, 1:", [0].into_iter(), true);
    });
}

/// Two threads write one half of an array each, through views whose elements alternate. They start
/// at the same moment, many times. So a thread that rewrote the bytes between its elements would
/// undo a write of the other.
#[test]
fn threads_keep_to_their_elements() {
    use ndarray::{Array1, ArrayViewMut1};
    use pyslice::{PySlice, s};
    const N: usize = 4096;
    fn rounds<T: Copy + PartialEq + Send + Sync>(
        make: impl Fn(usize) -> T + Sync,
        write: impl Fn(&mut ArrayViewMut1<'_, T>, &Array1<T>) + Sync,
    ) {
        let mut array = Array1::from_elem(N, make(0));
        let (barrier, lost) = (Barrier::new(2), AtomicUsize::new(0));
        let (even, odd) = array.pyslice_many_mut((s![::2], s![1::2]));
        std::thread::scope(|scope| {
            for (mut half, first) in [(even, 1), (odd, 101)] {
                let values = [first, first + 50]
                    .map(|first| Array1::from_shape_fn(half.len(), |k| make(first + k % 50)));
                let (barrier, lost, write) = (&barrier, &lost, &write);
                scope.spawn(move || {
                    for _ in 0..30 {
                        barrier.wait();
                        for values in values.iter().cycle().take(301) {
                            write(&mut half, values);
                            let found = half.pyslice_copy(s![:]);
                            if found.as_slice() != values.as_slice() {
                                lost.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                });
            }
        });
        // A thread that panicked would leave the other one at the barrier.
        assert_eq!(lost.into_inner(), 0, "the other thread's writes were undone");
    }
    rounds(|k| k as u8, |x, v| x.pyslice_assign(s![:], v));
    rounds(|k| k as u16, |x, v| x.pyslice_assign(s![...], v));
    rounds(|k| k as u32, |x, v| x.pyslice_assign(s![::-1], &v.pyslice(s![::-1])));
    rounds(|k| k as u64, |x, v| x.pyslice_assign(s![:], v));
}
