//! A plan bound to its buffer: what views take, what they refuse, and the order in which they give
//! their elements, compared with the index-by-index reference.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::{Buffer, FixedPlan, Shaped, SliceError, s};
use support::{check, generate, naive};

/// A view of every length but the right one is refused, and says which buffer it is.
#[test]
fn every_wrong_length_is_refused() {
    let plans = [
        s![1::2].plan(&[6, 5]).unwrap(),
        s![::-1].plan(&[9]).unwrap(),
        s![2].plan(&[4]).unwrap(),
        s![3:3].plan(&[5]).unwrap(),
        s![].plan(&[]).unwrap(),
        s![..., ::2].plan(&[2, 0, 3]).unwrap(),
        s![].plan_strided(&[2, 3], &[5, 1]).unwrap(),
    ];
    for plan in &plans {
        let n = plan.input_len();
        for found in 0..3 * n + 3 {
            let mut x = vec![7_u16; found];
            let fits = found == n || plan.is_strided() && found >= n;
            let wrong =
                |buffer| (!fits).then_some(SliceError::BufferLength { buffer, expected: n, found });
            assert_eq!(plan.on(&x).err(), wrong(Buffer::Source), "{plan:?}");
            assert_eq!(plan.on_mut(&mut x).err(), wrong(Buffer::Target), "{plan:?}");
        }
        for size in [1, 2, 3, 5, 8] {
            for found in 0..(n + 2) * size {
                let mut x = vec![7_u8; found];
                let expected = n * size;
                let fits = found == expected || plan.is_strided() && found >= expected;
                let wrong = |buffer| {
                    (!fits).then_some(match size {
                        1 => SliceError::BufferLength { buffer, expected, found },
                        _ => SliceError::ByteLength { buffer, expected, found, size },
                    })
                };
                assert_eq!(plan.bytes(size).on(&x).err(), wrong(Buffer::Source), "{plan:?}");
                assert_eq!(plan.bytes(size).on_mut(&mut x).err(), wrong(Buffer::Target));
            }
        }
    }
    let fixed = FixedPlan::<2, 2>::new(s![1::2].as_ref(), [3, 2]).unwrap();
    for found in 0..20 {
        let mut x = vec![7_u16; found];
        assert_eq!(fixed.on(&x).is_ok(), found == 6);
        assert_eq!(fixed.on_mut(&mut x).is_ok(), found == 6);
    }
}

/// As many values as the slice has, of every form; any other number is refused, and nothing is
/// written.
#[test]
fn every_wrong_number_of_values_is_refused() {
    let plan = s![:, ::-2].plan(&[3, 4]).unwrap();
    let data: Vec<u32> = (0..12).collect();
    for found in 0..20 {
        let values = vec![9_u32; found];
        let mut x = data.clone();
        let mut place = plan.on_mut(&mut x).unwrap();
        let wrong = |buffer, expected| {
            if found == 6 {
                Ok(())
            } else {
                Err(SliceError::BufferLength { buffer, expected, found })
            }
        };
        assert_eq!(place.assign(&values), wrong(Buffer::Values, 6));
        assert_eq!(place.zip(&values, |a, b: &u32| *a = *b), wrong(Buffer::Values, 6));
        assert_eq!(place.grad(&values), wrong(Buffer::Gradient, 6));
        let shaped = Shaped(&values, &[3, 2]);
        assert_eq!(place.assign(shaped), wrong(Buffer::BroadcastValues, 6));
        assert_eq!(place.zip(shaped, |a, b: &u32| *a = *b), wrong(Buffer::BroadcastValues, 6));
        assert_eq!(plan.add_assign(&mut data.clone(), shaped), wrong(Buffer::BroadcastValues, 6));
        let mut out = vec![1; found];
        let copied = plan.on(&data).unwrap().copy_into(&mut out[..]);
        assert_eq!(copied, wrong(Buffer::Destination, 6));
        if found != 6 {
            assert_eq!((x, out), (data.clone(), vec![1; found]));
        }
    }
    // A view, by the shape of its slice.
    for n in 0..9 {
        let values = vec![9_u32; n];
        let (view, mut x) = (s![:].plan(&[n]).unwrap(), data.clone());
        let done = plan.assign(&mut x, view.on(&values).unwrap());
        let wanted =
            if [1, 2].contains(&n) { Ok(()) } else { Err(SliceError::broadcast(1, &[n], &[3, 2])) };
        assert_eq!(done, wanted);
        assert_eq!(x == data, wanted.is_err());
    }
}

