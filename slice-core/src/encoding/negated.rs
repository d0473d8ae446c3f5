//! `-n` for run-time values of every integer type. In Python it counts from the end; Rust does not
//! allow it for unsigned integers.
//!
//! The macros turn `-n` into `NegatedBound(n).method()`. The compiler looks for the method on the
//! wrapper first, where every primitive integer has it, and then behind its `Deref`, where every
//! other type has it that Rust negates to an integer, such as a reference. One trait could not
//! serve both: the compiler has to assume that `usize` may implement `Neg` one day. An operator on
//! the way would fix the type of an unsuffixed `n` too early.

use super::value::{SliceBound, SliceIndex};
use core::ops::{Deref, Neg};

/// A primitive integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be negated in a slice; a slice takes integers",
    label = "this is `{Self}`, not an integer"
)]
pub trait Negate: SliceIndex {
    /// The negated value, saturated to `i64`.
    fn negate(self) -> i64;
}

macro_rules! negate {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Negate for $t {
            #[inline(always)]
            fn negate(self) -> i64 {
                #[allow(unused_comparisons, reason = "unsigned types are never below zero")]
                match i64::try_from(self) {
                    Ok(v) => v.saturating_neg(),
                    Err(_) if self < 0 => i64::MAX,
                    Err(_) => i64::MIN,
                }
            }
        }
    )* };
}
negate!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// Types that are not primitive integers, but negate to an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be negated to give an index; an index is an integer",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`",
    note = "write `-*x` for a reference, `-(x as i64)` for a float or a boolean, \
            `-x.unwrap_or(0)` for an `Option`"
)]
pub trait NegatesToIndex: Copy {
    /// The negated value.
    fn negated(self) -> i64;
}

#[diagnostic::do_not_recommend]
impl<T: Neg<Output: SliceIndex> + Copy> NegatesToIndex for T {
    #[inline(always)]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the type's own operator, which the user wrote"
    )]
    fn negated(self) -> i64 {
        (-self).to_index()
    }
}

/// Types that are not primitive integers, but negate to a bound or a step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be negated to give a bound or a step; these are integers",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`",
    note = "write `-*x` for a reference, `-(x as i64)` for a float or a boolean, `x.map(|x| -(x \
            as i64))` for an `Option`"
)]
pub trait NegatesToBound: Copy {
    /// The negated value.
    fn negated(self) -> Option<i64>;
}

#[diagnostic::do_not_recommend]
impl<T: Neg<Output: SliceBound> + Copy> NegatesToBound for T {
    #[inline(always)]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the type's own operator, which the user wrote"
    )]
    fn negated(self) -> Option<i64> {
        (-self).to_bound()
    }
}

macro_rules! wrapper {
    (
        $(#[$doc:meta])* $name:ident, $other:ident, $trait:ident, $result:ty,
        |$value:ident| $integer:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name<T>($other<T>);

        /// The same for types that are not primitive integers.
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $other<T>(T);

        impl<T> $name<T> {
            /// Holds the value after the `-`.
            #[inline(always)]
            pub const fn of(value: T) -> Self {
                $name($other(value))
            }
        }

        impl<T: Negate> $name<T> {
            /// The method that the macros call: the compiler prints this name where a run-time
            /// value is not allowed.
            #[inline(always)]
            pub fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(self) -> $result {
                let $value = self.0.0.negate();
                $integer
            }
        }

        impl<T> Deref for $name<T> {
            type Target = $other<T>;

            #[inline(always)]
            fn deref(&self) -> &$other<T> {
                &self.0
            }
        }

        impl<T> $other<T> {
            /// As for primitive integers.
            #[inline(always)]
            pub fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(&self) -> $result
            where
                T: $trait,
            {
                self.0.negated()
            }
        }
    };
}
wrapper!(
    /// `-n` as an index.
    NegatedIndex, OtherIndex, NegatesToIndex, i64, |value| value
);
wrapper!(
    /// `-n` as a bound or a step.
    NegatedBound, OtherBound, NegatesToBound, Option<i64>, |value| Some(value)
);
