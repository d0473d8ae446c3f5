//! Plans, shapes and buffers that nobody should pass: they are errors that have the numbers, never
//! a panic and never an access outside the slices that were passed.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::ops::AddAssign;

use proptest::prelude::*;
use pyslice::interop::{Operator, onnx};
use pyslice::{AsSpec, Dim, Entry, FixedPlan, Masks, Plan, Shaped, SliceError, SpecBuf};
use support::{check, generate};

fn range(start: Option<i64>, stop: Option<i64>, step: i64) -> SpecBuf {
    SpecBuf::from_entries([Entry::Range { start, stop, step }]).unwrap()
}

/// Both lengths are in the error, as fields and in words.
fn names_lengths<T: Debug>(result: Result<T, SliceError>, needed: usize, given: usize) {
    let error = result.expect_err("a buffer of the wrong length was taken");
    let (expected, found) = match error {
        SliceError::BufferLength { expected, found, .. }
        | SliceError::ByteLength { expected, found, .. } => (expected, found),
        other => panic!("not about a length: {other:?}"),
    };
    assert_eq!((expected, found), (needed, given));
    let words = error.to_string();
    for number in [needed, given] {
        assert!(words.contains(&number.to_string()), "{words} does not name {number}");
    }
}

/// Calls every entry point that a plan of either kind has with buffers of the wrong length.
macro_rules! wrong_lengths {
    ($plan:expr) => {{
        let plan = $plan;
        let (n, len) = (plan.input_len(), plan.len());
        let right: Vec<u32> = (0..n as u32).collect();
        let values = vec![7_u32; len];
        for wrong in [0, n - 1, n + 1, 3 * n] {
            let mut other = vec![1_u32; wrong];
            let mut room = vec![0; len];
            let mut raw = vec![MaybeUninit::<u32>::uninit(); len];
            names_lengths(plan.on(&other), n, wrong);
            names_lengths(plan.on_mut(&mut other), n, wrong);
            names_lengths(plan.copy(&other), n, wrong);
            names_lengths(plan.copy_into(&other, &mut room[..]), n, wrong);
            names_lengths(plan.copy_into(&other, &mut raw[..]), n, wrong);
            names_lengths(plan.copy_into(&other, &mut room), n, wrong);
            names_lengths(plan.assign(&mut other, &values), n, wrong);
            names_lengths(plan.assign(&mut other, Shaped(&[7], &[1])), n, wrong);
            names_lengths(plan.assign(&mut other, 7), n, wrong);
            names_lengths(plan.fill(&mut other, 7), n, wrong);
            assert_eq!(other, vec![1; wrong], "a refused operation wrote something");
        }
        for wrong in [0, len - 1, len + 1, 3 * len] {
            let mut room = vec![1_u32; wrong];
            let mut raw = vec![MaybeUninit::<u32>::uninit(); wrong];
            let mut target = right.clone();
            names_lengths(plan.copy_into(&right, &mut room[..]), len, wrong);
            names_lengths(plan.copy_into(&right, &mut raw[..]), len, wrong);
            let view = plan.on(&right).unwrap();
            names_lengths(view.copy_into(&mut room[..]), len, wrong);
            names_lengths(view.copy_into(&mut raw[..]), len, wrong);
            names_lengths(plan.assign(&mut target, &room), len, wrong);
            let mut place = plan.on_mut(&mut target).unwrap();
            names_lengths(place.assign(&room), len, wrong);
            names_lengths(place.assign(Shaped(&room, plan.shape())), len, wrong);
            names_lengths(place.zip(&room, |a, b| *a += b), len, wrong);
            names_lengths(place.grad(&room), len, wrong);
            assert_eq!((room, target), (vec![1; wrong], right.clone()));
        }
    }};
}