/// Every type that is `Values`, by each operation that takes them.
#[test]
fn values_of_every_form() {
    let plan = s![::-1].plan(&[3]).unwrap();
    let fixed = FixedPlan::<1, 1>::new(s![::-1].as_ref(), [3]).unwrap();
    let all: [u16; 3] = [1, 2, 3];
    let (vector, backwards) = (all.to_vec(), [3_u16, 2, 1]);
    let view = plan.on(&backwards).unwrap();
    let one = s![1:2].plan(&[3]).unwrap();
    let one = one.on(&all).unwrap();
    macro_rules! each {
        ($($values:expr => $wanted:expr;)*) => { $(
            // In the order of the slice, which is backwards.
            let [c, b, a]: [u16; 3] = $wanted;
            let what = stringify!($values);
            let sums = [a, b + 10, c + 20];
            let mut x = [0, 10, 20];
            plan.add_assign(&mut x, $values).unwrap();
            assert_eq!(x, sums, "add_assign, {what}");
            let mut x = [0, 10, 20];
            plan.on_mut(&mut x).unwrap().zip($values, |a, &b: &u16| *a += b).unwrap();
            assert_eq!(x, sums, "zip, {what}");
            let mut x = [0, 10, 20];
            plan.assign(&mut x, $values).unwrap();
            assert_eq!(x, [a, b, c], "assign, {what}");
            let mut x = [0, 10, 20];
            plan.on_mut(&mut x).unwrap().assign($values).unwrap();
            assert_eq!(x, [a, b, c], "assign to a view, {what}");
            let mut x = [0, 10, 20];
            fixed.assign(&mut x, $values).unwrap();
            assert_eq!(x, [a, b, c], "FixedPlan::assign, {what}");
        )* };
    }
    each! {
        7 => [7; 3];
        &all => all;
        &mut { all } => all;
        &all[..] => all;
        &mut { all }[..] => all;
        &vector => all;
        &mut vector.clone() => all;
        Shaped(&all, &[3]) => all;
        Shaped(&all, &[1, 1, 3]) => all;
        Shaped(&all[..1], &[]) => [1; 3];
        Shaped(&all[1..2], &[1]) => [2; 3];
        view => all;
        &view => all;
        one => [2; 3];
        plan.on_mut(&mut { backwards }).unwrap() => all;
        &plan.on_mut(&mut { backwards }).unwrap() => all;
        plan.on_mut(&mut { backwards }).unwrap().view() => all;
    }
}

/// Elements of bytes: one byte is not one of them, and views have to agree on their size.
#[test]
fn sizes_of_elements_have_to_agree() {
    let (plan, back) = (s![1:].plan(&[3]).unwrap(), s![1::-1].plan(&[2]).unwrap());
    let (mut x, y, z) = (*b"aabbcc", *b"1122", *b"112233");
    let mut place = plan.bytes(2).on_mut(&mut x).unwrap();
    let one =
        Err(SliceError::ByteLength { buffer: Buffer::Values, expected: 2, found: 1, size: 2 });
    assert_eq!(place.assign(b'-'), one);
    assert_eq!(place.zip(b'-', |a, &b: &u8| *a = b), one);
    let sizes = |found| Err(SliceError::ElementSizes { expected: 2, found });
    let (three, single) = (back.bytes(3).on(&z).unwrap(), s![:2].plan(&[4]).unwrap());
    assert_eq!(place.assign(three), sizes(3));
    assert_eq!(place.zip(three, |a, &b: &u8| *a = b), sizes(3));
    assert_eq!(place.assign(single.on(&y).unwrap()), sizes(1));
    // The same holds for an empty slice.
    let none = s![:0].plan(&[2]).unwrap();
    assert_eq!(place.assign(none.bytes(3).on(&z).unwrap()), sizes(3));
    // Values of another type have elements of one value.
    assert_eq!(place.zip(single.on(&[1_u32; 4]).unwrap(), |_, _: &u32| ()), sizes(1));
    assert_eq!(x, *b"aabbcc");
    let mut place = plan.bytes(2).on_mut(&mut x).unwrap();
    place.assign(back.bytes(2).on(&y).unwrap()).unwrap();
    assert_eq!(x, *b"aa2211");
    // Elements of one byte are bytes, with or without a size.
    let mut x = *b"abc";
    plan.bytes(1).on_mut(&mut x).unwrap().assign(back.on(b"12").unwrap()).unwrap();
    assert_eq!(x, *b"a21");
    plan.on_mut(&mut x).unwrap().assign(back.bytes(1).on(b"34").unwrap()).unwrap();
    assert_eq!(x, *b"a43");
    plan.bytes(1).on_mut(&mut x).unwrap().assign(b'-').unwrap();
    assert_eq!(x, *b"a--");
    let words = SliceError::ElementSizes { expected: 2, found: 3 }.to_string();
    assert!(words.contains('2') && words.contains('3'), "{words}");
}

