//! Operations on several threads give the same results as on one, in pools of any size.
#![cfg(feature = "rayon")]
#![allow(clippy::expect_used, reason = "a test")]

#[path = "outside/cargo.rs"]
mod cargo;
mod support;

use pyslice::{Plan, Shaped, SliceError, SpecBuf, View, ViewMut};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
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
        let other: Vec<u32> = data.iter().map(|v| !v).collect();
        let [mut assigned, mut filled, mut sums, mut both] = [(); 4].map(|()| data.clone());
        let mut grad = vec![0; len];
        for (&at, &value) in places.iter().zip(&values) {
            assigned[at] = value;
            filled[at] = 7;
            sums[at] += value;
            grad[at] = value;
            both[at] = other[at];
        }
        in_pools(|pool| {
            let view = plan.on(&data).expect(spec).par();
            assert!(view.to_vec().expect(spec) == slice, "to_vec {spec} {pool}");
            let mut out = vec![1; plan.len()];
            view.copy_into(&mut out[..]).expect(spec);
            assert!(out == slice, "copy_into {spec} {pool}");
            let mut uninit = vec![MaybeUninit::uninit(); plan.len()];
            view.copy_into(&mut uninit[..]).expect(spec);
            // SAFETY: Ok means that every place was written.
            let written = uninit.into_iter().map(|value| unsafe { value.assume_init() });
            assert!(written.eq(slice.iter().copied()), "copy_into uninitialised {spec} {pool}");
            out.clear();
            view.copy_into(&mut out).expect(spec);
            assert!(out == slice, "copy_into a vector {spec} {pool}");
            let on = |x: &mut Vec<u32>, f: &dyn Fn(&mut ViewMut<'_, u32>)| {
                x.copy_from_slice(&data);
                f(&mut plan.on_mut(x).expect(spec).par());
            };
            let mut x = data.clone();
            on(&mut x, &|place| place.assign(&values).expect(spec));
            assert!(x == assigned, "assign {spec} {pool}");
            on(&mut x, &|place| place.assign(7).expect(spec));
            assert!(x == filled, "fill {spec} {pool}");
            on(&mut x, &|place| place.assign(plan.on(&other).expect(spec)).expect(spec));
            assert!(x == both, "assign a view {spec} {pool}");
            on(&mut x, &|place| place.zip(&values, |a, b| *a += b).expect(spec));
            assert!(x == sums, "zip {spec} {pool}");
            on(&mut x, &|place| place.grad(&values).expect(spec));
            assert!(x == grad, "grad {spec} {pool}");
            // The plain forms, which share out their work as well, give the same.
            assert!(plan.copy(&data).expect(spec) == slice, "plain copy {spec} {pool}");
            let mut x = data.clone();
            plan.assign(&mut x, &values).expect(spec);
            assert!(x == assigned, "plain assign {spec} {pool}");
            let mut out = vec![1; bytes(&slice).len()];
            plan.bytes(4).on(&bytes(&data)).expect(spec).copy_into(&mut out[..]).expect(spec);
            assert!(out == bytes(&slice), "plain copy of bytes {spec} {pool}");
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
            let view = plan.bytes(4).on(src).expect(spec).par();
            assert!(view.to_vec().expect(spec) == slice, "to_vec {spec} {pool}");
            let mut out = vec![1; 1 + slice.len()];
            view.copy_into(&mut out[1..]).expect(spec);
            assert!(out[1..] == slice, "copy_into {spec} {pool}");
            out.fill(1);
            view.copy_into(check::uninit(&mut out[1..])).expect(spec);
            assert!(out[1..] == slice, "copy_into uninitialised {spec} {pool}");
            view.copy_into(&mut out).expect(spec);
            assert!(out == slice, "copy_into a vector {spec} {pool}");
            let on = |x: &mut [u8], from: &[u8], f: &dyn Fn(&mut ViewMut<'_, u8>)| {
                x.copy_from_slice(from);
                f(&mut plan.bytes(4).on_mut(&mut x[1..]).expect(spec).par());
            };
            let mut x = array.clone();
            on(&mut x, &array, &|place| place.assign(dy).expect(spec));
            assert!(x == assigned, "assign {spec} {pool}");
            let seven = Shaped(&7_u32.to_ne_bytes(), &[]);
            on(&mut x, &array, &|place| place.assign(seven).expect(spec));
            assert!(x == filled, "fill {spec} {pool}");
            on(&mut x, &array, &|place| place.grad(dy).expect(spec));
            assert!(x == grad, "grad {spec} {pool}");
            on(&mut x, &other, &|place| place.assign(view).expect(spec));
            assert!(x == both, "assign a view {spec} {pool}");
        });
    }
}