#[test]
fn wrong_lengths_are_refused_and_named() {
    let entries = [Entry::Range { start: Some(1), stop: None, step: 2 }, Entry::FULL];
    let spec = SpecBuf::from_entries(entries).unwrap();
    let plans = [
        spec.plan(&[6, 5]).unwrap(),
        range(None, None, -1).plan(&[9]).unwrap(),
        SpecBuf::default().plan(&[2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 3]).unwrap(),
    ];
    wrong_lengths!(FixedPlan::<2, 2>::new(spec.as_spec(), [6, 5]).unwrap());
    for plan in plans {
        wrong_lengths!(&plan);
        // What only plans of any rank have.
        let (n, len) = (plan.input_len(), plan.len());
        let (array, values) = (vec![1_u32; n], vec![7_u32; len]);
        for wrong in [0, n - 1, n + 1, 3 * n] {
            let mut other = vec![1_u32; wrong];
            names_lengths(plan.add_assign(&mut other, &values), n, wrong);
            names_lengths(plan.grad_into(&values, &mut other[..]), n, wrong);
            names_lengths(plan.move_within(&plan, &mut other), n, wrong);
            names_lengths(plan.zip_within(&plan, &mut other, |a, b| *a += b), n, wrong);
            let mut bytes = vec![0; 4 * wrong];
            names_lengths(plan.bytes(4).on(&bytes), 4 * n, 4 * wrong);
            names_lengths(plan.bytes(4).on_mut(&mut bytes), 4 * n, 4 * wrong);
            assert_eq!(other, vec![1; wrong], "a refused operation wrote something");
        }
        for wrong in [0, len - 1, len + 1, 3 * len] {
            let (other, mut target) = (vec![2_u32; wrong], array.clone());
            names_lengths(plan.add_assign(&mut target, &other), len, wrong);
            names_lengths(plan.grad(&other), len, wrong);
            names_lengths(plan.grad_into(&other, &mut target[..]), len, wrong);
            let array = vec![0; 4 * n];
            let copied = plan.bytes(4).on(&array).unwrap().copy_into(&mut vec![0; 4 * wrong][..]);
            names_lengths(copied, 4 * len, 4 * wrong);
            assert_eq!(target, vec![1; n], "a refused operation wrote something");
        }
    }
}

#[test]
fn values_of_a_broadcast_must_fill_their_shape() {
    let plan = SpecBuf::default().plan(&[3, 4]).unwrap();
    let mut data = [0; 12];
    for (values, shape) in
        [(3, &[4][..]), (5, &[4]), (0, &[1]), (2, &[]), (12, &[4]), (1, &[0]), (0, &[3, 4])]
    {
        let given = vec![1; values];
        let count = shape.iter().product();
        let error = plan.assign(&mut data, Shaped(&given, shape)).unwrap_err();
        match error {
            SliceError::BufferLength { .. } => names_lengths(Err::<(), _>(error), count, values),
            SliceError::Broadcast { .. } => {}
            other => panic!("{values} values as {shape:?}: {other:?}"),
        }
    }
    for shape in
        [&[2][..], &[5], &[3], &[4, 3], &[2, 3, 4], &[0, 3, 4], &[3, 0], &[usize::MAX, 3, 4]]
    {
        let count = shape.iter().fold(1_usize, |count, &n| count.wrapping_mul(n)).min(99);
        assert!(plan.assign(&mut data, Shaped(&vec![1; count], shape)).is_err(), "{shape:?}");
    }
    let too_big = [usize::MAX, usize::MAX];
    assert!(plan.assign(&mut data, Shaped(&[1], &too_big)).is_err());
    // As many values without a size as no shape counts.
    let (most, long) = (usize::MAX, isize::MAX as usize);
    let empty = SpecBuf::default().plan(&[0, long, 4]).unwrap();
    let error = empty.assign(&mut [(); 0], Shaped(&[(); usize::MAX], &[1, long, 4])).unwrap_err();
    names_lengths(Err::<(), _>(error), most, most);
    assert_eq!(data, [0; 12], "a refused operation wrote something");
    // An empty target still requires values that broadcast.
    let empty = range(Some(3), Some(2), 1).plan(&[4]).unwrap();
    assert!(empty.assign(&mut [0; 4], Shaped(&[1, 2, 3], &[3])).is_err());
    assert_eq!(empty.assign(&mut [0; 4], Shaped(&[1], &[1])), Ok(()));
    // A length of 0 makes the count 0, on any axis and beside any other lengths.
    const LONG: usize = 1 << (usize::BITS * 5 / 8);
    for shape in [[LONG, LONG, 0], [LONG, 0, LONG], [0, LONG, LONG]] {
        let plan = SpecBuf::default().plan(&shape).unwrap();
        let one = shape.map(|n| n.min(1));
        for values in [&shape[..], &one, &[&[1][..], &shape].concat()] {
            assert_eq!(plan.assign(&mut [0_u8; 0], Shaped(&[], values)), Ok(()), "{values:?}");
            names_lengths(plan.assign(&mut [0; 0], Shaped(&[1], values)), 0, 1);
            let mut none = [];
            let mut place = plan.bytes(2).on_mut(&mut none).unwrap();
            assert_eq!(place.assign(Shaped(&[], values)), Ok(()), "{values:?}");
            names_lengths(place.assign(Shaped(&[1; 2], values)), 0, 2);
        }
        // A shape of values that is not empty, although the slice is.
        let many = shape.map(|n| n.max(1));
        names_lengths(plan.assign(&mut [0; 0], Shaped(&[], &many)), usize::MAX, 0);
    }
}

