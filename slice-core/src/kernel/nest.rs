//! A copy as a nest of loops over a source and a destination: merged, and sorted for writing.

pub(crate) use crate::loops::Loop;

use core::mem::MaybeUninit;

/// A position: its address in the source and in the destination.
pub(crate) type At = (*const u8, *mut u8);

impl Loop {
    /// Position `i`, from the first one.
    #[inline]
    pub(crate) fn after(&self, i: usize, (src, dst): At) -> At {
        let to = |step: isize| step.wrapping_mul(i as isize);
        (src.wrapping_offset(to(self.src)), dst.wrapping_offset(to(self.dst)))
    }
}

/// Bytes of a line of a cache.
pub(super) const LINE: usize = 64;

/// A line of a cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line(pub(super) [MaybeUninit<u8>; LINE]);

impl Line {
    pub(super) const EMPTY: Line = Line([MaybeUninit::new(0); LINE]);
}

/// More loops have more positions than a `usize` counts, which `View::fits` refuses.
const MAX_LOOPS: usize = 64;

/// A short list on the stack, unwritten until it is used.
pub(crate) struct Stack<T, const N: usize = MAX_LOOPS> {
    items: [MaybeUninit<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    #[inline]
    pub(crate) const fn new() -> Stack<T, N> {
        Stack { items: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items[self.len] = MaybeUninit::new(item);
        self.len += 1;
    }

    #[inline]
    pub(crate) fn items(&self) -> &[T] {
        // SAFETY: `push` wrote the first `len` items, and nothing else raises `len`.
        unsafe { core::slice::from_raw_parts(self.items.as_ptr().cast::<T>(), self.len) }
    }

    #[inline]
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `items`.
        unsafe { core::slice::from_raw_parts_mut(self.items.as_mut_ptr().cast::<T>(), self.len) }
    }
}

/// The loops of a copy and the bytes that are moved at each of their positions.
pub(crate) struct Nest {
    loops: Stack<Loop>,
    /// Contiguous bytes at each position.
    pub(crate) run: usize,
    /// Bytes of all positions together.
    pub(crate) total: usize,
    /// Bytes from the view's first position to the nest's.
    pub(crate) src: isize,
    pub(crate) dst: isize,
}

/// The stride of each axis, in elements, or 0 if it is missing; `None` is C order without gaps.
pub(crate) type Strides<'a> = Option<&'a [isize]>;

impl Nest {
    /// An empty nest. [`merge`](Nest::merge) fills it in place: returning it would copy the list.
    #[inline]
    pub(crate) const fn new() -> Nest {
        Nest { loops: Stack::new(), run: 0, total: 0, src: 0, dst: 0 }
    }

    /// Adds the axes of `shape`, for elements of `elem` bytes. Returns whether anything is to move.
    ///
    /// Axes of length 1 are dropped, adjacent axes that can be walked by one loop become one loop,
    /// and what is contiguous on both sides becomes the run. Every position of both sides must lie
    /// in one buffer, so that no reach overflows; the total may, if positions share memory, and
    /// [`sort`](Nest::sort) then refuses.
    #[inline]
    pub(crate) fn merge(
        &mut self,
        shape: &[usize],
        src: Strides<'_>,
        dst: Strides<'_>,
        elem: usize,
    ) -> bool {
        // The other lengths of an empty view can be anything, and need not fit the list.
        if elem == 0 || shape.contains(&0) {
            return false;
        }
        (self.run, self.total) = (elem, elem);
        let step = |given: Strides<'_>, axis: usize, total: usize| match given {
            None => total as isize,
            Some(strides) => strides.get(axis).map_or(0, |s| s.wrapping_mul(elem as isize)),
        };
        // The loop that still grows is kept in registers.
        let mut last = Loop::ONE;
        for (axis, &n) in shape.iter().enumerate().rev() {
            if n == 1 {
                continue;
            }
            let (s, d) = (step(src, axis, self.total), step(dst, axis, self.total));
            if s == 0 && d == 0 {
                continue;
            }
            self.total = self.total.wrapping_mul(n);
            self.grow(&mut last, Loop { n, src: s, dst: d });
        }
        if last.n > 1 {
            self.loops.push(last);
        }
        true
    }

    /// Adds a loop outside all others: to the run, to the last loop, or after it.
    #[inline]
    fn grow(&mut self, last: &mut Loop, next: Loop) {
        let n = last.n as isize;
        if last.n == 1 {
            if next.src == next.dst && next.dst.unsigned_abs() == self.run {
                // Backwards on both sides, they are the same bytes.
                let back = next.dst.min(0).wrapping_mul(next.n as isize - 1);
                (self.src, self.dst) = (self.src + back, self.dst + back);
                self.run = self.run.wrapping_mul(next.n);
            } else {
                *last = next;
            }
        } else if next.src == last.src.wrapping_mul(n) && next.dst == last.dst.wrapping_mul(n) {
            last.n = last.n.wrapping_mul(next.n);
        } else {
            self.loops.push(*last);
            *last = next;
        }
    }

