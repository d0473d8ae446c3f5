//! The rank of a result: [`SliceTo`].

use slice_core::{AsSpec, Rank, SliceRank, Spec, SpecBuf, SpecRef};

/// A slice that makes a tensor of `OUT` axes from one of `IN` axes.
///
/// The type of `s![...]` has its change of rank, so the compiler finds `OUT`. A slice known only at
/// run time ([`SpecBuf`], [`SpecRef`]) may make any rank: the type of the result says which one is
/// expected, as in `let y: Tensor<1> = x.pyslice(&typed)?`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not slice a tensor of {IN} axes; a slice is the value of `s![...]`, a \
               `SpecBuf` or a `SpecRef`",
    label = "this is `{Self}`",
    note = "write `s![1:3]` instead of a Rust range or an array, and `text.parse::<SpecBuf>()?` \
            for text",
    note = "for burn's own `s![a..b]`, call `slice`, or import `pyslice::s` by its name"
)]
pub trait SliceTo<const IN: usize, const OUT: usize>: AsSpec {}

impl<
    const IN: usize,
    const OUT: usize,
    const LEN: usize,
    const TAKES: usize,
    const DROPS: usize,
    const ADDS: usize,
> SliceTo<IN, OUT> for Spec<LEN, TAKES, DROPS, ADDS>
where
    Self: SliceRank<IN, Out: TensorRank<OUT>>,
{
}
// The compiler would list these beneath the message above.
#[diagnostic::do_not_recommend]
impl<const IN: usize, const OUT: usize> SliceTo<IN, OUT> for SpecBuf {}
#[diagnostic::do_not_recommend]
impl<const IN: usize, const OUT: usize> SliceTo<IN, OUT> for SpecRef<'_> {}
#[diagnostic::do_not_recommend]
impl<const IN: usize, const OUT: usize, T: SliceTo<IN, OUT>> SliceTo<IN, OUT> for &T {}

/// A result of that rank is a tensor of `OUT` axes.
pub trait TensorRank<const OUT: usize> {}
macro_rules! ranks {
    ($($rank:literal)*) => { $(
        impl TensorRank<$rank> for Rank<$rank> {}
    )* };
}
// A single element is a tensor of one axis, as burn's `sum` makes it.
impl TensorRank<1> for Rank<0> {}
ranks!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
