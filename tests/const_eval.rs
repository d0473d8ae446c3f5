//! Slices and plans in constant contexts: what compiles here costs nothing at run time.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::{
    AxisRun, Dim, Entry, FixedPlan, Masks, Plan, SliceError, Spec, SpecRef, axis_run, plan, s,
};

const CROP: Spec<2> = s![1:-1, 1:-1];
const PICK: SpecRef<'static> = s![0, ...].as_ref();
const WORKED: Spec<6, 4, 1, 1> = s![1, 2:4, None, ..., :-3:-1, :];
const HALF: i64 = 8 / 2;
const BY_VALUE: Spec<2, 2, 1> = s![const { HALF }, :const { HALF - 1 }:const { -HALF }];
const BACK: usize = 3;
const NEGATIVE: Spec<2, 2, 1> =
    s![-const { BACK }, (-const { BACK }):-(const { u8::MAX }):- -const { BACK }];
const EMPTY: Spec<0> = s![];

static TABLE: [SpecRef<'static>; 4] =
    [s![..., ::-1].as_ref(), s![::2, ::2].as_ref(), s![None, 0].as_ref(), s![].as_ref()];

const fn last_row() -> Spec<1, 1, 1> {
    s![-1]
}

const fn rows<const N: i64>() -> Spec<1> {
    s![const { N }:]
}
const ROWS: Spec<1> = rows::<2>();

/// Methods of a constant, in a constant.
const WORKED_MASKS: Masks = WORKED.masks();
const WORKED_ENDS: &[i64] = WORKED.as_ref().end();
const TAKEN: usize = WORKED.takes() + WORKED.drops() + WORKED.adds();
const SECOND: Option<Entry> = WORKED.as_ref().entry(1);

/// A run decides the length of an array.
const RUN: AxisRun = match axis_run(10, None, Some(-3), -1) {
    Ok(run) => run,
    Err(_) => panic!("a step of -1 is not a mistake"),
};
static PICKED: [u8; RUN.len] = [7; RUN.len];

/// A plan whose shapes the compiler knows, and a mistake it knows as well.
const PLAN: FixedPlan<3, 2> = match FixedPlan::new(s![1, ..., ::2].as_ref(), [4, 6, 8]) {
    Ok(plan) => plan,
    Err(_) => panic!("it fits"),
};
const OUTSIDE: Result<FixedPlan<1, 0>, SliceError> = FixedPlan::new(s![7].as_ref(), [4]);
const STRIDE: isize = PLAN.strides()[1];

#[test]
fn constants_hold_what_they_say() {
    assert_eq!(CROP.to_string(), "1:-1, 1:-1");
    assert_eq!(PICK.to_string(), "0, ...");
    assert_eq!(BY_VALUE.to_string(), "4, :3:-4");
    assert_eq!(NEGATIVE.to_string(), "-3, -3:-255:3");
    assert_eq!(s![-const { u64::MAX }:], s![-9223372036854775807:]);
    assert_eq!(s![-const { i64::MIN }:], s![9223372036854775807:]);
    assert_eq!(s![BACK, -const { BACK }:], s![3, -3:]);
    assert_eq!(plan!([8]; -const { BACK }:).offset(), 5);
    assert_eq!(EMPTY.to_string(), "()");
    assert_eq!(last_row().to_string(), "-1");
    assert_eq!(ROWS, s![2:]);
    let table: Vec<String> = TABLE.iter().map(ToString::to_string).collect();
    assert_eq!(table, ["..., ::-1", "::2, ::2", "None, 0", "()"]);
    assert_eq!(SECOND, Some(Entry::Range { start: Some(2), stop: Some(4), step: 1 }));
    assert_eq!((TAKEN, PICKED.len()), (4 + 1 + 1, 2));
    assert_eq!(Dim::Between(2, 9).limits(), (2, 9));
}

/// The example of the reference page, number by number.
#[test]
fn the_worked_example_encodes_as_the_reference_says() {
    assert_eq!(WORKED.begin(), [1, 2, 0, 0, 0, 0]);
    assert_eq!(WORKED_ENDS, [2, 4, 0, 0, -3, 0]);
    assert_eq!(WORKED.strides(), [1, 1, 1, 1, -1, 1]);
    assert_eq!(
        WORKED_MASKS,
        Masks { begin: 48, end: 32, ellipsis: 8, new_axis: 4, shrink_axis: 1 }
    );
    let plan: Plan = WORKED.plan(&[5, 5, 5, 5, 5, 5]).unwrap();
    assert_eq!(plan.shape(), [2, 1, 5, 5, 2, 5]);
}

#[test]
fn a_fixed_plan_is_the_plan() {
    let plan = s![1, ..., ::2].plan(&[4, 6, 8]).unwrap();
    assert_eq!((&PLAN.shape()[..], &PLAN.strides()[..]), (plan.shape(), plan.strides()));
    assert_eq!(
        (PLAN.offset(), PLAN.len(), PLAN.input_len()),
        (plan.offset(), plan.len(), plan.input_len())
    );
    assert_eq!(STRIDE, 2);
    let data: Vec<u16> = (0..192).collect();
    assert_eq!(PLAN.copy(&data), plan.copy(&data));
    assert_eq!(OUTSIDE, Err(SliceError::IndexOutOfRange { index: 7, axis: 0, len: 4 }));
}