#[test]
fn element_size_is_checked_in_bytes() {
    let plan = range(None, None, 2).plan(&[5]).unwrap();
    assert_eq!(plan.bytes(0).on(&[]).err(), Some(SliceError::ZeroElementSize));
    let huge = usize::MAX / 4;
    let too_large = SliceError::BytesTooLarge { elements: 5, size: huge };
    assert_eq!(plan.bytes(huge).on(&[0; 5]).err(), Some(too_large));
    assert!(plan.bytes(usize::MAX).on(&[0; 5]).is_err());
    names_lengths(plan.bytes(2).on(&[0; 11]), 10, 11);
    let ten = plan.bytes(2).on(&[0; 10]).unwrap();
    names_lengths(ten.copy_into(&mut [0; 5][..]), 6, 5);
}

/// An element without size that can be added.
#[derive(Clone, Copy)]
struct Nothing;

impl AddAssign for Nothing {
    fn add_assign(&mut self, _: Nothing) {}
}

/// Elements without size move at no cost, however many there are.
#[test]
fn elements_without_size() {
    static MANY: [(); usize::MAX / 3] = [(); usize::MAX / 3];
    let plan = range(None, None, -1).plan(&[MANY.len()]).unwrap();
    assert_eq!(plan.copy(&MANY).map(|out| out.len()), Ok(MANY.len()));
    let odd = range(Some(1), None, 3).plan(&[MANY.len()]).unwrap();
    let out = odd.copy(&MANY).unwrap();
    assert_eq!(out.len(), odd.len());
    let mut dst = plan.copy(&MANY).unwrap();
    assert_eq!(odd.assign(&mut dst, &out), Ok(()));
    assert_eq!(odd.fill(&mut dst, ()), Ok(()));
    assert_eq!(odd.grad(&out).map(|dx| dx.len()), Ok(MANY.len()));
    // A sum is a call of the element's `+=`, which may count.
    let few = range(None, None, 2).plan(&[9]).unwrap();
    assert_eq!(few.add_assign(&mut [Nothing; 9], &[Nothing; 5]), Ok(()));
    let mut calls = 0;
    few.on_mut(&mut [(); 9]).unwrap().for_each(|()| calls += 1);
    assert_eq!(calls, 5);
    names_lengths(plan.copy(&MANY[1..]), MANY.len(), MANY.len() - 1);
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Padded {
    tag: u8,
    value: u32,
    flag: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Aligned(u8);

/// Padding, invalid bit patterns, wide alignment and large sizes: an element moves whole or not.
#[test]
fn elements_of_every_kind() {
    fn moves<T: Copy + Debug + PartialEq>(make: impl Fn(usize) -> T) {
        let data: Vec<T> = (0..24).map(&make).collect();
        let entries = [Entry::Range { start: None, stop: None, step: -2 }, Entry::FULL];
        let plan = SpecBuf::from_entries(entries).unwrap().plan(&[4, 6]).unwrap();
        let picked: Vec<usize> = (18..24).chain(6..12).collect();
        let out = plan.copy(&data).unwrap();
        assert_eq!(out, picked.iter().map(|&at| data[at]).collect::<Vec<T>>());
        let values: Vec<T> = (0..12).map(|k| make(k + 50)).collect();
        let (mut dst, mut wanted) = (data.clone(), data.clone());
        plan.assign(&mut dst, &values).unwrap();
        picked.iter().zip(&values).for_each(|(&at, &v)| wanted[at] = v);
        assert_eq!(dst, wanted);
        plan.fill(&mut dst, make(99)).unwrap();
        picked.iter().for_each(|&at| wanted[at] = make(99));
        assert_eq!(dst, wanted);
        plan.assign(&mut dst, Shaped(&values[..6], &[6])).unwrap();
        picked.iter().enumerate().for_each(|(k, &at)| wanted[at] = values[k % 6]);
        assert_eq!(dst, wanted);
    }
    moves(|k| Padded { tag: k as u8, value: k as u32 * 7, flag: k % 2 == 0 });
    moves(|k| Aligned(k as u8));
    moves(|k| k % 3 == 0);
    moves(|k| char::from(b'a' + (k % 26) as u8));
    moves(|k| std::num::NonZeroU8::new(k as u8));
    moves(|k| ["a", "bc", "def"][k % 3]);
    moves(|k| Some(&["x", "y"][k % 2]));
    moves(|k| [k as u8; 17]);
    moves(|k| [k as u16; 50]);
    moves(|k| (k as u128, k as u8));
    moves(|k| k as f32 * 0.5);
    moves(|k| [k as u64; 1000]);
}

#[test]
fn fake_shapes_near_isize_max() {
    let longest = isize::MAX as usize;
    let few = range(Some(5), Some(8), 1).plan(&[longest]).unwrap();
    names_lengths(few.copy(&[0_u8; 100]), longest, 100);
    names_lengths(few.fill(&mut [0_u64; 8], 1), longest, 8);
    names_lengths(few.assign(&mut [0_u64; 8], &[1, 2, 3]), longest, 8);
    // The gradient is as long as the input: there is not enough memory, and that is an error.
    let (words, more) = (few.grad(&[1_u64; 3]).map(|_| ()), few.grad(&[[1_u64; 9]; 3]).map(|_| ()));
    // With 32-bit addresses, there may well be that many bytes of memory.
    let bytes = (usize::BITS > 32).then(|| few.grad(&[1_u8; 3]).map(|_| ()));
    for result in [words, more].into_iter().chain(bytes) {
        assert!(matches!(
            result,
            Err(SliceError::OutOfMemory { .. } | SliceError::BytesTooLarge { .. })
        ));
    }
    let too_large = SliceError::BytesTooLarge { elements: longest, size: 8 };
    assert_eq!(few.bytes(8).on(&[0; 80]).err(), Some(too_large));
    let long = 1 << (usize::BITS / 2 - 1);
    let whole = range(None, None, -1).plan(&[long, long]).unwrap();
    names_lengths(whole.copy(&[0_u32; 4]), long * long, 4);
    // Empty results of huge inputs, and huge axes of empty inputs.
    let none = range(Some(5), Some(5), 1).plan(&[longest]).unwrap();
    names_lengths(none.copy(&[0_u8; 3]), longest, 3);
    let shape = [longest, 0, longest];
    if let Ok(plan) = SpecBuf::default().plan(&shape) {
        assert_eq!((plan.len(), plan.input_len()), (0, 0));
        assert_eq!(plan.copy::<u32>(&[]), Ok(vec![]));
    }
}

#[test]
fn every_rank() {
    for rank in [0_usize, 1, 7, 8, 9, 12, 31, 32, 40, 64, 100, 200] {
        for long in [0, rank / 2, rank.saturating_sub(1)] {
            let mut shape = vec![1; rank];
            for axis in [long, long + 1] {
                if let Some(n) = shape.get_mut(axis) {
                    *n = 3;
                }
            }
            // `..., ::-1, None, None` reverses the last axis and adds two.
            let mut entries = vec![Entry::Ellipsis, Entry::NewAxis, Entry::NewAxis];
            if rank > 0 {
                entries.insert(1, Entry::Range { start: None, stop: None, step: -1 });
            }
            let items: Vec<_> = entries.iter().map(item).collect();
            let plan = SpecBuf::from_entries(&entries).unwrap().plan(&shape).unwrap();
            assert_eq!(plan.shape().len(), rank + 2);
            let (checked, picked) = check::planned(&shape, &items).unwrap();
            assert_eq!(plan, checked);
            check::everything(&plan, &picked.from);
            let again = plan.then(SpecBuf::default()).unwrap();
            assert_eq!(check::walk(&again), picked.from);
        }
    }
    for rank in [253, 254, 255, 256, 1000, 100_000] {
        let shape = vec![1_usize; rank];
        match SpecBuf::default().plan(&shape) {
            Ok(plan) => assert_eq!(plan.copy(&[7]), Ok(vec![7])),
            Err(error) => {
                assert!(matches!(error, SliceError::RankTooHigh { rank: r, .. } if r == rank))
            }
        }
    }
}

fn item(entry: &Entry) -> support::naive::Item {
    use support::naive::Item;
    match *entry {
        Entry::Index(at) => Item::Index { at: at.into(), stride: 1 },
        Entry::Range { start, stop, step } => Item::Range {
            start: start.map(Into::into),
            stop: stop.map(Into::into),
            step: step.into(),
        },
        Entry::NewAxis => Item::NewAxis,
        Entry::Ellipsis => Item::Ellipsis,
    }
}

const EDGES: [usize; 12] = [
    0,
    1,
    2,
    3,
    1 << (usize::BITS / 2 - 1),
    1 << (usize::BITS / 2),
    1 << (usize::BITS - 2),
    isize::MAX as usize - 1,
    isize::MAX as usize,
    1 << (usize::BITS - 1),
    usize::MAX - 1,
    usize::MAX,
];

/// Layouts that would reach outside any memory are refused; the rest report what they reach.
#[test]
fn strides_at_the_ends_of_isize() {
    const LONG: isize = 1 << (isize::BITS - 2);
    let strides = [
        isize::MIN,
        isize::MIN + 1,
        -LONG,
        -3,
        -1,
        0,
        1,
        2,
        1 << (isize::BITS / 2),
        LONG,
        isize::MAX,
    ];
    for a in EDGES {
        for b in EDGES {
            for s in strides {
                for t in strides {
                    for spec in
                        [SpecBuf::default(), range(None, None, -1), range(Some(-1), None, i64::MAX)]
                    {
                        let Ok(plan) = spec.plan_strided(&[a, b], &[s, t]) else { continue };
                        let reach = |n: usize, s: isize| (n as i128 - 1).max(0) * (s as i128).abs();
                        if a > 0 && b > 0 {
                            assert_eq!(plan.input_len() as i128, reach(a, s) + reach(b, t) + 1);
                        }
                        if plan.input_len() > 8 {
                            assert!(plan.copy(&[1_u8; 8]).is_err());
                            assert!(plan.fill(&mut [1_u8; 8], 2).is_err());
                        }
                    }
                }
            }
        }
    }
    let one = SpecBuf::default();
    assert_eq!(
        one.plan_strided(&[3], &[]),
        Err(SliceError::RankMismatch { expected: 1, found: 0 })
    );
    assert!(one.plan_strided(&[], &[1]).is_err());
}

/// A layout in which positions repeat: every operation stays inside the buffer.
#[test]
fn repeated_positions_stay_inside() {
    for size in [1_usize, 4, 9] {
        let plan = range(None, None, -1).plan_strided(&[4, size], &[0, -1]).unwrap();
        let mut guarded: Vec<u16> = vec![9; size + 8];
        let (dst, guard) = guarded.split_at_mut(size);
        let values: Vec<u16> = (0..4 * size as u16).collect();
        let _ = plan.assign(dst, &values);
        let _ = plan.fill(dst, 3);
        let _ = plan.add_assign(dst, &vec![1; 4 * size]);
        assert_eq!(guard, [9; 8]);
        assert_eq!(plan.copy(&vec![5_u16; size]), Ok(vec![5; 4 * size]));
    }
}

/// So often that the number of bytes written wraps to 0 in a `usize`.
#[test]
fn a_place_taken_again_and_again_is_filled() {
    let plan = range(None, None, 1).plan_strided(&[1 << (usize::BITS - 2)], &[0]).unwrap();
    let mut data = [0_u32];
    plan.fill(&mut data, 7).unwrap();
    assert_eq!(data, [7]);
    plan.assign(&mut data, Shaped(&[8], &[1])).unwrap();
    assert_eq!(data, [8]);
}

#[test]
fn long_vectors_and_ranks_of_other_forms() {
    let ones = vec![1_i64; 100_000];
    let masks = Masks { begin: !0, end: !0, ellipsis: 1, new_axis: !0, shrink_axis: !0 };
    assert_eq!(
        SpecBuf::from_masks(&ones, &ones, &ones, masks),
        Err(SliceError::TooLong { entries: 100_000 })
    );
    assert!(SpecBuf::from_masks(&ones[..3], &ones[..2], &ones[..3], masks).is_err());
    assert!(SpecBuf::from_masks(&[], &[], &[], Masks { ellipsis: !0, ..masks }).is_err());
    assert_eq!(SpecBuf::from_masks(&[], &[], &[], masks), Ok(SpecBuf::default()));
    assert!(SpecBuf::from_axes(3, &ones, &ones, &ones, &ones).is_err());
    for rank in [0, 1, 40, 1 << 20, usize::MAX / 2, usize::MAX] {
        // A rank that no array has, in a form that names it: an error or a spec, no allocation of
        // that size.
        for axis in [0, -1, 7, i64::MIN, i64::MAX] {
            let _ = SpecBuf::from_axes(rank, &[axis], &[0], &[1], &[1]);
        }
    }
    for axis in [i64::MIN, -3, 2, i64::MAX] {
        let error = onnx::slice(&[0], &[1]).axes(&[axis]).to_spec(&[4, 4]).unwrap_err();
        assert_eq!(error, SliceError::AxisOutOfRange { axis, rank: 2 }.into());
    }
    assert_eq!(
        onnx::slice(&[1], &[2]).steps(&[-1]).to_spec(&[usize::MAX]),
        Err(SliceError::ShapeTooLarge.into())
    );
    assert!(onnx::slice(&[0, 0], &[1, 1]).to_spec(&[4]).is_err());
    let spec = range(Some(i64::MIN), Some(i64::MAX), i64::MIN);
    for low in EDGES {
        for high in EDGES {
            let _ = spec.infer_shape(&[Dim::Between(low, high)]);
            let _ = spec.infer_shape(&[Dim::Known(low), Dim::Between(high, low), Dim::Unknown]);
        }
    }
    assert!(spec.infer_shape(&vec![Dim::Unknown; 10_000]).is_ok());
}

/// Long and deep texts are refused, without a stack overflow, and in time that grows with their
/// length and not with its square.
#[test]
fn long_and_deep_texts() {
    let long = 200_000;
    for piece in [
        ":",
        ":,",
        "1,",
        "(",
        "[",
        "{",
        ")",
        "-",
        "+",
        ".",
        "...,",
        "1 ",
        "<",
        "a::<",
        "x.y",
        "'",
        "\"",
        "None,",
        "1_",
        "\u{1f980}",
    ] {
        let text = piece.repeat(long / piece.len());
        assert!(text.parse::<SpecBuf>().is_err(), "{piece} over and over");
    }
    let nested = format!("{}1{}", "(".repeat(long / 2), ")".repeat(long / 2));
    let _ = nested.parse::<SpecBuf>();
    let digits = "1".repeat(long);
    assert!(digits.parse::<SpecBuf>().is_err() && format!(":{digits}").parse::<SpecBuf>().is_err());
    let zeros = format!("{}7", "0".repeat(long));
    let _ = zeros.parse::<SpecBuf>();
    let spaces = format!("{}1{}", " ".repeat(long), " ".repeat(long));
    assert_eq!(spaces.parse::<SpecBuf>(), "1".parse());
}

/// `+=` of a caller's type may panic half way; what is left is still whole elements.
#[test]
fn a_panicking_add_leaves_whole_elements() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Shy(u32);
    impl std::ops::AddAssign for Shy {
        fn add_assign(&mut self, other: Shy) {
            assert!(other.0 != 3, "not that one");
            self.0 += other.0;
        }
    }
    let plan = range(None, None, -1).plan(&[6]).unwrap();
    let mut data = [Shy(10); 6];
    let values: Vec<Shy> = (0..6).map(Shy).collect();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        plan.add_assign(&mut data, &values)
    }));
    assert!(caught.is_err());
    assert!(data.iter().all(|v| (10..16).contains(&v.0)), "{data:?}");
}

