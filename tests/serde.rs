//! Slices and plans are written and read again, and forged ones are refused.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Entry, FixedPlan, Masks, Plan, Spec, SpecBuf, plan, s};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;
use support::{check, generate};

/// Writes a value and reads it again, in a human-readable format and in a binary one.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let bytes = postcard::to_allocvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value, "{bytes:?}");
}

#[test]
fn a_slice_is_text_for_people_and_masks_for_machines() {
    const PICK: Spec<6, 4, 1, 1> = s![1, 2:4, None, ..., :-3:-1, :];
    assert_eq!(serde_json::to_value(PICK).unwrap(), json!("1, 2:4, None, ..., :-3:-1, :"));
    assert_eq!(serde_json::to_value(PICK.as_ref()).unwrap(), json!("1, 2:4, None, ..., :-3:-1, :"));
    round_trip(&PICK);
    round_trip(&PICK.to_buf());
    round_trip(&s![]);
    let masks = json!({
        "begin": [1, 2, 0, 0, 0, 0], "end": [2, 4, 0, 0, -3, 0], "strides": [1, 1, 1, 1, -1, 1],
        "masks": { "begin": 48, "end": 32, "ellipsis": 8, "new_axis": 4, "shrink_axis": 1 },
    });
    assert_eq!(serde_json::from_value::<SpecBuf>(masks).unwrap(), PICK.to_buf());
    // The same numbers, one byte each here, zigzag, without text.
    let bytes = postcard::to_allocvec(&s![1, ::-1]).unwrap();
    assert_eq!(bytes, [2, 2, 0, 2, 4, 0, 2, 2, 1, 2, 2, 0, 0, 1, 0]);
    // Text cannot say that a slice is strict.
    let strict = s![1:3].strict();
    assert_eq!(serde_json::to_value(strict).unwrap()["strict"], json!(true));
    round_trip(&strict);
    // A slice that has no text is written as masks in human-readable formats too.
    let odd = SpecBuf::from_masks(&[1], &[0], &[-1], Masks { shrink_axis: 1, ..Masks::default() })
        .unwrap();
    assert!(serde_json::to_value(&odd).unwrap().is_object());
    round_trip(&odd);
    let last = SpecBuf::from_entries([Entry::FULL, Entry::Index(i64::MAX)]).unwrap();
    assert!(last.to_string().parse::<SpecBuf>().is_err());
    assert!(serde_json::to_value(&last).unwrap().is_object());
    round_trip(&last);
    round_trip(
        &SpecBuf::from_entries([Entry::Index(i64::MAX - 1), Entry::Index(i64::MIN)]).unwrap(),
    );
}

/// Every slice that is written can be read, so one that could not is refused when it is written.
#[test]
fn a_step_of_0_does_not_go_out() {
    let step = 0;
    let refused = s![:, 2, ::step];
    assert!(refused.to_string().parse::<SpecBuf>().is_err());
    let error = serde_json::to_string(&refused).unwrap_err().to_string();
    assert!(error.contains("step is 0 on entry 2"), "{error}");
    assert!(postcard::to_allocvec(&refused.to_buf()).is_err());
}

proptest! {
    #![proptest_config(generate::config(2000))]

    /// Numbers of any size: a text that is printed parses back, or masks are written instead.
    #[test]
    fn any_entries_go_round(entries in proptest::collection::vec(entry(), 0..6),
                           strict: bool) {
        let spec = SpecBuf::from_entries(&entries).unwrap();
        let spec = if strict { spec.strict() } else { spec };
        round_trip(&spec);
        let parses = spec.to_string().parse() == Ok(spec.clone());
        prop_assert_eq!(serde_json::to_value(&spec).unwrap().is_string(), parses, "{}", spec);
    }
}

fn entry() -> impl Strategy<Value = Entry> {
    let number =
        || prop_oneof![3 => -3..4_i64, 1 => Just(i64::MAX), 1 => Just(i64::MIN), 1 => any::<i64>()];
    let bound = || proptest::option::of(number());
    prop_oneof![
        2 => number().prop_map(Entry::Index),
        1 => Just(Entry::NewAxis),
        4 => (bound(), bound(), number()).prop_map(|(start, stop, step)| {
            Entry::Range { start, stop, step: if step == 0 { 1 } else { step } }
        }),
    ]
}

