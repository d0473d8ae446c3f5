//! Moves and updates from one slice of a buffer to another slice of the same buffer, as if all of
//! the source were read before anything is written.
//!
//! Rows that only change their place are moved one by one, and other few elements are copied aside.
//! For more, the crate decides exactly whether the two slices share an element. If they do not, a
//! kernel moves straight from one to the other. If they do, and some order of axes reads each
//! element before it is overwritten, rows or blocks are moved in that order. Where no order does
//! that (`x[:] = x[::-1]`), long rows are reversed or change places where they are. Otherwise the
//! move is cut into parts of an axis that touch only themselves or their mirror images, or halved.
//! Pairs of pieces are left that only overwrite each other, and one piece of each pair is copied
//! aside.

use super::reverse::{reverse, reverses};
use super::values::{Source, broadcast_from};
use super::view::{Claim, Place, ViewMut};
use super::zip::visit;
use crate::algebra::move_order::Move;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer};
use crate::loops::{Loop, Loops, Steps, Walk, each_row, find, line};
use crate::plan::Plan;
use alloc::vec::Vec;
use core::mem::size_of;
use smallvec::SmallVec;

/// Bytes up to which a piece is copied aside without looking for a better way: they stay in a
/// second-level cache.
const ASIDE: usize = 1 << 16;

/// Bytes that are copied aside in any order: they stay in a first-level cache.
const FEW_BYTES: usize = 1 << 12;

/// Bytes of a row from which on it is worth a call of its own, and how many shorter rows are.
const ROW: usize = 64;
const FEW_ROWS: usize = 8;

/// Values of a run that is moved without a call. Rows of such runs are at least a line apart: closer
/// ones are moved by vectors.
const SHORT: usize = 4;

/// Bytes that one call of `memmove` copies, if the run is to lie just behind where it is now, but
/// for whole pages: C libraries copy more by an instruction that takes 20 times as long there on
/// some processors.
const CALL: usize = 2048;
const PAGE: usize = 4096;
const LINE: usize = 64;

/// Two slices of one buffer, both checked.
struct Ends<'a> {
    from: Place<'a>,
    to: Place<'a>,
    /// The strides of the elements of `from`, in the order of `to`.
    strides: SmallVec<[isize; 8]>,
}

impl<'a> Ends<'a> {
    fn new(from: &Claim<'a>, to: &Claim<'a>, found: usize) -> Result<Ends<'a>, SliceError> {
        let (from, to) = (from.check(Buffer::Source, found)?, to.check(Buffer::Target, found)?);
        let kernel::View { shape, strides, .. } = from.layout;
        let strides = broadcast_from(to.layout.shape, shape, Some(strides))?;
        Ok(Ends { from, to, strides })
    }

    fn is_little<T>(&self) -> bool {
        self.to.len.saturating_mul(self.to.size::<T>()) <= ASIDE
    }

    /// The move from one to the other, whose steps count values of the buffer.
    fn moves(&self) -> Move {
        let mut all = Move { axes: Loops::new(), src: self.from.first(), dst: self.to.first() };
        find(&mut all.axes, self.to.parts(), Steps::Given(&self.strides));
        all
    }
}

impl Plan {
    /// Assigns a slice of an array to another slice of it: `data[to] = data[self]`, with NumPy's
    /// broadcasting, as if all of the source were read before anything is written.
    ///
    /// Rows that only change their place (`x[1:] = x[:-1]`) are moved one by one. Slices that share
    /// no element are copied directly. If they share some, rows or blocks of up to 64 KiB are moved
    /// in an order that reads each element before it is overwritten, if there is such an order. If
    /// an axis is reversed (`x[:] = x[::-1]`), long rows are reversed or swapped in place. Otherwise
    /// elements are copied aside: all of them if there are few, if each goes to several places, or
    /// if the strides of `to` may take an element twice (the last value wins); else in pieces. A
    /// transposition in place copies up to a quarter of the array aside at a time.
    ///
    /// # Errors
    ///
    /// [`SliceError::DifferentBuffers`] if the plans are for arrays of different lengths,
    /// [`SliceError::BufferLength`] if `data` does not fit them, [`SliceError::Broadcast`] if the
    /// shape of this slice does not broadcast to the other's; nothing is written then.
    /// [`SliceError::OutOfMemory`] if memory for a copy of the source runs out. Some elements may
    /// have been written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4, 5, 6];
    /// // x[1:] = x[:-1]
    /// s![:-1].plan(&[6])?.move_within(&s![1:].plan(&[6])?, &mut x)?;
    /// assert_eq!(x, [1, 1, 2, 3, 4, 5]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's assignment between overlapping views of one array (1.13 and later).
    pub fn move_within<T: Copy>(&self, to: &Plan, data: &mut [T]) -> Result<(), SliceError> {
        self.check_same_buffer(to)?;
        move_within(&self.claim(), &to.claim(), data)
    }