proptest! {
    #![proptest_config(generate::config(2000))]

    /// Any numbers at all, as masks on any shape: an error or a plan that stays inside its buffer.
    #[test]
    fn any_numbers_anywhere(
        shape in proptest::collection::vec(
            prop_oneof![4 => 0..9_usize, 1 => proptest::sample::select(&EDGES[..])],
            0..7,
        ),
        entries in proptest::collection::vec((any::<i64>(), any::<i64>(), any::<i64>()), 0..9),
        masks in proptest::array::uniform5(prop_oneof![Just(0), 0..600_u32, any::<u32>()]),
    ) {
        let begin: Vec<i64> = entries.iter().map(|e| e.0).collect();
        let end: Vec<i64> = entries.iter().map(|e| e.1).collect();
        let strides: Vec<i64> = entries.iter().map(|e| e.2).collect();
        let [begin_mask, end_mask, ellipsis, new_axis, shrink_axis] = masks;
        let masks = Masks { begin: begin_mask, end: end_mask, ellipsis, new_axis, shrink_axis };
        if let Ok(spec) = SpecBuf::from_masks(&begin, &end, &strides, masks) {
            let _ = (spec.to_string(), spec.to_axes(&shape));
            let dims: Vec<Dim> = shape.iter().map(|&n| Dim::Between(n / 2, n)).collect();
            let _ = spec.infer_shape(&dims);
            if let Ok(plan) = spec.plan(&shape) {
                pokes(&plan);
            }
        }
    }

    /// A plan used on the buffer of another array: refused unless the lengths happen to be equal.
    #[test]
    fn plans_keep_to_their_own_buffers(
        (shape, items) in generate::case(5, 300),
        (other, _) in generate::case(5, 300),
    ) {
        let (plan, picked) = check::planned(&shape, &items).unwrap();
        let count: usize = other.iter().product();
        let mut data: Vec<u32> = (0..count as u32).collect();
        let copied = plan.copy(&data);
        if count == plan.input_len() {
            let wanted: Vec<u32> = picked.from.iter().map(|&at| at as u32).collect();
            prop_assert_eq!(copied, Ok(wanted));
        } else {
            names_lengths(copied, plan.input_len(), count);
            names_lengths(plan.fill(&mut data, 1), plan.input_len(), count);
            prop_assert!(data.iter().copied().eq(0..count as u32));
        }
    }
}

