//! Every operation, on every kernel, for every element size, on inputs of any layout.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::{Shaped, SpecBuf, kernel};
use pyslice_fuzz::{Source, check, layout, naive, positions};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let case = source.case();
    if !case.is_small(6000) {
        return;
    }
    let items = case.fitting();
    let spec: SpecBuf = check::spec_of(&items).expect("numbers fit").expect("entries fit");
    let how = case.control;
    let (plan, from) = if how & 3 == 3 {
        let strides = layout(&case.shape, &mut source, how & 4 == 4);
        let plan = spec.plan_strided(&case.shape, &strides).expect("a small layout");
        let (out, from) = positions(&case.shape, &strides, &items).expect("it fits");
        assert_eq!(plan.shape(), out);
        assert_eq!(check::walk(&plan), from);
        if plan.input_len() > 60_000 {
            return;
        }
        (plan, from)
    } else {
        let (plan, picked) = check::planned(&case.shape, &items).expect("it fits");
        (plan, picked.from)
    };
    let sets: Vec<_> = kernel::available().collect();
    kernel::force(Some(sets[usize::from(how >> 3) % sets.len()]));
    kernel::set_streaming_threshold(if how & 0x80 == 0 { 1 << 21 } else { 1 });
    match source.below(14) {
        0 => check::moves::<u8>(&plan, &from),
        1 => check::moves::<u16>(&plan, &from),
        2 => check::moves::<[u8; 3]>(&plan, &from),
        3 => check::moves::<u32>(&plan, &from),
        4 => check::moves::<[u8; 5]>(&plan, &from),
        5 => check::moves::<[u16; 3]>(&plan, &from),
        6 => check::moves::<u64>(&plan, &from),
        7 => check::moves::<[u32; 3]>(&plan, &from),
        8 => check::moves::<u128>(&plan, &from),
        9 => check::moves::<[u64; 3]>(&plan, &from),
        10 => check::adds::<u32>(&plan, &from, |k| k as u32),
        11 => check::adds::<u128>(&plan, &from, |k| k as u128),
        12 => broadcast(&plan, &from, &mut source),
        _ => check::moves_bytes(&plan, &from, 1 + source.below(40), source.below(9)),
    }
});

/// `data[slice] = values`, the values of a shape that broadcasts, or does not.
fn broadcast(plan: &pyslice::Plan, from: &[usize], source: &mut Source<'_>) {
    let mut shape = Vec::new();
    for &n in plan.shape() {
        match source.byte() {
            0..=150 => shape.push(n),
            151..=220 => shape.push(1),
            221..=235 => shape.clear(),
            _ => shape.push(usize::from(source.byte() % 4)),
        }
    }
    if source.byte() > 220 {
        shape.insert(0, 1);
    }
    let count = shape.iter().product::<usize>();
    if count > 60_000 {
        return;
    }
    let values: Vec<u32> = (1_000_000..).take(count).collect();
    let data: Vec<u32> = (0..plan.input_len() as u32).collect();
    let mut dst = data.clone();
    let done = plan.assign(&mut dst, Shaped(&values, &shape));
    match naive::broadcast(plan.shape(), &shape) {
        Ok(picks) => {
            assert_eq!(done, Ok(()));
            let mut wanted = data.clone();
            from.iter().zip(picks).for_each(|(&to, pick)| wanted[to] = values[pick]);
            assert_eq!(dst, wanted, "{shape:?} into {plan:?}");
        }
        Err(_) => assert!(done.is_err() && dst == data),
    }
    // The same as bytes, off their alignment: each element as its size is told, which need not be
    // that of a number.
    let size = [1, 2, 3, 4, 7, 8, 16, 24][source.below(8)];
    let bytes = |elements: &[u32]| -> Vec<u8> {
        let element = |&v: &u32| {
            (0..size).map(move |k| v.wrapping_mul(2 * k as u32 + 1).to_le_bytes()[k % 3])
        };
        std::iter::once(0xA5).chain(elements.iter().flat_map(element)).collect()
    };
    let mut raw = bytes(&data);
    let given = bytes(&values);
    let same = plan
        .bytes(size)
        .on_mut(&mut raw[1..])
        .and_then(|mut place| place.assign(Shaped(&given[1..], &shape)));
    assert_eq!(same.is_ok(), done.is_ok());
    assert_eq!(raw, bytes(&dst), "{shape:?} into {plan:?}, {size} bytes");
}
