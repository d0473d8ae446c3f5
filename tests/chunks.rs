//! The chunks a slice touches, compared with a list of all chunks and of what lies in each.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{Chunk, Entry, Plan, SliceError, SpecBuf};
use support::naive::{self, Item};
use support::{check, generate};

/// Two axes of it are more elements than may be.
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

/// One chunk of the grid: its coordinates, its shape within the array, and its elements, whole and
/// clipped.
///
/// An element is its position in the array; places over the end hold what no position equals.
struct Stored {
    coords: Vec<usize>,
    extent: Vec<usize>,
    whole: Vec<usize>,
    clipped: Vec<usize>,
}

fn store(shape: &[usize], chunk_shape: &[usize]) -> Vec<Stored> {
    let grid: Vec<usize> = shape.iter().zip(chunk_shape).map(|(&n, &c)| n.div_ceil(c)).collect();
    let chunk_len: usize = chunk_shape.iter().product();
    (0..grid.iter().product())
        .map(|k| {
            let coords = unravel(k, &grid);
            let (mut whole, mut clipped) = (Vec::new(), Vec::new());
            for at in 0..chunk_len {
                let within = unravel(at, chunk_shape);
                let index: Vec<usize> =
                    (0..shape.len()).map(|a| coords[a] * chunk_shape[a] + within[a]).collect();
                if index.iter().zip(shape).all(|(&i, &n)| i < n) {
                    clipped.push(ravel(&index, shape));
                    whole.push(ravel(&index, shape));
                } else {
                    whole.push(usize::MAX);
                }
            }
            let extent = (0..shape.len())
                .map(|a| chunk_shape[a].min(shape[a] - coords[a] * chunk_shape[a]))
                .collect();
            Stored { coords, extent, whole, clipped }
        })
        .collect()
}

/// Everything about the chunks of a plan whose listed positions are `from`.
fn compare(plan: &Plan, from: &[usize], chunk_shape: &[usize]) {
    let all = store(plan.input_shape(), chunk_shape);
    let holds = |chunk: &Stored| from.iter().any(|at| chunk.clipped.contains(at));
    let touched: Vec<&Stored> = all.iter().filter(|chunk| holds(chunk)).collect();
    let chunks = plan.chunks(chunk_shape).unwrap();
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
    for (chunk, stored) in walked.iter().zip(touched) {
        assert_eq!(chunk.extent(), stored.extent);
        assert_eq!(chunk.plan().shape(), chunk.target().shape());
        assert_eq!(chunk.plan().input_shape(), chunk_shape);
        assert_eq!(chunk.clipped().input_shape(), stored.extent);
        assert_eq!(chunk.target().input_shape(), plan.shape());
        assert!(chunk.plan().source_axes().eq(plan.source_axes()));
        assert!(chunk.clipped().source_axes().eq(plan.source_axes()));
        let part = chunk.plan().copy(&stored.whole).unwrap();
        assert_eq!(chunk.clipped().copy(&stored.clipped).unwrap(), part);
        assert_eq!(chunk.is_whole(), stored.clipped.iter().all(|at| from.contains(at)));
        chunk.target().assign(&mut result, &part).unwrap();
        chunk.target().add_assign(&mut times, &vec![1; part.len()]).unwrap();
    }
    assert_eq!(result, from);
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

proptest! {
    #![proptest_config(generate::config(600))]

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
        let spec = SpecBuf::from_entries(&[Entry::Range { start: Some(ends[0]), stop: Some(ends[1]), step }]).unwrap();
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

/// A grid nobody could walk: the count and the last chunk are there at once.
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
    // A slice of nothing is checked as well.
    assert_eq!(
        spec(":0").plan(&[4]).unwrap().chunks(&[0]).unwrap_err(),
        SliceError::ChunkLength { axis: 0 }
    );
}