/// Every operation on buffers of a few lengths, and every question that needs no buffer. The plan
/// may be for an immense array.
fn pokes(plan: &Plan) {
    let shape = plan.input_shape();
    let _ = (plan.to_spec(), format!("{plan:?}"), plan.overlaps(plan), plan.selects_same(plan));
    for at in [0, 1, plan.offset(), plan.input_len() / 2, usize::MAX] {
        let _ = (plan.contains(at), plan.inverse(at), plan.contains(&vec![at; shape.len()]));
    }
    for size in [1, 3, usize::MAX] {
        let sizes: Vec<usize> = shape.iter().map(|&n| n.clamp(1, size)).collect();
        if let Ok(chunks) = plan.chunks(&sizes) {
            let _ = (chunks.total(), chunks.len());
            for chunk in chunks.take(3) {
                assert!(!chunk.plan().is_empty() && chunk.plan().shape() == chunk.target().shape());
                let _ = (chunk.clipped(), chunk.is_whole());
            }
        }
    }
    for spec in
        [SpecBuf::default(), range(None, None, i64::MIN), range(Some(i64::MIN), None, i64::MAX)]
    {
        if let Ok(then) = plan.then(&spec) {
            assert_eq!(then.input_len(), plan.input_len());
        }
    }
    for n in [0, 1, plan.input_len().min(4096)] {
        let mut data = vec![1_u16; n];
        let fits = n == plan.input_len();
        assert_eq!(plan.fill(&mut data, 2).is_ok(), fits);
        if plan.len() <= 4096 {
            assert_eq!(plan.copy(&data).is_ok(), fits);
            assert_eq!(plan.assign(&mut data, &vec![3; plan.len()]).is_ok(), fits);
        }
    }
}

