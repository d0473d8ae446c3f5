//! Finds an order in which to move elements within one buffer, so that each is read before it is
//! overwritten.
//!
//! A move takes the element at `src + Σ sₐ·iₐ` to `dst + Σ dₐ·iₐ`, for all i of a common shape. An
//! order is an axis to loop over outermost and its direction, then another, and so on. Looping over
//! axis a upwards is right if no position that is written at `i` is read at a `j` with `jₐ > iₐ`,
//! for any values on the other axes: again a question about sums of multiples. An axis that is
//! right stays right after any other axis, which only leaves fewer pairs (i, j) to check. So a
//! choice is never undone.

use super::bounded_sum::{Sum, Work};
use crate::loops::{Loop, Loops};

/// The limit of search steps for one question about the order. At the limit, a clash is assumed.
const WORK: u32 = 1 << 12;

/// A move within one buffer; axes from the outermost to the innermost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) axes: Loops,
    pub(crate) src: usize,
    pub(crate) dst: usize,
}

impl Move {
    /// How many elements are moved.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.axes.iter().map(|a| a.n).product()
    }

    /// Whether every element stays where it is.
    #[inline]
    pub(crate) fn is_still(&self) -> bool {
        self.src == self.dst && self.axes.iter().all(|a| a.src == a.dst)
    }

    /// The same move with as few axes as possible, all of them upwards in the destination, long
    /// strides outside.
    ///
    /// `None` if destination positions may share an element, because the order of the axes then
    /// matters.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "every position lies in one buffer, so what axes reach and how many positions \
                  they have fits isize"
    )]
    #[inline]
    pub(crate) fn arranged(mut self) -> Option<Move> {
        self.axes.retain(|a| a.n != 1);
        for k in 0..self.axes.len() {
            if self.axes.get(k).is_some_and(|a| a.dst < 0) {
                self.flip(k);
            }
        }
        self.axes.sort_by_key(|a| core::cmp::Reverse(a.dst));
        let mut reach = 0isize;
        for a in self.axes.iter().rev() {
            if a.dst <= reach {
                return None;
            }
            // All positions lie in one buffer.
            reach += a.dst * (a.n as isize - 1);
        }
        let mut axes = Loops::new();
        for a in self.axes {
            match axes.last_mut().and_then(|b| Some((b.merged(a)?, b))) {
                Some((both, b)) => *b = both,
                None => axes.push(a),
            }
        }
        Some(Move { axes, ..self })
    }

    /// Reverses axis k.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no length is 0, and every position lies in one buffer, so what the axis reaches \
                  fits isize; no stride there is isize::MIN"
    )]
    #[inline]
    fn flip(&mut self, k: usize) {
        if let Some(a) = self.axes.get_mut(k) {
            let last = a.n as isize - 1;
            self.src = self.src.wrapping_add_signed(a.src * last);
            self.dst = self.dst.wrapping_add_signed(a.dst * last);
            (a.src, a.dst) = (-a.src, -a.dst);
        }
    }

    /// The move as loops that read each element before it is overwritten, if there is an order of
    /// axes and directions.
    ///
    /// The innermost axis, where both its strides are 1, counts as one step: it is moved as if all
    /// of it were read first.
    #[inline]
    pub(crate) fn ordered(&self) -> Option<Move> {
        let run = self.axes.last().is_some_and(|a| (a.src, a.dst) == (1, 1));
        let with_run = if run { self.order(1) } else { None };
        with_run.or_else(|| self.order(0))
    }

    /// [`ordered`](Move::ordered), with the last `keep` axes innermost and as one step.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "keep is at most the number of axes (1 only where there is one), and done stays \
                  below it"
    )]
    #[inline]
    fn order(&self, keep: usize) -> Option<Move> {
        // The first `done` axes have their place and direction.
        let (mut found, mut done) = (self.clone(), 0);
        loop {
            let (fixed, open) = found.axes.split_at_checked(done)?;
            if open.len() == keep || !found.clashes(fixed, open, open, 0) {
                return Some(found);
            }
            let (k, down) = (done..found.axes.len() - keep)
                .flat_map(|k| [(k, false), (k, true)])
                .find(|&(k, down)| found.is_right(done, k, down))?;
            if down {
                found.flip(k);
            }
            found.axes.get_mut(done..=k)?.rotate_right(1);
            done += 1;
        }
    }

    /// Whether axis k can be looped over next, after the first `done`.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no length is 0, no stride inside a buffer is isize::MIN, and axes are few"
    )]
    #[inline]
    fn is_right(&self, done: usize, k: usize, down: bool) -> bool {
        let (Some(&a), Some((fixed, open))) = (self.axes.get(k), self.axes.split_at_checked(done))
        else {
            return false;
        };
        let others: Loops =
            open.iter().enumerate().filter(|&(i, _)| i + done != k).map(|(_, &b)| b).collect();
        // i on the written side and i ± (1 + z) on the read side, with i and z from 0 to n − 2: a
        // few pairs more than there are, where the strides differ.
        let (start, later) = if down { (a.dst, a.src) } else { (-a.src, -a.src) };
        let mut fixed = Loops::from_slice(fixed);
        fixed.push(Loop { n: a.n - 1, src: a.src, dst: a.dst });
        fixed.push(Loop { n: a.n - 1, src: 0, dst: later });
        !self.clashes(&fixed, &others, &others, start as i128)
    }

    /// Whether a position written, `dst + by + Σ d·i`, can be one read, `src + Σ s·j`, where i and
    /// j are the same on the `fixed` axes. `true` if the search reaches its limit.
    #[expect(clippy::arithmetic_side_effects, reason = "sums of a few isize in i128")]
    #[inline]
    fn clashes(&self, fixed: &[Loop], written: &[Loop], read: &[Loop], by: i128) -> bool {
        let mut sum = Sum::default();
        for a in fixed {
            sum.add_wide(a.dst as i128 - a.src as i128, a.n as i128 - 1);
        }
        for a in written {
            sum.add_wide(a.dst as i128, a.n as i128 - 1);
        }
        for a in read {
            sum.add_wide(-(a.src as i128), a.n as i128 - 1);
        }
        let target = self.src as i128 - self.dst as i128 - by;
        sum.hits(target, &Work::of(WORK)).unwrap_or(true)
    }

    /// Whether along the innermost axis, runs of up to `most` elements are read and written in
    /// turn, or in the same places; and how long they are.
    #[expect(clippy::arithmetic_side_effects, reason = "positions of one buffer")]
    pub(crate) fn interleaves(&self, most: usize) -> Option<usize> {
        let (outer, run) = match self.axes.split_last() {
            Some((&Loop { n, src: 1, dst: 1 }, outer)) => (outer, n),
            _ => (&self.axes[..], 1),
        };
        let &Loop { n, src, dst } = outer.last().filter(|_| run <= most)?;
        let side = |first: usize, stride: isize| {
            let (first, reach) = (first as isize, stride * (n as isize - 1));
            (first + reach.min(0), first + reach.max(0) + run as isize)
        };
        let (src, dst) = (side(self.src, src), side(self.dst, dst));
        (src.0 < dst.1 && dst.0 < src.1).then_some(run)
    }

    /// Whether this move overwrites what the other reads.
    #[inline]
    pub(crate) fn spoils(&self, other: &Move) -> bool {
        let both = Move { axes: Loops::new(), src: other.src, dst: self.dst };
        both.clashes(&[], &self.axes, &other.axes, 0)
    }

    /// Whether positions of axis `k` overwrite only what positions read that lie in the same place
    /// of the axis (`Some(false)`), or as far from its other end (`Some(true)`).
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no length is 0, and no stride inside a buffer is isize::MIN"
    )]
    pub(crate) fn mirrors(&self, k: usize) -> Option<bool> {
        let &Loop { n, src, dst } = self.axes.get(k)?;
        let others: Loops =
            self.axes.iter().enumerate().filter(|&(i, _)| i != k).map(|(_, &b)| b).collect();
        // With equal strides, only the difference of two positions counts, from 1 on in either
        // direction; with opposite ones their sum, below n - 1 and above.
        let apart = |by: i128, step: isize| {
            let distance = Loop { n: n - 1, src: 0, dst: step };
            !self.clashes(&[distance], &others, &others, by)
        };
        let by = dst as i128;
        if src == dst && apart(by, dst) && apart(-by, -dst) {
            return Some(false);
        }
        let mirrored = src == -dst && apart(0, dst) && apart(by * n as i128, dst);
        mirrored.then_some(true)
    }

    /// The first of so many axes on which each position overwrites only its mirror image.
    #[expect(clippy::arithmetic_side_effects, reason = "no stride inside a buffer is isize::MIN")]
    pub(crate) fn crosses(&self, axes: usize) -> Option<usize> {
        let turned = |k: &usize| self.axes.get(*k).is_some_and(|a| a.src == -a.dst);
        (0..axes).filter(turned).find(|&k| self.mirrors(k) == Some(true))
    }

    /// The first of so many axes on which each position overwrites only itself.
    pub(crate) fn keeps(&self, axes: usize) -> Option<usize> {
        (0..axes).find(|&k| self.mirrors(k) == Some(false))
    }

    /// The positions `begin..end` of axis `k`, which are not empty.
    #[expect(clippy::arithmetic_side_effects, reason = "a position of the axis")]
    pub(crate) fn part(&self, k: usize, begin: usize, end: usize) -> Move {
        let mut part = self.clone();
        if let Some(a) = part.axes.get_mut(k) {
            part.src = part.src.wrapping_add_signed(a.src * begin as isize);
            part.dst = part.dst.wrapping_add_signed(a.dst * begin as isize);
            a.n = end - begin;
        }
        part.axes.retain(|a| a.n != 1);
        part
    }

    /// The two halves along the longest axis; `None` if no axis is left.
    #[inline]
    pub(crate) fn halves(&self) -> Option<[Move; 2]> {
        self.halved((0..self.axes.len()).max_by_key(|&k| self.axes.get(k).map(|a| a.n))?)
    }

    /// The move in two halves of its axis `k`.
    #[inline]
    pub(crate) fn halved(&self, k: usize) -> Option<[Move; 2]> {
        let n = self.axes.get(k)?.n;
        Some([self.part(k, 0, n / 2), self.part(k, n / 2, n)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x[:-2] = x[2:, ::-1]` of 17 columns.
    #[test]
    fn rows_have_an_order_where_their_columns_are_mirrored() {
        let axes = [Loop { n: 100, src: 17, dst: 17 }, Loop { n: 17, src: -1, dst: 1 }];
        let all = Move { axes: Loops::from_slice(&axes), src: 2 * 17 + 16, dst: 0 };
        assert_eq!((all.crosses(2), all.keeps(2)), (Some(1), None));
        assert_eq!(all.ordered().as_ref(), Some(&all));
    }

    /// All moves of 2 to 4 positions on each of two axes, by small strides: compared with every
    /// pair of positions.
    #[test]
    fn positions_meet_themselves_or_their_mirror_images() {
        let axes = || {
            (2..5_usize).flat_map(|n| {
                (-4..5_isize)
                    .flat_map(move |src| [-4, -3, -1, 1, 2, 4].map(|dst| Loop { n, src, dst }))
            })
        };
        let mut found = [0; 3];
        for (a, b) in axes().flat_map(|a| axes().map(move |b| (a, b))) {
            for by in [0, 1, 3, 5, 12] {
                let all = Move { axes: Loops::from_slice(&[a, b]), src: 100 + by, dst: 100 };
                let at = |i: usize, j: usize, stride: fn(&Loop) -> isize| {
                    stride(&a) * i as isize + stride(&b) * j as isize
                };
                let (mut same, mut mirrored) = (true, true);
                for (i, j) in (0..a.n).flat_map(|i| (0..b.n).map(move |j| (i, j))) {
                    for (k, l) in (0..a.n).flat_map(|k| (0..b.n).map(move |l| (k, l))) {
                        if at(i, j, |a| a.dst) == at(k, l, |a| a.src) + by as isize {
                            (same, mirrored) = (same && i == k, mirrored && i + k == a.n - 1);
                        }
                    }
                }
                let wanted = match () {
                    () if same && a.src == a.dst => Some(false),
                    () if mirrored && a.src == -a.dst => Some(true),
                    () => None,
                };
                assert_eq!(all.mirrors(0), wanted, "{all:?}");
                found[wanted.map_or(2, usize::from)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 1000), "{found:?}");
    }
}
