//! The plain loops: a column of their own, what every result is checked against, and what pulp and macerator compile for
//! the set that they find.

use crate::Layer;

pub(crate) const LAYER: Layer = Layer { name: "loop", reverse, second, bgr, columns, bytes: second };

#[inline(always)]
pub(crate) fn reverse(src: &[f32], dst: &mut [f32]) {
    for (to, from) in dst.iter_mut().zip(src.iter().rev()) {
        *to = *from;
    }
}

#[inline(always)]
pub(crate) fn second<T: Copy>(src: &[T], dst: &mut [T]) {
    for (to, [from, _]) in dst.iter_mut().zip(src.as_chunks().0) {
        *to = *from;
    }
}

#[inline(always)]
pub(crate) fn bgr(src: &[u8], dst: &mut [u8]) {
    for (to, &[r, g, b]) in dst.as_chunks_mut().0.iter_mut().zip(src.as_chunks().0) {
        *to = [b, g, r];
    }
}

#[inline(always)]
pub(crate) fn columns(src: &[f32], dst: &mut [f32]) {
    for (to, &[x, y, _]) in dst.as_chunks_mut().0.iter_mut().zip(src.as_chunks().0) {
        *to = [x, y];
    }
}