/// Limits that no length meets are refused, wherever they come in.
#[test]
fn a_length_of_at_least_more_than_at_most() {
    let wrong = SliceError::DimOrder { axis: 1, least: 5, most: 2 };
    let shape = [Dim::Unknown, Dim::Between(5, 2)];
    for text in ["...", ":, 1:3", "0, None", "..., 1"] {
        assert_eq!(
            text.parse::<SpecBuf>().unwrap().infer_shape(&shape).map(Vec::from),
            Err(wrong),
            "{text}"
        );
    }
    assert_eq!(
        wrong.to_string(),
        "axis 1 has a minimum length of 5 and a maximum length of 2; give the smaller number first"
    );
}

/// A graph may claim any number of numbers, and any length of a chain. Neither costs memory or time
/// in proportion.
#[test]
fn operators_with_more_numbers_than_any_array_has_axes() {
    use pyslice::interop::{
        Bound, InteropError, Ints, aten, coreml, directml, hdf5, hlo, mlir, openvino, paddle,
        tensorrt, tf, tflite,
    };
    for n in [255, 1 << 20, usize::MAX >> 1, usize::MAX] {
        let later = Ints::Later(n);
        let by_axis: [&dyn Operator; 11] = [
            &tf::slice(later, later),
            &tflite::slice(later, later),
            &coreml::slice_by_size(later, later),
            &directml::slice1(later, later, later),
            &directml::slice(later, later, later),
            &hdf5::hyperslab(later, later),
            &hlo::slice(later, later, later),
            &hlo::dynamic_slice(later, later),
            &mlir::extract_slice(later, later, later),
            &tensorrt::slice(later, later, later),
            &openvino::strided_slice(later, later).begin_mask(&[]),
        ];
        let refused = InteropError::Slice(SliceError::RankTooHigh { rank: n, limit: 254 });
        for (i, op) in by_axis.into_iter().enumerate() {
            if i < 10 {
                assert_eq!(op.infer(None), Err(refused), "{i}");
            }
            for rank in [0, 1, 254] {
                let shape = vec![Dim::Unknown; rank];
                assert_eq!(op.infer(Some(&shape)), Err(refused), "{i}");
                assert_eq!(op.spec_if_known(&shape), Err(refused), "{i}");
                assert_eq!(op.to_spec(&vec![1; rank]), Err(refused), "{i}");
            }
        }
        let by_entry: [&dyn Operator; 6] = [
            &tf::strided_slice(later, later, later),
            &tflite::strided_slice(later, later, later),
            &onnx::slice(later, later),
            &onnx::slice(later, later).axes(later),
            &paddle::strided_slice(later, later),
            &paddle::strided_slice(later, later).axes(later).strides(later),
        ];
        for op in by_entry {
            let _ = (op.infer(None), op.infer(Some(&[Dim::Unknown])), op.to_spec(&[1; 254]));
        }
    }
    let shape = vec![Dim::Unknown; 255];
    let refused = InteropError::Slice(SliceError::RankTooHigh { rank: 255, limit: 254 });
    assert_eq!(hlo::slice(&[0; 255], &[1; 255], &[1; 255]).infer(Some(&shape)), Err(refused));
    // The square of this would be minutes.
    let mut chain = vec![aten::Step::Unsqueeze { dim: 0 }; 1 << 20];
    assert_eq!(aten::chain(&chain).infer(Some(&[])), Err(refused));
    for step in chain.iter_mut().skip(1).step_by(2) {
        *step = aten::Step::Select { dim: 0, index: Bound::At(0) };
    }
    assert_eq!(aten::chain(&chain).infer(Some(&[])).unwrap().unwrap().len(), 0);
}
