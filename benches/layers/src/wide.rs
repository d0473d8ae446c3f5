//! wide: shuffles by indices across up to four vectors, in widths up to 64 bytes. It chooses instructions by what the whole
//! program is compiled for, and says that detection at run time does not work with it; so here it has SSE2 alone, where
//! vectors of 16 bytes are what the registers hold and shuffles are whatever the compiler makes of arrays.

use ::wide::{bytemuck, f32x4, i16x8, u8x16, u32x4};

use crate::{Layer, plain};

pub(crate) const LAYER: Layer = Layer { name: "wide", reverse, second, bgr, columns, bytes };

/// Four vectors a round, as the compiler does not unroll these loops by itself (1.1 to 1.7 times slower).
fn reverse(src: &[f32], dst: &mut [f32]) {
    let (rest, blocks) = src.as_rchunks::<16>();
    let (lines, end) = dst.as_chunks_mut::<16>();
    for (line, block) in lines.iter_mut().zip(blocks.iter().rev()) {
        let [a, b, c, d] = bytemuck::cast::<[f32; 16], [f32x4; 4]>(*block);
        *line = bytemuck::cast([d, c, b, a].map(|vector| vector.shuffle(u32x4::new([3, 2, 1, 0]))));
    }
    plain::reverse(rest, end);
}

/// By interleaving three times, as a shuffle of two vectors is one of bytes here.
fn second(src: &[f32], dst: &mut [f32]) {
    let (blocks, rest) = src.as_chunks::<32>();
    let (lines, end) = dst.as_chunks_mut::<16>();
    for (line, block) in lines.iter_mut().zip(blocks) {
        let pairs = bytemuck::cast::<[f32; 32], [[f32x4; 2]; 4]>(*block);
        *line = bytemuck::cast(pairs.map(|[x, y]| x.unpack_lo(y).unpack_lo(x.unpack_hi(y))));
    }
    plain::second(rest, end);
}

/// By narrowing pairs of bytes without their upper half.
fn bytes(src: &[u8], dst: &mut [u8]) {
    let (blocks, rest) = src.as_chunks::<128>();
    let (lines, end) = dst.as_chunks_mut::<64>();
    for (line, block) in lines.iter_mut().zip(blocks) {
        let pairs = bytemuck::cast::<[u8; 128], [[i16x8; 2]; 4]>(*block);
        let low = i16x8::splat(0xff);
        *line = bytemuck::cast(pairs.map(|[x, y]| u8x16::narrow_i16x8(x & low, y & low)));
    }
    plain::second(rest, end);
}

/// Three loads, two bytes apart, each masked for the bytes that move by two forwards, two backwards or not at all. A shuffle of
/// bytes is a loop here, and takes 20 times as long in the cache.
fn bgr(src: &[u8], dst: &mut [u8]) {
    const BLOCK: usize = 48;
    let masks: [[u8x16; 3]; 3] = std::array::from_fn(|from| {
        bytemuck::cast(std::array::from_fn::<u8, BLOCK, _>(|i| if i % 3 == from { 0xff } else { 0 }))
    });
    // The loads reach outside a block, so the first and the last are moved plainly.
    let head = BLOCK.min(src.len());
    let tail = head.max((src.len() / BLOCK).saturating_sub(1) * BLOCK);
    plain::bgr(&src[..head], &mut dst[..head]);
    for (block, line) in dst[head..tail].as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        // One check for all loads of a block.
        let around: &[u8; BLOCK + 4] = src[BLOCK * block + head - 2..][..BLOCK + 4].try_into().expect("so many bytes");
        for vector in 0..3 {
            let at = |i: usize| u8x16::new(around[i..i + 16].try_into().expect("16 bytes"));
            let [first, middle, last] = masks.map(|mask| mask[vector]);
            let i = 16 * vector;
            let mixed = (at(i + 4) & first) | (at(i + 2) & middle) | (at(i) & last);
            line[i..i + 16].copy_from_slice(mixed.as_array());
        }
    }
    plain::bgr(&src[tail..], &mut dst[tail..]);
}

/// Out of arrays: a shuffle of two vectors is a loop over bytes here, and takes 45 times as long in the cache.
fn columns(src: &[f32], dst: &mut [f32]) {
    let (blocks, rest) = src.as_chunks::<12>();
    let (lines, end) = dst.as_chunks_mut::<8>();
    for (line, &[a, b, _, c, d, _, e, f, _, g, h, _]) in lines.iter_mut().zip(blocks) {
        *line = bytemuck::cast([f32x4::new([a, b, c, d]), f32x4::new([e, f, g, h])]);
    }
    plain::columns(rest, end);
}