#[test]
fn little_and_wrong_lengths() {
    let plan = plan("::2", &[9]);
    in_pools(|_| {
        let view = |x| plan.on(x).map(View::par);
        assert_eq!(
            view(&[0, 1, 2, 3, 4, 5, 6, 7, 8]).and_then(|v| v.to_vec()),
            Ok(vec![0, 2, 4, 6, 8])
        );
        assert!(view(&[0; 8]).is_err());
        let nine = view(&[0; 9]).expect("nine");
        assert!(nine.copy_into(&mut [0; 4][..]).is_err());
        assert!(nine.copy_into(&mut [MaybeUninit::uninit(); 4][..]).is_err());
        assert!(nine.copy_into(&mut [MaybeUninit::uninit(); 6][..]).is_err());
        assert!(plan.on_mut(&mut [0; 10]).is_err());
        let mut x = [1; 9];
        let mut place = plan.on_mut(&mut x).expect("nine").par();
        assert!(place.assign(&[0; 6]).is_err());
        assert!(place.assign(Shaped(&[0; 2], &[2])).is_err());
        assert!(place.grad(&[0; 4]).is_err());
        assert!(place.zip(&[0; 4], |a, b| *a += b).is_err());
        assert_eq!(x, [1; 9]);
        // Elements without size, and no elements.
        assert_eq!(plan.on(&[(); 9]).and_then(|v| v.par().to_vec()), Ok(vec![(); 5]));
        assert_eq!(plan.on_mut(&mut [(); 9]).and_then(|v| v.par().grad(&[(); 5])), Ok(()));
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
        let place = plan.on_mut(&mut x).expect("the length fits");
        place.par().assign(&values).expect("the lengths fit");
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
        ("copy", |plan, data, out| plan.copy_into(data, out)),
        ("copy_into", |plan, data, out| plan.on(data)?.par().copy_into(out)),
        ("assign", |plan, data, out| plan.on_mut(out)?.par().assign(data)),
        ("grad", |plan, data, out| plan.on_mut(out)?.par().grad(data)),
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

/// Runs one of `POOLS` in a process of its own, as its test asks for by this variable.
const POOL: &str = "PYSLICE_TEST_POOL";

/// Pools in which rayon's `spawn` aborts or panics, and others.
const POOLS: [(&str, fn()); 5] = [
    ("a thread whose pool was dropped", || {
        drop(rayon::ThreadPoolBuilder::new().num_threads(3).use_current_thread().build());
        assert!(rayon::current_thread_index().is_some());
        reverse_in_every_way();
    }),
    ("an exit handler", || {
        let (sender, receiver) = mpsc::channel();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).exit_handler(move |_| {
            reverse_in_every_way();
            sender.send(()).expect("the main thread listens");
        });
        drop(pool.build().expect("three threads"));
        assert_eq!(receiver.iter().count(), 3);
    }),
    ("a start handler", || {
        let (sender, receiver) = mpsc::channel();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).start_handler(move |_| {
            reverse_in_every_way();
            sender.send(()).expect("the main thread listens");
        });
        drop(pool.build().expect("three threads"));
        assert_eq!(receiver.iter().count(), 3);
    }),
    ("the program's global pool has failed", || {
        let failed = rayon::ThreadPoolBuilder::new()
            .spawn_handler(|_| Err(std::io::Error::other("no threads today")))
            .build_global();
        assert!(failed.is_err());
        reverse_in_every_way();
        // The hook of the program is as it was: what panics now is reported.
        assert!(catch_unwind(|| panic!("reported")).is_err());
    }),
    ("the program's global pool works", || {
        rayon::ThreadPoolBuilder::new().num_threads(3).build_global().expect("three threads");
        reverse_in_every_way();
        assert!(catch_unwind(|| panic!("reported")).is_err());
    }),
];

/// Reversals of several sizes.
fn reverse_in_every_way() {
    for n in [1 << 20, (1 << 21) + 1] {
        let plan = plan("::-1", &[n]);
        let data: Vec<u32> = (0..n as u32).collect();
        let view = plan.on(&data).expect("it fits").par();
        let mut copy = view.to_vec().expect("there is memory");
        assert!(copy.iter().eq(data.iter().rev()));
        plan.on_mut(&mut copy).and_then(|target| target.par().assign(view)).expect("it fits");
        // Reversed values at reversed places.
        assert!(copy == data);
    }
}

#[test]
fn pools_that_are_gone_or_have_failed() {
    if let Some(name) = std::env::var_os(POOL) {
        let (_, run) = POOLS.iter().find(|(pool, _)| name == *pool).expect("one of these");
        return run();
    }
    for (pool, _) in POOLS {
        let output = Command::new(std::env::current_exe().expect("this test has a file"))
            .args(["--exact", "--nocapture", "pools_that_are_gone_or_have_failed"])
            .env(POOL, pool)
            // A pool that has no threads to end it keeps its memory, which is rayon's choice.
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .expect("the test runs again");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{pool}: {}\n{text}", output.status);
        let reports = text.matches("panicked at").count();
        assert_eq!(reports, text.matches("reported").count(), "{pool}:\n{text}");
    }
}

#[test]
fn a_failed_pool_does_not_end_a_program_that_panics_by_aborting() {
    let abort = r#"profile.dev.panic="abort""#;
    let output =
        cargo::cargo(&["run", "--locked", "--quiet", "--package=abort", "--config", abort]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}", output.status);
    assert!(!text.contains("panicked"), "{text}");
}

/// A caller's closure need not be one that several threads may call.
#[test]
fn closures_stay_on_the_calling_thread() {
    const N: usize = 1 << 20;
    let plan = plan("::-1", &[N]);
    in_pools(|pool| {
        let here = thread::current().id();
        let mut x = vec![1_u32; N];
        let mut place = plan.on_mut(&mut x).expect("it fits").par();
        let mut calls = 0;
        place.for_each(|_| {
            calls += usize::from(thread::current().id() == here);
        });
        let counted = place.zip(2, |a, b| {
            *a += b;
            calls += usize::from(thread::current().id() == here);
        });
        assert_eq!((counted, calls), (Ok(()), 2 * N), "{pool}");
        // What it panics with is the caller's, and what was changed before stays.
        let panic = catch_unwind(AssertUnwindSafe(|| {
            place.for_each(|a| {
                calls += 1;
                assert!(calls < 2 * N + 10, "not that one");
                *a = 0;
            });
        }));
        let panic = panic.expect_err("the tenth call");
        assert_eq!(panic.downcast_ref(), Some(&"not that one"), "{pool}");
        assert_eq!(x.iter().filter(|&&a| a == 0).count(), 9);
        assert!(x[..9].iter().all(|&a| a == 0) && x[9..].iter().all(|&a| a == 3));
    });
}
