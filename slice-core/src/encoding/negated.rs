//! `-n` for run-time values of every integer type. In Python it counts from the end; Rust does not
//! allow it for unsigned integers.
//!
//! The macros turn `-n` into `NegatedBound::of(n).method()`, and `-n - 1 + m` into
//! `NegatedBound::of(n).sum_method(Plus(Minus((), 1), m))`. The compiler looks for the method on the
//! wrapper first, where every primitive integer has it, and then behind its `Deref`, where every
//! other type has it that Rust negates to an integer, such as a reference. One trait could not
//! serve both: the compiler has to assume that `usize` may implement `Neg` one day. An operator on
//! the way would fix the type of an unsuffixed `n` too early, and in a constant it would be an
//! error of its own.

use super::value::{SliceBound, SliceIndex, sealed};
use core::marker::PhantomData;
use core::ops::{Add, Deref, Neg, Sub};

/// A primitive integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be negated in a slice; a slice takes integers",
    label = "this is `{Self}`, not an integer"
)]
pub trait Negate: SliceIndex {
    /// The value, saturated to `i128`.
    fn wide(self) -> i128;
}

macro_rules! negate {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Negate for $t {
            #[inline]
            fn wide(self) -> i128 {
                i128::try_from(self).unwrap_or(i128::MAX)
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
            `-x.unwrap_or(0)` for an `Option`, `-x.get()` for a `NonZero`",
    note = "all values of a sum have one type"
)]
pub trait NegatesToIndex<M>: Copy {
    /// The negated value, and what is added to it.
    fn negated(self, more: M) -> i64;
}

#[diagnostic::do_not_recommend]
impl<T, M> NegatesToIndex<M> for T
where
    T: Neg + Copy,
    M: Terms<T::Output, Sum: SliceIndex>,
{
    #[inline]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the type's own operator, which the user wrote"
    )]
    fn negated(self, more: M) -> i64 {
        more.after(-self).to_index()
    }
}

/// Types that are not primitive integers, but negate to a bound or a step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be negated to give a bound or a step; these are integers",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`",
    note = "write `-*x` for a reference, `-(x as i64)` for a float or a boolean, `-x.get()` for a \
            `NonZero`, `x.map(|x| -(x as i64))` for an `Option`",
    note = "all values of a sum have one type"
)]
pub trait NegatesToBound<M>: Copy {
    /// The negated value, and what is added to it.
    fn negated(self, more: M) -> Option<i64>;
}

#[diagnostic::do_not_recommend]
impl<T, M> NegatesToBound<M> for T
where
    T: Neg + Copy,
    M: Terms<T::Output, Sum: SliceBound>,
{
    #[inline]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the type's own operator, which the user wrote"
    )]
    fn negated(self, more: M) -> Option<i64> {
        more.after(-self).to_bound()
    }
}

/// A sum of integers of one type that begins with `-n`. It may be negative where the type has no
/// negative values.
#[derive(Clone, Copy, Debug)]
pub struct Negative<T>(i128, PhantomData<T>);

impl<T> sealed::Sealed for Negative<T> {}
#[diagnostic::do_not_recommend]
impl<T> SliceIndex for Negative<T> {
    #[inline]
    fn to_index(self) -> i64 {
        self.0.to_index()
    }
}
#[diagnostic::do_not_recommend]
impl<T> SliceBound for Negative<T> {
    #[inline]
    fn to_bound(self) -> Option<i64> {
        Some(self.0.to_index())
    }
}

/// The rest of a sum behind `-n`: nothing, or more terms and then `- m` or `+ m`.
#[diagnostic::on_unimplemented(
    message = "the values of this sum have different types",
    label = "this sum begins with a minus sign",
    note = "write a conversion of each value that has another type, as in `-(n as i64) + m`"
)]
pub trait Terms<V> {
    /// The type of the sum.
    type Sum;
    /// The sum with this value before it.
    fn after(self, value: V) -> Self::Sum;
}

#[diagnostic::do_not_recommend]
impl<V> Terms<V> for () {
    type Sum = V;

    #[inline]
    fn after(self, value: V) -> V {
        value
    }
}

macro_rules! term {
    ($($name:ident, $op:ident $method:ident, $saturating:ident, $doc:literal;)*) => { $(
        #[doc = $doc]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<L, B>(pub L, pub B);

        #[diagnostic::do_not_recommend]
        impl<V, L: Terms<V, Sum: $op<B>>, B> Terms<V> for $name<L, B> {
            type Sum = <L::Sum as $op<B>>::Output;

            #[inline]
            fn after(self, value: V) -> Self::Sum {
                $op::$method(self.0.after(value), self.1)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Negate> $op<T> for Negative<T> {
            type Output = Self;

            #[inline]
            fn $method(self, n: T) -> Self {
                Self(self.0.$saturating(n.wide()), PhantomData)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Negate + Copy> $op<&T> for Negative<T> {
            type Output = Self;

            #[inline]
            fn $method(self, n: &T) -> Self {
                Self(self.0.$saturating(n.wide()), PhantomData)
            }
        }
    )* };
}
term! {
    Minus, Sub sub, saturating_sub, "Terms, and one that is taken away.";
    Plus, Add add, saturating_add, "Terms, and one that is added.";
}

macro_rules! wrapper {
    (
        $(#[$doc:meta])* $name:ident, $other:ident, $trait:ident, $bound:ident, $to:ident, $result:ty
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
            #[inline]
            pub const fn of(value: T) -> Self {
                $name($other(value))
            }
        }

        impl<T: Negate> $name<T> {
            /// The method that the macros call: the compiler prints this name where a run-time
            /// value is not allowed.
            #[inline]
            pub fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(self) -> $result {
                self.sum_in_a_const_write_const_braces_and_in_a_const_fn_only_constants(())
            }

            /// The same for a sum that begins with it.
            #[inline]
            pub fn sum_in_a_const_write_const_braces_and_in_a_const_fn_only_constants<M>(
                self,
                more: M,
            ) -> $result
            where
                M: Terms<Negative<T>, Sum: $bound>,
            {
                let negative = Negative(self.0.0.wide().saturating_neg(), PhantomData);
                more.after(negative).$to()
            }
        }

        impl<T> Deref for $name<T> {
            type Target = $other<T>;

            #[inline]
            fn deref(&self) -> &$other<T> {
                &self.0
            }
        }

        impl<T> $other<T> {
            /// As for primitive integers.
            #[inline]
            pub fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(&self) -> $result
            where
                T: $trait<()>,
            {
                self.0.negated(())
            }

            /// As for primitive integers.
            #[inline]
            pub fn sum_in_a_const_write_const_braces_and_in_a_const_fn_only_constants<M>(
                &self,
                more: M,
            ) -> $result
            where
                T: $trait<M>,
            {
                self.0.negated(more)
            }
        }
    };
}
wrapper!(
    /// `-n` as an index.
    NegatedIndex, OtherIndex, NegatesToIndex, SliceIndex, to_index, i64
);
wrapper!(
    /// `-n` as a bound or a step.
    NegatedBound, OtherBound, NegatesToBound, SliceBound, to_bound, Option<i64>
);