    /// Calls `f` with every element of the slice `to` and with the one of this slice that belongs to
    /// it: `data[to] += data[self]` and any other function, with NumPy's broadcasting, as if all of
    /// the source were read before anything is written. Where the slices share elements, or have
    /// few, the source is copied aside first.
    ///
    /// # Errors
    ///
    /// Those of [`move_within`](Self::move_within); nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4];
    /// // x[1:] += x[:-1]
    /// s![:-1].plan(&[4])?.zip_within(&s![1:].plan(&[4])?, &mut x, |a, b| *a += b)?;
    /// assert_eq!(x, [1, 3, 5, 7]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "add_within")]
    pub fn zip_within<T: Copy>(
        &self,
        to: &Plan,
        data: &mut [T],
        mut f: impl FnMut(&mut T, &T),
    ) -> Result<(), SliceError> {
        self.check_same_buffer(to)?;
        let (from, target) = (self.claim(), to.claim());
        let ends = Ends::new(&from, &target, data.len())?;
        if ends.to.len == 0 {
            return Ok(());
        }
        if !ends.is_little::<T>() {
            let all = ends.moves();
            if !all.spoils(&all) {
                let start = data.as_mut_ptr();
                let (read, write) = (start.wrapping_add(all.src), start.wrapping_add(all.dst));
                let mut walk = Walk::new();
                walk.lay(ends.to.parts(), Steps::Given(&ends.strides), (line::<T>(), false));
                for (all, (src, dst)) in walk.parts() {
                    let (read, write) = (read.wrapping_offset(src), write.wrapping_offset(dst));
                    // SAFETY: both places were found inside `data` (`Ends::new`), which is mutably
                    // borrowed, and none of the positions that are written is one that is read, in
                    // any order.
                    unsafe { visit::<T, T, true>(all, write, read.cast_const(), &mut f) }
                }
                return Ok(());
            }
        }
        let aside = from.copy(data)?;
        ViewMut::new(&target, data)?.zip_from(from.values(&aside, &target), f)
    }
}

pub(super) fn move_within<T: Copy>(
    from: &Claim<'_>,
    to: &Claim<'_>,
    data: &mut [T],
) -> Result<(), SliceError> {
    if move_rows(from, to, data) { Ok(()) } else { move_others(from, to, data) }
}

/// The rest of [`move_within`].
fn move_others<T: Copy>(
    from: &Claim<'_>,
    to: &Claim<'_>,
    data: &mut [T],
) -> Result<(), SliceError> {
    let size = size_of::<T>().saturating_mul(to.unit);
    if reverses(from, to, size) && reverse(&Ends::new(from, to, data.len())?.moves(), data) {
        return Ok(());
    }
    // Where each element goes to several places, a copy takes less than writing them.
    let bytes = from.len.saturating_mul(size);
    let little = bytes <= ASIDE || from.len <= to.len / 2;
    if bytes <= FEW_BYTES || little && in_order(from) && in_order(to) {
        return aside(from, to, data);
    }
    let ends = Ends::new(from, to, data.len())?;
    if ends.to.len == 0 || size == 0 {
        return Ok(());
    }
    match ends.moves().arranged() {
        Some(arranged) => piece(&arranged, data),
        None => aside(from, to, data),
    }
}

