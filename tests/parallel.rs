//! The operations by several threads give what they give by one, in pools of any size.
#![cfg(feature = "rayon")]
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use pyslice::{Plan, SpecBuf, kernel};
use std::mem::MaybeUninit;
use std::sync::{Arc, Barrier, mpsc};
use std::time::{Duration, Instant};
use support::naive;

/// Slices of every class, all of 2 MiB and more of `u32`, which is where work begins to be shared out.
const CASES: [(&str, &[usize]); 9] = [
    ("::2", &[1 << 20]),
    ("::-1", &[600_001]),
    ("7:-9", &[600_001]),
    ("100:-100, 50:-50", &[900, 1000]),
    ("..., ::-1", &[400, 500, 3]),
    ("..., 1", &[700, 1000, 3]),
    (":, :, ::2, ::2", &[4, 7, 300, 300]),
    ("::-1, ::-1, ::-1", &[80, 80, 90]),
    ("1:", &[3, 300_000]),
];

fn plan(spec: &str, shape: &[usize]) -> Plan {
    let spec: SpecBuf = spec.parse().expect("the specs above are right");
    spec.plan(shape).expect("and fit their shapes")
}

fn in_pools(f: impl Fn(&str) + Send + Sync) {
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
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
        let (mut assigned, mut filled, mut sums, mut grad) = (data.clone(), data.clone(), data.clone(), vec![0; len]);
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

/// Runs `work` on a thread outside of rayon while every thread of the global pool is held up. Work that is shared out has
/// to wait for them, so the answer is how long it took, or `None` if it was not done within `limit`.
fn done_while_the_pool_is_busy(limit: Duration, work: impl FnOnce() + Send + 'static) -> Option<Duration> {
    let all = rayon::current_num_threads() + 1;
    let (busy, free) = (Arc::new(Barrier::new(all)), Arc::new(Barrier::new(all)));
    let barriers = (Arc::clone(&busy), Arc::clone(&free));
    rayon::spawn_broadcast(move |_| {
        barriers.0.wait();
        barriers.1.wait();
    });
    busy.wait();
    let (sender, receiver) = mpsc::channel();
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        work();
        sender.send(start.elapsed()).expect("somebody listens");
    });
    let took = receiver.recv_timeout(limit).ok();
    free.wait();
    // Work that was refused would be no work that waits.
    thread.join().expect("no panic in the work");
    took
}

#[test]
fn the_plain_forms_share_out_their_work_from_the_threshold_on() {
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().expect("nothing else uses the global pool");
    const N: usize = 1 << 21;
    let plan = plan("::-1", &[N]);
    let (first, last) = (plan.clone(), plan.clone());
    let data: Arc<Vec<u32>> = Arc::new((0..N as u32).collect());
    type Work = Box<dyn FnOnce() + Send>;
    type Form = fn(Plan, Arc<Vec<u32>>) -> Work;
    let forms: [(&str, Form); 14] = [
        ("copy", |plan, data| Box::new(move || drop(plan.copy(&data).expect("it fits")))),
        ("copy_into", |plan, data| Box::new(move || plan.copy_into(&data, &mut vec![0; N]).expect("it fits"))),
        ("copy_into_uninit", |plan, data| {
            Box::new(move || plan.copy_into_uninit(&data, &mut vec![MaybeUninit::uninit(); N]).expect("it fits"))
        }),
        ("copy_into_vec", |plan, data| Box::new(move || plan.copy_into_vec(&data, &mut Vec::new()).expect("it fits"))),
        ("copy_to", |plan, data| Box::new(move || plan.copy_to(&data, &plan, &mut vec![0; N]).expect("it fits"))),
        ("copy_bytes", |plan, data| {
            let bytes = vec![1; 4 * data.len()];
            Box::new(move || plan.copy_bytes(4, &bytes, &mut vec![0; 4 * N]).expect("it fits"))
        }),
        ("assign", |plan, data| Box::new(move || plan.assign(&mut vec![0; N], &data).expect("it fits"))),
        ("assign_broadcast", |plan, data| {
            Box::new(move || plan.assign_broadcast(&mut vec![0; N], &data, &[1, N]).expect("it fits"))
        }),
        ("assign_bytes", |plan, data| {
            let bytes = vec![1; 4 * data.len()];
            Box::new(move || plan.assign_bytes(4, &mut vec![0; 4 * N], &bytes).expect("it fits"))
        }),
        ("assign_broadcast_bytes", |plan, _| {
            Box::new(move || plan.assign_broadcast_bytes(4, &mut vec![0; 4 * N], &[1; 4], &[1]).expect("it fits"))
        }),
        ("fill", |plan, _| Box::new(move || plan.fill(&mut vec![0_u32; N], 7).expect("it fits"))),
        ("fill_bytes", |plan, _| Box::new(move || plan.fill_bytes(&mut vec![0; 4 * N], &[7; 4]).expect("it fits"))),
        ("grad", |plan, data| Box::new(move || drop(plan.grad(&data).expect("it fits")))),
        ("grad_into", |plan, data| Box::new(move || plan.grad_into(&data, &mut vec![0; N]).expect("it fits"))),
    ];
    let before = kernel::parallel_threshold();
    let bytes = 4 * N;
    for (name, form) in forms {
        let work = || form(first.clone(), Arc::clone(&data));
        // By the calling thread alone, it takes so long; work that waits is given much longer.
        let mut alone = Duration::ZERO;
        for above in [usize::MAX, bytes + 1] {
            kernel::set_parallel_threshold(above);
            let took = done_while_the_pool_is_busy(Duration::from_secs(60), work());
            alone = alone.max(took.unwrap_or_else(|| panic!("{name} is shared out below the threshold")));
        }
        for reached in [bytes, before] {
            kernel::set_parallel_threshold(reached);
            let took = done_while_the_pool_is_busy(alone * 20 + Duration::from_millis(50), work());
            assert!(took.is_none(), "{name} is not shared out: {took:?}");
        }
    }
    // Adding is the element's own code, which may not be run by any thread.
    kernel::set_parallel_threshold(1);
    let (added, values) = (first.clone(), Arc::clone(&data));
    let add = move || added.add_assign(&mut vec![0; N], &values).expect("it fits");
    assert!(done_while_the_pool_is_busy(Duration::from_secs(60), add).is_some(), "add_assign is shared out");
    // Who says `par_` is not asked.
    kernel::set_parallel_threshold(usize::MAX);
    let took =
        done_while_the_pool_is_busy(Duration::from_millis(300), move || drop(last.par_copy(&data).expect("it fits")));
    kernel::set_parallel_threshold(before);
    assert!(took.is_none(), "par_copy is not shared out: {took:?}");
}
