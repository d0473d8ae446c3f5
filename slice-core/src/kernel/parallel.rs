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

/// The part of a piece that a thread is given.
struct Part<'a>(Piece<'a>);

// SAFETY: the pointers of a piece are only used by the work, of which `spread` asks that any thread may do it.
unsafe impl Sync for Part<'_> {}

/// Does `work` for all parts of `piece`, on rayon's current pool.
///
/// # Safety
/// `work` is fit for any thread, and for several parts at once: it touches nothing but the part's own places and the source, which
/// nobody writes to.
pub(super) unsafe fn spread<'a>(piece: &Piece<'_>, work: &'a (dyn Fn(&Piece<'_>) + 'a)) {
    if rayon::current_num_threads() == 1 {
        return work(piece);
    }
    let parts = PARTS * rayon::current_num_threads();
    let shared = Shared { work, most: LEAST.max(piece.total.div_ceil(parts)) };
    cut(&shared, &Part(*piece));
}

/// Does a part, or halves it.
fn cut(shared: &Shared<'_>, part: &Part<'_>) {
    let piece = &part.0;
    if piece.total <= shared.most {
        return (shared.work)(piece);
    }
    let Some((&last, rest)) = piece.axes.split_last() else {
        // One run: any byte will do.
        let half = (piece.total / 2).next_multiple_of(EVEN);
        if half >= piece.total {
            return (shared.work)(piece);
        }
        let (src, dst) = (piece.src.wrapping_add(half), piece.dst.wrapping_add(half));
        let one = Part(Piece { run: half, total: half, high: dst.addr(), ..*piece });
        let left = piece.total - half;
        let two = Part(Piece { run: left, total: left, src, dst, ..*piece });
        rayon::join(|| cut(shared, &one), || cut(shared, &two));
        return;
    };
    let half = if last.n >= 2 * EVEN { (last.n / 2).next_multiple_of(EVEN) } else { last.n / 2 };
    let each = piece.total / last.n;
    let (src, dst) = (last.src.wrapping_mul(half as isize), last.dst.wrapping_mul(half as isize));
    let (src, dst) = (piece.src.wrapping_offset(src), piece.dst.wrapping_offset(dst));
    let (one, two) = (with_last(rest, last, half), with_last(rest, last, last.n - half));
    let one = Part(Piece { axes: &one, total: each * half, high: dst.addr(), ..*piece });
    let two = Part(Piece { axes: &two, total: each * (last.n - half), src, dst, ..*piece });
    rayon::join(|| cut(shared, &one), || cut(shared, &two));
}

/// The loops with another length of the last one.
fn with_last(rest: &[Pair], last: Pair, n: usize) -> Vec<Pair> {
    let mut axes = rest.to_vec();
    if n > 1 {
        axes.push(Pair { n, ..last });
    }
    axes
}