/// A view of an array: its shape, its strides and its offset, in elements.
type Layout<'a> = (&'a [usize], &'a [isize], usize);

/// Assigns one view of an array to another, as if all of the source were read first, unless it has
/// at most `few` bytes and takes more than rows that change their place. Returns whether it did.
/// `data` is all of the array's memory, whose elements have `size` bytes.
///
/// # Errors
///
/// Those of [`Plan::move_within`].
pub fn move_bytes(
    data: &mut [u8],
    size: usize,
    from: Layout<'_>,
    to: Layout<'_>,
    few: usize,
) -> Result<bool, SliceError> {
    fn claim((shape, strides, offset): Layout<'_>, input_len: usize, unit: usize) -> Claim<'_> {
        let layout = kernel::View { shape, strides, offset };
        let len = shape.iter().fold(1, |len: usize, &n| len.wrapping_mul(n));
        Claim { layout, len, input_len, strided: true, unit }
    }
    let input_len = data.len().checked_div(size).unwrap_or(0);
    let (from, to) = (claim(from, input_len, size), claim(to, input_len, size));
    from.check(Buffer::Source, data.len())?;
    to.check(Buffer::Target, data.len())?;
    if move_rows(&from, &to, data) {
        return Ok(true);
    }
    let many = from.len.saturating_mul(size) > few;
    if many {
        move_others(&from, &to, data)?;
    }
    Ok(many)
}

/// Whether long strides are outside, as in C order. In another order, a copy aside would be walked
/// against it.
fn in_order(of: &Claim<'_>) -> bool {
    of.layout.strides.is_sorted_by(|outer, inner| outer.unsigned_abs() >= inner.unsigned_abs())
}

/// Moves rows that only change their place, one by one. Returns whether it did.
fn move_rows<T: Copy>(from: &Claim<'_>, to: &Claim<'_>, data: &mut [T]) -> bool {
    let known = |of: &Claim<'_>| of.elements(data.len()).is_some();
    let Some((run, axes)) = run(from, to).filter(|_| known(from) && known(to)) else {
        return false;
    };
    let (src, dst, unit) = (from.layout.offset, to.layout.offset, to.unit);
    if axes == 0 {
        let ends = (src.saturating_mul(unit), dst.saturating_mul(unit));
        move_runs(data, ends, run.saturating_mul(unit), &Loop::ONE);
        return true;
    }
    let bytes = |elements: usize| elements.saturating_mul(unit).saturating_mul(size_of::<T>());
    let is_worth_it = |run: usize| to.len <= run.saturating_mul(FEW_ROWS) || bytes(run) >= ROW;
    let is_short = |run: usize| run.saturating_mul(unit) <= SHORT;
    if !is_worth_it(run) && !is_short(run) && in_order(to) {
        return false;
    }
    let mut all = Move { axes: Loops::new(), src, dst };
    let Some(run) = shift(from, to, &mut all) else { return false };
    let pitch = all.axes.last().map_or(0, |it| it.dst.unsigned_abs());
    if !is_worth_it(run) && (!is_short(run) || bytes(pitch) < LINE) {
        return false;
    }
    for it in &mut all.axes {
        (it.src, it.dst) = (it.src.wrapping_mul(unit as isize), it.dst.wrapping_mul(unit as isize));
    }
    (all.src, all.dst) = (all.src.wrapping_mul(unit), all.dst.wrapping_mul(unit));
    rows(&all, &all.axes, run.saturating_mul(unit), data);
    true
}

/// How many elements lie one after the other in two slices of one shape, and how many axes are
/// outside of such a run. More may if the axes are not in C order, or reversed.
fn run(from: &Claim<'_>, to: &Claim<'_>) -> Option<(usize, usize)> {
    let (from, to, mut run) = (&from.layout, &to.layout, 1_usize);
    if from.shape != to.shape {
        return None;
    }
    let mut axes = to.shape.len();
    for (&n, (&src, &dst)) in to.shape.iter().zip(from.strides.iter().zip(to.strides)).rev() {
        if n == 1 || (src, dst) == (run as isize, run as isize) {
            run = run.saturating_mul(n);
            axes = axes.wrapping_sub(1);
        } else if src != dst {
            return None;
        }
    }
    Some((run, axes))
}

/// Turns a move of the first elements of two slices, counted in elements, into that of runs in rows
/// that do not take turns, and returns how long they are, if the axes have the same strides.
///
/// Where the places lie behind, the last run is moved first: it overwrites none that is still to be
/// read. Otherwise the first one is.
fn shift(from: &Claim<'_>, to: &Claim<'_>, all: &mut Move) -> Option<usize> {
    let behind = all.dst > all.src;
    let outer = to.layout.shape.iter().zip(from.layout.strides.iter().zip(to.layout.strides));
    for (&n, (&src, &dst)) in outer.filter(|(n, _)| **n != 1) {
        // A position that is not in the buffer is not moved.
        let far = src.wrapping_mul(n.wrapping_sub(1) as isize).min(0);
        all.src = all.src.wrapping_add_signed(far);
        all.dst = all.dst.wrapping_add_signed(far);
        if src != dst || n == 0 {
            return None;
        }
        all.axes.push(Loop { n, src: src.wrapping_abs(), dst: dst.wrapping_abs() });
    }
    if !all.axes.is_sorted_by(|outer, inner| outer.dst >= inner.dst) {
        all.axes.sort_unstable_by_key(|it| core::cmp::Reverse(it.dst));
    }
    let mut run = 1_usize;
    while let Some(&it) = all.axes.last().filter(|it| it.dst == run as isize) {
        run = run.saturating_mul(it.n);
        all.axes.pop();
    }
    let mut reach = run;
    for it in all.axes.iter_mut().rev() {
        if it.dst < reach as isize {
            return None;
        }
        let far = (it.dst as usize).saturating_mul(it.n.saturating_sub(1));
        reach = reach.saturating_add(far);
        if behind {
            (all.src, all.dst) = (all.src.wrapping_add(far), all.dst.wrapping_add(far));
            (it.src, it.dst) = (it.src.wrapping_neg(), it.dst.wrapping_neg());
        }
    }
    Some(run)
}

/// Copies all of the source aside first.
fn aside<T: Copy>(from: &Claim<'_>, to: &Claim<'_>, data: &mut [T]) -> Result<(), SliceError> {
    let aside = from.copy(data)?;
    to.assign(data, from.values(&aside, to))
}

impl Claim<'_> {
    /// A copy of these elements as values for another slice.
    fn values<'a, T>(&'a self, copy: &'a [T], to: &Claim<'_>) -> Source<'a, T> {
        let shape = self.layout.shape;
        if shape == to.layout.shape { Source::All(copy) } else { Source::Shaped(copy, shape) }
    }
}

