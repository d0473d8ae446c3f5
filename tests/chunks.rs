//! The chunks a slice touches, compared with a list of all chunks and of what lies in each.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{Chunk, Chunks, Entry, Plan, SliceError, SpecBuf};
use serde_json::json;
use support::naive::{self, Item};
use support::{check, generate};

/// Two axes of this length have more elements than an array may have.
const LONG: usize = 1 << (usize::BITS * 5 / 8);

/// The multi-index of position `at` in C order.
fn unravel(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&n| {
            let i = at % n;
            at /= n;
            i
        })
        .collect();
    index.reverse();
    index
}

fn ravel(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (&i, &n)| at * n + i)
}

/// One chunk of the grid: its coordinates, its origin, its shape, that within the array, and its
/// elements, whole and clipped.
///
/// An element is its position in the array; places over the end hold what no position equals.
struct Stored {
    coords: Vec<usize>,
    origin: Vec<usize>,
    shape: Vec<usize>,
    extent: Vec<usize>,
    whole: Vec<usize>,
    clipped: Vec<usize>,
}

/// A grid, as the lengths of its chunks along each axis.
type Lengths = Vec<Vec<usize>>;

/// All chunks have one shape.
fn regular(shape: &[usize], chunk_shape: &[usize]) -> Lengths {
    shape.iter().zip(chunk_shape).map(|(&n, &c)| vec![c; n.div_ceil(c)]).collect()
}

fn store(shape: &[usize], lengths: &Lengths) -> Vec<Stored> {
    let grid: Vec<usize> = lengths.iter().map(Vec::len).collect();
    (0..grid.iter().product())
        .map(|k| {
            let coords = unravel(k, &grid);
            let at = || lengths.iter().zip(&coords);
            let chunk_shape: Vec<usize> = at().map(|(l, &c)| l[c]).collect();
            let origin: Vec<usize> = at().map(|(l, &c)| l[..c].iter().sum()).collect();
            let (mut whole, mut clipped) = (Vec::new(), Vec::new());
            for at in 0..chunk_shape.iter().product() {
                let within = unravel(at, &chunk_shape);
                let index: Vec<usize> = origin.iter().zip(&within).map(|(o, w)| o + w).collect();
                if index.iter().zip(shape).all(|(&i, &n)| i < n) {
                    clipped.push(ravel(&index, shape));
                    whole.push(ravel(&index, shape));
                } else {
                    whole.push(usize::MAX);
                }
            }
            let extent =
                (0..shape.len()).map(|a| chunk_shape[a].min(shape[a] - origin[a])).collect();
            Stored { coords, origin, shape: chunk_shape, extent, whole, clipped }
        })
        .collect()
}

/// Everything about the chunks of a regular grid, of a plan whose listed positions are `from`.
fn compare(plan: &Plan, from: &[usize], chunk_shape: &[usize]) {
    let lengths = regular(plan.input_shape(), chunk_shape);
    walked(plan, from, &lengths, &plan.chunks(chunk_shape).unwrap());
}

/// The same for a grid of any lengths.
fn compare_lengths(plan: &Plan, from: &[usize], lengths: &Lengths) {
    walked(plan, from, lengths, &plan.chunks_of_lengths(lengths).unwrap());
}

