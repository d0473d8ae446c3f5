//! Slices of slices, equality, overlap and inverse, against sets of positions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice_fuzz::{Case, Source, check, layout, naive, positions};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let case = source.case();
    if !case.is_small(600) {
        return;
    }
    let items = case.fitting();
    let (plan, picked) = check::planned(&case.shape, &items).expect("it fits");
    let from = picked.from;

    // A second slice, of the first one's result and of the same input.
    let second = Case { shape: picked.shape.clone(), ..source.case() };
    let again = second.fitting();
    let spec = check::spec_of(&again).unwrap().unwrap();
    let both = plan.then(&spec).expect("it fits the first result");
    let picked = naive::pick(&second.shape, &again).unwrap();
    let through: Vec<usize> = picked.from.iter().map(|&at| from[at]).collect();
    assert_eq!(both.shape(), picked.shape);
    assert_eq!(check::walk(&both), through, "{items:?} then {again:?}");

    let other_items = Case { shape: case.shape.clone(), ..second }.fitting();
    let (other, other_picked) = check::planned(&case.shape, &other_items).unwrap();
    for (a, b, p, q) in
        [(&plan, &other, &from, &other_picked.from), (&both, &other, &through, &other_picked.from)]
    {
        let shared = p.iter().any(|at| q.contains(at));
        assert_eq!(a.overlaps(b), Ok(shared), "{a:?} {b:?}");
        assert_eq!(b.disjoint(a), Ok(!shared));
        assert_eq!(a.selects_same(b), a.shape() == b.shape() && p == q, "{a:?} {b:?}");
    }
    for (plan, from) in [(&plan, &from), (&both, &through)] {
        for at in 0..plan.input_len() {
            let place = from.iter().position(|&p| p == at);
            assert_eq!(plan.contains(at), Ok(place.is_some()));
            let place = place.map(|k| unravel(k, plan.shape()));
            assert_eq!(plan.inverse(at), Ok(place.clone()), "{at} in {plan:?}");
            let index = unravel(at, &case.shape);
            assert_eq!(plan.inverse(&index), Ok(place), "{index:?} in {plan:?}");
        }
        if let Ok(spec) = plan.to_spec() {
            let same = spec.plan(&case.shape).expect("a spelling of this plan");
            assert!(same.selects_same(plan), "{spec} for {plan:?}");
            assert_eq!(same.to_spec(), Ok(spec));
        }
    }
    // Layouts in which positions may repeat: an answer, if it does not take too long, is exact.
    let strides = layout(&case.shape, &mut source, true);
    let spec = check::spec_of(&items).unwrap().unwrap();
    let strided = spec.plan_strided(&case.shape, &strides).expect("a small layout");
    let (_, from) = positions(&case.shape, &strides, &items).unwrap();
    if let Ok(shared) = strided.overlaps(&plan) {
        assert_eq!(shared, from.iter().any(|at| check::walk(&plan).contains(at)));
    }
    for at in 0..strided.input_len().min(2000) {
        if let Ok(place) = strided.inverse(at) {
            let wanted = from.iter().position(|&p| p == at).map(|k| unravel(k, strided.shape()));
            assert_eq!(place, wanted, "{at} in {strided:?}");
        }
    }
});

fn unravel(mut k: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (slot, &n) in index.iter_mut().zip(shape).rev() {
        (*slot, k) = (k % n, k / n);
    }
    index
}