#[test]
fn slices_are_checked_when_they_come_in() {
    let refused = |json: Value, words: &str| {
        let error = serde_json::from_value::<SpecBuf>(json).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(json!("1:2:0"), "step is 0");
    refused(json!("..., ..."), "second `...`");
    refused(json!("1 2"), "`");
    refused(json!(7), "a slice as text");
    let masks = json!({ "begin": 0, "end": 0, "ellipsis": 3, "new_axis": 0, "shrink_axis": 0 });
    refused(
        json!({ "begin": [0, 0], "end": [0, 0], "strides": [1, 1], "masks": masks }),
        "second `...`",
    );
    let none = json!({ "begin": 0, "end": 0, "ellipsis": 0, "new_axis": 0, "shrink_axis": 0 });
    refused(
        json!({ "begin": [0], "end": [0, 0], "strides": [1], "masks": none }),
        "`end` has length 2",
    );
    refused(
        json!({ "begin": vec![0; 32], "end": vec![0; 32], "strides": vec![1; 32], "masks": none }),
        "32 entries",
    );
    refused(json!({ "begin": [0], "end": [0], "strides": [0], "masks": none }), "step is 0");
    let entry = json!({ "Range": { "start": 1, "stop": 2, "step": 0 } });
    let error = serde_json::from_value::<Entry>(entry).unwrap_err().to_string();
    assert_eq!(error, "the step of a range is never 0");

    // The counts in the type must hold.
    assert!(serde_json::from_value::<Spec<2>>(json!("1:, ::2")).is_ok());
    for other in ["1:", "1:, 0", "1:, None", "..., :"] {
        let error = serde_json::from_value::<Spec<2>>(json!(other)).unwrap_err().to_string();
        assert!(error.contains("its type has"), "{error}");
    }
    assert!(postcard::from_bytes::<SpecBuf>(&[2, 2, 0, 2, 4]).is_err());
}

#[test]
fn plans_go_round() {
    let spec: SpecBuf = "1, 2:4, None, ..., :-3:-1, :".parse().unwrap();
    let made = spec.plan(&[5; 6]).unwrap();
    round_trip(&made);
    round_trip(&made.then(s![0, ..., ::-1]).unwrap());
    round_trip(&spec.plan_strided(&[5, 5, 5, 5], &[-1, 5, 0, 125]).unwrap());
    // More axes than a plan keeps in place; empty ones; a stride that is never walked.
    round_trip(&s![None, ..., ::-1, None].plan(&[2; 11]).unwrap());
    round_trip(&s![:0, ::-1].plan(&[3, 4]).unwrap());
    round_trip(&s![::9223372036854775807, ::-9223372036854775808].plan(&[3, 4]).unwrap());
    round_trip(&s![].plan(&[]).unwrap());
    round_trip(&s![:].plan(&[isize::MAX as usize]).unwrap());
    let long = 1 << (usize::BITS * 5 / 8);
    round_trip(&s![1].plan(&[long, long, 0]).unwrap());
    const FIXED: FixedPlan<3, 2> = plan!([4, 6, 8]; 1, ..., ::2);
    round_trip(&FIXED);
    assert_eq!(
        serde_json::to_value(FIXED).unwrap(),
        json!({ "input_shape": [4, 6, 8], "input_len": null, "offset": 48, "axes": [[6, 8, 1], [4, 2, 2]] })
    );
    let text = serde_json::to_string(&FIXED).unwrap();
    assert!(serde_json::from_str::<FixedPlan<3, 3>>(&text).is_err());
    assert!(serde_json::from_str::<FixedPlan<2, 2>>(&text).is_err());
}

/// A plan of the given parts, as untrusted input may have it.
fn forged(
    input_shape: Value,
    input_len: Value,
    offset: Value,
    axes: Value,
) -> Result<Plan, String> {
    let json = json!({ "input_shape": input_shape, "input_len": input_len, "offset": offset, "axes": axes });
    serde_json::from_value(json).map_err(|e| e.to_string())
}

/// Plans whose numbers are consistent, but name elements that the array does not have.
#[test]
#[cfg(target_pointer_width = "64")]
fn plans_that_leave_their_array_are_refused() {
    let read = |shape: Value, len: Value, offset: u64, axes: Value| {
        serde_json::from_value::<Plan>(
            json!({ "input_shape": shape, "input_len": len, "offset": offset, "axes": axes }),
        )
    };
    let side = 1_u64 << 32;
    assert!(read(json!([4]), json!(4), 0, json!([[side, 0, null], [side, 0, null]])).is_err());
    assert!(read(json!([4, 5]), json!(null), 0, json!([[2, 7, 0]])).is_err());
    assert!(read(json!([4, 5]), json!(null), 6, json!([[3, -1, 1]])).is_err());
    assert!(read(json!([4, 5]), json!(null), 7, json!([[3, -1, 1]])).is_ok());
}

#[test]
fn forged_plans_are_refused() {
    let null = Value::Null;
    assert!(forged(json!([4, 5]), null.clone(), json!(9), json!([[2, 5, 0], [3, -2, 1]])).is_ok());
    let cases = [
        // Past the end, before the start, an offset that no buffer has.
        (json!([4, 5]), null.clone(), json!(19), json!([[4, 5, 0]])),
        (json!([4, 5]), null.clone(), json!(1), json!([[2, -5, 0]])),
        (json!([4, 5]), null.clone(), json!(20), json!([])),
        (json!([4, 5]), null.clone(), json!(u64::MAX), json!([[4, 5, 0]])),
        // Inside the buffer, but running from one axis into the next.
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 4, 1]])),
        (json!([4, 5]), null.clone(), json!(3), json!([[3, 1, 1]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 1, 0]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 0, 0]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 7, 0]])),
        // More than there is, axes out of order, twice, or of no input; a stride on a new axis, a
        // long new axis.
        (json!([4, 5]), null.clone(), json!(0), json!([[6, 1, 1]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[5, 1, 1], [4, 5, 0]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 5, 0], [4, 5, 0]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[1, 5, 0], [4, 5, 0]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[5, 1, 1], [1, 1, 1]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, 5, 2]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[1, 3, null]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[2, 0, null]])),
        // Empty, with an offset; elements of an empty array.
        (json!([4, 5]), null.clone(), json!(1), json!([[0, 5, 0]])),
        (json!([0, 5]), null.clone(), json!(0), json!([[5, 1, 1]])),
        (json!([0, 5]), json!(5), json!(0), json!([[5, 1, 1]])),
        (
            json!([1_u64 << 40, 1_u64 << 40, 0]),
            null.clone(),
            json!(0),
            json!([[1_u64 << 40, 0, 0], [1_u64 << 40, 0, 1]]),
        ),
        // Sizes that overflow, and ranks beyond the limit.
        (json!([u64::MAX, 5]), null.clone(), json!(0), json!([[4, 5, 0]])),
        (json!([1_u64 << 62, 4]), null.clone(), json!(0), json!([[4, 5, 0]])),
        (json!([u64::MAX, 0]), null.clone(), json!(0), json!([[0, 5, 1]])),
        (json!([4, 5]), null.clone(), json!(0), json!([[4, i64::MIN, 0]])),
        (json!(vec![1; 255]), null.clone(), json!(0), json!([])),
        (json!([1]), null, json!(0), json!(vec![json!([1, 0, null]); 255])),
        // Strided: outside the length given.
        (json!([4, 5]), json!(10), json!(0), json!([[4, 5, 0]])),
        (json!([4, 5]), json!(u64::MAX), json!(0), json!([[4, 5, 0]])),
        (json!([4, 5]), json!(100), json!(4), json!([[4, -5, 0]])),
        (json!([4, 5]), json!(100), json!(0), json!([[4, i64::MAX, 0], [5, i64::MAX, 1]])),
    ];
    for (input_shape, input_len, offset, axes) in cases {
        let made = forged(input_shape, input_len, offset, axes);
        assert!(made.is_err(), "{made:?}");
    }
    let error = forged(json!([4, 5]), Value::Null, json!(19), json!([[4, 5, 0]])).unwrap_err();
    assert_eq!(error, "not the plan of a slice: it reaches past its input");
}