fn walked(plan: &Plan, from: &[usize], lengths: &Lengths, chunks: &Chunks<'_>) {
    let all = store(plan.input_shape(), lengths);
    let holds = |chunk: &Stored| from.iter().any(|at| chunk.clipped.contains(at));
    let touched: Vec<&Stored> = all.iter().filter(|chunk| holds(chunk)).collect();
    assert_eq!(chunks.total(), all.len());
    assert_eq!(
        (chunks.len(), chunks.size_hint()),
        (touched.len(), (touched.len(), Some(touched.len())))
    );
    assert_eq!(chunks.clone().count(), touched.len());
    let walked: Vec<Chunk> = chunks.clone().collect();
    let coords: Vec<&[usize]> = walked.iter().map(Chunk::coords).collect();
    assert_eq!(coords, touched.iter().map(|chunk| &chunk.coords[..]).collect::<Vec<_>>());

    let (mut result, mut times) = (vec![usize::MAX; from.len()], vec![0; from.len()]);
    let mut by_workers = result.clone();
    for (chunk, stored) in walked.iter().zip(touched) {
        assert_eq!((chunk.origin(), chunk.extent()), (&stored.origin[..], &stored.extent[..]));
        assert_eq!(chunk.plan().shape(), chunk.target().shape());
        assert_eq!(chunk.plan().input_shape(), stored.shape);
        assert_eq!(chunk.clipped().input_shape(), stored.extent);
        assert_eq!(chunk.target().input_shape(), plan.shape());
        assert!(chunk.plan().source_axes().eq(plan.source_axes()));
        assert!(chunk.clipped().source_axes().eq(plan.source_axes()));
        let part = chunk.plan().copy(&stored.whole).unwrap();
        assert_eq!(chunk.clipped().copy(&stored.clipped).unwrap(), part);
        assert_eq!(chunk.is_whole(), stored.clipped.iter().all(|at| from.contains(at)));
        chunk.target().assign(&mut result, &part).unwrap();
        chunk.target().add_assign(&mut times, &vec![1; part.len()]).unwrap();
        worker(&postcard::to_allocvec(chunk).unwrap(), chunk, &stored.whole, &mut by_workers);
        worker_of_text(&serde_json::to_string(chunk).unwrap(), chunk);
    }
    assert_eq!(result, from);
    assert_eq!(by_workers, from);
    assert!(times.iter().all(|&n| n == 1), "{times:?}");

    // Anywhere in between, by a jump or two.
    for first in 0..walked.len() + 2 {
        let mut jumped = chunks.clone();
        assert_eq!(jumped.nth(first), walked.get(first).cloned());
        assert_eq!(jumped.len(), walked.len().saturating_sub(first + 1));
        assert_eq!(jumped.nth(first), walked.get(2 * first + 1).cloned());
        assert_eq!(jumped.next(), walked.get(2 * first + 2).cloned());
    }
}

/// Does a chunk's part with only the bytes of the chunk and the data.
fn worker(message: &[u8], sent: &Chunk, data: &[usize], result: &mut [usize]) {
    let chunk: Chunk = postcard::from_bytes(message).unwrap();
    assert_eq!(&chunk, sent);
    chunk.target().assign(result, chunk.plan().on(data).unwrap()).unwrap();
}

fn worker_of_text(message: &str, sent: &Chunk) {
    assert_eq!(&serde_json::from_str::<Chunk>(message).unwrap(), sent);
}

/// A slice, a slice of it, and a chunk shape for the input.
fn case() -> impl Strategy<Value = (Vec<usize>, [Vec<Item>; 2], Vec<usize>)> {
    generate::case(4, 300).prop_flat_map(|(shape, first)| {
        let between = naive::pick(&shape, &first).unwrap().shape;
        let chunk: Vec<_> =
            shape.iter().map(|&n| prop_oneof![1..=n + 3, 1..=n.min(4) + 1]).collect();
        (Just(shape), Just(first), generate::slice(&between), chunk)
            .prop_map(|(s, a, b, c)| (s, [a, b], c))
    })
}

/// A slice, and chunks of any lengths along each axis, some of 0.
fn uneven() -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Lengths)> {
    generate::case(4, 300).prop_flat_map(|(shape, items)| {
        let axis = |&n: &usize| {
            vec(0..=n, 0..5).prop_map(move |mut cuts| {
                cuts.extend([0, n]);
                cuts.sort_unstable();
                cuts.windows(2).map(|two| two[1] - two[0]).collect::<Vec<usize>>()
            })
        };
        let lengths: Vec<_> = shape.iter().map(axis).collect();
        (Just(shape), Just(items), lengths)
    })
}