/// `ones` and `out` say which axes of the values have length 1, and how many are missing in front.
fn narrowed(shape: &[usize], ones: usize, out: usize, added: usize) -> Vec<usize> {
    let kept = shape.iter().enumerate().map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n });
    [vec![1; added], kept.skip(out).collect()].concat()
}

proptest! {
    #![proptest_config(generate::config(600))]

    /// Values of a view broadcast by the shape of its slice, with strides of any kind: here they
    /// are every second element of a larger array, backwards.
    #[test]
    fn views_broadcast(
        (shape, items) in generate::case(5, 300),
        (ones, out, added) in (0..32_usize, 0..3_usize, 0..3_usize),
        odd in proptest::option::weighted(0.1, 2..5_usize),
        size in 1..9_usize,
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let mut given = narrowed(plan.shape(), ones, out, added);
        given.extend(odd);
        let larger: Vec<usize> = given.iter().map(|&n| 2 * n + 1).collect();
        let text = vec!["-2:0:-2"; larger.len()].join(", ");
        let (values, read) = check::planned(&larger, &naive::from_text(&text).unwrap()).unwrap();
        prop_assert_eq!(values.shape(), &given);
        let held: Vec<u32> = (0..values.input_len() as u32).map(|k| k * 3 + 1000).collect();
        let words: Vec<String> = held.iter().map(u32::to_string).collect();
        let before: Vec<u32> = (0..plan.input_len() as u32).collect();
        let pairs = naive::broadcast(plan.shape(), &given);
        let mut wanted = before.clone();
        if let Ok(pairs) = &pairs {
            for (&at, &k) in picked.from.iter().zip(pairs) {
                wanted[at] = held[read.from[k]];
            }
        }
        let right = |done: Result<(), SliceError>| match done {
            Ok(()) => pairs.is_ok(),
            Err(error) => pairs.is_err() && matches!(error, SliceError::Broadcast { .. }),
        };
        let mut x = before.clone();
        prop_assert!(right(plan.assign(&mut x, values.on(&held).unwrap())));
        prop_assert_eq!(&x, &wanted);
        // One by one, in the order of the memory, from values of another type.
        let mut x = before.clone();
        let mut seen = Vec::new();
        let done = plan.on_mut(&mut x).unwrap().zip(values.on(&words).unwrap(), |a, b: &String| {
            seen.push(*a);
            *a = b.parse().unwrap();
        });
        prop_assert!(right(done));
        prop_assert_eq!(&x, &wanted);
        let mut order: Vec<u32> = picked.from.iter().map(|&at| at as u32).collect();
        order.sort_unstable();
        prop_assert_eq!(seen, if pairs.is_ok() { order } else { vec![] });
        // As bytes, of any size.
        let raw = |x: &[u32]| -> Vec<u8> {
            x.iter().flat_map(|v| (0..size).map(move |k| v.to_le_bytes()[k % 3])).collect()
        };
        let (held, wanted) = (raw(&held), raw(&wanted));
        let values = values.bytes(size);
        let mut x = raw(&before);
        let mut place = plan.bytes(size).on_mut(&mut x).unwrap();
        prop_assert!(right(place.assign(values.on(&held).unwrap())));
        prop_assert_eq!(&x, &wanted);
        let mut x = raw(&before);
        let mut place = plan.bytes(size).on_mut(&mut x).unwrap();
        prop_assert!(right(place.zip(values.on(&held).unwrap(), |a, b: &u8| *a = *b)));
        prop_assert_eq!(&x, &wanted);
    }

    /// Elements come in C order, and the iterator says how many are left at any time. The
    /// elements of bytes are visited byte by byte.
    #[test]
    fn elements_come_in_order(
        (shape, items) in generate::case(5, 300),
        size in 1..9_usize,
        taken in any::<proptest::sample::Index>(),
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let x: Vec<String> = (0..plan.input_len()).map(|k| k.to_string()).collect();
        let view = plan.on(&x).unwrap();
        let mut elements = view.iter();
        for (k, &at) in picked.from.iter().enumerate() {
            prop_assert_eq!(elements.len(), picked.from.len() - k);
            prop_assert!(std::ptr::eq(elements.next().unwrap(), &x[at]));
        }
        prop_assert_eq!((elements.len(), elements.size_hint()), (0, (0, Some(0))));
        prop_assert!(elements.next().is_none() && elements.next().is_none());
        prop_assert!(view.into_iter().eq(picked.from.iter().map(|&at| &x[at])));
        // A copy of the iterator goes its own way.
        let n = taken.index(picked.from.len() + 1);
        let mut elements = view.iter();
        prop_assert!(elements.by_ref().take(n).count() == n);
        prop_assert!(elements.clone().eq(picked.from[n..].iter().map(|&at| &x[at])));
        prop_assert_eq!(elements.len(), picked.from.len() - n);

        let x: Vec<u8> = (0..plan.input_len() * size).map(|k| (k % 251) as u8).collect();
        let bytes = picked.from.iter().flat_map(|at| &x[at * size..(at + 1) * size]);
        let view = plan.bytes(size).on(&x).unwrap();
        prop_assert_eq!(view.iter().len(), picked.from.len() * size);
        prop_assert!(view.iter().zip(bytes.clone()).all(|(a, b)| std::ptr::eq(a, b)));
        prop_assert_eq!(view.iter().count(), bytes.count());
        prop_assert_eq!((view.shape(), view.len()), (plan.shape(), plan.len()));
    }

    /// What is left of runs, sorted and merged, is what a sorted set of positions gives.
    #[test]
    fn runs_that_are_left_can_be_sorted(
        (shape, items) in generate::case(4, 300),
        order in any::<proptest::sample::Index>(),
        taken in any::<proptest::sample::Index>(),
        twice in any::<bool>(),
    ) {
        let Some((plan, _)) = check::planned(&shape, &items) else { return Ok(()) };
        let mut axes: Vec<usize> = (0..plan.shape().len()).collect();
        let places = axes.len().max(1);
        axes.rotate_left(order.index(places) % places);
        let mut plan = plan.permute(&axes).unwrap();
        if twice {
            plan = plan.broadcast_to(&[&[2], plan.shape()].concat()).unwrap();
        }
        let from = check::walk(&plan);
        let mut runs = plan.runs();
        let n = taken.index(runs.len() + 1);
        let used: usize = runs.by_ref().take(n).map(|(_, len)| len).sum();
        let mut left = from[used..].to_vec();
        left.sort_unstable();
        left.dedup();
        let mut wanted: Vec<(usize, usize)> = Vec::new();
        for at in left {
            match wanted.last_mut() {
                Some((first, len)) if *first + *len == at => *len += 1,
                _ => wanted.push((at, 1)),
            }
        }
        let sorted = runs.sorted().unwrap();
        prop_assert_eq!(sorted.len(), wanted.len());
        // Sorted runs stay sorted after some were taken.
        let mut again = sorted.clone();
        prop_assert!(sorted.eq(wanted.iter().copied()), "{:?}", plan);
        let first = again.next();
        prop_assert_eq!(first, wanted.first().copied());
        let rest = again.sorted().unwrap();
        prop_assert!(rest.eq(wanted.iter().skip(1).copied()), "{:?}", plan);
    }
}

