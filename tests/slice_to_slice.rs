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
    let done = from.on(&other).and_then(|values| to.assign(&mut copied, values));
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
    let done = from.bytes(size).move_within(to, &mut moved[shift..]);
    match wanted(&data) {
        Some(wanted) => assert_eq!((done, moved), (Ok(()), wanted), "{what}"),
        None => refused(done),
    }
    let mut copied = data.clone();
    let values = from.bytes(size).on(&other[shift..]).unwrap();
    let done = to.bytes(size).on_mut(&mut copied[shift..]).unwrap().assign(values);
    match wanted(&other) {
        Some(wanted) => assert_eq!((done, copied), (Ok(()), wanted), "{what}"),
        None => {
            refused(done);
            assert_eq!(copied, data);
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

/// Elements of which more than eight are cut into halves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Large([u64; 1024]);

proptest! {
    #![proptest_config(generate::config(6000))]

    /// Halves that overwrite each other, one of them the other only, or neither.
    #[test]
    fn large_elements_in_any_two_layouts((shape, [a, b]) in layouts()) {
        let (from, to) = (layout_plan(&shape, a.0, &a.1), layout_plan(&shape, b.0, &b.1));
        let len = from.input_len().max(to.input_len());
        let mut data: Vec<Large> = (0..len).map(|k| Large([k as u64; 1024])).collect();
        let names: Vec<u64> = (0..len as u64).collect();
        let wanted = expected(&from, &to, &names, &names).unwrap();
        from.move_within(&to, &mut data).unwrap();
        let whole = |(k, element): (u64, &Large)| element.0 == [k; 1024];
        prop_assert!(wanted.into_iter().zip(&data).all(whole), "{from:?} to {to:?}");
    }
}

/// Every pair of runs on one axis, long enough for halves to be cut.
#[test]
fn large_elements_are_moved_in_halves() {
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

/// Slices of one array that take many times what is copied aside at once: rows and columns that are
/// apart, interleaved, shifted, reversed, and several of these at a time.
const FAR: [(&[usize], &str, &str); 30] = [
    (&[300_007], ":150000", "150007:"),
    (&[300_007], "149999::-1", "150007:"),
    (&[300_007], "::2", "::-2"),
    (&[300_007], ":-1:2", "1::2"),
    (&[300_007], "1::2", ":-1:2"),
    (&[300_007], "3:", ":-3"),
    (&[300_007], ":-70001", "70001:"),
    (&[300_007], "::-1", ":"),
    (&[300_007], ":-1", ":0:-1"),
    (&[300_007], "99999::-1", "50000:150000"),
    (&[300_007], "::3", "100002:200005"),
    (&[300_007], "7", ":"),
    (&[613, 521], ":306, ::-1", "307:, :"),
    (&[613, 521], ":306, :", "307:, ::-1"),
    (&[613, 521], ":, :260", ":, 261:"),
    (&[613, 521], ":, 259::-1", ":, 261:"),
    (&[613, 521], "::-1", ":"),
    (&[613, 521], ":, ::-1", ":"),
    (&[613, 521], "::-1, ::-1", ":"),
    (&[613, 521], "::-1, :-1", ":, 1:"),
    (&[613, 521], ":-1, ::-1", "1:, :"),
    (&[613, 521], ":-1, 1:", "1:, :-1"),
    (&[613, 521], ":, :-1:2", ":, 1::2"),
    (&[613, 521], ":, :1", ":"),
    (&[613, 521], "612:", ":"),
    (&[100_003, 3], ":, 2", ":, 0"),
    (&[100_003, 3], ":, :2", ":, 1:"),
    (&[100_003, 3], ":, ::-1", ":"),
    (&[70, 65, 67], "::-1, :, ::-1", ":"),
    (&[70, 65, 67], ":, ::-1, 1:", "::-1, :, :-1"),
];

/// A function of two elements that tells its arguments apart.
fn mixed<const N: usize>(a: &mut [u8; N], b: &[u8; N]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = a.rotate_left(3) ^ b);
}

/// Moves and updates far more than is copied aside at once, on every kernel: typed, and as bytes
/// that begin anywhere.
fn far<const N: usize>() {
    // Where only a part of the cases is tried, a third of the moves for each size, or one.
    let step = match generate::config(100).cases {
        100.. => 1,
        10.. => 3,
        _ => FAR.len(),
    };
    for (shape, from_text, to_text) in FAR.into_iter().skip(N % step).step_by(step) {
        let (from, to) = (spec(from_text).plan(shape).unwrap(), spec(to_text).plan(shape).unwrap());
        let text = |text| naive::pick(shape, &naive::from_text(text).unwrap()).unwrap();
        let (read, written) = (text(from_text), text(to_text));
        let which = naive::broadcast(&written.shape, &read.shape).unwrap();
        assert!(to.len() * N > 1 << 16);
        let len = shape.iter().product();
        let data: Vec<[u8; N]> = (0..len)
            .map(|k: usize| std::array::from_fn(|i| (k * 31 + (k >> 7) * 5 + i * 3) as u8))
            .collect();
        let (mut moved, mut changed) = (data.clone(), data.clone());
        for (&at, i) in written.from.iter().zip(which) {
            moved[at] = data[read.from[i]];
            mixed(&mut changed[at], &data[read.from[i]]);
        }
        let what = format!("{from_text} to {to_text} of {shape:?}, {N} bytes");
        let mut x = data.clone();
        from.zip_within(&to, &mut x, mixed).unwrap();
        assert!(x == changed, "zip_within, {what}");
        check::on_every_kernel(|| {
            let mut x = data.clone();
            from.move_within(&to, &mut x).unwrap();
            assert!(x == moved, "move_within, {what}");
        });
        for shift in [1, 3, 6] {
            let around =
                |x: &[[u8; N]]| [&vec![0xA5; shift], x.as_flattened(), &[0x5A; 9]].concat();
            let mut x = around(&data);
            let last = shift + len * N;
            from.bytes(N).move_within(&to, &mut x[shift..last]).unwrap();
            assert!(x == around(&moved), "move_within of bytes, {shift} bytes on, {what}");
        }
    }
}

#[test]
fn far_moves_of_bytes_and_pairs() {
    far::<1>();
    far::<2>();
}

#[test]
fn far_moves_of_three_and_four_bytes() {
    far::<3>();
    far::<4>();
}

#[test]
fn far_moves_of_larger_elements() {
    far::<8>();
    far::<13>();
}

/// The largest block asked for while `from` moves to `to` on an array of 2^20 elements.
fn largest<T: Element>(shape: &[usize], from: &str, to: &str) -> usize {
    let len: usize = shape.iter().product();
    assert_eq!(len, 1 << 20);
    let (from, to) = (spec(from).plan(shape).unwrap(), spec(to).plan(shape).unwrap());
    let data: Vec<T> = (0..len).map(T::make).collect();
    let wanted = expected(&from, &to, &data, &data).unwrap();
    let mut moved = data.clone();
    LARGEST.set(0);
    from.move_within(&to, &mut moved).unwrap();
    let largest = LARGEST.get();
    assert!(moved == wanted, "{from:?} to {to:?}");
    largest
}

/// Slices that are apart are copied from one to the other, and long rows are moved one by one.
#[test]
fn no_temporary_for_rows_and_slices_apart() {
    let (n, side, cube) = (&[1 << 20][..], &[1024, 1024][..], &[64, 128, 128][..]);
    let moves = [
        (n, ":-1", "1:"),
        (n, "1:", ":-1"),
        (n, ":524288", "524288:"),
        (n, "524287::-1", "524288:"),
        (side, ":512, ::-1", "512:"),
        (side, ":, :512", ":, 1023:511:-1"),
        (side, ":-1", "1:"),
        (side, ":, :-1", ":, 1:"),
        (side, ":-1, 1:", "1:, :-1"),
        (side, "1:, 1:", ":-1, :-1"),
        (side, "0", "..."),
        (side, "-1:", ":"),
        (side, "::-1, :-1", "::-1, 1:"),
        (side, "::2", "1::2"),
        (cube, "::2, :, ::2", "1::2, :, 1::2"),
    ];
    for (shape, from, to) in moves {
        let largest = largest::<u8>(shape, from, to);
        assert!(largest <= 4096, "{from} to {to}: {largest}");
    }
}

/// Makes a move of words, and of the same as bytes, and checks what comes of both. Returns the
/// largest allocation of either.
fn asked_for(from: &Plan, to: &Plan) -> [usize; 2] {
    let data: Vec<u32> = (0..from.input_len()).map(u32::make).collect();
    let wanted = expected(from, to, &data, &data).unwrap();
    let in_bytes = |data: &[u32]| data.iter().flat_map(|a| a.to_ne_bytes()).collect();
    let (mut moved, mut bytes): (_, Vec<u8>) = (data.clone(), in_bytes(&data));
    LARGEST.set(0);
    from.move_within(to, &mut moved).unwrap();
    let words = LARGEST.replace(0);
    from.bytes(4).move_within(to, &mut bytes).unwrap();
    let asked = [words, LARGEST.get()];
    assert!(moved == wanted && bytes == in_bytes(&wanted), "{from:?} to {to:?}");
    asked
}

/// A run is moved as it is, however short, on its way through other elements or past them.
#[test]
fn no_memory_for_one_run() {
    for n in [2, 3, 8, 100, 2047, 2048, 5000, 70_000] {
        let half = n / 2;
        let (shape, rows) = ([n], [3, n]);
        let line = [
            (":-1".to_owned(), "1:".to_owned()),
            ("1:".to_owned(), ":-1".to_owned()),
            (format!(":{half}"), format!("{}:", n - half)),
            (format!("{}:", n - half), format!(":{half}")),
            ("0".to_owned(), "-1".to_owned()),
        ];
        let block = [("0", "1"), ("2", "0"), (":2", "1:"), ("1:", ":-1"), ("1:2", "0:1")];
        let block = block.map(|(from, to)| (from.to_owned(), to.to_owned()));
        let plans = |shape: &[usize], [from, to]: [&str; 2]| {
            (spec(from).plan(shape).unwrap(), spec(to).plan(shape).unwrap())
        };
        let all = line.iter().map(|(from, to)| plans(&shape, [from, to]));
        for (from, to) in all.chain(block.iter().map(|(from, to)| plans(&rows, [from, to]))) {
            assert_eq!(asked_for(&from, &to), [0, 0], "{from:?} to {to:?}");
        }
    }
}

/// Columns whose rows are a line apart are moved value by value, in the one order that is right.
#[test]
fn no_memory_for_columns() {
    let columns = [
        (":, -2:", ":, :2"),
        (":, 0", ":, 3"),
        (":, :4", ":, 36:"),
        (":, :3", ":, 1:4"),
        (":, 1:5", ":, :4"),
        (":-1, :2", "1:, 1:3"),
        ("1:, 3", ":-1, 3"),
        ("::-1, 38:", "::-1, :2"),
        ("2::3, 5:8", "1:-1:3, 30:33"),
    ];
    for (shape, before) in [(&[9, 40][..], ""), (&[100, 40], ""), (&[3, 29, 40], ":, ")] {
        for (from, to) in columns {
            let plan = |text| spec(&format!("{before}{text}")).plan(shape).unwrap();
            let (from, to) = (plan(from), plan(to));
            assert_eq!(asked_for(&from, &to)[0], 0, "{from:?} to {to:?}");
        }
    }
}

/// Words between words are moved one by one; bytes and pairs of them would take longer like that.
#[test]
fn short_words_between_others_are_copied_aside() {
    let (n, cube) = (&[1 << 20][..], &[64, 128, 128][..]);
    for (shape, from, to) in [(n, "::2", "1::2"), (cube, "::2, :, ::2", "::2, :, 1::2")] {
        assert_eq!(largest::<u8>(shape, from, to), 1 << 16, "{from} to {to}");
        assert_eq!(largest::<u16>(shape, from, to), 1 << 16, "{from} to {to}");
        assert!(largest::<u32>(shape, from, to) <= 4096, "{from} to {to}");
    }
    assert!(largest::<u8>(n, ":524288:2", "524289::2") <= 4096, "they are not between each other");
}

/// Short rows, where an order exists, and halves that overwrite each other: at most 64 KiB aside.
#[test]
fn no_more_than_a_piece_aside() {
    let (n, side, cube) = (&[1 << 20][..], &[1024, 1024][..], &[64, 128, 128][..]);
    let moves = [
        (n, ":-3:2", "2::2"),
        (n, "::2", ":524288"),
        (n, ":524288", "::2"),
        (n, ":524288", "1::2"),
        (side, ":, :1", "..."),
        (cube, ":, :-1", ":, 1:"),
        (cube, "1:, :-2, 3:", ":-1, 2:, :-3"),
        (n, "::-1", ":"),
        (side, "::-1", ":"),
        (side, ":, ::-1", ":"),
        (side, "::-1, ::-1", ":"),
        (cube, "::-1, :, ::-1", ":"),
        // One direction up to a point and the other from there on.
        (n, "::2", "262144:786432"),
        (n, "262144:786432", "::2"),
    ];
    for (shape, from, to) in moves {
        let largest = largest::<u8>(shape, from, to);
        assert!(largest <= 1 << 16, "{from} to {to}: {largest}");
    }
}

/// A slice of many elements that is assigned to itself with axes reversed: rows of any length, with
/// gaps and without, in any order of axes.
#[test]
fn elements_change_places() {
    let shape = [30, 6, 131];
    let pairs = [
        ("::-1", "..."),
        ("...", "::-1"),
        (":, ::-1", "..."),
        ("..., ::-1", "..."),
        ("..., ::-1", "::-1"),
        ("::-1, ::-1", "..."),
        (":, ::-1, ::-1", "..."),
        ("::-1, ::-1, ::-1", "..."),
        ("::-1, :, ::-1", "..."),
        ("1:, :, -3:1:-1", "1:, :, 2:-2"),
        ("1:, :, -3:2:-1", "1:, :, 2:-3"),
        ("28::-2", "::2"),
        ("..., ::-2", "..., ::2"),
        ("29:14:-1", "15:"),
        ("29:14:-1", ":15"),
        (":, 4:0:-1, 3:90", ":, 1:5, 3:90"),
        // An order of rows is right, although their elements change places.
        ("2:, :, ::-1", ":-2"),
        (":-1, ::-1", "1:"),
        (":, 1:, ::-1", ":, :-1"),
    ];
    for (from, to) in pairs {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let plan = |text| spec(text).plan(&shape).unwrap().permute(&order).unwrap();
            let (from, to, len) = (plan(from), plan(to), shape.iter().product());
            compare::<u8>(&from, &to, len);
            compare::<u16>(&from, &to, len);
            compare::<u32>(&from, &to, len);
            compare::<[u32; 3]>(&from, &to, len);
            compare_bytes(&from, &to, len, 20, 1);
            compare_bytes(&from, &to, len, 70, 0);
        }
    }
    // Places that are shared: the last value stays.
    let windows = |text| spec(text).plan_strided(&[50, 400], &[7, 1]).unwrap();
    compare::<u32>(&windows(":, ::-1"), &windows("..."), 49 * 7 + 400);
    compare::<u32>(&windows("::-1"), &windows("..."), 49 * 7 + 400);
    // Nothing is asked for.
    let plan = |text| spec(text).plan(&[100, 50]).unwrap();
    assert_eq!(asked_for(&plan("::-1"), &plan("...")), [0, 0]);
    assert_eq!(asked_for(&plan("::-1, ::-1"), &plan("..."))[0], 0);
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
    assert_eq!(to.assign(&mut data, from.on(&[7; 6]).unwrap()), Err(broadcast));
    let length = |buffer, found| SliceError::BufferLength { buffer, expected: 6, found };
    assert_eq!(to.move_within(&to, &mut data[..5]), Err(length(Buffer::Source, 5)));
    let other = spec("...").plan(&[5]).unwrap();
    let apart = Err(SliceError::DifferentBuffers { first: 6, second: 5 });
    assert_eq!(to.move_within(&other, &mut data), apart);
    assert_eq!(to.zip_within(&other, &mut data, |a, b| *a += b), apart);
    assert_eq!(to.bytes(4).move_within(&other, &mut [0; 24]), apart);
    assert_eq!(data, [0, 1, 2, 3, 4, 5]);
    // The same over bytes, counted in bytes; no element has 0 of them.
    let mut data = *b"aabbccddeeff";
    let length =
        |buffer, expected, found| Err(SliceError::ByteLength { buffer, expected, found, size: 2 });
    assert_eq!(from.bytes(2).move_within(&to, &mut data), Err(broadcast));
    let values = from.bytes(2).on(&[7; 12]).unwrap();
    assert_eq!(to.bytes(2).on_mut(&mut data).unwrap().assign(values), Err(broadcast));
    for found in [11, 13, 6, 0] {
        let mut other = vec![0; found];
        let moved = to.bytes(2).move_within(&to, &mut other);
        assert_eq!(moved, length(Buffer::Source, 12, found));
    }
    assert_eq!(to.bytes(0).move_within(&to, &mut data), Err(SliceError::ZeroElementSize));
    let huge = SliceError::BytesTooLarge { elements: 6, size: usize::MAX / 4 };
    assert_eq!(to.bytes(usize::MAX / 4).move_within(&to, &mut data), Err(huge));
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
        to.assign(&mut data, from.on(&row).unwrap()).unwrap();
        assert!(data.chunks_exact(n).all(|filled| filled == row), "{n}: {data:?}");
    }
}

/// Strided arrays may be longer than a plan needs, but not shorter, and both plans say so.
#[test]
fn the_buffer_fits_both_plans() {
    let from = spec(":2").plan_strided(&[4], &[1]).unwrap();
    let to = spec("2:4").plan_strided(&[6], &[1]).unwrap();
    let short = SliceError::BufferLength { buffer: Buffer::Target, expected: 6, found: 4 };
    assert_eq!(from.move_within(&to, &mut [1_u16, 2, 3, 4]), Err(short));
    let (buffer, size) = (Buffer::Target, 3);
    let short = SliceError::ByteLength { buffer, expected: 18, found: 12, size };
    assert_eq!(from.bytes(3).move_within(&to, &mut [0; 12]), Err(short));
}
