//! Functions whose machine code `tests/codegen.rs` looks at.
#![allow(missing_docs)]

use pyslice::{FixedPlan, SpecRef, plan, s};

const PICK: SpecRef<'static> = s![0, ...].as_ref();
static TABLE: [SpecRef<'static>; 2] = [s![1:-1, ::2].as_ref(), PICK];
const PLAN: FixedPlan<3, 2> = plan!([4, 6, 8]; 1, ..., ::2);

#[unsafe(no_mangle)]
pub extern "C" fn spec_begin() -> i64 {
    s![1, 2:4].begin()[1]
}

#[unsafe(no_mangle)]
pub extern "C" fn spec_const_block() -> i64 {
    const N: usize = 40;
    s![const { N + 2 }:].begin()[0]
}

#[unsafe(no_mangle)]
pub extern "C" fn spec_table() -> &'static [SpecRef<'static>; 2] {
    &TABLE
}

#[unsafe(no_mangle)]
pub extern "C" fn spec_run_time(n: i64) -> i64 {
    s![n, 2:4].begin()[0]
}

#[unsafe(no_mangle)]
pub extern "C" fn plan_offset() -> usize {
    PLAN.offset() + PLAN.shape()[1]
}

#[unsafe(no_mangle)]
pub extern "C" fn plan_len() -> usize {
    plan!([5, 7]; ::2, 1:-1).len()
}
