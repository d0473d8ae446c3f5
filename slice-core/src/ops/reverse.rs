//! Slices that are assigned to themselves with an axis reversed: `x[:] = x[::-1]`.

use super::view::Claim;
use crate::algebra::move_order::Move;
use crate::loops::{Loop, each_row, go_forwards, sort};
use core::mem::size_of;

/// Bytes of a slice up to which it is copied aside: it takes less time than finding out.
const FEW: usize = 1 << 13;

/// Bytes of a row without gaps that is reversed as it is, and of rows that change places.
const LONG_ROW: usize = 256;
const ROW: usize = 64;

/// Whether a slice of elements of `size` bytes is assigned to itself with some axes reversed, so
/// that elements change places, and has enough of them.
pub(super) fn reverses(from: &Claim<'_>, to: &Claim<'_>, size: usize) -> bool {
    if from.len.saturating_mul(size) < FEW {
        return false;
    }
    let (from, to) = (&from.layout, &to.layout);
    let mut first = to.offset;
    let mut axes = to.shape.iter().zip(from.strides.iter().zip(to.strides));
    let fits = axes.all(|(&n, (&src, &dst))| {
        let turned = src != dst && n != 1;
        if turned {
            first = first.wrapping_add_signed(dst.wrapping_mul(n.wrapping_sub(1) as isize));
        }
        !turned || src == dst.wrapping_neg()
    });
    fits && from.shape == to.shape && first == from.offset && first != to.offset
}

/// Makes a move that [`reverses`] axes, if it is one axis: long rows without gaps along it, or rows
/// that change places. Returns whether it did. Shuffles reverse bytes, and short rows.
pub(super) fn reverse<T: Copy>(all: &Move, data: &mut [T]) -> bool {
    let mut turned = all.axes.iter().enumerate().filter(|(_, it)| it.src != it.dst);
    let (Some((k, &Loop { n, dst, .. })), None) = (turned.next(), turned.next()) else {
        return false;
    };
    let (outer, inner) = all.axes.split_at(k);
    let run = match inner {
        [_] => 1,
        [_, Loop { n, src: 1, .. }] => *n,
        _ => return false,
    };
    let bytes = |elements: usize| elements.saturating_mul(size_of::<T>());
    let row = dst.unsigned_abs() == 1;
    let worth = if row { size_of::<T>() > 1 && bytes(n) >= LONG_ROW } else { bytes(run) >= ROW };
    let apart = || {
        let mut axes = all.axes.clone();
        sort(&mut axes);
        go_forwards(&axes)
    };
    if !worth || !apart() {
        return false;
    }
    // The lowest of the elements that change places.
    let low = all.dst.min(all.src) as isize;
    let step = dst.unsigned_abs();
    each_row(outer, low, 0, &mut |low, _| {
        let low = low as usize;
        if row {
            if let Some(row) = data.get_mut(low..low.wrapping_add(n)) {
                row.reverse();
            }
            return;
        }
        let (mut one, mut other) = (low, low.wrapping_add(step.wrapping_mul(n.wrapping_sub(1))));
        for _ in 0..n / 2 {
            // Never `None`: the two lie inside the buffer, and apart.
            if let Some((before, after)) = data.split_at_mut_checked(other)
                && let Some(one) = before.get_mut(one..one.wrapping_add(run))
                && let Some(other) = after.get_mut(..run)
            {
                one.swap_with_slice(other);
            }
            (one, other) = (one.wrapping_add(step), other.wrapping_sub(step));
        }
    });
    true
}
