//! Operations on several threads give the same results as on one, in pools of any size.
#![cfg(feature = "rayon")]
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use pyslice::{Plan, SliceError, SpecBuf};
use std::mem::MaybeUninit;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;
use support::{check, generate, naive};

/// Slices of every class, all of 4 MiB and more of `u32`, which is where work begins to be shared
/// out.
const CASES: [(&str, &[usize]); 9] = [
    ("::2", &[1 << 21]),
    ("::-1", &[1_200_001]),
    ("7:-9", &[1_200_001]),
    ("100:-100, 50:-50", &[1400, 1000]),
    ("..., ::-1", &[800, 500, 3]),
    ("..., 1", &[1100, 1000, 3]),
    (":, :, ::2, ::2", &[7, 7, 300, 300]),
    ("::-1, ::-1, ::-1", &[120, 100, 90]),
    ("1:", &[3, 540_000]),
];

fn plan(spec: &str, shape: &[usize]) -> Plan {
    let spec: SpecBuf = spec.parse().expect("the specs above are right");
    spec.plan(shape).expect("and fit their shapes")
}

/// In as many pools as the percentage of cases allows: slow tools try the first one.
fn in_pools(f: impl Fn(&str) + Send + Sync) {
    for threads in [3, 1, 2, 8].into_iter().take(generate::config(4).cases as usize) {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| f(&format!("{threads} threads")));
    }
}

/// One element after the other, by the reference.
fn places(spec: &str, shape: &[usize]) -> Vec<usize> {
    let items = naive::from_text(spec).expect("the specs above are right");
    naive::pick(shape, &items).expect("and fit their shapes").from
}

fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

#[test]
fn every_class_in_every_pool() {
    for (spec, shape) in CASES {
        let plan = plan(spec, shape);
        let (len, places) = (plan.input_len(), places(spec, shape));
        let data: Vec<u32> = (0..len as u32).collect();
        let values: Vec<u32> = (0..plan.len() as u32).map(|i| i ^ 0x8000_0000).collect();
        let slice: Vec<u32> = places.iter().map(|&at| data[at]).collect();
        let (mut assigned, mut filled, mut sums, mut grad) =
            (data.clone(), data.clone(), data.clone(), vec![0; len]);
        for (&at, &value) in places.iter().zip(&values) {
            assigned[at] = value;
            filled[at] = 7;
            sums[at] += value;
            grad[at] = value;
        }
        in_pools(|pool| {
            assert!(plan.par_copy(&data).expect(spec) == slice, "copy {spec} {pool}");
            let mut out = vec![1; plan.len()];
            plan.par_copy_into(&data, &mut out).expect(spec);
            assert!(out == slice, "copy_into {spec} {pool}");
            let mut uninit = vec![MaybeUninit::uninit(); plan.len()];
            plan.par_copy_into_uninit(&data, &mut uninit).expect(spec);
            // SAFETY: Ok means that every place was written.
            let written = uninit.into_iter().map(|value| unsafe { value.assume_init() });
            assert!(written.eq(slice.iter().copied()), "copy_into_uninit {spec} {pool}");
            out.clear();
            plan.par_copy_into_vec(&data, &mut out).expect(spec);
            assert!(out == slice, "copy_into_vec {spec} {pool}");
            let mut x = data.clone();
            plan.par_assign(&mut x, &values).expect(spec);
            assert!(x == assigned, "assign {spec} {pool}");
            let mut x = data.clone();
            plan.par_fill(&mut x, 7).expect(spec);
            assert!(x == filled, "fill {spec} {pool}");
            let mut x = data.clone();
            plan.par_add_assign(&mut x, &values).expect(spec);
            assert!(x == sums, "add_assign {spec} {pool}");
            assert!(plan.par_grad(&values).expect(spec) == grad, "grad {spec} {pool}");
            let mut x = vec![5; len];
            plan.par_grad_into(&values, &mut x).expect(spec);
            assert!(x == grad, "grad_into {spec} {pool}");
            // The plain forms, which share out their work as well, give the same.
            assert!(plan.copy(&data).expect(spec) == slice, "plain copy {spec} {pool}");
            let mut x = data.clone();
            plan.assign(&mut x, &values).expect(spec);
            assert!(x == assigned, "plain assign {spec} {pool}");
            let mut out = vec![1; bytes(&slice).len()];
            plan.copy_bytes(4, &bytes(&data), &mut out).expect(spec);
            assert!(out == bytes(&slice), "plain copy_bytes {spec} {pool}");
        });
    }
}

