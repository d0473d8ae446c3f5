//! Planning at a constant rank, for slices that are constants: the compiler keeps each axis of such
//! a plan in a register. Without it, calls of small slices take up to three times as many
//! instructions.
//!
//! All that is there for the compiler's sake is here, in `walk_unrolled`, and in `small_calls`,
//! where such a plan is used.

use super::walk::{self, Axes, MAX_UNROLLED};
use super::{INLINE, Plan};
use crate::encoding::SpecRef;
use crate::error::SliceError;

/// Whether a slice of `len` entries, of which `takes` take an axis and `adds` add one, has planning
/// code of its own for arrays of `rank` axes: as many as it takes, and one to three more.
#[expect(clippy::arithmetic_side_effects, reason = "constants: ranks and entries are few")]
pub(super) const fn is_likely(len: usize, takes: usize, adds: usize, rank: usize) -> bool {
    // A written ellipsis usually stands for at least one axis.
    let ellipsis = if len > takes + adds { 1 } else { 0 };
    // Short slices often leave several axes whole: `[::-1]` of a picture, `[0]` of a batch.
    let left = 3_usize.saturating_sub(len);
    len <= MAX_UNROLLED
        && takes <= rank
        && rank <= takes + 1 + ellipsis + left
        && rank + adds <= INLINE
}

/// The rank of a result that was planned with its rank as a constant; [`Unrolled::NO`] for other
/// plans. It says how a plan was made, not what it does, so all values compare equal.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "kernels"), expect(dead_code, reason = "nobody asks but the copies"))]
pub(super) struct Unrolled(u8);

impl Unrolled {
    /// Rank 0 has no code of its own, so 0 can mean "none".
    pub(super) const NO: Self = Unrolled(0);
}

impl PartialEq for Unrolled {
    #[inline]
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Unrolled {}
impl core::hash::Hash for Unrolled {
    #[inline]
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

impl Plan {
    /// [`Plan::new`] out of line, with as little code as possible at the call.
    #[inline(never)]
    fn new_apart(spec: SpecRef<'_>, shape: &[usize]) -> Result<Plan, SliceError> {
        Plan::new(spec, shape)
    }

    /// [`Plan::new`] for a slice of `LEN` entries that is likely a constant: little of it is left
    /// after inlining.
    ///
    /// For a shape of as many axes as the slice takes, or of one to three more, the rank is a
    /// constant too. The compiler then sees each axis of the plan as a separate variable, and a
    /// plan that is made, used and dropped on one line never goes through memory, which would cost
    /// as much as planning. (`new` makes a second plan for the same reason: a plan whose address is
    /// taken has to be in memory.)
    ///
    /// Only release builds are told to inline this and what follows it: in a debug build each slice
    /// would get its own copy of all that code (100 slices: 26 MB and 6 s, not 8 MB and 0.4 s).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new_unrolled<'a, const LEN: usize, const TAKES: usize, const ADDS: usize>(
        spec: impl Fn() -> SpecRef<'a>,
        shape: &[usize],
    ) -> Result<Plan, SliceError> {
        macro_rules! ranks {
            ($($rank:literal)*) => { $(
                if const { is_likely(LEN, TAKES, ADDS, $rank) } {
                    if let Ok(shape) = <&[usize; $rank]>::try_from(shape) {
                        if let Some(plan) = Plan::new_at_rank::<LEN, $rank>(spec(), shape) {
                            return Ok(plan);
                        }
                    }
                }
            )* };
        }
        ranks!(1 2 3 4 5 6);
        let mut general = Plan::new_apart(spec(), shape)?;
        let heap = general.heap.take();
        // Returned directly, this plan would be made in the place of the result. That place would
        // then have to be in memory for the plans above too. The black box prevents this.
        let &Plan { axes, rank, input_rank, strided, offset, len, input_len, .. } =
            core::hint::black_box(&general);
        Ok(Plan {
            axes,
            rank,
            input_rank,
            strided,
            offset,
            len,
            input_len,
            heap,
            unrolled: Unrolled::NO,
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new_at_rank<const LEN: usize, const RANK: usize>(
        spec: SpecRef<'_>,
        shape: &[usize; RANK],
    ) -> Option<Plan> {
        let mut axes = Axes::ZERO;
        let head = walk::walk_unrolled::<LEN, RANK, INLINE, INLINE>(spec, shape, None, &mut axes)?;
        // The caller has checked that all of them fit.
        let rank = RANK.wrapping_sub(spec.drops()).wrapping_add(spec.adds()) as u8;
        Some(Plan {
            axes,
            rank,
            unrolled: Unrolled(rank),
            input_rank: RANK as u8,
            strided: 0,
            offset: head.offset,
            len: head.len,
            input_len: head.count,
            heap: None,
        })
    }

    /// How many axes the result has, if that was known at compile time.
    #[cfg(feature = "kernels")]
    #[inline(always)]
    pub(crate) fn unrolled(&self) -> Option<usize> {
        if self.unrolled.0 == Unrolled::NO.0 { None } else { Some(usize::from(self.unrolled.0)) }
    }
}