    /// Sorts loops that write one value of `run` bytes, if one of them ends where another goes on,
    /// or has no gaps.
    pub(super) fn fill(&mut self, loops: &[Loop], run: usize) -> bool {
        self.run = run;
        loops.iter().for_each(|it| self.loops.push(*it));
        let ends = |it: &Loop| it.dst * it.n as isize;
        let follows =
            |it: &Loop| it.dst == run as isize || loops.iter().any(|at| ends(at) == it.dst);
        loops.iter().any(follows) && self.sort()
    }

    /// The nest's first position, for the view's.
    #[inline]
    pub(crate) fn first(&self, (src, dst): At) -> At {
        (src.wrapping_offset(self.src), dst.wrapping_offset(self.dst))
    }

    /// The loops, innermost first.
    #[inline]
    pub(crate) fn loops(&self) -> &[Loop] {
        self.loops.items()
    }

    /// Reverses and sorts the loops so that the destination is written upwards: every loop steps
    /// over all that the loops inside it reach. Returns `false` if it cannot tell. Positions may
    /// then share memory, must be written in the given order, and the loops cannot be used.
    pub(crate) fn sort(&mut self) -> bool {
        let loops = self.loops.items_mut();
        for it in loops.iter_mut().filter(|it| it.dst < 0) {
            let last = it.n as isize - 1;
            (self.src, self.dst) = (self.src + it.src * last, self.dst + it.dst * last);
            (it.src, it.dst) = (-it.src, -it.dst);
        }
        // There are few loops, and most are sorted already.
        for i in 1..loops.len() {
            let mut j = i;
            while j > 0 && loops[j - 1].dst > loops[j].dst {
                loops.swap(j - 1, j);
                j -= 1;
            }
        }
        let mut reach = self.run as isize;
        for it in loops.iter() {
            if it.dst < reach {
                return false;
            }
            reach += it.dst * (it.n as isize - 1);
        }
        // Loops that were apart may be contiguous now. `grow` writes below what is read here.
        let mut last = Loop::ONE;
        let count = self.loops.len;
        self.loops.len = 0;
        for i in 0..count {
            // SAFETY: the first `count` items were written; later pushes only write below `i`.
            let next = unsafe { self.loops.items[i].assume_init() };
            self.grow(&mut last, next);
        }
        if last.n > 1 {
            self.loops.push(last);
        }
        true
    }
}

/// The value of `of(0)`, and how many rows from row 0 on may be taken to have it. The search halves
/// the rows and looks at some of them only. So a value that two rows share must suit those between
/// them, and the caller says why it does.
pub(super) fn alike<T: PartialEq>(rows: usize, of: impl Fn(usize) -> T) -> (T, usize) {
    let first = of(0);
    let (mut last, mut end, mut at) = (0, rows, rows - 1);
    while last + 1 < end {
        if of(at) == first {
            last = at;
        } else {
            end = at;
        }
        at = last.midpoint(end);
    }
    (first, end)
}

/// The bytes that sorted loops with runs of `run` bytes reach over in the destination.
pub(crate) fn place_reach(loops: &[Loop], run: usize) -> usize {
    loops.iter().fold(run, |reach, it| reach + it.dst.unsigned_abs() * (it.n - 1))
}

/// The bytes that such loops reach over in the source.
pub(crate) fn source_reach(loops: &[Loop], run: usize) -> usize {
    let far = |it: &Loop| it.src.unsigned_abs().saturating_mul(it.n - 1);
    loops.iter().fold(run, |reach, it| reach.saturating_add(far(it)))
}

/// The bytes of a cache that sorted loops take in the source and in the destination: what they
/// reach over, or the lines of their rows if these lie far apart.
pub(crate) fn cached(loops: &[Loop], run: usize) -> (usize, usize) {
    let total = loops.iter().fold(run, |bytes, it| bytes.saturating_mul(it.n));
    let row = loops.first().map_or(run, |it| if it.dst == run as isize { run * it.n } else { run });
    let lines = |row: usize| (total / row).saturating_mul(row.max(LINE));
    (source_reach(loops, run).min(lines(run)), place_reach(loops, run).min(lines(row)))
}

/// Calls `f` with every position, from the first one on; the first loop is fastest.
pub(crate) fn each(loops: &[Loop], mut at: At, f: &mut dyn FnMut(At)) {
    let mut left = Stack::<usize>::new();
    loops.iter().for_each(|it| left.push(it.n));
    'all: loop {
        f(at);
        for (left, it) in left.items_mut().iter_mut().zip(loops) {
            at = it.after(1, at);
            *left -= 1;
            if *left > 0 {
                continue 'all;
            }
            // Back to the first position of this loop.
            *left = it.n;
            at = it.after(it.n.wrapping_neg(), at);
        }
        return;
    }
}