/// The same over bytes, one behind an aligned place, and from a slice to a slice of another
/// array.
#[test]
fn bytes_in_every_pool() {
    for (spec, shape) in CASES {
        let plan = plan(spec, shape);
        let (len, places) = (plan.input_len(), places(spec, shape));
        let shifted = |values: &[u32]| [vec![0xEE], bytes(values)].concat();
        let data: Vec<u32> = (0..len as u32).collect();
        let values: Vec<u32> = (0..plan.len() as u32).map(|i| i ^ 0x8000_0000).collect();
        let with = |x: &[u32], of: &dyn Fn(usize, usize) -> u32| {
            let mut x = x.to_vec();
            places.iter().enumerate().for_each(|(i, &at)| x[at] = of(i, at));
            shifted(&x)
        };
        let other: Vec<u32> = data.iter().map(|v| !v).collect();
        let assigned = with(&data, &|i, _| values[i]);
        let filled = with(&data, &|_, _| 7);
        let grad = with(&vec![0; len], &|i, _| values[i]);
        let both = with(&other, &|_, at| data[at]);
        let slice = bytes(&places.iter().map(|&at| data[at]).collect::<Vec<u32>>());
        let (array, given, other) = (shifted(&data), shifted(&values), shifted(&other));
        let (src, dy) = (&array[1..], &given[1..]);
        in_pools(|pool| {
            assert!(plan.par_copy_bytes_to_vec(4, src).expect(spec) == slice, "{spec} {pool}");
            let mut out = vec![1; 1 + slice.len()];
            plan.par_copy_bytes(4, src, &mut out[1..]).expect(spec);
            assert!(out[1..] == slice, "copy_bytes {spec} {pool}");
            out.fill(1);
            plan.par_copy_bytes_uninit(4, src, check::uninit(&mut out[1..])).expect(spec);
            assert!(out[1..] == slice, "copy_bytes_uninit {spec} {pool}");
            plan.par_copy_bytes_into_vec(4, src, &mut out).expect(spec);
            assert!(out == slice, "copy_bytes_into_vec {spec} {pool}");
            let mut x = array.clone();
            plan.par_assign_bytes(4, &mut x[1..], dy).expect(spec);
            assert!(x == assigned, "assign_bytes {spec} {pool}");
            x.copy_from_slice(&array);
            plan.par_fill_bytes(&mut x[1..], &7_u32.to_ne_bytes()).expect(spec);
            assert!(x == filled, "fill_bytes {spec} {pool}");
            plan.par_grad_bytes(4, dy, &mut x[1..]).expect(spec);
            assert!(x == grad, "grad_bytes {spec} {pool}");
            x[1..].fill(1);
            plan.par_grad_bytes_uninit(4, dy, check::uninit(&mut x[1..])).expect(spec);
            assert!(x == grad, "grad_bytes_uninit {spec} {pool}");
            assert!(plan.par_grad_bytes_to_vec(4, dy).expect(spec) == grad[1..], "{spec} {pool}");
            x.copy_from_slice(&other);
            plan.par_copy_to_bytes(4, src, &plan, &mut x[1..]).expect(spec);
            assert!(x == both, "copy_to_bytes {spec} {pool}");
            let mut x: Vec<u32> = data.iter().map(|v| !v).collect();
            plan.par_copy_to(&data, &plan, &mut x).expect(spec);
            assert!(bytes(&x) == both[1..], "copy_to {spec} {pool}");
        });
    }
}

#[test]
fn little_and_wrong_lengths() {
    let plan = plan("::2", &[9]);
    in_pools(|_| {
        assert_eq!(plan.par_copy(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), Ok(vec![0, 2, 4, 6, 8]));
        assert!(plan.par_copy(&[0; 8]).is_err());
        assert!(plan.par_copy_into(&[0; 9], &mut [0; 4]).is_err());
        assert!(plan.par_copy_into_uninit(&[0; 8], &mut [MaybeUninit::uninit(); 5]).is_err());
        assert!(plan.par_copy_into_uninit(&[0; 9], &mut [MaybeUninit::uninit(); 6]).is_err());
        assert!(plan.par_assign(&mut [0; 9], &[0; 6]).is_err());
        assert!(plan.par_fill(&mut [0; 10], 0).is_err());
        assert!(plan.par_grad(&[0; 4]).is_err());
        assert!(plan.par_add_assign(&mut [0; 9], &[0; 4]).is_err());
        // Elements without size, and no elements.
        assert_eq!(plan.par_copy(&[(); 9]), Ok(vec![(); 5]));
        assert_eq!(plan.par_grad(&[(); 5]), Ok(vec![(); 9]));
    });
}