proptest! {
    #![proptest_config(generate::config(600))]

    #[test]
    fn chunks_of_any_lengths((shape, items, lengths) in uneven()) {
        let (plan, picked) = check::planned(&shape, &items).unwrap();
        compare_lengths(&plan, &picked.from, &lengths);
    }

    /// Lengths of a regular grid are a regular grid.
    #[test]
    fn even_lengths_are_a_regular_grid((shape, [items, _], chunk_shape) in case()) {
        let (plan, picked) = check::planned(&shape, &items).unwrap();
        let mut lengths = regular(&shape, &chunk_shape);
        for (along, &n) in lengths.iter_mut().zip(&shape) {
            let over = along.iter().sum::<usize>() - n;
            along.last_mut().into_iter().for_each(|last| *last -= over);
        }
        compare_lengths(&plan, &picked.from, &lengths);
        // Chunks at the far ends are clipped, which is all that differs.
        let even = plan.chunks(&chunk_shape).unwrap();
        let uneven = plan.chunks_of_lengths(&lengths).unwrap();
        assert_eq!((even.total(), even.len()), (uneven.total(), uneven.len()));
        for (one, other) in even.zip(uneven) {
            let place = |chunk: &Chunk| [chunk.coords(), chunk.origin(), chunk.extent()].concat();
            assert_eq!(place(&one), place(&other));
            assert_eq!((&one.clipped(), one.target()), (other.plan(), other.target()));
        }
    }

    /// A grid that is known chunk by chunk is asked only about those that are touched.
    #[test]
    fn a_grid_by_positions_is_the_regular_grid((shape, [items, _], chunk_shape) in case()) {
        let (plan, _) = check::planned(&shape, &items).unwrap();
        let counts: Vec<usize> =
            shape.iter().zip(&chunk_shape).map(|(n, c)| n.div_ceil(*c)).collect();
        let even = plan.chunks(&chunk_shape).unwrap();
        let mut asked = 0;
        let by = plan.chunks_by(&counts, |axis, position| {
            let len = chunk_shape[axis];
            asked += 1;
            Some((position / len, position / len * len..(position / len + 1) * len))
        }).unwrap();
        assert_eq!(even.total(), by.total());
        assert!(even.clone().eq(by));
        let mut coords = vec![std::collections::BTreeSet::new(); shape.len()];
        for chunk in even {
            coords.iter_mut().zip(chunk.coords()).for_each(|(all, c)| all.extend([*c]));
        }
        assert_eq!(asked, coords.iter().map(|all| all.len()).sum::<usize>());
    }

    #[test]
    fn touched_chunks_and_no_others((shape, [first, second], chunk_shape) in case()) {
        let (plan, picked) = check::planned(&shape, &first).unwrap();
        compare(&plan, &picked.from, &chunk_shape);
        let then = plan.then(check::spec_of(&second).unwrap().unwrap()).unwrap();
        let again = naive::pick(&picked.shape, &second).unwrap();
        let from: Vec<usize> = again.from.iter().map(|&at| picked.from[at]).collect();
        compare(&then, &from, &chunk_shape);
    }

    /// One axis, where steps are long and short against the chunk.
    #[test]
    fn steps_of_any_length(n in 1..60_usize, chunk in 1..70_usize, ends in vec(0..60_i64, 2), step in -40..40_i64) {
        prop_assume!(step != 0);
        let spec = SpecBuf::from_entries([Entry::Range { start: Some(ends[0]), stop: Some(ends[1]), step }]).unwrap();
        let from = naive::positions(n as i128, Some(ends[0].into()), Some(ends[1].into()), step.into());
        let from: Vec<usize> = from.iter().map(|&at| at as usize).collect();
        compare(&spec.plan(&[n]).unwrap(), &from, &[chunk]);
    }
}

fn spec(text: &str) -> SpecBuf {
    check::spec_of(&naive::from_text(text).unwrap()).unwrap().unwrap()
}

#[test]
fn rank_0_is_one_chunk() {
    for text in ["()", "None, ..., None"] {
        let plan = spec(text).plan(&[]).unwrap();
        compare(&plan, &[0], &[]);
        let chunk = plan.chunks(&[]).unwrap().next().unwrap();
        assert_eq!((chunk.coords().len(), chunk.target().input_len()), (0, 1));
    }
}

#[test]
fn nothing_touches_nothing() {
    for (text, shape, chunk) in
        [(":0", &[5, 5][..], &[2, 2][..]), ("...", &[4, 0], &[1, 1]), ("None, 3:3", &[9], &[20])]
    {
        let plan = spec(text).plan(shape).unwrap();
        assert_eq!(plan.chunks(chunk).unwrap().len(), 0);
        assert_eq!(plan.chunks(chunk).unwrap().next(), None);
    }
    // A grid may have no chunks although its product would overflow on the way.
    let plan = spec("...").plan(&[LONG, LONG, 0]).unwrap();
    let chunks = plan.chunks(&[1, 1, 1]).unwrap();
    assert_eq!((chunks.len(), chunks.total()), (0, 0));
}

