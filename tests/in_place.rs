//! Copies from slice to slice, within one array and between two, compared with copying everything
//! first.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{Buffer, Plan, SliceError, SpecBuf};
use support::check::{self, Element};
use support::{generate, naive};

/// The system's allocator, which notes the largest block that this thread asked for.
struct Noting;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn note(size: usize) {
    // At the end of a thread, the value may be gone.
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Noting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: the caller's promise is the one asked for.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Noting = Noting;

fn spec(text: &str) -> SpecBuf {
    check::spec_of(&naive::from_text(text).unwrap()).unwrap().unwrap()
}

/// `data[to] = data[from]` by way of a full copy; `None` if the shapes do not broadcast.
fn expected<T: Copy>(from: &Plan, to: &Plan, src: &[T], data: &[T]) -> Option<Vec<T>> {
    let which = naive::broadcast(to.shape(), from.shape()).ok()?;
    let (read, written) = (check::walk(from), check::walk(to));
    let mut out = data.to_vec();
    written.iter().zip(which).for_each(|(&at, i)| out[at] = src[read[i]]);
    Some(out)
}

fn compare<T: Element>(from: &Plan, to: &Plan, len: usize) {
    let data: Vec<T> = (0..len).map(T::make).collect();
    let mut moved = data.clone();
    let done = from.move_within(to, &mut moved);
    match expected(from, to, &data, &data) {
        Some(wanted) => assert_eq!((done, moved), (Ok(()), wanted), "{from:?} to {to:?}"),
        None => {
            assert!(
                matches!(done, Err(SliceError::Broadcast { .. })),
                "{done:?}, {from:?} to {to:?}"
            );
            assert_eq!(moved, data);
        }
    }
    let other: Vec<T> = (0..len).map(|k| T::make(k + len)).collect();
    let mut copied = data.clone();
    let done = from.copy_to(&other, to, &mut copied);
    match expected(from, to, &other, &data) {
        Some(wanted) => assert_eq!((done, copied), (Ok(()), wanted), "{from:?} to {to:?}"),
        None => assert!(matches!(done, Err(SliceError::Broadcast { .. })), "{done:?}"),
    }
}

/// The same over bytes, `shift` bytes past an aligned place, for elements of `size` bytes.
fn compare_bytes(from: &Plan, to: &Plan, len: usize, size: usize, shift: usize) {
    let bytes = |first: usize| (first..first + shift + len * size).map(u8::make).collect();
    let (data, other): (Vec<u8>, Vec<u8>) = (bytes(0), bytes(100));
    let wanted = |src: &[u8]| {
        let places: Vec<usize> = (0..len).collect();
        let which = expected(from, to, &places, &vec![usize::MAX; len])?;
        let mut out = data.clone();
        for (place, &at) in which.iter().enumerate().filter(|(_, at)| **at < len) {
            let (place, at) = (shift + place * size, shift + at * size);
            out[place..place + size].copy_from_slice(&src[at..at + size]);
        }
        Some(out)
    };
    let what = format!("{size} bytes, {from:?} to {to:?}");
    let refused = |done: Result<(), SliceError>| {
        assert!(matches!(done, Err(SliceError::Broadcast { .. })), "{done:?}, {what}");
    };
    let mut moved = data.clone();
    let done = from.move_within_bytes(size, to, &mut moved[shift..]);
    match wanted(&data) {
        Some(wanted) => assert_eq!((done, moved), (Ok(()), wanted), "{what}"),
        None => refused(done),
    }
    let mut copied = data.clone();
    let done = from.copy_to_bytes(size, &other[shift..], to, &mut copied[shift..]);
    let mut raw = data.clone();
    // Only the places of `to` are written, so the others keep what they have.
    let room = check::uninit(&mut raw[shift..]);
    let uninit = from.copy_to_bytes_uninit(size, &other[shift..], to, room);
    match wanted(&other) {
        Some(wanted) => {
            assert_eq!((done, &copied), (Ok(()), &wanted), "{what}");
            assert_eq!((uninit, &raw), (Ok(()), &wanted), "{what}");
        }
        None => {
            refused(done);
            refused(uninit);
            assert_eq!((&copied, &raw), (&data, &data));
        }
    }
}

/// On one axis of `n`, two runs of one length, or one run and one position; as ranges.
fn runs(n: usize) -> impl Strategy<Value = [String; 2]> {
    let run = move |len: usize| {
        let longest = if len > 1 { (n - 1) / (len - 1) } else { 1 };
        (1..=longest.max(1), any::<bool>()).prop_flat_map(move |(step, down)| {
            let reach = (len - 1) * step;
            let step = step as isize;
            (0..n - reach).prop_map(move |low| {
                let (first, step) = if down { (low + reach, -step) } else { (low, step) };
                let stop = first as isize + len as isize * step;
                let stop = if stop < 0 { String::new() } else { stop.to_string() };
                format!("{first}:{stop}:{step}")
            })
        })
    };
    (1..=n, prop_oneof![5 => Just(false), 1 => Just(true)]).prop_flat_map(move |(len, one)| {
        (run(if one { 1 } else { len }), run(len)).prop_map(|(a, b)| [a, b])
    })
}

/// A shape and two slices of it whose shapes broadcast.
fn pair() -> impl Strategy<Value = (Vec<usize>, [String; 2])> {
    vec(1..9_usize, 1..4).prop_flat_map(|shape| {
        let axes: Vec<_> = shape.iter().map(|&n| runs(n)).collect();
        (Just(shape), axes).prop_map(|(shape, axes)| {
            let text =
                |side: usize| axes.iter().map(|a| a[side].clone()).collect::<Vec<_>>().join(", ");
            (shape, [text(0), text(1)])
        })
    })
}

/// Two layouts of one shape anywhere in one buffer: offset and strides.
fn layouts() -> impl Strategy<Value = (Vec<usize>, [(usize, Vec<isize>); 2])> {
    vec(1..5_usize, 0..4).prop_flat_map(|shape| {
        let rank = shape.len();
        let side =
            (0..12_usize, vec(prop_oneof![4 => -14..15_isize, 1 => Just(0), 2 => Just(1)], rank));
        (Just(shape), [side.clone(), side]).prop_map(|(shape, sides)| (shape, sides))
    })
}

/// The layout as a plan: an axis in front carries the offset.
fn layout_plan(shape: &[usize], offset: usize, strides: &[isize]) -> Plan {
    let shape: Vec<usize> = [offset + 1].iter().chain(shape).copied().collect();
    let strides: Vec<isize> = [1].iter().chain(strides).copied().collect();
    spec("-1").plan_strided(&shape, &strides).unwrap()
}

proptest! {
    #![proptest_config(generate::config(1500))]

    #[test]
    fn slices_of_one_array((shape, texts) in pair()) {
        let [from, to] = texts.map(|text| spec(&text).plan(&shape).unwrap());
        let len = shape.iter().product();
        compare::<u8>(&from, &to, len);
        compare::<u32>(&from, &to, len);
        compare::<[u64; 3]>(&from, &to, len);
        compare::<[u8; 0]>(&from, &to, len);
        for (size, shift) in [(1, 1), (2, 1), (3, 0), (4, 3), (8, 1), (12, 2), (16, 5), (24, 0)] {
            compare_bytes(&from, &to, len, size, shift);
        }
        // Against the broadcast.
        compare::<u16>(&to, &from, len);
    }

    /// Transposed, diagonal, shared, in any relation.
    #[test]
    fn any_two_layouts((shape, [a, b]) in layouts()) {
        let (from, to) = (layout_plan(&shape, a.0, &a.1), layout_plan(&shape, b.0, &b.1));
        let len = from.input_len().max(to.input_len());
        compare::<u16>(&from, &to, len);
        compare::<[u8; 3]>(&to, &from, len + 3);
        compare_bytes(&from, &to, len, 4, 1);
        compare_bytes(&to, &from, len + 2, 7, 3);
    }
}

/// Every pair of runs on one axis, long enough for halves to be cut: 9 elements of 8 KiB.
#[test]
fn large_elements_are_moved_in_halves() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Large([u64; 1024]);
    let n = 9_usize;
    let data: Vec<Large> = (0..n).map(|k| Large([k as u64; 1024])).collect();
    let names = |x: &[Large]| x.iter().map(|e| e.0[0]).collect::<Vec<u64>>();
    let mut ranges = Vec::new();
    for len in 1..=n as i128 {
        for (start, step) in
            (0..n as i128).flat_map(|start| [-8, -3, -2, -1, 1, 2, 3, 8].map(|step| (start, step)))
        {
            let last = start + (len - 1) * step;
            if (0..n as i128).contains(&last) {
                let stop = last + step.signum();
                let stop = if stop < 0 { String::new() } else { stop.to_string() };
                ranges.push(spec(&format!("{start}:{stop}:{step}")).plan(&[n]).unwrap());
            }
        }
    }
    for from in &ranges {
        for to in ranges.iter().filter(|to| to.len() == from.len() || from.len() == 1) {
            let mut moved = data.clone();
            from.move_within(to, &mut moved).unwrap();
            let mut wanted: Vec<u64> = (0..n as u64).collect();
            let read = check::walk(from);
            for (i, &at) in check::walk(to).iter().enumerate() {
                wanted[at] = read[i % read.len()] as u64;
            }
            assert_eq!(names(&moved), wanted, "{from:?} to {to:?}");
        }
    }
}

