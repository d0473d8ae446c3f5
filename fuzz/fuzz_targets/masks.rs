//! Masks of any bits and numbers: decoded as the reference does, canonical, and back through every
//! other form; shapes not fully known are never wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::interop::tf;
use pyslice::{Dim, Masks, SpecBuf};
use pyslice_fuzz::{Source, check, naive};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let case = source.case();
    let [begin, end, ellipsis, new_axis, shrink_axis] = case.masks;
    let masks = Masks { begin, end, ellipsis, new_axis, shrink_axis };
    let ours = SpecBuf::from_masks(&case.begin, &case.end, &case.strides, masks);
    let items = case.items();
    let Ok(spec) = &ours else {
        let refused = items.is_err()
            || items.iter().flatten().any(|i| {
                matches!(
                    i,
                    naive::Item::Index { stride: 0, .. } | naive::Item::Range { step: 0, .. }
                )
            });
        assert!(refused, "{case:?}: {ours:?}");
        return;
    };
    let items = items.expect("the reference decodes it too");
    let again = SpecBuf::from_masks(spec.begin(), spec.end(), spec.strides(), spec.masks());
    assert_eq!(again.as_ref(), Ok(spec));
    // Two things masks can say and text cannot: an index with a negative stride, which no plan
    // takes, and the index i64::MAX, whose end has no number.
    let unwritable = items.iter().any(|i| match *i {
        naive::Item::Index { at, stride } => stride < 0 || at == i64::MAX.into(),
        _ => false,
    });
    if !unwritable {
        assert_eq!(spec.to_string().parse::<SpecBuf>().as_ref(), Ok(spec));
    }
    // Some axes are known, some within limits, some not at all.
    let dims: Vec<Dim> = case
        .shape
        .iter()
        .map(|&n| match source.byte() {
            0..=99 => Dim::Known(n),
            100..=149 => Dim::Unknown,
            by => Dim::Between(n.saturating_sub(usize::from(by) % 7), n + usize::from(by) % 5),
        })
        .collect();
    let inferred = spec.infer_shape(&dims);
    let masks = spec.masks();
    let partial = tf::infer_partial(
        Some(spec.begin()),
        Some(spec.end()),
        Some(spec.strides()),
        masks,
        Some(&dims),
    );
    assert_eq!(partial.ok().flatten(), inferred.clone().ok());
    let truth = naive::shape_of(&case.shape, &items);
    if let (Ok(truth), inferred) = (&truth, inferred) {
        let inferred = inferred.expect("what can succeed is not refused");
        assert_eq!(truth.len(), inferred.len());
        for (&n, dim) in truth.iter().zip(inferred.iter()) {
            let (low, high) = dim.limits();
            assert!((low..=high).contains(&n), "{case:?} {dims:?}: {n} is not {dim:?}");
        }
    }
    let count =
        case.shape.iter().try_fold(1_isize, |count, &n| count.checked_mul(n.max(1) as isize));
    if count.is_none() {
        return;
    }
    let plan = spec.plan(&case.shape);
    assert_eq!(plan.is_ok(), truth.is_ok(), "{case:?}: {plan:?}");
    let Ok(plan) = plan else { return };
    let form = spec.to_axes(&case.shape).expect("what can be planned has an axes form");
    let back =
        naive::from_axes(case.shape.len(), &form.axes, &form.starts, &form.ends, &form.strides);
    if case.is_small(4096) {
        let picked = naive::pick(&case.shape, &back.expect("its axes exist")).unwrap();
        assert_eq!(picked.from, check::walk(&plan), "{case:?}: {form:?}");
    }
});