/// Moves, given that no two positions of the destination are the same element.
fn piece<T: Copy>(all: &Move, data: &mut [T]) -> Result<(), SliceError> {
    if all.is_still() {
        return Ok(());
    }
    if is_little::<T>(all) {
        return write(all, data, &read(all, data)?);
    }
    if carry(all, data)? {
        return Ok(());
    }
    // A run stays whole.
    let outer = all.axes.iter().take_while(|a| (a.src, a.dst) != (1, 1)).count();
    let mirrored = all.crosses(outer);
    let kept = || all.keeps(outer);
    if mirrored.is_some()
        && let Some(k) = kept()
    {
        return parts(all, k, false, data);
    }
    // An order is looked for only if it may be right: that takes long.
    let turned = all.axes.iter().take(outer).all(|a| a.src == a.dst.wrapping_neg());
    if (mirrored.is_none() || !turned)
        && let Some(ordered) = all.ordered()
    {
        if let [outer @ .., Loop { n, src: 1, dst: 1 }] = ordered.axes.as_slice()
            && n.saturating_mul(size_of::<T>()) >= ROW
        {
            rows(&ordered, outer, *n, data);
            return Ok(());
        }
        return blocks(&ordered, data);
    }
    match mirrored.or_else(kept) {
        Some(k) => parts(all, k, mirrored.is_some(), data),
        None => match all.halves() {
            Some([one, two]) => pair(&one, &two, data),
            None => write(all, data, &read(all, data)?),
        },
    }
}