/// The largest block asked for while `from` moves to `to` on an array of 1 MiB.
fn largest(shape: &[usize], from: &str, to: &str) -> usize {
    let len: usize = shape.iter().product();
    assert_eq!(len, 1 << 20);
    let (from, to) = (spec(from).plan(shape).unwrap(), spec(to).plan(shape).unwrap());
    let data: Vec<u8> = (0..len).map(u8::make).collect();
    let wanted = expected(&from, &to, &data, &data).unwrap();
    let mut moved = data.clone();
    LARGEST.set(0);
    from.move_within(&to, &mut moved).unwrap();
    let largest = LARGEST.get();
    assert!(moved == wanted, "{from:?} to {to:?}");
    largest
}

#[test]
fn no_temporary_where_an_order_exists() {
    let (n, side, cube) = (&[1 << 20][..], &[1024, 1024][..], &[64, 128, 128][..]);
    let moves = [
        (n, ":-1", "1:"),
        (n, "1:", ":-1"),
        (n, ":-3:2", "2::2"),
        (n, "::2", "1::2"),
        (n, "::2", ":524288"),
        (n, ":524288", "::2"),
        (n, ":524288", "1::2"),
        (n, "524287::-1", "524288:"),
        (side, ":-1", "1:"),
        (side, ":, :-1", ":, 1:"),
        (side, ":-1, 1:", "1:, :-1"),
        (side, "1:, 1:", ":-1, :-1"),
        (side, "0", "..."),
        (side, "-1:", ":"),
        (side, ":, :1", "..."),
        (side, "::-1, :-1", "::-1, 1:"),
        (cube, ":, :-1", ":, 1:"),
        (cube, "1:, :-2, 3:", ":-1, 2:, :-3"),
        (cube, "::2, :, ::2", "1::2, :, 1::2"),
    ];
    for (shape, from, to) in moves {
        let largest = largest(shape, from, to);
        assert!(largest <= 4096, "{from} to {to}: {largest}");
    }
}

