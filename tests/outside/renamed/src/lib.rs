//! pyslice under another name.

use slices::{FixedPlan, Spec, plan, py, s};

/// A constant.
pub const CROP: Spec<2> = s![1:-1, 1:-1];
/// A plan on a shape that is written out, and one on a constant.
pub const PLANS: [FixedPlan<2, 1>; 2] =
    [plan!([4, 6]; 1, ::2), plan!(SHAPE; const { SHAPE[0] - 1 }, :3)];
const SHAPE: [usize; 2] = [4, 6];

/// Run-time values.
#[must_use]
pub fn rows(from: usize, to: Option<i32>) -> Spec<2, 2, 1> {
    py![from:to:2, -1]
}
