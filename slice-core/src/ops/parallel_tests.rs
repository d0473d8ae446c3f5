//! Which operations use several threads, and from which size on. An idle thread takes parts when it
//! gets to them, so the tests count that it was called.

use crate::kernel::{self, tests::SHARED_OUT};
use crate::{Plan, Shaped, SliceError, SpecBuf};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::mem::MaybeUninit;

/// This many `u32` are 4 MiB, the size from which work is shared out.
const N: usize = 1 << 20;

/// Arrays and a result, each as values and as bytes.
struct Data {
    array: Vec<u32>,
    bytes: Vec<u8>,
    out: Vec<u32>,
    out_bytes: Vec<u8>,
}

type Form = fn(&Plan, &mut Data) -> Result<(), SliceError>;

/// The forms that stay on one thread until the program asks for more.
const PLAIN: [(&str, Form); 12] = [
    ("copy", |plan, data| plan.copy(&data.array).map(drop)),
    ("copy_into", |plan, data| plan.copy_into(&data.array, &mut data.out[..])),
    ("copy_into of room", |plan, data| {
        plan.copy_into(&data.array, &mut vec![MaybeUninit::uninit(); plan.len()][..])
    }),
    ("copy_into of a vector", |plan, data| plan.copy_into(&data.array, &mut data.out)),
    ("bytes, to_vec", |plan, data| plan.bytes(4).on(&data.bytes)?.to_vec().map(drop)),
    ("assign", |plan, data| plan.assign(&mut data.array, &data.out)),
    ("assign of a view", |plan, data| plan.assign(&mut data.out, plan.on(&data.array)?)),
    ("assign of shaped values", |plan, data| {
        plan.assign(&mut data.array, Shaped(&data.out, &[1, plan.len()]))
    }),
    ("fill", |plan, data| plan.fill(&mut data.array, 7)),
    ("grad", |plan, data| plan.grad(&data.array).map(drop)),
    ("grad_into", |plan, data| plan.grad_into(&data.array, &mut data.out)),
    ("bytes, grad", |plan, data| plan.bytes(4).grad(&data.bytes).map(drop)),
];

/// Those that are always shared out from that size on.
const SHARING: [(&str, Form); 9] = [
    ("to_vec", |plan, data| plan.on(&data.array)?.par().to_vec().map(drop)),
    ("copy_into", |plan, data| plan.on(&data.array)?.par().copy_into(&mut data.out)),
    ("assign", |plan, data| plan.on_mut(&mut data.array)?.par().assign(&data.out)),
    ("assign of one", |plan, data| plan.on_mut(&mut data.array)?.par().assign(7)),
    ("assign of a view", |plan, data| {
        plan.on_mut(&mut data.out)?.par().assign(plan.on(&data.array)?)
    }),
    ("grad", |plan, data| plan.on_mut(&mut data.out)?.par().grad(&data.array)),
    ("bytes, to_vec", |plan, data| plan.bytes(4).on(&data.bytes)?.par().to_vec().map(drop)),
    ("bytes, assign", |plan, data| {
        plan.bytes(4).on_mut(&mut data.bytes)?.par().assign(&data.out_bytes)
    }),
    ("bytes, grad", |plan, data| {
        plan.bytes(4).on_mut(&mut data.out_bytes)?.par().grad(&data.bytes)
    }),
];

/// Asserts of each form whether it shares out a reversal of `n` values in a pool of `threads`.
fn each(
    forms: &[(&str, Form)],
    n: usize,
    threads: usize,
    expected: bool,
) -> Result<(), Box<dyn Error>> {
    let plan = "::-1".parse::<SpecBuf>()?.plan(&[n])?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let asserted: Result<(), SliceError> = pool.install(|| {
        for &(name, form) in forms {
            let (array, bytes) = (vec![1; n], vec![1; 4 * n]);
            let mut data = Data { out: array.clone(), out_bytes: bytes.clone(), array, bytes };
            let before = SHARED_OUT.get();
            form(&plan, &mut data)?;
            // A gradient is shared out twice where it is filled first.
            assert_eq!(
                SHARED_OUT.get() > before,
                expected,
                "{name} of {n} values by {threads} threads"
            );
        }
        Ok(())
    });
    Ok(asserted?)
}

#[test]
fn from_the_threshold_on() -> Result<(), Box<dyn Error>> {
    // Plain methods wait for the program to ask; views made by `par` do not ask the setting.
    assert_eq!(kernel::parallel_threshold(), usize::MAX);
    each(&PLAIN, N, 2, false)?;
    each(&SHARING, N, 2, true)?;
    each(&SHARING, N - 1, 2, false)?;
    each(&SHARING, N, 1, false)?;
    kernel::set_parallel_threshold(4 * N);
    each(&PLAIN, N, 2, true)?;
    each(&PLAIN, N - 1, 2, false)?;
    each(&PLAIN, N, 1, false)?;
    kernel::set_parallel_threshold(usize::MAX);
    // Adding runs code of the element's type, which may not be safe to run on other threads.
    each(&[("add_assign", |plan, data| plan.add_assign(&mut data.array, &data.out))], N, 2, false)?;
    let zip: Form = |plan, data| {
        plan.on_mut(&mut data.array)?.par().zip(&data.out, |a, b| *a = a.wrapping_add(*b))
    };
    each(&[("zip", zip)], N, 2, false)
}
