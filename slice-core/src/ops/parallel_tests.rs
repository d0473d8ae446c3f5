//! Which operations use several threads, and from which size on. An idle thread takes parts when it
//! gets to them, so the tests count that it was called.

use crate::kernel::{self, shared_out};
use crate::ops::copy::as_uninit;
use crate::{Plan, SliceError, SpecBuf};
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

/// The plain forms of everything that moves elements as bits.
const PLAIN: [(&str, Form); 17] = [
    ("copy", |plan, data| plan.copy(&data.array).map(drop)),
    ("copy_into", |plan, data| plan.copy_into(&data.array, &mut data.out)),
    ("copy_into_uninit", |plan, data| {
        plan.copy_into_uninit(&data.array, &mut vec![MaybeUninit::uninit(); plan.len()])
    }),
    ("copy_into_vec", |plan, data| plan.copy_into_vec(&data.array, &mut data.out)),
    ("copy_to", |plan, data| plan.copy_to(&data.array, plan, &mut data.out)),
    ("copy_to_bytes", |plan, data| plan.copy_to_bytes(4, &data.bytes, plan, &mut data.out_bytes)),
    ("copy_bytes_to_vec", |plan, data| plan.copy_bytes_to_vec(4, &data.bytes).map(drop)),
    ("grad_bytes", |plan, data| plan.grad_bytes(4, &data.bytes, &mut data.out_bytes)),
    ("copy_bytes", |plan, data| plan.copy_bytes(4, &data.bytes, &mut data.out_bytes)),
    ("assign", |plan, data| plan.assign(&mut data.array, &data.out)),
    ("assign_broadcast", |plan, data| {
        plan.assign_broadcast(&mut data.array, &data.out, &[1, plan.len()])
    }),
    ("assign_bytes", |plan, data| plan.assign_bytes(4, &mut data.bytes, &data.out_bytes)),
    ("assign_broadcast_bytes", |plan, data| {
        plan.assign_broadcast_bytes(4, &mut data.bytes, &[1; 4], &[1])
    }),
    ("fill", |plan, data| plan.fill(&mut data.array, 7)),
    ("fill_bytes", |plan, data| plan.fill_bytes(&mut data.bytes, &[7; 4])),
    ("grad", |plan, data| plan.grad(&data.array).map(drop)),
    ("grad_into", |plan, data| plan.grad_into(&data.array, &mut data.out)),
];

/// Those that are always shared out from that size on.
const SHARING: [(&str, Form); 20] = [
    ("par_copy", |plan, data| plan.par_copy(&data.array).map(drop)),
    ("par_copy_into", |plan, data| plan.par_copy_into(&data.array, &mut data.out)),
    ("par_copy_into_uninit", |plan, data| {
        plan.par_copy_into_uninit(&data.array, &mut vec![MaybeUninit::uninit(); plan.len()])
    }),
    ("par_copy_into_vec", |plan, data| plan.par_copy_into_vec(&data.array, &mut data.out)),
    ("par_assign", |plan, data| plan.par_assign(&mut data.array, &data.out)),
    ("par_fill", |plan, data| plan.par_fill(&mut data.array, 7)),
    ("par_add_assign", |plan, data| plan.par_add_assign(&mut data.array, &data.out)),
    ("par_grad", |plan, data| plan.par_grad(&data.array).map(drop)),
    ("par_grad_into", |plan, data| plan.par_grad_into(&data.array, &mut data.out)),
    ("par_copy_to", |plan, data| plan.par_copy_to(&data.array, plan, &mut data.out)),
    ("par_copy_to_bytes", |plan, data| {
        plan.par_copy_to_bytes(4, &data.bytes, plan, &mut data.out_bytes)
    }),
    ("par_copy_bytes", |plan, data| plan.par_copy_bytes(4, &data.bytes, &mut data.out_bytes)),
    ("par_copy_bytes_uninit", |plan, data| {
        // SAFETY: only bytes of the slice are written.
        plan.par_copy_bytes_uninit(4, &data.bytes, unsafe { as_uninit(&mut data.out_bytes) })
    }),
    ("par_copy_bytes_to_vec", |plan, data| plan.par_copy_bytes_to_vec(4, &data.bytes).map(drop)),
    ("par_copy_bytes_into_vec", |plan, data| {
        plan.par_copy_bytes_into_vec(4, &data.bytes, &mut data.out_bytes)
    }),
    ("par_assign_bytes", |plan, data| plan.par_assign_bytes(4, &mut data.bytes, &data.out_bytes)),
    ("par_fill_bytes", |plan, data| plan.par_fill_bytes(&mut data.bytes, &[7; 4])),
    ("par_grad_bytes", |plan, data| plan.par_grad_bytes(4, &data.bytes, &mut data.out_bytes)),
    ("par_grad_bytes_uninit", |plan, data| {
        // SAFETY: only bytes of the slice are written.
        plan.par_grad_bytes_uninit(4, &data.bytes, unsafe { as_uninit(&mut data.out_bytes) })
    }),
    ("par_grad_bytes_to_vec", |plan, data| plan.par_grad_bytes_to_vec(4, &data.bytes).map(drop)),
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
            let before = shared_out();
            form(&plan, &mut data)?;
            // A gradient is shared out twice where it is filled first.
            assert_eq!(
                shared_out() > before,
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
    // Plain methods wait for the program to ask; `par_` methods do not ask the setting.
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
    each(&[("add_assign", |plan, data| plan.add_assign(&mut data.array, &data.out))], N, 2, false)
}