#[test]
fn no_more_than_half_where_none_does() {
    let (n, side) = (&[1 << 20][..], &[1024, 1024][..]);
    for (shape, from, to) in
        [(n, "::-1", "::1"), (side, "::-1", ":"), (side, ":, ::-1", ":"), (side, "::-1, ::-1", ":")]
    {
        let largest = largest(shape, from, to);
        assert!(largest <= 1 << 19, "{from} to {to}: {largest}");
    }
    // One direction up to a point and the other from there on: a little at that point.
    for (from, to) in [("::2", "262144:786432"), ("262144:786432", "::2")] {
        let largest = largest(n, from, to);
        assert!(largest <= 1 << 16, "{from} to {to}: {largest}");
    }
}

/// A transposition in place, by strides.
#[test]
fn a_square_is_transposed_in_place() {
    let n = 300;
    let (rows, columns) = (
        spec("...").plan_strided(&[n, n], &[300, 1]).unwrap(),
        spec("...").plan_strided(&[n, n], &[1, 300]).unwrap(),
    );
    let data: Vec<u32> = (0..n as u32 * n as u32).collect();
    let mut moved = data.clone();
    columns.move_within(&rows, &mut moved).unwrap();
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        assert_eq!(moved[i * n + j], data[j * n + i]);
    }
}

