//! Functions and types that the macros' expansions use. They are not public and may change.

use crate::encoding::{Counts, Encoded, Entry, Masks, SpecRef};
use crate::error::SliceError;

pub use crate::encoding::negated::{Minus, NegatedBound, NegatedIndex, Plus};
pub use crate::encoding::{SliceBound, SliceIndex, Spec};
pub use crate::plan::FixedPlan;

/// A new axis.
pub const NEW_AXIS: Entry = Entry::NewAxis;
/// An ellipsis.
pub const ELLIPSIS: Entry = Entry::Ellipsis;
/// A bound or a step left out.
pub const ABSENT: Option<i64> = None;

/// A slice that the macro has encoded, in a constant.
///
/// The counts in its type follow from the masks. This is checked when the compiler evaluates the
/// constant, at no cost at run time.
#[track_caller]
#[inline]
pub const fn spec<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>(
    begin: [i64; LEN],
    end: [i64; LEN],
    strides: [i64; LEN],
    [begin_mask, end_mask, ellipsis, new_axis, shrink_axis]: [u32; 5],
) -> Spec<LEN, TAKES, DROPS, ADDS> {
    let masks = Masks { begin: begin_mask, end: end_mask, ellipsis, new_axis, shrink_axis };
    let found = Counts::of(masks, LEN);
    assert!(
        found.takes as usize == TAKES
            && found.drops as usize == DROPS
            && found.adds as usize == ADDS,
        "the masks of this slice say other numbers of axes than its type"
    );
    Spec::new(begin, end, strides, masks)
}

/// A slice with values that the macro could not know.
///
/// Nothing is refused here: a step of 0 is kept, and every plan refuses it. The same holds for
/// entries that do not match the counts in the type.
#[inline]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "i is below LEN, the length of every array here"
)]
pub const fn build<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>(
    entries: [Entry; LEN],
) -> Spec<LEN, TAKES, DROPS, ADDS> {
    let (mut begin, mut end, mut strides) = ([0; LEN], [0; LEN], [0; LEN]);
    let mut masks = Masks { begin: 0, end: 0, ellipsis: 0, new_axis: 0, shrink_axis: 0 };
    let mut i = 0;
    while i < LEN {
        // The macro has counted the ellipses. A second one would keep a step of 0.
        if !matches!(entries[i], Entry::Ellipsis) || masks.ellipsis == 0 {
            let e = Encoded::as_it_is(entries[i], i, masks);
            (begin[i], end[i], strides[i], masks) = (e.begin, e.end, e.stride, e.masks);
        }
        i += 1;
    }
    Spec::new(begin, end, strides, masks)
}

/// An index.
#[inline]
pub const fn index(value: i64) -> Entry {
    Entry::Index(value)
}

/// A range. A step that is left out is 1.
#[inline]
pub const fn range(start: Option<i64>, stop: Option<i64>, step: Option<i64>) -> Entry {
    let step = match step {
        Some(step) => step,
        None => 1,
    };
    Entry::Range { start, stop, step }
}

/// A bound or a step that is known.
#[inline]
pub const fn known(value: i64) -> Option<i64> {
    Some(value)
}

/// A primitive integer in `const { .. }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a slice; a slice takes integers",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`",
    note = "write `*x` for a reference, `x as i64` for a float or a boolean; leave the bound out for \
            `None`"
)]
pub trait ConstInteger {
    /// The type itself.
    type Integer;
    /// Whether the type has negative values.
    const SIGNED: bool;
}

macro_rules! const_integer {
    ($($t:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ConstInteger for $t {
            type Integer = $t;
            const SIGNED: bool = <$t>::MIN != 0;
        }
    )*};
}
const_integer!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// A function whose name an expansion can give to its variables, so that they are not read as
/// constants of the user's.
pub const fn shadowed() {}