proptest! {
    #![proptest_config(generate::config(2000))]

    #[test]
    fn random_slices_and_plans_go_round((shape, items) in generate::case(9, 600)) {
        let Some((plan, _)) = check::planned(&shape, &items) else { return Ok(()) };
        round_trip(&check::spec_of(&items).unwrap().unwrap());
        round_trip(&plan);
    }

    /// Whatever numbers are read: a plan that is accepted is a slice of its input, and does not
    /// harm any buffer.
    #[test]
    fn a_plan_that_is_let_in_is_a_slice_of_its_input(
        input_shape in proptest::collection::vec(0..5_u64, 0..4),
        input_len in proptest::option::weighted(0.3, 0..60_u64),
        offset in 0..40_u64,
        axes in proptest::collection::vec((0..5_u64, -13..13_i64, proptest::option::weighted(0.8, 0..4_u8)), 0..4),
    ) {
        let Ok(plan) = forged(json!(input_shape), json!(input_len), json!(offset), json!(axes)) else { return Ok(()) };
        let data: Vec<u16> = (0..plan.input_len() as u16).collect();
        let picked = plan.copy(&data).unwrap();
        let wanted: Vec<u16> = check::walk(&plan).into_iter().map(|at| at as u16).collect();
        prop_assert_eq!(&picked, &wanted);
        if !plan.is_strided() {
            // No position is taken twice, and a slice in one step says the same.
            let distinct: std::collections::HashSet<_> = picked.iter().collect();
            prop_assert_eq!(distinct.len(), picked.len());
            if let Ok(spec) = plan.to_spec() {
                let again = spec.plan(plan.input_shape()).unwrap();
                prop_assert_eq!((again.shape(), again.copy(&data).unwrap()), (plan.shape(), picked));
            }
        }
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = postcard::from_bytes::<SpecBuf>(&bytes).map(|spec| spec.plan(&[3, 4, 5]));
        if let Ok(plan) = postcard::from_bytes::<Plan>(&bytes) {
            let mut data = vec![0_u8; plan.input_len().min(1 << 16)];
            let _ = plan.copy(&data);
            let _ = plan.fill(&mut data, 1);
        }
    }
}