/// Moves in parts of axis `k`, each of which touches only itself, or only its mirror image.
#[expect(clippy::arithmetic_side_effects, reason = "positions of one axis; no part is empty")]
fn parts<T: Copy>(all: &Move, k: usize, mirrored: bool, data: &mut [T]) -> Result<(), SliceError> {
    let n = all.axes.get(k).map_or(1, |a| a.n);
    let most = ASIDE.checked_div(all.part(k, 0, 1).len().saturating_mul(size_of::<T>()));
    let most = most.unwrap_or(0).max(1);
    let (mut begin, end) = (0, if mirrored { n / 2 } else { n });
    while begin < end {
        let next = end.min(begin + most);
        let part = all.part(k, begin, next);
        if mirrored {
            swap(&part, &all.part(k, n - next, n - begin), data)?;
        } else {
            piece(&part, data)?;
        }
        begin = next;
    }
    if mirrored && !n.is_multiple_of(2) { piece(&all.part(k, end, end + 1), data) } else { Ok(()) }
}

fn is_little<T>(part: &Move) -> bool {
    part.len().saturating_mul(size_of::<T>()) <= ASIDE
}

/// Moves runs one by one, in the order of the loops outside of them.
fn rows<T: Copy>(ordered: &Move, outer: &[Loop], run: usize, data: &mut [T]) {
    let (&walk, outer) = outer.split_last().unwrap_or((&Loop::ONE, &[]));
    each_row(outer, ordered.dst as isize, ordered.src as isize, &mut |to, from| {
        move_runs(data, (from as usize, to as usize), run, &walk);
    });
}

/// Moves runs as if all of each were read first. They lie inside the buffer on both sides.
fn move_runs<T: Copy>(data: &mut [T], ends: (usize, usize), run: usize, walk: &Loop) {
    match run {
        1 => move_runs_of::<T, 1>(data, ends, run, walk),
        2 => move_runs_of::<T, 2>(data, ends, run, walk),
        3 => move_runs_of::<T, 3>(data, ends, run, walk),
        SHORT => move_runs_of::<T, SHORT>(data, ends, run, walk),
        _ => move_runs_of::<T, 0>(data, ends, run, walk),
    }
}

/// [`move_runs`] of `N` values, or of any number if that is 0.
#[inline]
fn move_runs_of<T: Copy, const N: usize>(
    data: &mut [T],
    (mut from, mut to): (usize, usize),
    run: usize,
    walk: &Loop,
) {
    let run = if N == 0 { run } else { N };
    // Only what does not overlap can be cut.
    let after = to.wrapping_sub(from).wrapping_mul(size_of::<T>()) % PAGE;
    let slow = N == 0 && (1..LINE).contains(&after) && from.abs_diff(to) >= run;
    let most = if slow { CALL.checked_div(size_of::<T>()).unwrap_or(run).max(1) } else { run };
    for _ in 0..walk.n {
        let mut at = 0;
        while at < run {
            let n = most.min(run.wrapping_sub(at));
            let (from, to) = (from.wrapping_add(at), to.wrapping_add(at));
            // Never, but the compiler does not see that, and would leave a panic here.
            if from.max(to) > data.len().wrapping_sub(n) || n > data.len() {
                return;
            }
            data.copy_within(from..from.wrapping_add(n), to);
            at = at.wrapping_add(n);
        }
        from = from.wrapping_add_signed(walk.src);
        to = to.wrapping_add_signed(walk.dst);
    }
}

/// Moves block by block, in the order given. An order that works for single elements works for
/// blocks that are read whole before they are written.
fn blocks<T: Copy>(ordered: &Move, data: &mut [T]) -> Result<(), SliceError> {
    match ordered.halved(0) {
        Some([one, two]) if !is_little::<T>(ordered) => {
            blocks(&one, data)?;
            blocks(&two, data)
        }
        _ => write(ordered, data, &read(ordered, data)?),
    }
}

