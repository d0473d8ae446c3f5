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

const SMALL2D: FixedPlan<2, 2> = plan!([8, 8]; 1:, 1:);
const SMALLIDX: FixedPlan<3, 2> = plan!([4, 4, 4]; 2, ..., ::2);

#[unsafe(no_mangle)]
pub fn fixed_small2d(x: &[f32; 64], out: &mut [f32; 49]) -> bool {
    SMALL2D.copy_into(x, out).is_ok()
}

/// The same moves, but from another place: two functions of the same code would be made one.
#[unsafe(no_mangle)]
pub fn hand_small2d(x: &[f32; 64], out: &mut [f32; 49]) -> bool {
    for i in 0..7 {
        for j in 0..7 {
            out[i * 7 + j] = x[8 * i + j + 8];
        }
    }
    true
}

#[unsafe(no_mangle)]
pub fn fixed_smallidx(x: &[f32; 64], out: &mut [f32; 8]) -> bool {
    SMALLIDX.copy_into(x, out).is_ok()
}

#[unsafe(no_mangle)]
pub fn hand_smallidx(x: &[f32; 64], out: &mut [f32; 8]) -> bool {
    for i in 0..4 {
        for j in 0..2 {
            out[i * 2 + j] = x[16 + 4 * i + 2 * j];
        }
    }
    true
}

#[unsafe(no_mangle)]
pub fn fixed_assigned(x: &mut [f32; 64], values: &[f32; 49]) -> bool {
    SMALL2D.assign(x, values).is_ok()
}

#[unsafe(no_mangle)]
pub fn hand_assigned(x: &mut [f32; 64], values: &[f32; 49]) -> bool {
    for i in 0..7 {
        for j in 0..7 {
            x[8 * i + j + 8] = values[i * 7 + j];
        }
    }
    true
}

#[unsafe(no_mangle)]
pub fn fixed_filled(x: &mut [f32; 64], value: f32) -> bool {
    SMALLIDX.fill(x, value).is_ok()
}

#[unsafe(no_mangle)]
pub fn hand_filled(x: &mut [f32; 64], value: f32) -> bool {
    for i in 0..4 {
        for j in 0..2 {
            x[16 + 4 * i + 2 * j] = value;
        }
    }
    true
}
