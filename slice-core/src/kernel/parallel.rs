//! One piece of work cut into parts for several threads.
//!
//! The loops are sorted, so a part of the outermost one writes to a range of the destination of its own: cutting it in halves, and the halves
//! again, gives parts that never meet. Bytes between positions that a kernel stores again as they were stay below the next part's
//! first position. Which thread takes which part is left to rayon; there are a few parts a thread, so that one that is late costs little.

use super::back::Piece;
use super::nest::Pair;
use alloc::vec::Vec;

/// Parts of fewer bytes than this are not cut.
const LEAST: usize = if cfg!(test) { 128 } else { 256 << 10 };
/// Parts a thread, where there is enough for all.
const PARTS: usize = 4;
/// Runs are cut at multiples of this, and long loops at multiples of so many positions, so that parts begin alike.
pub(super) const EVEN: usize = if cfg!(test) { 16 } else { 4096 };

/// What is shared with other threads.
struct Shared<'a> {
    work: &'a (dyn Fn(&Piece<'_>) + 'a),
    /// Parts of at most this many bytes are done by one thread.
    most: usize,
}

// SAFETY: see `spread`: the work may be done by any thread, and for several parts at once.
unsafe impl Sync for Shared<'_> {}

/// A part of a piece, with loops of its own.
struct Part {
    axes: Vec<Pair>,
    run: usize,
    src: *const u8,
    dst: *mut u8,
    total: usize,
    source: (*const u8, usize),
    high: usize,
}

// SAFETY: the pointers of a part are only used by the work, of which `spread` asks that any thread may do it.
unsafe impl Send for Part {}
// SAFETY: the same.
unsafe impl Sync for Part {}

impl Part {
    fn of(piece: &Piece<'_>) -> Part {
        let &Piece { axes, run, src, dst, total, source, high } = piece;
        Part { axes: axes.to_vec(), run, src, dst, total, source, high }
    }

    fn piece(&self) -> Piece<'_> {
        let &Part { ref axes, run, src, dst, total, source, high } = self;
        Piece { axes, run, src, dst, total, source, high }
    }

    /// Two parts of about one size, the one with the lower places first.
    fn halves(&self) -> Option<(Part, Part)> {
        let Some((&last, rest)) = self.axes.split_last() else {
            // One run: any byte will do.
            let half = (self.total / 2).next_multiple_of(EVEN);
            let left = self.total.checked_sub(half).filter(|&left| left > 0)?;
            let (src, dst) = (self.src.wrapping_add(half), self.dst.wrapping_add(half));
            let one = Part { axes: Vec::new(), run: half, total: half, high: dst.addr(), ..*self };
            return Some((one, Part { axes: Vec::new(), run: left, total: left, src, dst, ..*self }));
        };
        let half = if last.n >= 2 * EVEN { (last.n / 2).next_multiple_of(EVEN) } else { last.n / 2 };
        let each = self.total / last.n;
        let (src, dst) = (last.src.wrapping_mul(half as isize), last.dst.wrapping_mul(half as isize));
        let (src, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        let with = |n: usize| {
            let mut axes = rest.to_vec();
            if n > 1 {
                axes.push(Pair { n, ..last });
            }
            axes
        };
        let one = Part { axes: with(half), total: each * half, high: dst.addr(), ..*self };
        let two = Part { axes: with(last.n - half), total: each * (last.n - half), src, dst, ..*self };
        Some((one, two))
    }
}

/// Does `work` for all parts of `piece`, on rayon's current pool; a thread outside it takes its share instead of waiting.
///
/// # Safety
/// `work` is fit for any thread, and for several parts at once: it touches nothing but the part's own places and the source, which
/// nobody writes to.
pub(super) unsafe fn spread<'a>(piece: &Piece<'_>, work: &'a (dyn Fn(&Piece<'_>) + 'a)) {
    let threads = rayon::current_num_threads();
    if threads == 1 {
        return work(piece);
    }
    let shared = &Shared { work, most: LEAST.max(piece.total.div_ceil(PARTS * threads)) };
    let mut mine = Part::of(piece);
    if rayon::current_thread_index().is_some() {
        return cut(shared, &mine);
    }
    // A little more than an equal share is not worth another cut.
    let share = piece.total / threads / 4 * 5;
    rayon::in_place_scope(|scope| {
        while mine.total > share.max(shared.most) {
            let Some((one, two)) = mine.halves() else { break };
            scope.spawn(move |_| cut(shared, &two));
            mine = one;
        }
        (shared.work)(&mine.piece());
    });
}

/// Does a part, or halves it.
fn cut(shared: &Shared<'_>, part: &Part) {
    match part.halves() {
        Some((one, two)) if part.total > shared.most => {
            rayon::join(|| cut(shared, &one), || cut(shared, &two));
        }
        _ => (shared.work)(&part.piece()),
    }
}