/// What ends early goes row by row, and the iterator goes on from there.
#[test]
fn iterators_go_on_after_what_they_found() {
    let x: Vec<u32> = (0..5 * 6 * 7).map(|i| i * 7919 % 211).collect();
    for text in ["...", "::-1, ::2", "..., ::-3", ":, 2, :", ":, :, 3", "1:, 1:, 1:", "3:3", "2"] {
        for order in [[0, 1, 2], [2, 0, 1]] {
            let whole = s![...].plan(&[5, 6, 7]).unwrap().permute(&order).unwrap();
            let plan = whole.then(text.parse::<pyslice::SpecBuf>().unwrap()).unwrap();
            let wanted: Vec<&u32> = plan.offsets().map(|at| &x[at]).collect();
            for least in [0, 100, 200, 210, 300] {
                let (mut found, mut iter) = (wanted.iter().copied(), plan.on(&x).unwrap().iter());
                for turn in 0..8 {
                    let is = |a: &u32| *a >= least;
                    let same = match turn % 4 {
                        0 => found.any(is) == iter.any(is),
                        1 => found.position(is) == iter.position(is),
                        2 => found.find(|a| is(a)) == iter.find(|a| is(a)),
                        _ => found.all(|a| !is(a)) == iter.all(|a| !is(a)),
                    };
                    assert!(same && found.len() == iter.len(), "{text} {order:?} {least} {turn}");
                }
                assert!(found.eq(iter), "{text} {order:?} {least}");
            }
        }
    }
}

