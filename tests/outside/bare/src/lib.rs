//! No std, no prelude, and names of the user's own wherever an expansion could look.
#![no_std]
#![no_implicit_prelude]
#![allow(non_camel_case_types, non_upper_case_globals, clippy::upper_case_acronyms)]

use ::pyslice::{plan, py, s};

/// In the way.
pub mod core {}
/// In the way.
pub mod std {}
/// In the way.
pub mod alloc {}
/// In the way.
pub mod slice_core {}
/// In the way.
pub mod __private {}
/// In the way.
pub struct Spec;
/// In the way.
pub struct Entry;
/// In the way.
pub struct i128;
/// In the way.
pub struct u32;
/// In the way.
pub struct Some;
/// In the way.
pub struct None;
/// In the way.
pub enum Option {}
/// In the way.
pub const value: usize = 7;
/// In the way.
pub const v: usize = 7;
/// In the way.
pub const begin: usize = 2;
/// In the way.
pub const __pyslice_value: usize = 3;
/// In the way.
pub const __PYSLICE_PLAN: [usize; 2] = [4, 6];

/// In the way.
pub fn spec() {}
/// In the way.
pub fn index() {}
/// In the way.
pub fn range() {}

/// A literal.
pub const LITERAL: ::pyslice::Spec<3, 2, 1, 0> = s![1, ..., ::2];
/// A constant of the user's.
pub const CONSTANT: ::pyslice::Spec<2, 2, 1> = py![const { value }, const { begin }:];

/// Run-time values.
#[must_use]
pub fn run_time(end: usize) -> ::pyslice::Spec<3, 2, 1, 1> {
    s![begin:end, None, value]
}

/// A plan.
#[must_use]
pub fn planned() -> ::pyslice::FixedPlan<2, 1> {
    plan!([4, 6]; const { begin }, ::2)
}

/// Constants that have the names which an expansion uses itself.
pub const OURS: ::pyslice::Spec<2, 2, 1> =
    s![const { __pyslice_value }, ::const { begin + __pyslice_value }];

/// The same for a plan.
pub const PLANNED: ::pyslice::FixedPlan<2, 1> = plan!(__PYSLICE_PLAN; const { __pyslice_value });