#[test]
fn more_than_8_axes() {
    let shape = [2, 1, 3, 2, 1, 2, 3, 1, 2, 2];
    let items = naive::from_text("::-1, ..., 1, ::-1").unwrap();
    let (plan, picked) = check::planned(&shape, &items).unwrap();
    compare(&plan, &picked.from, &[1, 4, 2, 1, 1, 2, 2, 1, 2, 1]);
}

#[test]
fn chunks_of_lengths_that_are_none() {
    let plan = spec("::-1").plan(&[7]).unwrap();
    compare_lengths(&plan, &[6, 5, 4, 3, 2, 1, 0], &vec![vec![0, 3, 0, 0, 4, 0]]);
    let plan = spec("...").plan(&[0, 4]).unwrap();
    compare_lengths(&plan, &[], &vec![vec![], vec![1, 3]]);
    compare_lengths(&plan, &[], &vec![vec![0, 0], vec![4]]);
    let plan = spec("None, ...").plan(&[]).unwrap();
    compare_lengths(&plan, &[0], &vec![]);
    // Two chunks on each of 65 axes are more chunks than a `usize` counts; one is touched.
    let plan = spec("...").plan(&[1; 65]).unwrap();
    let mut chunks = plan.chunks_of_lengths(&[[1, 0]; 65]).unwrap();
    assert_eq!((chunks.len(), chunks.total()), (1, usize::MAX));
    assert!(chunks.next().unwrap().is_whole());
}

/// A grid that is too large to walk: the count and the last chunk are known at once.
#[test]
fn grids_too_large_to_walk() {
    let n = 1 << (usize::BITS - 4);
    let many = n >> 10;
    let plan = spec("::-3").plan(&[n]).unwrap();
    let mut chunks = plan.chunks(&[1 << 10]).unwrap();
    assert_eq!((chunks.len(), chunks.total()), (many, many));
    let last = chunks.nth(many - 1).unwrap();
    // The last chunk runs from n − 1024 to n − 1, both multiples of 3, which is what is taken:
    // 1023/3 + 1 of them.
    assert_eq!((last.coords(), last.plan().len()), (&[many - 1][..], 342));
    assert_eq!(chunks.next(), None);

    // Steps longer than a chunk, over an axis of the greatest length.
    let plan = spec("::1000000007").plan(&[isize::MAX as usize]).unwrap();
    let chunks = plan.chunks(&[1000]).unwrap();
    assert_eq!(chunks.len(), (isize::MAX as usize).div_ceil(1_000_000_007));
    let coords: Vec<usize> = chunks.take(3).map(|chunk| chunk.coords()[0]).collect();
    assert_eq!(coords, [0, 1_000_000, 2_000_000]);
    let plan = spec("...").plan(&[isize::MAX as usize]).unwrap();
    let whole = plan.chunks(&[isize::MAX as usize]).unwrap().next().unwrap();
    assert!(whole.is_whole() && whole.plan().is_identity());
}

