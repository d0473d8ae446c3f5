//! The integers of lengths and strides, for the arithmetic of the planner (`axis`, `plan::walk`, `plan::extent`).
//!
//! They are the target's. `narrow` compiles these three files again, with others in their place.
#![allow(non_camel_case_types, reason = "`axis` is to read, and be documented, as if they were the names it knows")]

pub(crate) type usize = core::primitive::usize;
pub(crate) type isize = core::primitive::isize;
