//! The fewest loops that visit the positions of a view in the slice's order.

use core::cmp::Reverse;
use smallvec::SmallVec;

/// A loop over two arrays. Kernels count in bytes, everything else in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// Number of positions.
    pub(crate) n: usize,
    /// From one position to the next in the source; may be negative or 0.
    pub(crate) src: isize,
    /// The same in the destination.
    pub(crate) dst: isize,
}

impl Loop {
    /// A loop of one position.
    pub(crate) const ONE: Loop = Loop { n: 1, src: 0, dst: 0 };

    /// This loop and the one inside it as one, if they continue each other on both sides.
    #[inline]
    pub(crate) fn merged(self, inner: Loop) -> Option<Loop> {
        let runs_on = |outer, step: isize| step.checked_mul(inner.n as isize) == Some(outer);
        let n = self.n.saturating_mul(inner.n);
        (runs_on(self.src, inner.src) && runs_on(self.dst, inner.dst))
            .then_some(Loop { n, ..inner })
    }
}

/// Loops, outermost first, of two positions or more each.
pub(crate) type Loops = SmallVec<[Loop; 8]>;

/// Merges loops that continue each other on both sides.
fn merge(loops: &mut Loops) {
    loops.dedup_by(|inner, outer| {
        let both = outer.merged(*inner);
        *outer = both.unwrap_or(*outer);
        both.is_some()
    });
}

/// Finds the fewest loops over the positions of a shape, in the order of the strides of the
/// destination; strides of the source that are missing are 0. Returns whether there are positions.
/// It fills a list of the caller's, which would be moved otherwise.
#[inline(never)]
pub(crate) fn nearest_last(
    loops: &mut Loops,
    shape: &[usize],
    dst: &[isize],
    src: &[isize],
) -> bool {
    for (i, (&n, &dst)) in shape.iter().zip(dst).enumerate() {
        if n == 0 {
            return false;
        }
        if n != 1 {
            loops.push(Loop { n, src: src.get(i).copied().unwrap_or(0), dst });
        }
    }
    loops.sort_by_key(|it| Reverse(it.dst.unsigned_abs()));
    merge(loops);
    true
}

/// Puts loops in the order of the destination's memory, forwards. Returns how far the first
/// position is moved by that, in the source and in the destination; `None` if a loop does not step
/// over all that the loops inside of it reach there, so that two positions may be one. The loops
/// are not as they were then.
#[inline]
pub(crate) fn forwards(loops: &mut Loops) -> Option<(isize, isize)> {
    if go_forwards(loops) { Some((0, 0)) } else { sort(loops) }
}

/// Whether each loop steps over all that the loops inside of it reach in the destination.
fn go_forwards(loops: &Loops) -> bool {
    let mut reach = 1_isize;
    loops.iter().rev().all(|it| {
        let over = it.dst >= reach;
        reach = reach.saturating_add(it.dst.saturating_mul(it.n.saturating_sub(1) as isize));
        over
    })
}

/// The rest of [`forwards`]. In place: a list that was just written takes long to move.
#[inline(never)]
fn sort(loops: &mut Loops) -> Option<(isize, isize)> {
    let (mut src, mut dst) = (0_isize, 0_isize);
    for it in loops.iter_mut().filter(|it| it.dst < 0) {
        let last = it.n.wrapping_sub(1) as isize;
        src = src.wrapping_add(it.src.wrapping_mul(last));
        dst = dst.wrapping_add(it.dst.wrapping_mul(last));
        (it.src, it.dst) = (it.src.wrapping_neg(), it.dst.wrapping_neg());
    }
    loops.sort_by_key(|it| Reverse(it.dst));
    let apart = go_forwards(loops);
    if apart {
        merge(loops);
    }
    apart.then_some((src, dst))
}

/// How many elements of a row a block has. A cache keeps as many lines, however far apart they are.
const BLOCK: usize = 64;

/// How many elements of this type a line of a cache has.
pub(crate) const fn line<T>() -> usize {
    match 64_usize.checked_div(size_of::<T>()) {
        Some(elements) => elements,
        None => 64,
    }
}

/// Cuts the innermost loop into blocks, if it reads a line of the source for each position, and
/// another loop reads these lines again: it goes round each block. `rest` becomes the loops over
/// what is left. `line` is how many elements of the source a line has. Returns the loops to go
/// through, one after the other, and how far each begins from the first position, in the source and
/// in the destination.
///
/// The lists are the caller's, and are not moved.
#[inline]
pub(crate) fn blocks<'l>(
    loops: &'l mut Loops,
    rest: &'l mut Loops,
    line: usize,
) -> impl Iterator<Item = (&'l Loops, (isize, isize))> {
    let far = match loops.last() {
        Some(&inner) if inner.src.unsigned_abs() >= line && inner.n > 4 * BLOCK => {
            cut(loops, rest, inner, line)
        }
        _ => (0, 0),
    };
    let parts = if rest.is_empty() { 1 } else { 2 };
    [(&*loops, (0, 0)), (&*rest, far)].into_iter().take(parts)
}

/// The rest of [`blocks`].
#[inline(never)]
fn cut(loops: &mut Loops, rest: &mut Loops, inner: Loop, line: usize) -> (isize, isize) {
    let again = |it: &Loop| (1..line).contains(&it.src.unsigned_abs());
    let Some(k) = loops.iter().position(again) else { return (0, 0) };
    let round = loops.remove(k);
    loops.pop();
    let (count, left) = (inner.n / BLOCK, inner.n % BLOCK);
    let far = |step: isize, n: usize| step.wrapping_mul(n as isize);
    if left > 0 {
        rest.extend_from_slice(loops);
        rest.extend([round, Loop { n: left, ..inner }]);
    }
    loops.push(Loop { n: count, src: far(inner.src, BLOCK), dst: far(inner.dst, BLOCK) });
    loops.extend([round, Loop { n: BLOCK, ..inner }]);
    let done = inner.n.wrapping_sub(left);
    (far(inner.src, done), far(inner.dst, done))
}

/// Calls `row` with the positions on both sides, for each iteration of the loops.
#[inline]
pub(crate) fn each_row(outer: &[Loop], dst: isize, src: isize, row: &mut impl FnMut(isize, isize)) {
    let Some((first, inner)) = outer.split_first() else { return row(dst, src) };
    let (mut dst, mut src) = (dst, src);
    for _ in 0..first.n {
        each_row(inner, dst, src, row);
        (dst, src) = (dst.wrapping_add(first.dst), src.wrapping_add(first.src));
    }
}