/// The value of a `const { .. }`. That of another type is refused here, and has no type after that,
/// so that the compiler does not complain of the cast too.
#[inline]
pub const fn integer<T: ConstInteger<Integer = T>>(value: T) -> T::Integer {
    value
}

/// What a `const { .. }` is cast to; a user may have a type called `i128`.
pub type Wide = i128;

/// The value of a `const { .. }`, clamped to `i64`. `wide` is the value cast to `i128`, which only
/// the expansion can do: a `const fn` cannot convert a type that it does not know.
#[inline]
pub const fn const_value<T: ConstInteger>(_: &T, wide: Wide) -> i64 {
    if wide > i64::MAX as i128 || (wide < 0 && !T::SIGNED) {
        i64::MAX
    } else if wide < i64::MIN as i128 {
        i64::MIN
    } else {
        wide as i64
    }
}

/// The value of `-const { .. }`.
#[inline]
pub const fn const_negated(value: i64) -> i64 {
    value.saturating_neg()
}

/// The value of a `const { .. }` that stands as the step of this entry.
#[track_caller]
#[inline]
pub const fn const_step(entry: usize, step: i64) -> i64 {
    if step == 0 {
        refuse(SliceError::ZeroStep { entry });
    }
    step
}

/// What `plan!` takes as a shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape for `plan!`; a shape is an array of `usize`",
    label = "this is `{Self}`, not `[usize; N]`",
    note = "write the lengths, as in `plan!([4, 6]; 1, ::2)`, or a constant of type `[usize; N]`; \
            plan a shape that is known only at run time with `s![..].plan(&shape)`"
)]
pub trait ConstShape {
    /// How many axes it has.
    const RANK: usize;
}

#[diagnostic::do_not_recommend]
impl<const IN: usize> ConstShape for [usize; IN] {
    const RANK: usize = IN;
}

/// How many axes a shape has.
pub const fn rank<S: ConstShape>(_: &S) -> usize {
    S::RANK
}

/// How many axes are left of `rank`. If the slice does not fit, [`plan`] reports it.
pub const fn out_rank(rank: usize, drops: usize, adds: usize) -> usize {
    rank.saturating_sub(drops).saturating_add(adds)
}

/// The plan for a slice and a shape that the compiler knows.
#[track_caller]
pub const fn plan<const IN: usize, const OUT: usize>(
    spec: SpecRef<'_>,
    shape: [usize; IN],
) -> FixedPlan<IN, OUT> {
    match FixedPlan::new(spec, shape) {
        Ok(plan) => plan,
        Err(error) => refuse(error),
    }
}

/// What the crate slice-interop builds on: no call here can make a slice or a plan that breaks a
/// rule.
pub mod interop {
    pub use crate::algebra::runs::AxisPart;
    pub use crate::encoding::shorten;
    pub use crate::forms::axes::{ONNX_END, on_axes, resolve};
    pub use crate::infer::{Part, check_index, infer_parts, range as range_length};

    use crate::error::SliceError;
    use crate::plan::Plan;
    use alloc::vec::Vec;

    /// The most axes that a plan has.
    pub const MAX_RANK: usize = crate::plan::walk::MAX_RANK;

    /// The position of an index on an axis of length `n`; `None` if it is outside.
    #[inline]
    pub const fn position(index: i64, n: i64) -> Option<i64> {
        crate::axis::position(index, n)
    }

    /// What a slice takes on each axis of the input. `what` names for an error what is made of it.
    #[inline]
    pub fn takings(plan: &Plan, what: &'static str) -> Result<Vec<AxisPart>, SliceError> {
        plan.takings(what)
    }
}

/// What the crate slice-ndarray builds on: no safe call here reads or writes an element.
#[cfg(feature = "kernels")]
pub mod views {
    pub use crate::views::*;
}

/// Stops constant evaluation with the error's own text.
#[track_caller]
const fn refuse(error: SliceError) -> ! {
    match error.sentence() {
        Some(sentence) => sentence.panic(),
        None => panic!("the slice does not fit the shape"),
    }
}
