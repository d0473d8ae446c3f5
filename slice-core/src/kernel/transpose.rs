//! Transposed copies: the source is contiguous along one loop, the destination along another.
//!
//! Walking along only one side touches a new line for every element of the other. So both are
//! walked in squares whose sides are one line: each line is read once, or written once. A square is
//! transposed in registers, 16 bytes by 16 bytes: rows are loaded, interleaved, and stored.
//!
//! Lines that are streamed are put together first, in a tile of 4 KiB. So are those of destination
//! rows a power of two apart: sharing a set of the cache, they would be evicted between quarters.

use super::isa::Set;
use super::moves::moves;
use super::nest::{At, LINE, Line, Loop, each};
use super::tuning::CACHE_SETS_REPEAT;
use super::vector::prefetch;
use core::mem::MaybeUninit;

/// Rows of the source whose squares are finished before others: an address cache holds their pages.
const BLOCK: usize = 256;

/// The most positions of a row that are moved one by one before those of the next row.
const SHORT: usize = 64;

/// Rows of them that are moved while as many more are fetched.
const AHEAD: usize = 4;

/// Moves all positions of sorted loops over runs of `run` bytes; `stream`: lines past the caches.
///
/// # Safety
///
/// The inner loop runs along the destination, loop `across` along the source, in either direction.
/// The CPU has the set. At every position, `run` bytes can be read and written, and the two sides
/// do not overlap. [`fence`](super::vector::fence) must follow.
pub(crate) unsafe fn transpose(
    loops: &[Loop],
    across: usize,
    run: usize,
    mut first: At,
    stream: Option<&Set>,
) {
    let (inner, outer) = (&loops[1..across], &loops[across + 1..]);
    let mut planes = Transpose { along: loops[0], across: loops[across] };
    // The source is walked forwards; the destination may then go backwards.
    let across = &mut planes.across;
    if across.src < 0 {
        first = across.after(across.n - 1, first);
        (across.src, across.dst) = (-across.src, -across.dst);
    }
    each(outer, first, &mut |at| {
        each(inner, at, &mut |at| {
            // SAFETY: each time one plane of the caller's positions.
            unsafe {
                match run {
                    1 => planes.plane(1, at, stream),
                    2 => planes.plane(2, at, stream),
                    4 => planes.plane(4, at, stream),
                    8 => planes.plane(8, at, stream),
                    _ => planes.plain(at, run, planes.along.n, planes.across.n),
                }
            }
        });
    });
}

/// The two loops of a plane.
struct Transpose {
    /// The loop along which the destination is contiguous.
    along: Loop,
    /// The loop along which the source is contiguous.
    across: Loop,
}

impl Transpose {
    /// `wide` positions along by `high` across, one by one, in rows so short that their lines stay
    /// in the cache until the next row reads more of them, if each set of it holds eight.
    ///
    /// # Safety
    ///
    /// They are positions of the job, from `first` on.
    unsafe fn plain(&self, first: At, run: usize, wide: usize, high: usize) {
        let kept = (8 * CACHE_SETS_REPEAT) >> self.along.src.trailing_zeros().min(12);
        let short = kept.clamp(16, SHORT);
        for i in (0..wide).step_by(short) {
            let walk = Loop { n: short.min(wide - i), ..self.along };
            let (go, first) = (moves(run, &walk), self.along.after(i, first));
            let lines = (0..walk.n * run).step_by(LINE);
            for j in (0..high).step_by(AHEAD) {
                let rows = Loop { n: AHEAD.min(high - j), ..self.across };
                for next in j + AHEAD..j + AHEAD + rows.n {
                    let (_, row) = self.across.after(next, first);
                    lines.clone().for_each(|at| prefetch(row.wrapping_add(at), false));
                }
                // SAFETY: some of the caller's positions.
                unsafe { go(self.across.after(j, first), run, &walk, &rows) }
            }
        }
    }

