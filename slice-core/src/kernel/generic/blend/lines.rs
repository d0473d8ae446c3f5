//! Gradients by tables: lines that are streamed as they are made.
//!
//! A vector of a gradient is zeros with some of its bytes replaced, so nothing has to be read to be mixed in, and it can leave past the caches at once:
//! neither a ground nor a buffer of it is needed. Only whole lines may leave so. Those at a row's ends are filled up with zeros, if nothing else
//! lies in them; which is why the table may begin in the middle of a line, and a unit some bytes behind it.

use super::{Blend, Rows};
use crate::kernel::generic::grad;
use crate::kernel::generic::units::{Row, Streams};

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
    from: *mut u8,
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
    unsafe {
        zeros::<V>(from, dst);
        stream(rows, src, end, dst);
    }
    end * table.per
}

/// [`Units::row`](crate::kernel::generic::units::Units::row).
#[inline(always)]
pub(super) fn row<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    n: usize,
    before: usize,
    lines: usize,
) -> Row {
    let (step, lead) = (rows.walk.dst as usize, rows.table.lead.unwrap_or(0));
    // The table begins with the line, and with a unit that may be one before the first. Steps are a part of a line, or no row is streamed so.
    let back = -rows.walk.src * ((before - lead) >> step.trailing_zeros()) as isize;
    let bytes = before + n * step - lead;
    let lines = lines.min(bytes.div_ceil(LINE));
    if lines == 0 {
        return Row { before, ..Row::default() };
    }
    // Loads leave the source at the ends only: what lies between them is inside.
    let way = rows.walk.src * (rows.table.per * (lines * periods(rows) - 1)) as isize;
    Row {
        before,
        lines,
        units: n.min((lines * LINE - before + step - 1) >> step.trailing_zeros()),
        last: bytes - (lines - 1) * LINE,
        back,
        low: back + way.min(0) + rows.table.low,
        high: back + way.max(0) + rows.table.end,
    }
}

/// [`Units::fits`](crate::kernel::generic::units::Units::fits).
#[inline(always)]
pub(super) fn fits<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    row: &Row,
    src: *const u8,
) -> bool {
    let at = src.addr() as isize;
    at + row.low >= rows.source.0 as isize && at + row.high <= rows.source.1 as isize
}

/// [`Units::lined`](crate::kernel::generic::units::Units::lined).
///
/// # Safety
/// As there.
#[inline(always)]
pub(super) unsafe fn lined<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
    row: &Row,
    src: *const u8,
    from: *mut u8,
    line: *mut u8,
) {
    let (src, last, each) = (src.wrapping_offset(row.back), row.lines - 1, periods(rows));
    // SAFETY: the row fits, so the loads of all its periods are inside; the lines are the caller's.
    unsafe {
        zeros::<V>(from, line);
        if last == 0 {
            return edge(rows, src, line, row.before, row.last);
        }
        edge(rows, src, line, row.before, LINE);
        stream(rows, rows.period(src, each), (last - 1) * each, line.add(LINE));
        edge(rows, rows.period(src, last * each), line.add(last * LINE), 0, row.last);
    }
}

/// Periods in a line.
#[inline(always)]
fn periods<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>(
    rows: &Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>,
) -> usize {
    LINE / (rows.count() * V::BYTES)
}

/// Streams zeros from `from` to `to`.
///
/// # Safety
/// They start lines, and what lies between them can be written. A fence follows.
#[inline(always)]
unsafe fn zeros<V: Blend>(from: *mut u8, to: *mut u8) {
    let mut at = from;
    // SAFETY: a line is a whole number of vectors, so what is left is one or nothing; the rest is the caller's promise.
    unsafe {
        let zero = V::load(grad::ZEROS.0.as_ptr());
        while at.addr() < to.addr() {
            zero.stream(at);
            at = at.add(V::BYTES);
        }
    }
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
