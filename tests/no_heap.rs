//! What must not allocate: literal slices, plans of up to eight axes, and moving into a buffer.
//!
//! One test in a program of its own, because it counts every allocation of its thread.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pyslice::{FixedPlan, s};

/// The system's allocator, counting.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is the one the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above; `at` came from `System` by way of `alloc`.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `body` asks for memory.
fn allocations<T>(body: impl FnOnce() -> T) -> usize {
    let before = COUNT.get();
    let kept = body();
    let count = COUNT.get() - before;
    drop(kept);
    count
}

#[test]
fn no_heap_up_to_rank_8() {
    assert!(allocations(|| std::hint::black_box(Box::new(1))) > 0, "the allocator counts");
    let (start, shape) = (std::hint::black_box(1_usize), [2, 3, 2, 3, 2, 3, 2, 3]);
    assert_eq!(allocations(|| s![start, 2:4, None, ..., :-3:-1, :]), 0);
    assert_eq!(allocations(|| s![start, ..., None, ::-1].plan(&shape).unwrap()), 0);
    assert_eq!(allocations(|| s![..., ::2].strict().plan(&shape).unwrap()), 0);
    assert_eq!(allocations(|| s![9].plan(&shape).unwrap_err()), 0);
    let strides = [1, 2, 6, 12, 36, 72, 216, 432];
    assert_eq!(allocations(|| s![..., ::-1].plan_strided(&shape, &strides).unwrap()), 0);
    let fixed = || FixedPlan::<8, 7>::new(s![1].as_ref(), shape).unwrap();
    assert_eq!(allocations(fixed), 0);

    let plan = s![::-1, ..., ::2].plan(&shape).unwrap();
    assert_eq!(allocations(|| plan.then(s![0, ..., ::-1]).unwrap()), 0);
    let data = vec![1_u32; plan.input_len()];
    let mut target = data.clone();
    let mut out = vec![0; plan.len()];
    assert_eq!(allocations(|| plan.copy_into(&data, &mut out[..]).unwrap()), 0);
    assert_eq!(allocations(|| plan.assign(&mut target, &out).unwrap()), 0);
    assert_eq!(allocations(|| plan.fill(&mut target, 3).unwrap()), 0);
    assert_eq!(allocations(|| plan.add_assign(&mut target, &out).unwrap()), 0);
    assert_eq!(allocations(|| plan.grad_into(&out, &mut target).unwrap()), 0);
    // A new result is the one thing that `copy` and `grad` ask for.
    assert_eq!(allocations(|| plan.copy(&data).unwrap()), 1);
    assert_eq!(allocations(|| plan.grad(&out).unwrap()), 1);
    // A short slice that owns its entries keeps them in place, and a chunk its coordinates.
    assert_eq!(allocations(|| s![1, ..., ::2].to_buf()), 0);
    let chunks = s![::2, 1].plan(&[40, 6]).unwrap();
    let mut walk = chunks.chunks(&[7, 4]).unwrap();
    assert_eq!(allocations(|| walk.next().unwrap()), 0);
}