    /// One plane of both loops. The bytes of an element are a constant, for which it is compiled.
    ///
    /// # Safety
    ///
    /// As for [`transpose`].
    #[inline(always)]
    unsafe fn plane(&self, elem: usize, first: At, stream: Option<&Set>) {
        let &Transpose { along, across, .. } = self;
        if weaves(elem, &along, &across) {
            // SAFETY: all of the plane's positions; its places are one piece of memory.
            return unsafe {
                match along.n {
                    2 => self.weave::<2>(elem, first),
                    3 => self.weave::<3>(elem, first),
                    4 => self.weave::<4>(elem, first),
                    _ => self.weave::<8>(elem, first),
                }
            };
        }
        let (side, block) = (LINE / elem, 16 / elem);
        // Destination lines begin where squares do, if all rows have the same alignment.
        let off = first.1.addr().wrapping_neg() % LINE;
        let aligned = off.is_multiple_of(elem) && across.dst % LINE as isize == 0;
        let stream = stream.filter(|_| aligned);
        // Up to four lines of a square may share a set.
        let tiled = stream.is_some() || across.dst % (CACHE_SETS_REPEAT / 8 * elem) as isize == 0;
        let head = if tiled && aligned { (off / elem).min(along.n) } else { 0 };
        // SAFETY: all parts lie in the plane: `i` counts `along`, `j` counts `across`.
        unsafe {
            self.plain(first, elem, head, across.n);
            let first = along.after(head, first);
            let (wide, high) = (along.n - head, across.n);
            // What blocks cover; the rest goes element by element, rows at once.
            let (w, h) = (wide / block * block, high / block * block);
            for begin in (0..w.max(1)).step_by(BLOCK) {
                let end = w.min(begin + BLOCK);
                let rest = if end < w { 0 } else { wide - w };
                for j in (0..h).step_by(side) {
                    let (row, high) = (across.after(j, first), side.min(h - j));
                    for i in (begin..end).step_by(side) {
                        let wide = side.min(w - i);
                        self.square(elem, along.after(i, row), (wide, high), tiled, stream);
                    }
                    self.plain(along.after(w, row), elem, rest, high);
                }
                if h < high {
                    let row = across.after(h, along.after(begin, first));
                    self.plain(row, elem, end - begin + rest, high - h);
                }
            }
        }
    }

    /// A plane of `N` positions along, with places in one piece: 16 bytes of each row at a time.
    ///
    /// # Safety
    ///
    /// As for `plain`.
    #[inline(always)]
    unsafe fn weave<const N: usize>(&self, elem: usize, first: At) {
        let (step, high) = (self.along.src, self.across.n);
        let block = 16 / elem;
        for j in 0..high / block {
            let (src, dst) = (first.0.wrapping_add(16 * j), first.1.wrapping_add(16 * N * j));
            // SAFETY: a block of the plane's positions.
            unsafe { interleave::<N>(elem, src, step, dst, 16) };
        }
        let done = high / block * block;
        // SAFETY: the positions that are left.
        unsafe { self.plain(self.across.after(done, first), elem, N, high - done) };
    }

    /// One square, or as many blocks as are left of one at the end.
    ///
    /// # Safety
    ///
    /// As for `plain`; `wide` and `high` are at most a line. With `stream`, rows start on lines.
    #[inline(always)]
    unsafe fn square(
        &self,
        elem: usize,
        first: At,
        (wide, high): (usize, usize),
        tiled: bool,
        stream: Option<&Set>,
    ) {
        let (&Transpose { along, across, .. }, (src, dst)) = (self, first);
        let tiled = tiled && elem * wide == LINE;
        let mut tile = MaybeUninit::<[Line; LINE]>::uninit();
        let tile: *mut u8 = tile.as_mut_ptr().cast();
        let (to, pitch) = if tiled { (tile, LINE as isize) } else { (dst, across.dst) };
        // A CPU reads ahead, but waits for each line that it writes: those of the next square.
        for j in 0..if tiled { 0 } else { high } {
            prefetch(dst.wrapping_offset(pitch * j as isize).wrapping_add(LINE), false);
        }
        for i in (0..wide).step_by(16 / elem) {
            for j in (0..high).step_by(16 / elem) {
                let (step, from) = (along.src, src.wrapping_offset(along.src * i as isize));
                let from = from.wrapping_add(elem * j);
                let to = to.wrapping_offset(pitch * j as isize).wrapping_add(elem * i);
                // SAFETY: a block of the square's positions, and its places, or those in the tile.
                unsafe {
                    match elem {
                        1 => interleave::<16>(1, from, step, to, pitch),
                        2 => interleave::<8>(2, from, step, to, pitch),
                        4 => interleave::<4>(4, from, step, to, pitch),
                        _ => interleave::<2>(8, from, step, to, pitch),
                    }
                };
            }
        }
        for j in 0..if tiled { high } else { 0 } {
            let to = dst.wrapping_offset(across.dst * j as isize);
            // SAFETY: a row of the tile, all of which was written, and its places.
            unsafe {
                let row = tile.add(LINE * j);
                match stream {
                    Some(set) => (set.copy_lines)(row, to, 1, 0),
                    None => core::ptr::copy_nonoverlapping(row, to, LINE),
                }
            }
        }
    }
}

