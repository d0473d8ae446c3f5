//! Gradients by tables: lines that are streamed as they are made.
//!
//! A vector of a gradient is zeros with some of its bytes replaced, so nothing has to be read to be mixed in, and it can leave past the caches at once:
//! neither a ground nor a buffer of it is needed. Only whole lines may leave so. Those at a row's ends are filled up with zeros, if nothing else
//! lies in them; which is why the table may begin in the middle of a line, and a unit some bytes behind it.

use super::{Blend, Rows};
use crate::kernel::generic::grad;
use crate::kernel::generic::units::Streams;

const LINE: usize = 64;

/// How rows can be streamed.
#[inline(always)]
pub(super) fn streams<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
) -> Streams {
    match rows.table.lead {
        Some(_) => Streams::Lines,
        // No unit may reach into the next one.
        None if rows.table.reach <= rows.walk.dst as usize => Streams::Whole,
        None => Streams::Nothing,
    }
}

/// [`Units::fresh`](crate::kernel::generic::units::Units::fresh).
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn fresh<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    src: *const u8,
    n: usize,
    dst: *mut u8,
) -> usize {
    let table = rows.table;
    let mut end = n >> table.per.trailing_zeros();
    if !(rows.count() * V::BYTES).is_multiple_of(LINE) {
        end &= !1;
    }
    if end == 0 || !rows.inside(src) || !rows.inside(rows.period(src, end - 1)) {
        return 0;
    }
    // SAFETY: the loads of the first and of the last period are inside, so those of all are, which lie in order between them; the places are the
    // caller's, and start lines.
    unsafe { stream(rows, src, end, dst) };
    end * table.per
}

/// [`Units::lined`](crate::kernel::generic::units::Units::lined).
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn lined<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    src: *const u8,
    n: usize,
    line: *mut u8,
    before: usize,
    lines: usize,
) -> (usize, usize) {
    let (step, lead) = (rows.walk.dst as usize, rows.table.lead.unwrap_or(0));
    // Steps are a part of a line.
    let log = step.trailing_zeros();
    let periods = LINE / (rows.count() * V::BYTES);
    // The table begins with the line, and with a unit that may be one before the first.
    let src = src.wrapping_offset(-rows.walk.src * ((before - lead) >> log) as isize);
    let bytes = before + n * step - lead;
    let mut lines = lines.min(bytes.div_ceil(LINE));
    // Loads leave the source at the ends only: what lies between them is inside.
    if !rows.inside(src) {
        return (0, 0);
    }
    while lines > 0 && !rows.inside(rows.period(src, lines * periods - 1)) {
        lines -= 1;
    }
    if lines == 0 {
        return (0, 0);
    }
    let last = lines - 1;
    let to = bytes - last * LINE;
    // SAFETY: the loads of the first and of the last period are inside, so those of all are, which lie in order between them; the lines are the
    // caller's.
    unsafe {
        if last == 0 {
            edge(rows, src, line, before, to);
        } else {
            edge(rows, src, line, before, LINE);
            stream(rows, rows.period(src, periods), (last - 1) * periods, line.add(LINE));
            edge(rows, rows.period(src, last * periods), line.add(last * LINE), 0, to);
        }
    }
    (lines, n.min((lines * LINE - before + step - 1) >> log))
}

/// Streams `n` whole periods, with zeros between and behind their units.
///
/// # Safety
/// All their loads can be read and all their vectors written; the first starts a line. A fence follows.
#[inline(always)]
unsafe fn stream<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    src: *const u8,
    n: usize,
    dst: *mut u8,
) {
    let (table, count) = (rows.table, rows.count());
    let advance = rows.walk.src * table.per as isize;
    let (mut src, mut dst) = (src, dst);
    // SAFETY: the caller's promise; there are `count` lines and masks.
    unsafe {
        let zero = V::load(grad::ZEROS.0.as_ptr());
        if COUNT == 1 {
            let (line, mask) = (*rows.lines.get_unchecked(0), *rows.masks.get_unchecked(0));
            for _ in 0..n {
                let new = V::shuffle::<LOADS, WORDS>(src, &line, table.loads);
                leave::<V, WHOLE>(mask, zero, new, dst);
                (src, dst) = (src.wrapping_offset(advance), dst.add(V::BYTES));
            }
            return;
        }
        for _ in 0..n {
            for q in 0..count {
                let (line, mask) = (rows.lines.get_unchecked(q), *rows.masks.get_unchecked(q));
                let new = V::shuffle::<LOADS, WORDS>(src, line, table.loads);
                leave::<V, WHOLE>(mask, zero, new, dst);
                dst = dst.add(V::BYTES);
            }
            src = src.wrapping_offset(advance);
        }
    }
}

/// Streams `old` with the bytes of `mask` replaced by `new`'s, or all of it.
///
/// # Safety
/// As for [`Vector::stream`](crate::kernel::vector::Vector::stream).
#[inline(always)]
unsafe fn leave<V: Blend, const WHOLE: bool>(mask: V::Mask, old: V, new: V, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { if WHOLE { new.stream(dst) } else { V::blend(mask, old, new).stream(dst) } }
}

/// Streams one line of whole periods, of which bytes `from` to `to` are the row's; all others are zero.
///
/// # Safety
/// All loads of the line's periods can be read, and its bytes written. A fence follows.
#[inline(always)]
unsafe fn edge<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    src: *const u8,
    line: *mut u8,
    from: usize,
    to: usize,
) {
    let count = rows.count();
    for i in 0..LINE / V::BYTES {
        let (q, at) = (i % count, i * V::BYTES);
        // SAFETY: the caller's promise; there are `count` lines and masks.
        unsafe {
            let zero = V::load(grad::ZEROS.0.as_ptr());
            let (table, mask) = (rows.lines.get_unchecked(q), *rows.masks.get_unchecked(q));
            let new = V::shuffle::<LOADS, WORDS>(rows.period(src, i / count), table, rows.table.loads);
            let new = V::blend(V::first(mask, to.saturating_sub(at)), zero, new);
            V::blend(V::first(mask, from.saturating_sub(at)), new, zero).stream(line.add(at));
        }
    }
}