/// Runs of which some touch, where a plane ends, are one, and need no list: memory would not hold
/// it.
#[test]
fn sorted_runs_join_where_they_touch() {
    for order in [[0, 1, 2], [1, 2, 0]] {
        let plan = s![:, ::2].plan(&[2, 3, 2]).unwrap().permute(&order).unwrap();
        let sorted = plan.runs().sorted().unwrap();
        assert_eq!((sorted.len(), sorted.size_hint()), (3, (3, Some(3))));
        assert_eq!(sorted.collect::<Vec<_>>(), [(0, 2), (4, 4), (10, 2)]);
    }
    let planes = isize::MAX as usize / 6;
    let large = s![:, ::2].plan(&[planes, 3, 2]).unwrap().permute(&[2, 1, 0]).unwrap();
    let mut sorted = large.runs().sorted().unwrap();
    assert_eq!(sorted.len(), planes + 1);
    let first = [sorted.next(), sorted.next(), sorted.next()];
    assert_eq!(first, [Some((0, 2)), Some((4, 4)), Some((10, 4))]);
    assert_eq!(sorted.len(), planes - 2);
}

/// More runs than memory holds, whose order only a list can tell.
#[test]
fn too_many_runs_to_sort_are_an_error() {
    let n = 1_usize << (usize::BITS / 2 - 2);
    let plan = s![].plan_strided(&[n, n], &[3, 2]).unwrap();
    let runs = plan.runs();
    assert_eq!(runs.len(), n * n);
    let bytes = n.saturating_mul(n).saturating_mul(2 * size_of::<usize>());
    assert_eq!(runs.clone().sorted().err(), Some(SliceError::OutOfMemory { bytes }));
    // The same after some were taken.
    let mut rest = runs;
    rest.next();
    assert!(matches!(rest.sorted(), Err(SliceError::OutOfMemory { .. })));
    // Loops can tell the order of as many, if they do not interleave.
    let apart = s![].plan_strided(&[n, n / 4], &[-(n as isize), 2]).unwrap();
    let sorted = apart.runs().sorted().unwrap();
    assert_eq!(sorted.len(), n * (n / 4));
    assert_eq!(sorted.take(2).collect::<Vec<_>>(), [(0, 1), (2, 1)]);
}

/// What takes all elements at once goes row by row, and begins where single steps have come to.
#[test]
fn what_is_left_comes_in_order() {
    for text in ["...", "::-1, 1:", ":, ::2", ":, ::-3", "1", ":, 2", ":0", "None, 1:, :-1", "0, 1"]
    {
        let (plan, wanted) = check::planned(&[4, 7], &naive::from_text(text).unwrap()).unwrap();
        let data: Vec<usize> = (0..28).collect();
        for taken in 0..=plan.len() {
            let mut elements = plan.on(&data).unwrap().iter();
            elements.by_ref().take(taken).for_each(drop);
            let mut left = Vec::new();
            elements.for_each(|&at| left.push(at));
            assert_eq!(left, wanted.from[taken..], "{text}, behind {taken}");
            let mut offsets = plan.offsets();
            offsets.by_ref().take(taken).for_each(drop);
            left.clear();
            offsets.for_each(|at| left.push(at));
            assert_eq!(left, wanted.from[taken..], "offsets of {text}, behind {taken}");
        }
    }
}
