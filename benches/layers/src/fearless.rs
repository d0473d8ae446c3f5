//! fearless_simd: `dispatch!` compiles for the set that it finds, AVX-512 with VBMI included. It has reversals, unzips, and
//! shuffles by byte indices out of one vector or two. Vectors are 64 bytes wide on every set; narrower ones take several
//! registers for each.

use fearless_simd::{Level, Simd, SimdBase, dispatch, f32x16, u8x64};

use crate::{Layer, plain};

pub(crate) const LAYER: Layer = Layer {
    name: "fearless_simd",
    reverse: |src, dst| dispatch!(Level::new(), simd => reverse(simd, src, dst)),
    second: |src, dst| dispatch!(Level::new(), simd => second(simd, src, dst)),
    bgr: |src, dst| dispatch!(Level::new(), simd => bgr(simd, src, dst)),
    columns: |src, dst| dispatch!(Level::new(), simd => columns(simd, src, dst)),
    bytes: |src, dst| dispatch!(Level::new(), simd => bytes(simd, src, dst)),
};

#[inline(always)]
fn reverse<S: Simd>(simd: S, src: &[f32], dst: &mut [f32]) {
    let (rest, vectors) = src.as_rchunks::<16>();
    let (lines, end) = dst.as_chunks_mut::<16>();
    for (line, vector) in lines.iter_mut().zip(vectors.iter().rev()) {
        f32x16::load_array_ref(simd, vector).reverse().store_array(line);
    }
    plain::reverse(rest, end);
}

#[inline(always)]
fn second<S: Simd>(simd: S, src: &[f32], dst: &mut [f32]) {
    let (pairs, rest) = src.as_chunks::<32>();
    let (lines, end) = dst.as_chunks_mut::<16>();
    for (line, pair) in lines.iter_mut().zip(pairs) {
        let (low, high) = pair.split_at(16);
        f32x16::from_slice(simd, low).unzip_low(f32x16::from_slice(simd, high)).store_array(line);
    }
    plain::second(rest, end);
}

#[inline(always)]
fn bytes<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) {
    let (pairs, rest) = src.as_chunks::<128>();
    let (lines, end) = dst.as_chunks_mut::<64>();
    for (line, pair) in lines.iter_mut().zip(pairs) {
        let (low, high) = pair.split_at(64);
        u8x64::from_slice(simd, low).unzip_low(u8x64::from_slice(simd, high)).store_array(line);
    }
    plain::second(rest, end);
}

/// 21 pixels a vector; its last byte is overwritten by the next one. Whole lines, each out of two vectors, took 1.15
/// times as long in the cache.
#[inline(always)]
fn bgr<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) {
    const TABLE: [u8; 64] = table(3, 3, true);
    let table = u8x64::load_array(simd, TABLE);
    let mut at = 0;
    while at + 64 <= src.len() {
        u8x64::from_slice(simd, &src[at..at + 64]).swizzle_dyn(table).store_slice(&mut dst[at..at + 64]);
        at += 63;
    }
    plain::bgr(&src[at..], &mut dst[at..]);
}

/// 16 rows are three vectors, of which two remain.
#[inline(always)]
fn columns<S: Simd>(simd: S, src: &[f32], dst: &mut [f32]) {
    const TABLE: [u8; 64] = table(8, 12, false);
    let first = u8x64::load_array(simd, TABLE);
    // The second half of the rows begins with byte 96, which is 32 bytes into the second vector.
    let second = first + 32;
    let (blocks, rest) = src.as_chunks::<48>();
    let (lines, end) = dst.as_chunks_mut::<32>();
    for (line, block) in lines.iter_mut().zip(blocks) {
        let [a, b, c] = [0, 16, 32].map(|i| f32x16::from_slice(simd, &block[i..i + 16]));
        a.concat_swizzle_dyn(b, first).store_slice(&mut line[..16]);
        b.concat_swizzle_dyn(c, second).store_slice(&mut line[16..]);
    }
    plain::columns(rest, end);
}

/// Indices for units of `unit` bytes at a distance of `step`, each turned round or not.
const fn table(unit: usize, step: usize, turned: bool) -> [u8; 64] {
    let mut out = [0; 64];
    let mut i = 0;
    while i < 64 {
        let within = if turned { unit - 1 - i % unit } else { i % unit };
        out[i] = (i / unit * step + within) as u8;
        i += 1;
    }
    out
}