/// Whether a plane has 2, 4 or 8 rows in the source, or 3 of words that SSE2 shuffles as such, and
/// its places are one piece of memory.
pub(super) fn weaves(run: usize, along: &Loop, across: &Loop) -> bool {
    matches!((run, along.n), (1 | 2 | 4 | 8, 2 | 4 | 8) | (4 | 8, 3))
        && (along.dst, across.src) == (run as isize, run as isize)
        && across.dst == along.dst * along.n as isize
}

/// Takes an element of `elem` bytes from each of `N` rows in turn, and the next one of each, up to
/// 16 bytes of a row. The rows are `step` bytes apart, and each 16 bytes that are written `pitch`.
/// With `16 / elem` rows, that transposes a block.
///
/// With SSE2, interleaving row `k` with row `k + N / 2` moves one bit of the row number into the
/// column number. After as many times as there are bits, rows and columns are exchanged.
///
/// # Safety
///
/// The rows can be read and written, 16 bytes each.
#[inline(always)]
unsafe fn interleave<const N: usize>(
    elem: usize,
    src: *const u8,
    step: isize,
    dst: *mut u8,
    pitch: isize,
) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: the target has SSE2; the caller's 16 bytes of each row.
    unsafe {
        use core::arch::x86_64::*;
        let mut a = [_mm_setzero_si128(); N];
        for (i, row) in a.iter_mut().enumerate() {
            *row = _mm_loadu_si128(src.wrapping_offset(step * i as isize).cast());
        }
        let mut bits = 1;
        if N == 3 {
            // Words of two pieces: the first two of the one, the last two of the other.
            let [x, y, z] = [a[0], a[1], a[2]].map(|row| _mm_castsi128_ps(row));
            let out = if elem == 4 {
                let (zx, xz) = (_mm_shuffle_ps::<0x50>(z, x), _mm_shuffle_ps::<0xFA>(z, x));
                [
                    _mm_shuffle_ps::<0x84>(_mm_unpacklo_ps(x, y), zx),
                    _mm_shuffle_ps::<0x4E>(_mm_unpacklo_ps(y, z), _mm_unpackhi_ps(x, y)),
                    _mm_shuffle_ps::<0xE8>(xz, _mm_unpackhi_ps(y, z)),
                ]
            } else {
                let (xy, yz) = (_mm_shuffle_ps::<0x44>(x, y), _mm_shuffle_ps::<0xEE>(y, z));
                [xy, _mm_shuffle_ps::<0xE4>(z, x), yz]
            };
            (0..N).for_each(|i| a[i] = _mm_castps_si128(out[i]));
            bits = N;
        }
        while bits < N {
            let mut b = a;
            for k in 0..N / 2 {
                let (x, y) = (a[k], a[k + N / 2]);
                (b[2 * k], b[2 * k + 1]) = match elem {
                    1 => (_mm_unpacklo_epi8(x, y), _mm_unpackhi_epi8(x, y)),
                    2 => (_mm_unpacklo_epi16(x, y), _mm_unpackhi_epi16(x, y)),
                    4 => (_mm_unpacklo_epi32(x, y), _mm_unpackhi_epi32(x, y)),
                    _ => (_mm_unpacklo_epi64(x, y), _mm_unpackhi_epi64(x, y)),
                };
            }
            a = b;
            bits *= 2;
        }
        for (j, &row) in a.iter().enumerate() {
            _mm_storeu_si128(dst.wrapping_offset(pitch * j as isize).cast(), row);
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
    for (j, i) in (0..16 / elem).flat_map(|j| (0..N).map(move |i| (j, i))) {
        let from = src.wrapping_offset(step * i as isize).wrapping_add(elem * j);
        let to = elem * (N * j + i);
        let to = dst.wrapping_offset(pitch * (to / 16) as isize).wrapping_add(to % 16);
        // SAFETY: an element of row `i` and its place, by the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(from, to, elem) };
    }
}
