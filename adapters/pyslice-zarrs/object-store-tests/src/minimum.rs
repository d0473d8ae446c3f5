//! What a read cannot do without, found element by element, without pyslice or zarrs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How an array is stored: what the metadata says, as far as it decides which bytes are needed.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The array's shape.
    pub shape: Vec<usize>,
    /// The shape of what is one object: a chunk, or a shard.
    pub chunk: Vec<usize>,
    /// The shape of the chunks in a shard.
    pub inner: Option<Vec<usize>>,
    /// Whether a shard's index stands at its start, and not at its end.
    pub index_first: bool,
    /// The order in which a chunk's axes are stored.
    pub order: Vec<usize>,
    /// Bytes of one element.
    pub size: usize,
    /// Whether an element of a chunk has its own place among the stored bytes; in a compressed
    /// chunk none has.
    pub partial: bool,
}

/// Requests and bytes of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many GETs.
    pub gets: usize,
    /// How many bytes the server sends.
    pub bytes: u64,
}

/// The lowest cost of reading `positions` (of each axis).
///
/// An object is read in as few requests as possible for the bytes it is about: every byte that is
/// needed, and those between two of them that are at most `gap` apart. A shard's index is a request
/// of its own, because nobody knows before it what else is needed. A chunk that is not there takes
/// one request, to find out. `object` gives what is stored under a key.
pub fn minimum(
    layout: &Layout,
    positions: &[Vec<usize>],
    gap: u64,
    object: impl Fn(&str) -> Option<Vec<u8>>,
) -> Cost {
    // The elements of each object, as coordinates in it.
    let mut touched: BTreeMap<Vec<usize>, BTreeSet<Vec<usize>>> = BTreeMap::new();
    for at in product(positions) {
        let (chunk, inside) = split(&at, &layout.chunk);
        touched.entry(chunk).or_default().insert(inside);
    }
    let mut cost = Cost::default();
    for (chunk, elements) in touched {
        let key: Vec<String> = chunk.iter().map(usize::to_string).collect();
        let Some(bytes) = object(&format!("array/c/{}", key.join("/"))) else {
            cost.gets += 1;
            continue;
        };
        let mut needed = Vec::new();
        match &layout.inner {
            None => layout.needed(&layout.chunk, &elements, 0..bytes.len() as u64, &mut needed),
            Some(inner) => {
                let index = Index::of(layout, inner, &bytes);
                cost.gets += 1;
                cost.bytes += index.len;
                let mut parts: BTreeMap<Vec<usize>, BTreeSet<Vec<usize>>> = BTreeMap::new();
                for at in elements {
                    let (part, inside) = split(&at, inner);
                    parts.entry(part).or_default().insert(inside);
                }
                for (part, elements) in parts {
                    if let Some(place) = index.place(&part) {
                        layout.needed(inner, &elements, place, &mut needed);
                    }
                }
            }
        }
        for range in merged(needed, gap) {
            cost.gets += 1;
            cost.bytes += range.end - range.start;
        }
    }
    cost
}

impl Layout {
    /// The bytes of some elements of a chunk that is stored at `place` of its object.
    fn needed(
        &self,
        shape: &[usize],
        elements: &BTreeSet<Vec<usize>>,
        place: Range<u64>,
        needed: &mut Vec<Range<u64>>,
    ) {
        // Of a chunk that is needed as a whole the checksum is needed, too.
        if !self.partial || elements.len() == shape.iter().product::<usize>() {
            needed.push(place);
            return;
        }
        for at in elements {
            let number = self.order.iter().fold(0, |n, &axis| n * shape[axis] + at[axis]);
            let start = place.start + (number * self.size) as u64;
            needed.push(start..start + self.size as u64);
        }
    }
}

/// The index of a shard: two little-endian numbers a chunk, and a checksum of four bytes.
struct Index {
    places: Vec<u64>,
    grid: Vec<usize>,
    len: u64,
}

impl Index {
    fn of(layout: &Layout, inner: &[usize], shard: &[u8]) -> Self {
        let grid: Vec<usize> = layout.chunk.iter().zip(inner).map(|(n, i)| n / i).collect();
        let len = grid.iter().product::<usize>() * 16;
        let start = if layout.index_first { 0 } else { shard.len() - len - 4 };
        let words = shard[start..start + len].as_chunks::<8>().0;
        let places = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        Self { places, grid, len: len as u64 + 4 }
    }

    fn place(&self, at: &[usize]) -> Option<Range<u64>> {
        let number = at.iter().zip(&self.grid).fold(0, |n, (i, len)| n * len + i);
        let (start, len) = (self.places[2 * number], self.places[2 * number + 1]);
        (start != u64::MAX).then(|| start..start + len)
    }
}

fn split(at: &[usize], lengths: &[usize]) -> (Vec<usize>, Vec<usize>) {
    at.iter().zip(lengths).map(|(i, n)| (i / n, i % n)).unzip()
}

fn merged(mut ranges: Vec<Range<u64>>, gap: u64) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut out: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end + gap => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// All combinations, the last axis changing fastest.
pub fn product(positions: &[Vec<usize>]) -> Vec<Vec<usize>> {
    positions.iter().fold(vec![Vec::new()], |heads, axis| {
        let longer = heads.iter().flat_map(|head| {
            axis.iter().map(move |&at| head.iter().copied().chain([at]).collect())
        });
        longer.collect()
    })
}

/// The positions of `start:stop:step` on an axis of `len`, by the rules of Python's
/// `slice.indices` as its manual words them.
pub fn positions(len: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<usize> {
    let len = len as i64;
    let (lowest, highest) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let bound = |bound: Option<i64>, default| match bound {
        None => default,
        Some(at) if at < 0 => (at + len).max(lowest),
        Some(at) => at.min(highest),
    };
    let (first, end) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut at, end) = (bound(start, first), bound(stop, end));
    let mut out = Vec::new();
    while (step > 0 && at < end) || (step < 0 && at > end) {
        out.push(at as usize);
        at += step;
    }
    out
}