#[test]
fn what_does_not_fit_is_an_error_and_nothing_is_written() {
    let (from, to) = (spec(":3").plan(&[6]).unwrap(), spec("1:").plan(&[6]).unwrap());
    let mut data = [0, 1, 2, 3, 4, 5];
    let broadcast = SliceError::broadcast(1, &[3], &[5]);
    assert_eq!(from.move_within(&to, &mut data), Err(broadcast));
    assert_eq!(from.copy_to(&[7; 6], &to, &mut data), Err(broadcast));
    let length = |buffer, found| SliceError::BufferLength { buffer, expected: 6, found };
    assert_eq!(to.move_within(&to, &mut data[..5]), Err(length(Buffer::Source, 5)));
    assert_eq!(to.copy_to(&[7; 5], &to, &mut data), Err(length(Buffer::Source, 5)));
    assert_eq!(to.copy_to(&[7; 6], &to, &mut data[..5]), Err(length(Buffer::Target, 5)));
    let other = spec("...").plan(&[5]).unwrap();
    let apart = Err(SliceError::DifferentBuffers { first: 6, second: 5 });
    assert_eq!(to.move_within(&other, &mut data), apart);
    assert_eq!(to.add_within(&other, &mut data), apart);
    assert_eq!(to.move_within_bytes(4, &other, &mut [0; 24]), apart);
    assert_eq!(data, [0, 1, 2, 3, 4, 5]);
    // The same over bytes, counted in bytes; no element has 0 of them.
    let mut data = *b"aabbccddeeff";
    let length =
        |buffer, expected, found| Err(SliceError::ByteLength { buffer, expected, found, size: 2 });
    assert_eq!(from.move_within_bytes(2, &to, &mut data), Err(broadcast));
    assert_eq!(from.copy_to_bytes(2, &[7; 12], &to, &mut data), Err(broadcast));
    for found in [11, 13, 6, 0] {
        let mut other = vec![0; found];
        assert_eq!(to.move_within_bytes(2, &to, &mut other), length(Buffer::Source, 12, found));
        let copied = to.copy_to_bytes(2, &other, &to, &mut data);
        assert_eq!(copied, length(Buffer::Source, 12, found));
        let copied = to.copy_to_bytes(2, &[7; 12], &to, &mut other);
        assert_eq!(copied, length(Buffer::Target, 12, found));
        let copied = to.copy_to_bytes_uninit(2, &[7; 12], &to, check::uninit(&mut other));
        assert_eq!(copied, length(Buffer::Target, 12, found));
    }
    assert_eq!(to.move_within_bytes(0, &to, &mut data), Err(SliceError::ZeroElementSize));
    assert_eq!(to.copy_to_bytes(0, &[7; 12], &to, &mut data), Err(SliceError::ZeroElementSize));
    let huge = SliceError::BytesTooLarge { elements: 6, size: usize::MAX / 4 };
    assert_eq!(to.move_within_bytes(usize::MAX / 4, &to, &mut data), Err(huge));
    assert_eq!(to.copy_to_bytes(usize::MAX / 4, &[7; 12], &to, &mut data), Err(huge));
    assert_eq!(data, *b"aabbccddeeff");
    let mut data = [0, 1, 2, 3, 4, 5];
    // Nothing to nothing is fine, and so is one value to nothing.
    let (none, one) = (spec("3:3").plan(&[6]).unwrap(), spec("3:4").plan(&[6]).unwrap());
    assert_eq!(none.move_within(&none, &mut data), Ok(()));
    assert_eq!(one.move_within(&none, &mut data), Ok(()));
    assert_eq!(data, [0, 1, 2, 3, 4, 5]);
}

/// Reversing both sides cancels out: a reversed row, written to every row of a reversed array.
#[test]
fn a_reversed_row_fills_a_reversed_array() {
    for n in [2, 3, 5, 40, 300] {
        let row: Vec<i64> = (1..=n as i64).collect();
        let from = "::-1".parse::<SpecBuf>().unwrap().plan(&[n]).unwrap();
        let to = "::-1, ::-1".parse::<SpecBuf>().unwrap().plan(&[70, n]).unwrap();
        let mut data = [0].repeat(70 * n);
        from.copy_to(&row, &to, &mut data).unwrap();
        assert!(data.chunks_exact(n).all(|filled| filled == row), "{n}: {data:?}");
    }
}

/// Strided arrays may be longer than a plan needs, but not shorter, and both plans say so.
#[test]
fn the_buffer_fits_both_plans() {
    let (from, to) = (spec(":2").plan(&[4]).unwrap(), spec("1:").plan(&[3]).unwrap());
    let mut x = [0_u8; 3];
    let long = SliceError::BufferLength { buffer: Buffer::Source, expected: 4, found: 5 };
    assert_eq!(from.copy_to(&[1_u8; 5], &to, &mut x), Err(long));
    assert!(from.copy_to_bytes(1, &[1_u8; 5], &to, &mut x).is_err());
    let from = spec(":2").plan_strided(&[4], &[1]).unwrap();
    let to = spec("2:4").plan_strided(&[6], &[1]).unwrap();
    let short = SliceError::BufferLength { buffer: Buffer::Target, expected: 6, found: 4 };
    assert_eq!(from.move_within(&to, &mut [1_u16, 2, 3, 4]), Err(short));
    let (buffer, size) = (Buffer::Target, 3);
    let short = SliceError::ByteLength { buffer, expected: 18, found: 12, size };
    assert_eq!(from.move_within_bytes(3, &to, &mut [0; 12]), Err(short));
}
