//! What a plan does with a buffer.
//!
//! | NumPy | here | file |
//! | --- | --- | --- |
//! | `x[spec]` | `plan.on(&x)`, a [`View`] | `view` |
//! | `x[spec].copy()` | `plan.copy(&x)`, `view.copy_into(..)` | `copy`, `small` |
//! | `x[spec] = v` | `plan.assign(&mut x, v)`, where `v` is any [`Values`] | `assign`, `values` |
//! | `x[spec] += v` | `plan.add_assign(&mut x, v)`, `view_mut.zip(v, f)` | `zip` |
//! | `x[to] = x[from]` | `from.move_within(&to, &mut x)` | `within`, `reverse` |
//! | the gradient of `x[spec]` | `plan.grad(&dy)` | `grad` |
//! | elements of run-time types | `plan.bytes(size)` | `bytes` |
//! | several threads | `view.par()` | `parallel` |
//! | `x[1, 2]` | `plan.get(&x)` | `element` |

mod assign;
mod bytes;
mod copy;
mod element;
mod grad;
mod parallel;
#[cfg(all(test, feature = "rayon"))]
mod parallel_tests;
mod reverse;
mod small;
pub(crate) mod values;
mod view;
pub(crate) mod within;
pub(crate) mod zip;

pub use bytes::Bytes;
pub use copy::Out;
pub use values::{Shaped, Values};
pub use view::{View, ViewMut};
pub use zip::Iter;