/// Makes two moves as if both were read first.
fn pair<T: Copy>(one: &Move, two: &Move, data: &mut [T]) -> Result<(), SliceError> {
    if !one.spoils(two) {
        piece(one, data)?;
        return piece(two, data);
    }
    if !two.spoils(one) {
        piece(two, data)?;
        return piece(one, data);
    }
    swap(one, two, data)
}

/// [`pair`] for moves of which each overwrites what the other reads.
fn swap<T: Copy>(one: &Move, two: &Move, data: &mut [T]) -> Result<(), SliceError> {
    if !is_little::<T>(two)
        && let (Some([a, b]), Some([c, d])) = (one.halves(), two.halves())
    {
        let apart = |one: [&Move; 2], two: [&Move; 2]| {
            one.iter().all(|p| two.iter().all(|q| !p.spoils(q) && !q.spoils(p)))
        };
        // Two pairs that do not touch each other are smaller copies aside.
        for (p, q, r, s) in [(&a, &d, &b, &c), (&a, &c, &b, &d)] {
            if apart([p, q], [r, s]) {
                pair(p, q, data)?;
                return pair(r, s, data);
            }
        }
    }
    let aside = read(two, data)?;
    if !carry(one, data)? {
        piece(one, data)?;
    }
    write(two, data, &aside)
}

/// One side of a move: shape, strides, offset.
struct End {
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl End {
    fn new(of: &Move, stride: fn(&Loop) -> isize, offset: usize) -> End {
        End {
            shape: of.axes.iter().map(|a| a.n).collect(),
            strides: of.axes.iter().map(stride).collect(),
            offset,
        }
    }

    fn source(of: &Move) -> End {
        End::new(of, |a| a.src, of.src)
    }

    fn target(of: &Move) -> End {
        End::new(of, |a| a.dst, of.dst)
    }

    /// This side of a buffer of `len` values.
    fn claim(&self, len: usize) -> Claim<'_> {
        let layout =
            kernel::View { shape: &self.shape, strides: &self.strides, offset: self.offset };
        let count = self.shape.iter().product();
        Claim { layout, len: count, input_len: len, strided: true, unit: 1 }
    }
}

/// The elements to be moved, in order.
fn read<T: Copy>(from: &Move, data: &[T]) -> Result<Vec<T>, SliceError> {
    End::source(from).claim(data.len()).copy(data)
}

/// Puts elements where the move wants them.
fn write<T: Copy>(to: &Move, data: &mut [T], values: &[T]) -> Result<(), SliceError> {
    End::target(to).claim(data.len()).assign(data, Source::All(values))
}

/// Moves straight from one side to the other, if they share no element. Returns whether it did.
///
/// Where runs of less than a line are read and written in turn, only words of theirs are moved: a
/// vector would wait until what was written into it before has reached the cache. Words of one or
/// two bytes take longer one by one than copied aside.
fn carry<T: Copy>(all: &Move, data: &mut [T]) -> Result<bool, SliceError> {
    let most = 63_usize.checked_div(size_of::<T>()).unwrap_or(0);
    let run = all.interleaves(most).map(|run| run.saturating_mul(size_of::<T>()));
    if run.is_some_and(|run| run <= 2) || all.spoils(all) {
        return Ok(false);
    }
    let (source, target, len) = (End::source(all), End::target(all), data.len());
    let from = source.claim(len).check(Buffer::Source, len)?;
    let to = target.claim(len).check(Buffer::Target, len)?;
    let start = data.as_mut_ptr();
    let whole = run.is_none();
    let src = Side { whole, ..Side::view(start.cast_const().cast(), len, &from.layout) };
    let dst = Side { whole, ..Side::view(start.cast(), len, &to.layout) };
    let job = Transfer { shape: to.layout.shape, elem: size_of::<T>(), src, dst };
    // SAFETY: every position of either side lies in `data`, which is mutably borrowed, as was just
    // checked. No position is on both sides, and one thread does the work, so no element that is
    // read changes; what lies between places is at most rewritten unchanged.
    unsafe { kernel::transfer(&job, How::chosen().serial()) };
    Ok(true)
}
