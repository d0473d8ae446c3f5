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

/// The strides of values, in elements.
#[derive(Clone, Copy)]
pub(crate) enum Steps<'s> {
    /// Those of C order.
    Dense,
    /// All 0.
    Still,
    /// The values', for each axis; 0 for those that are missing.
    Given(&'s [isize]),
}

/// How many values an element has, and the shape and strides of a view, in elements.
pub(crate) type Layout<'a> = (usize, &'a [usize], &'a [isize]);

/// Finds the fewest loops over the positions of a view, in C order, whose steps count values. It
/// fills a list of the caller's, which would be moved otherwise.
pub(crate) fn find(loops: &mut Loops, (unit, shape, dst): Layout<'_>, src: Steps<'_>) {
    let mut running = 1_isize;
    if unit != 1 {
        loops.push(Loop { n: unit, src: 1, dst: 1 });
    }
    let unit = unit as isize;
    for (i, (&n, &dst)) in shape.iter().zip(dst).enumerate().rev() {
        let src = match src {
            Steps::Dense => running,
            Steps::Still => 0,
            Steps::Given(given) => given.get(i).copied().unwrap_or(0),
        };
        running = running.wrapping_mul(n as isize);
        // The stride of an axis of one position is never used, and can be anything.
        if n != 1 {
            let it = Loop { n, src: src.wrapping_mul(unit), dst: dst.wrapping_mul(unit) };
            match loops.last_mut().and_then(|inner| Some((it.merged(*inner)?, inner))) {
                Some((both, inner)) => *inner = both,
                None => loops.push(it),
            }
        }
    }
    loops.reverse();
}

/// Merges loops that continue each other on both sides.
fn merge(loops: &mut Loops) {
    loops.dedup_by(|inner, outer| {
        let both = outer.merged(*inner);
        *outer = both.unwrap_or(*outer);
        both.is_some()
    });
}

/// Whether each loop steps over all that the loops inside of it reach in the destination, so that
/// no two positions are one.
pub(crate) fn go_forwards(loops: &Loops) -> bool {
    let mut reach = 1_isize;
    loops.iter().rev().all(|it| {
        let over = it.dst >= reach;
        reach = reach.saturating_add(it.dst.saturating_mul(it.n.saturating_sub(1) as isize));
        over
    })
}

/// Puts loops in the order of the destination's memory, forwards. Returns how far the first
/// position is moved by that, in the source and in the destination. In place: a list that was just
/// written takes long to move.
#[inline(never)]
pub(crate) fn sort(loops: &mut Loops) -> (isize, isize) {
    let (mut src, mut dst) = (0_isize, 0_isize);
    for it in loops.iter_mut().filter(|it| it.dst < 0) {
        let last = it.n.wrapping_sub(1) as isize;
        src = src.wrapping_add(it.src.wrapping_mul(last));
        dst = dst.wrapping_add(it.dst.wrapping_mul(last));
        (it.src, it.dst) = (it.src.wrapping_neg(), it.dst.wrapping_neg());
    }
    loops.sort_by_key(|it| Reverse(it.dst));
    merge(loops);
    (src, dst)
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

/// Loops to go through, one list after the other, and how far each begins from the first position,
/// in the source and in the destination. What is compiled for each use only reads them.
pub(crate) struct Walk {
    loops: Loops,
    start: (isize, isize),
    /// What is left of blocks.
    rest: Loops,
    far: (isize, isize),
}

impl Walk {
    #[inline]
    pub(crate) fn new() -> Walk {
        Walk { loops: Loops::new(), start: (0, 0), rest: Loops::new(), far: (0, 0) }
    }

    /// One loop, forwards.
    pub(crate) fn one(&mut self, it: Loop) {
        self.loops.push(it);
        if it.dst < 0 {
            self.start = sort(&mut self.loops);
        }
    }

    /// The loops over the positions that [`find`] is given: in the order of the destination's
    /// memory, and in blocks where values lie across long rows, or in C order if two positions may
    /// be one, unless the caller knows that they are `apart`. `line` is how many elements of the
    /// source a line of a cache has.
    pub(crate) fn lay(&mut self, of: Layout<'_>, src: Steps<'_>, (line, apart): (usize, bool)) {
        find(&mut self.loops, of, src);
        if !go_forwards(&self.loops) {
            self.start = sort(&mut self.loops);
            if !apart && !go_forwards(&self.loops) {
                (self.loops, self.start) = (Loops::new(), (0, 0));
                return find(&mut self.loops, of, src);
            }
        }
        if let Some(&inner) = self.loops.last()
            && inner.src.unsigned_abs() >= line
            && inner.n > 4 * BLOCK
        {
            self.cut(inner, line);
        }
    }

    /// Cuts the innermost loop, which reads a line of the source for each position, into blocks, if
    /// another loop reads these lines again: it goes round each block.
    fn cut(&mut self, inner: Loop, line: usize) {
        let again = |it: &Loop| (1..line).contains(&it.src.unsigned_abs());
        let Some(k) = self.loops.iter().position(again) else { return };
        let round = self.loops.remove(k);
        self.loops.pop();
        let (count, left) = (inner.n / BLOCK, inner.n % BLOCK);
        let far = |step: isize, n: usize| step.wrapping_mul(n as isize);
        if left > 0 {
            self.rest.extend_from_slice(&self.loops);
            self.rest.extend([round, Loop { n: left, ..inner }]);
        }
        self.loops.push(Loop { n: count, src: far(inner.src, BLOCK), dst: far(inner.dst, BLOCK) });
        self.loops.extend([round, Loop { n: BLOCK, ..inner }]);
        let done = inner.n.wrapping_sub(left);
        self.far = (far(inner.src, done), far(inner.dst, done));
    }

    /// The lists, and where each begins.
    #[inline]
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&Loops, (isize, isize))> {
        let (src, dst) = self.start;
        let far = (src.wrapping_add(self.far.0), dst.wrapping_add(self.far.1));
        let rest = Some((&self.rest, far)).filter(|_| !self.rest.is_empty());
        core::iter::once((&self.loops, self.start)).chain(rest)
    }
}

/// Calls `row` with the positions on both sides, for each iteration of the loops. It is compiled
/// once, for all kinds of rows.
pub(crate) fn each_row(outer: &[Loop], dst: isize, src: isize, row: &mut dyn FnMut(isize, isize)) {
    let Some((first, inner)) = outer.split_first() else { return row(dst, src) };
    let (mut dst, mut src) = (dst, src);
    for _ in 0..first.n {
        // One call for each row: many are short.
        if inner.is_empty() {
            row(dst, src)
        } else {
            each_row(inner, dst, src, row)
        }
        (dst, src) = (dst.wrapping_add(first.dst), src.wrapping_add(first.src));
    }
}