#[test]
fn the_last_value_wins_where_positions_share_an_element() {
    let spec: SpecBuf = "..., :".parse().expect("a right spec");
    let n = 1usize << 19;
    let plan = spec.plan_strided(&[2, n], &[0, 1]).expect("an array of two rows in one place");
    let values: Vec<u32> = (0..2 * n as u32).collect();
    in_pools(|pool| {
        let mut x = vec![0; n];
        plan.par_assign(&mut x, &values).expect("the lengths fit");
        assert!(x == values[n..], "{pool}");
    });
}

/// Whether `work` is done on a thread outside of rayon while every thread of the global pool is
/// held up by something else.
fn done_while_the_pool_is_busy(work: impl FnOnce() + Send + 'static) -> bool {
    let all = rayon::current_num_threads() + 1;
    let (busy, free) = (Arc::new(Barrier::new(all)), Arc::new(Barrier::new(all)));
    let theirs = (Arc::clone(&busy), Arc::clone(&free));
    rayon::spawn_broadcast(move |_| {
        theirs.0.wait();
        theirs.1.wait();
    });
    busy.wait();
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        work();
        sender.send(()).expect("somebody listens");
    });
    let done = receiver.recv_timeout(Duration::from_secs(60)).is_ok();
    // Whoever was called for help comes now, when the work's buffers are gone.
    free.wait();
    thread.join().expect("no panic in the work");
    done
}

#[test]
fn a_busy_pool_delays_nothing() {
    const N: usize = 1 << 21;
    let plan = plan("::-1", &[N]);
    let data: Arc<Vec<u32>> = Arc::new((0..N as u32).collect());
    let expected: Arc<Vec<u32>> = Arc::new(data.iter().rev().copied().collect());
    type Form = fn(&Plan, &[u32], &mut [u32]) -> Result<(), SliceError>;
    let forms: [(&str, Form); 4] = [
        ("copy_into", |plan, data, out| plan.copy_into(data, out)),
        ("assign", |plan, data, out| plan.assign(out, data)),
        ("par_grad_into", |plan, data, out| plan.par_grad_into(data, out)),
        ("par_add_assign", |plan, data, out| plan.par_add_assign(out, data)),
    ];
    for (name, form) in forms {
        let (plan, data, expected) = (plan.clone(), Arc::clone(&data), Arc::clone(&expected));
        let work = move || {
            let mut out = vec![0; N];
            form(&plan, &data, &mut out).expect("it fits");
            assert!(out == *expected, "{name}");
        };
        assert!(
            done_while_the_pool_is_busy(work),
            "{name} waits for a pool that does something else"
        );
    }
}

/// Adds as numbers do, except for one value that cannot be added.
#[derive(Clone, Copy, PartialEq)]
struct Fussy(u32);

impl AddAssign for Fussy {
    fn add_assign(&mut self, other: Fussy) {
        assert!(other.0 != u32::MAX, "not that one");
        self.0 += other.0;
    }
}

#[test]
fn a_panic_of_an_element_is_the_callers() {
    const N: usize = 1 << 20;
    let plan = plan("::-1", &[N]);
    let mut values = vec![Fussy(1); N];
    for at in [0, N / 2, N - 1] {
        in_pools(|pool| {
            let mut values = values.clone();
            values[at] = Fussy(u32::MAX);
            let mut sums = vec![Fussy(0); N];
            let panic = catch_unwind(AssertUnwindSafe(|| plan.par_add_assign(&mut sums, &values)))
                .expect_err("one of the values cannot be added");
            assert_eq!(panic.downcast_ref(), Some(&"not that one"), "{pool}");
        });
    }
    // The pool still works.
    values[0] = Fussy(3);
    let mut sums = vec![Fussy(2); N];
    plan.par_add_assign(&mut sums, &values).expect("the lengths fit");
    assert!(sums[..N - 1].iter().all(|&sum| sum == Fussy(3)) && sums[N - 1] == Fussy(5));
}

/// What is left of an addition that failed. It cannot even be thrown away.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[derive(Clone, Copy)]
struct Failing(#[expect(dead_code, reason = "an element has a size")] u64);

impl AddAssign for Failing {
    fn add_assign(&mut self, _: Failing) {
        std::panic::panic_any(Bomb);
    }
}

/// If another panic replaced the first, dropping that one would end the call while other threads
/// still write.
#[test]
fn a_panic_in_every_part_is_one_panic() {
    const N: usize = 1 << 20;
    let plan = plan("::-1", &[N]);
    in_pools(|pool| {
        let mut sums = vec![Failing(0); N];
        let values = sums.clone();
        let panic = catch_unwind(AssertUnwindSafe(|| plan.par_add_assign(&mut sums, &values)))
            .expect_err("no value can be added");
        assert!(panic.is::<Bomb>(), "{pool}");
        std::mem::forget(panic);
    });
}