#[test]
fn a_grid_that_cannot_be_is_an_error() {
    let plan = spec("...").plan(&[4, 6]).unwrap();
    let error = |chunk_shape: &[usize]| plan.chunks(chunk_shape).unwrap_err();
    assert_eq!(error(&[4]), SliceError::RankMismatch { expected: 2, found: 1 });
    assert_eq!(error(&[4, 0]), SliceError::ChunkLength { axis: 1 });
    assert_eq!(
        error(&[4, 0]).to_string(),
        "chunks have length 0 on axis 1; give each axis a length of 1 or more"
    );
    assert_eq!(error(&[usize::MAX, 1]), SliceError::ShapeTooLarge);
    assert_eq!(error(&[LONG, LONG]), SliceError::ShapeTooLarge);
    let strided = spec("...").plan_strided(&[4, 6], &[6, 1]).unwrap();
    assert_eq!(
        strided.chunks(&[2, 2]).unwrap_err(),
        SliceError::NeedsContiguous { what: "a walk over chunks" }
    );
    // An empty slice is checked as well.
    assert_eq!(
        spec(":0").plan(&[4]).unwrap().chunks(&[0]).unwrap_err(),
        SliceError::ChunkLength { axis: 0 }
    );
    // An answer about a position must contain it, and must fit the answers before.
    let by = |counts: &[usize], cut: fn(usize) -> Option<(usize, std::ops::Range<usize>)>| {
        plan.chunks_by(counts, |_, position| cut(position)).unwrap_err()
    };
    assert_eq!(by(&[1], |_| None), SliceError::RankMismatch { expected: 2, found: 1 });
    let ends = |sum| SliceError::ChunkLengths { axis: 0, sum, len: 4 };
    assert_eq!(by(&[2, 3], |at| (at < 2).then_some((0, 0..2))), ends(2));
    assert_eq!(by(&[2, 3], |_| Some((0, 1..3))), ends(0));
    assert_eq!(by(&[2, 3], |at| Some((0, 0..at + 1))), ends(1));
    #[expect(clippy::reversed_empty_ranges, reason = "the closure may give anything")]
    let turned = by(&[2, 3], |_| Some((0, 3..0)));
    assert_eq!(turned, ends(0));
    assert_eq!(by(&[2, 3], |at| Some((0, at..usize::MAX))), ends(0));
    assert_eq!(by(&[1, 1], |_| Some((0, 0..LONG))), SliceError::ShapeTooLarge);
    let error = |lengths: &[&[usize]]| plan.chunks_of_lengths(lengths).unwrap_err();
    assert_eq!(error(&[&[4]]), SliceError::RankMismatch { expected: 2, found: 1 });
    assert_eq!(error(&[&[4], &[3, 2]]), SliceError::ChunkLengths { axis: 1, sum: 5, len: 6 });
    assert_eq!(error(&[&[4, 1], &[6]]), SliceError::ChunkLengths { axis: 0, sum: 5, len: 4 });
    assert_eq!(error(&[&[4], &[]]), SliceError::ChunkLengths { axis: 1, sum: 0, len: 6 });
    assert_eq!(
        error(&[&[4], &[usize::MAX, 7]]),
        SliceError::ChunkLengths { axis: 1, sum: usize::MAX, len: 6 }
    );
    assert_eq!(
        error(&[&[3], &[6]]).to_string(),
        "the lengths of the chunks on axis 0 sum to 3, but the axis has length 4; give lengths \
         that sum to 4"
    );
    assert_eq!(
        strided.chunks_of_lengths(&[[4], [6]]).unwrap_err(),
        SliceError::NeedsContiguous { what: "a walk over chunks" }
    );
}

