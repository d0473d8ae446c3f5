//! From slice to slice, between two arrays and within one: as if all were read before anything is
//! written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::{Plan, SpecBuf, kernel};
use pyslice_fuzz::naive::{self, Item};
use pyslice_fuzz::{Case, Source, check, layout, positions};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let case = source.case();
    if !case.is_small(1500) {
        return;
    }
    let sets: Vec<_> = kernel::available().collect();
    kernel::force(Some(sets[usize::from(case.control) % sets.len()]));
    let to_items = case.fitting();
    let (to, to_from) = plan(&case.shape, &to_items, case.control & 0x10 != 0, &mut source);
    // A second slice of the same shape of input, often the first one shifted or reversed.
    let from_items = if case.control & 0x20 == 0 {
        Case { shape: case.shape.clone(), ..source.case() }.fitting()
    } else {
        to_items.iter().map(|item| changed(item, &mut source)).collect()
    };
    let (from, from_from) = plan(&case.shape, &from_items, false, &mut source);
    let pairs = naive::broadcast(to.shape(), from.shape());

    let len = to.input_len().max(from.input_len());
    if len > 30_000 {
        return;
    }
    let first: Vec<u32> = (0..from.input_len() as u32).collect();
    let mut dst: Vec<u32> = (1_000_000..).take(to.input_len()).collect();
    let before = dst.clone();
    let done = from.on(&first).and_then(|values| to.assign(&mut dst, values));
    match &pairs {
        Ok(pairs) => {
            assert_eq!(done, Ok(()));
            let mut wanted = before;
            to_from.iter().zip(pairs).for_each(|(&to, &k)| wanted[to] = first[from_from[k]]);
            assert_eq!(dst, wanted, "{from:?} to {to:?}");
        }
        Err(_) => assert!(done.is_err() && dst == before),
    }

    // Within one array: both plans must accept its length.
    let mut data: Vec<u32> = (0..len as u32).collect();
    let before = data.clone();
    let done = from.move_within(&to, &mut data);
    let fits =
        |plan: &Plan| plan.input_len() == len || plan.is_strided() && plan.input_len() <= len;
    match pairs {
        Ok(pairs) if fits(&from) && fits(&to) => {
            assert_eq!(done, Ok(()));
            let mut wanted = before.clone();
            to_from.iter().zip(pairs).for_each(|(&to, k)| wanted[to] = before[from_from[k]]);
            assert_eq!(data, wanted, "{from:?} within to {to:?}");
        }
        _ => assert!(done.is_err() && data == before, "{from:?} within to {to:?}: {done:?}"),
    }
});

fn plan(
    shape: &[usize],
    items: &[Item],
    strided: bool,
    source: &mut Source<'_>,
) -> (Plan, Vec<usize>) {
    let spec: SpecBuf = check::spec_of(items).unwrap().unwrap();
    if strided {
        let strides = layout(shape, source, true);
        let (_, from) = positions(shape, &strides, items).unwrap();
        (spec.plan_strided(shape, &strides).unwrap(), from)
    } else {
        (spec.plan(shape).unwrap(), naive::pick(shape, items).unwrap().from)
    }
}

/// The entry with a small change: moved by one, reversed, or as it was.
fn changed(item: &Item, source: &mut Source<'_>) -> Item {
    // The opposite of i64::MIN is not an i64.
    let opposite = |step: i128| (-step).min(i64::MAX.into());
    match (*item, source.below(4)) {
        (Item::Range { start, stop, step }, 1) => {
            Item::Range { start: stop, stop: start, step: opposite(step) }
        }
        (Item::Range { start, stop, step }, 2) => {
            let by = source.below(3) as i128 - 1;
            let moved = |v: i128| (v + by).clamp(i64::MIN.into(), i64::MAX.into());
            Item::Range { start: start.map(moved), stop: stop.map(moved), step }
        }
        (Item::Range { step, .. }, 3) => {
            Item::Range { start: None, stop: None, step: opposite(step) }
        }
        (other, _) => other,
    }
}
