//! The planner on shapes and strides of any size, against arithmetic that cannot overflow.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::SliceError;
use pyslice_fuzz::naive::{self, Item};
use pyslice_fuzz::{Source, check};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let mut case = source.case();
    if case.control & 1 == 1 {
        // Lengths near the ends of their type.
        for n in &mut case.shape {
            let shift = source.below(64);
            *n = (1_usize << shift).wrapping_add(source.below(5)).wrapping_sub(2);
        }
    }
    let Ok(mut items) = case.items() else { return };
    for item in &mut items {
        // Strides of an index are the decoder's business.
        if let Item::Index { stride, .. } = item {
            *stride = 1;
        }
    }
    let Some(Ok(spec)) = check::spec_of(&items) else { return };
    let count = case.shape.iter().try_fold(1_i128, |count, &n| count.checked_mul(n as i128));
    let fits = case.shape.iter().all(|&n| n <= isize::MAX as usize)
        && (case.shape.contains(&0) || count.is_some_and(|count| count <= isize::MAX as i128));
    let wanted = naive::shape_of(&case.shape, &items);
    let plan = spec.plan(&case.shape);
    assert_eq!(plan.is_ok(), fits && wanted.is_ok(), "{case:?}: {plan:?}");
    if let (Ok(plan), Ok(wanted)) = (&plan, &wanted) {
        assert_eq!(plan.shape(), wanted);
        assert_eq!(
            plan.input_len() as i128,
            if case.shape.contains(&0) { 0 } else { count.unwrap() }
        );
        assert_eq!(plan.offset() as i128, first(&case.shape, &items), "{case:?}");
        if case.is_small(4096) {
            check::planned(&case.shape, &items);
        }
    }
    let strict = spec.clone().strict().plan(&case.shape);
    let lies_inside = naive::expand(case.shape.len(), &items).is_ok_and(|all| {
        let taking = all.iter().filter(|i| !matches!(i, Item::NewAxis));
        taking.zip(&case.shape).all(|(item, &n)| match *item {
            Item::Range { start, stop, step } => naive::is_strict(n as i128, start, stop, step),
            _ => true,
        })
    });
    match (&plan, &strict) {
        (Ok(plan), Ok(strict)) => assert!(lies_inside && plan == strict),
        (Ok(_), Err(error)) => {
            assert!(!lies_inside && matches!(error, SliceError::BoundOutOfRange { .. }))
        }
        (Err(_), strict) => assert!(strict.is_err()),
    }
    // Any strides at all: no overflow, and the span is what the layout reaches.
    let strides: Vec<isize> = case.shape.iter().map(|_| source.number() as isize).collect();
    if let Ok(plan) = spec.plan_strided(&case.shape, &strides) {
        let reach = |(&n, &s): (&usize, &isize)| (n as i128 - 1) * (s as i128).abs();
        let span: i128 = case.shape.iter().zip(&strides).map(reach).sum();
        let span = if case.shape.contains(&0) { 0 } else { span + 1 };
        assert_eq!(plan.input_len() as i128, span, "{case:?} {strides:?}");
        let last: i128 = plan
            .shape()
            .iter()
            .zip(plan.strides())
            .map(|(&n, &s)| (n as i128 - 1) * s.max(0) as i128)
            .sum();
        if !plan.is_empty() {
            assert!(plan.offset() as i128 + last < span, "{case:?} {strides:?}: {plan:?}");
        }
    }
});

/// Where the first element of the result lies; 0 if there is none.
fn first(shape: &[usize], items: &[Item]) -> i128 {
    if shape.contains(&0) {
        return 0;
    }
    let strides = naive::row_major(shape);
    let mut axes = shape.iter().zip(strides);
    let mut sum = 0;
    for item in naive::expand(shape.len(), items).unwrap() {
        if item == Item::NewAxis {
            continue;
        }
        let (&n, stride) = axes.next().unwrap();
        sum += stride
            * match item {
                Item::Index { at, .. } if at < 0 => at + n as i128,
                Item::Index { at, .. } => at,
                Item::Range { start, stop, step } => {
                    match naive::first_and_count(n as i128, start, stop, step) {
                        (_, 0) => return 0,
                        (first, _) => first,
                    }
                }
                Item::NewAxis | Item::Ellipsis => 0,
            };
    }
    sum
}