/// Numbers that no walk over chunks gives are refused, with an error that says what is wrong.
#[test]
fn forged_chunks_are_refused() {
    let plan = spec("1::2, None, ::-1").plan(&[5, 7]).unwrap();
    let chunk = plan.chunks(&[4, 4]).unwrap().nth(1).unwrap();
    let honest = json!(chunk);
    assert_eq!(
        honest,
        json!({
            "coords": [0, 1], "origin": [0, 4], "extent": [4, 3],
            "plan": {
                "input_shape": [4, 4], "input_len": null, "offset": 6,
                "axes": [[2, 8, 0], [1, 0, null], [3, -1, 1]],
            },
            "target": {
                "input_shape": [2, 1, 7], "input_len": null, "offset": 0,
                "axes": [[2, 7, 0], [1, 7, 1], [3, 1, 2]],
            },
        })
    );
    let cases = [
        ("/coords", json!([0]), "one coordinate"),
        ("/coords", json!([0, u64::MAX]), "one coordinate"),
        ("/origin", json!([0, 4, 0]), "one coordinate"),
        ("/extent", json!([]), "one coordinate"),
        ("/extent", json!([4, -1]), "u64"),
        // Elements that the clipped chunk does not have, or that no array has.
        ("/extent", json!([3, 3]), "more than lies within"),
        ("/extent", json!([4, 2]), "more than lies within"),
        ("/extent", json!([4, 0]), "more than lies within"),
        ("/extent", json!([5, 3]), "over its end"),
        ("/origin", json!([isize::MAX, 4]), "over its end"),
        ("/plan/offset", json!(14), "not the plan of a slice"),
        ("/plan/offset", json!(7), "more than lies within"),
        ("/plan/axes/0/0", json!(1), "different shapes"),
        ("/plan", json!(plan.then(spec(":0")).unwrap()), "takes nothing"),
        ("/plan/input_len", json!(16), "strides of its own"),
        ("/target/input_len", json!(14), "strides of its own"),
        // Reversed, with gaps, along another axis.
        ("/target/axes/2/1", json!(2), "not a block"),
        ("/target/axes/1/2", json!(null), "not the plan of a slice"),
        ("/target/offset", json!(5), "not the plan of a slice"),
        ("/target/offset", json!(14), "not the plan of a slice"),
        ("/target/axes/0/2", json!(9), "not the plan of a slice"),
    ];
    for (at, value, words) in cases {
        let mut forged = honest.clone();
        *forged.pointer_mut(at).unwrap() = value;
        let error = serde_json::from_value::<Chunk>(forged).expect_err(at).to_string();
        assert!(error.contains(words), "{at}: {error}");
    }
    let mut more = honest.clone();
    more["shape"] = json!([1]);
    assert!(serde_json::from_value::<Chunk>(more).is_err());
    let mut less = honest;
    less.as_object_mut().unwrap().remove("target");
    let error = serde_json::from_value::<Chunk>(less).unwrap_err().to_string();
    assert!(error.contains("missing field `target`"), "{error}");
}

proptest! {
    #![proptest_config(generate::config(3000))]

    /// Bytes with a few changes: whatever is accepted takes no more than its own chunk, each
    /// element once, and is written as the same chunk again.
    #[test]
    fn a_chunk_that_is_let_in_is_sound(
        (shape, [items, _], chunk_shape) in case(),
        changes in vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let (plan, _) = check::planned(&shape, &items).unwrap();
        let Some(chunk) = plan.chunks(&chunk_shape).unwrap().last() else { return Ok(()) };
        let mut bytes = postcard::to_allocvec(&chunk).unwrap();
        for (at, to) in changes {
            let at = at.index(bytes.len());
            bytes[at] = to % 16;
        }
        let Ok(chunk) = postcard::from_bytes::<Chunk>(&bytes) else { return Ok(()) };
        let again: Chunk = postcard::from_bytes(&postcard::to_allocvec(&chunk).unwrap()).unwrap();
        prop_assert_eq!(&again, &chunk);
        let (clipped, target) = (chunk.clipped(), chunk.target());
        let within: usize = chunk.extent().iter().product();
        prop_assert!(clipped.input_len() == within && chunk.plan().len() <= within);
        prop_assert_eq!(chunk.is_whole(), chunk.plan().len() == within);
        if within.max(chunk.plan().input_len()).max(target.input_len()) > 1 << 16 {
            return Ok(());
        }
        let data: Vec<usize> = (0..within).collect();
        let mut result = vec![usize::MAX; target.input_len()];
        target.assign(&mut result, clipped.on(&data).unwrap()).unwrap();
        let mut found: Vec<usize> = result.into_iter().filter(|&at| at != usize::MAX).collect();
        found.sort_unstable();
        found.dedup();
        prop_assert_eq!(found.len(), clipped.len());
    }
}

/// Each list of lengths is read once, so one that changes is refused or used, never half of each.
#[test]
fn lists_that_change_are_read_once() {
    struct Changing(std::cell::Cell<bool>);
    impl AsRef<[usize]> for Changing {
        fn as_ref(&self) -> &[usize] {
            if self.0.replace(true) { &[usize::MAX, 2] } else { &[2, 2] }
        }
    }
    let plan = spec("::-1").plan(&[4]).unwrap();
    let chunks = plan.chunks_of_lengths(&[Changing(false.into())]).unwrap();
    assert_eq!(chunks.map(|chunk| chunk.extent()[0]).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn one_position_has_a_stride_of_1() {
    for chunk in spec("::7").plan(&[20]).unwrap().chunks(&[4]).unwrap() {
        assert_eq!((chunk.plan().shape(), chunk.plan().strides()), (&[1][..], &[1][..]));
    }
}
