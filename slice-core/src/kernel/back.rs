//! The way back and between: contiguous values into a view, one value into it, two views, gradients, sums.
//!
//! All but the sums are one thing: elements of one layout to the places of another. What differs is the layout of the source
//! (contiguous, or the same element everywhere) and what lies under the places (what was there, or zeros that are written with them).

use core::mem::MaybeUninit;
use core::ops::AddAssign;

use super::generic::{fill, gather, grad as ground, scatter as kernels, sum};
use super::isa::{self, Isa};
use super::movers::{Call, Mover, with_mover};
use super::nest::{Axis, Pair, Room, room};
use super::pairs::{Pairs, reach, read};
use super::vector::{self, with_isa};
#[cfg(target_arch = "x86_64")]
use super::x86_64::{avx2::V32, avx512::V64};
use super::{View, small, streaming_threshold, streams};

/// Values and where they go.
pub(crate) struct Transfer<'a> {
    /// The places in the destination.
    pub view: View<'a>,
    pub elem: usize,
    /// The values: a buffer, its elements, the first value in it. 0 elements: there are gaps between the values that may not be read.
    pub src: *const u8,
    pub src_len: usize,
    pub first: usize,
    /// Elements from one value to the next along the view's axes; `None`: in C order, without gaps. Left-out ones are 0.
    pub strides: Option<&'a [isize]>,
    /// The destination and its elements.
    pub dst: *mut u8,
    pub dst_len: usize,
}

impl Transfer<'_> {
    /// The loops, in the order of the view.
    #[inline(always)]
    pub(super) fn pairs<'r>(&self, room: &'r mut Room<Pair>) -> Option<Pairs<'r>> {
        Pairs::merge(room, self.view.shape, self.strides, self.view.strides, self.elem)
    }
}

/// Which kernels are used.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) isa: Isa,
    /// From this many bytes of output on, past the caches.
    pub(crate) threshold: usize,
    /// From this many bytes of output on, by several threads.
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one thread"))]
    pub(crate) spread: usize,
}

impl How {
    /// Several threads wherever that pays, whatever the program has chosen.
    #[cfg(feature = "rayon")]
    pub(crate) fn spread() -> How {
        How { spread: super::SPREAD, ..How::chosen() }
    }

    /// What the program has chosen.
    #[inline(always)]
    pub(crate) fn chosen() -> How {
        How { isa: isa::current(), threshold: streaming_threshold(), spread: super::spread_threshold() }
    }
}

/// The most bytes of values that are copied to a place where whole vectors can be read around them.
const PADDED: usize = 512;
/// The bytes around them.
const PAD: usize = 64;

/// Copies every value to its place, in order.
///
/// # Safety
/// Every position of the view lies in the destination, which can be read and written; every position of the values lies in the
/// source, which can be read; the two buffers do not overlap.
#[inline]
pub(crate) unsafe fn transfer(job: &Transfer<'_>) {
    // SAFETY: the caller's promise; `chosen` names a set the CPU has.
    unsafe { transfer_by(job, How::chosen()) }
}

/// [`transfer`] in the way `how`.
///
/// # Safety
/// As for [`transfer`]; the CPU has the set.
pub(crate) unsafe fn transfer_by(job: &Transfer<'_>, how: How) {
    let mut room = room();
    let Some(mut pairs) = job.pairs(&mut room) else { return };
    let few = small(pairs.run, pairs.total);
    if few || !pairs.sort() {
        // Turned loops are no use for places that share memory: the order decides what stays.
        let Some(pairs) = (if few { Some(pairs) } else { job.pairs(&mut room) }) else { return };
        let (src, dst) = (job.src.wrapping_add(job.first * job.elem), job.dst.wrapping_add(job.view.offset * job.elem));
        // SAFETY: the caller's promise.
        return unsafe { kernels::in_order(pairs.axes(), pairs.run, src, dst) };
    }
    let bytes = job.src_len * job.elem;
    // Rows of one block are read nowhere but there.
    let blocks = pairs.axes().first().is_some_and(|&walk| fill::over(walk, pairs.run));
    if !blocks && bytes <= PADDED && bytes < pairs.total && bytes > 0 {
        let mut padded = [MaybeUninit::<u8>::uninit(); PAD + PADDED + PAD];
        // What is around the values is read, but not used. Zeros would take as long to write as some of the moves.
        if !isa::settle(padded.as_ptr().cast()) {
            padded = [const { MaybeUninit::new(0) }; PAD + PADDED + PAD];
        }
        let from = padded.as_mut_ptr().cast::<u8>();
        // One value, which is all of the source where it is the run: a short row of it is moved as a whole.
        let copies = if bytes == pairs.run { pairs.widen(fill::SHORT) } else { 1 };
        for copy in 0..copies {
            // SAFETY: `bytes` can be read. So many of them fit between the pads: only for fewer than `SHORT` bytes there is more than one copy.
            unsafe { short(job.src, from.add(PAD + copy * bytes), bytes) };
        }
        // SAFETY: the same values at another place.
        return unsafe { sorted(&pairs, job, (from, padded.len()), PAD, how) };
    }
    // SAFETY: the caller's promise.
    unsafe { sorted(&pairs, job, (job.src, bytes), 0, how) }
}

/// Copies a value or a few.
///
/// # Safety
/// As many bytes can be read and written, at least one, and do not overlap.
unsafe fn short(src: *const u8, dst: *mut u8, bytes: usize) {
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: the caller's promise; each mover moves exactly so many bytes.
            unsafe { $mover.one(src, dst) }
        };
    }
    with_mover!(bytes, go, _ => go!(Call::<vector::Base>(bytes, PhantomData)));
}

/// The rest of [`transfer`], by the set of `how`: the job's source is at byte `at` of the memory `source`, all of which can be read.
///
/// # Safety
/// As for [`transfer`], of whose job `pairs` was made and sorted; the CPU has the set.
#[inline(never)]
pub(super) unsafe fn sorted(pairs: &Pairs<'_>, job: &Transfer<'_>, source: (*const u8, usize), at: usize, how: How) {
    let (axes, run, total) = (pairs.axes(), pairs.run, pairs.total);
    let src = source.0.wrapping_add(at + job.first * job.elem).wrapping_offset(pairs.src);
    let dst = job.dst.wrapping_add(job.view.offset * job.elem).wrapping_offset(pairs.dst);
    let high = job.dst.addr() + job.dst_len * job.elem;
    let piece = Piece { axes, run, src, dst, total, source, high };
    // The whole decides, not the part that a thread is given.
    let stream = streams(total, reach(axes, run).saturating_add(read(axes, run)), how.threshold);
    #[cfg(feature = "rayon")]
    if total >= how.spread {
        let work = |part: &Piece<'_>| {
            // SAFETY: a part of the caller's job.
            unsafe { move_piece(part, stream, how.isa) }
        };
        // SAFETY: the work holds numbers only. Elements are moved as bits, which any thread may do.
        return unsafe { super::parallel::spread(&piece, &work) };
    }
    // SAFETY: the caller's promise.
    unsafe { move_piece(&piece, stream, how.isa) }
}

/// Sorted loops, or a part of them.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub axes: &'a [Pair],
    pub run: usize,
    /// The first position on both sides.
    pub src: *const u8,
    pub dst: *mut u8,
    /// Bytes in all.
    pub total: usize,
    /// The memory that can be read; 0 bytes: only the positions can.
    pub source: (*const u8, usize),
    /// The address up to which bytes between the positions may be stored again as they are.
    pub high: usize,
}

/// Moves a piece by the set `isa`.
///
/// # Safety
/// As for [`transfer`], of whose job this is a part; the CPU has the set.
unsafe fn move_piece(piece: &Piece<'_>, stream: bool, isa: Isa) {
    let &Piece { axes, run, src, dst, total, source, high } = piece;
    let (inner, walk, outer) = kernels::split(axes, 0, run);
    // SAFETY: the caller's promise. Where the places are one piece of memory, the values are gathered into it.
    unsafe {
        let readable = source.1 > 0;
        if axes.is_empty() || (readable && reach(axes, run) == total && walk.src != 0) {
            return whole(piece, stream, isa);
        }
        let source = (source.0.addr(), source.0.addr() + source.1);
        let mut work = kernels::Job { inner, walk, outer, run, src, dst, source, high, total, stream, ground: None };
        if readable {
            run_scatter(axes, &mut work, isa);
        } else {
            with_isa!(isa, L => kernels::plain::<L>(&mut work));
        }
    }
}

/// Runs the job by the set `isa`.
///
/// # Safety
/// The CPU has the set. All positions of the job lie in its source and target; `axes` are its loops and `inner` is empty.
unsafe fn run_scatter(axes: &[Pair], job: &mut kernels::Job<'_>, isa: Isa) {
    // SAFETY: the caller's promise.
    unsafe {
        match isa {
            // What waits for memory gains little from wider vectors, and Zen 4 is up to a quarter slower when loads of whole lines miss.
            // Zen 5 gains up to a fifth.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 if job.stream && job.ground.is_none() && isa::maker() == isa::Maker::Zen4 => {
                kernels::vectors::<V32>(axes, job)
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => kernels::vectors::<V64>(axes, job),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => kernels::vectors::<V32>(axes, job),
            _ => kernels::plain::<vector::Base>(job),
        }
    }
}

/// Gathers values into one piece of memory.
///
/// # Safety
/// As for [`move_piece`]; the places are the `total` bytes at `dst`, in order.
unsafe fn whole(piece: &Piece<'_>, stream: bool, isa: Isa) {
    let &Piece { axes, run, src, dst, total, source: (source, src_bytes), .. } = piece;
    let mut room = [MaybeUninit::<Axis>::uninit(); 64];
    for (slot, axis) in room.iter_mut().zip(axes) {
        *slot = MaybeUninit::new(Axis { n: axis.n, step: axis.src });
    }
    // SAFETY: the loop above wrote one entry for each of the axes.
    let axes = unsafe { core::slice::from_raw_parts(room.as_ptr().cast::<Axis>(), axes.len()) };
    let start = src.addr() - source.addr();
    let job = gather::Job { axes, run, start, src: source, src_bytes, dst, total, stream };
    // SAFETY: the caller's promise.
    unsafe { super::large(&job, isa) }
}

/// Copies contiguous values into the view's positions, in order.
///
/// # Safety
/// Every position of `view` lies in the `dst_len` elements at `dst`; `values` has as many elements as the view, and does not
/// overlap.
#[inline]
pub(crate) unsafe fn scatter(view: View<'_>, elem: usize, values: *const u8, dst: *mut u8, dst_len: usize) {
    let src_len = view.shape.iter().product();
    // SAFETY: the caller's promise.
    unsafe { transfer(&Transfer { view, elem, src: values, src_len, first: 0, strides: None, dst, dst_len }) }
}

/// Writes one value to all positions.
///
/// # Safety
/// Every position of `view` lies in the `dst_len` elements at `dst`; `value` points at one element outside it.
#[inline]
pub(crate) unsafe fn fill(view: View<'_>, elem: usize, value: *const u8, dst: *mut u8, dst_len: usize) {
    // SAFETY: the caller's promise.
    unsafe { transfer(&Transfer { view, elem, src: value, src_len: 1, first: 0, strides: Some(&[]), dst, dst_len }) }
}

/// Writes `zero` to all of `dx`, then `dy` to the view's positions, in the way `how`.
///
/// # Safety
/// As [`scatter`], with `dx` of `dx_len` elements that need not be initialised, and `zero` one element outside it; the CPU has the set.
pub(crate) unsafe fn grad(
    view: View<'_>,
    elem: usize,
    zero: *const u8,
    dy: *const u8,
    dx: *mut u8,
    dx_len: usize,
    how: How,
) {
    // SAFETY: `zero` is one element.
    if unsafe { all_zero(zero, elem) } {
        // SAFETY: the caller's promise.
        return unsafe { grad_by(view, elem, dy, dx, dx_len, how) };
    }
    let all = View { shape: &[dx_len], strides: &[1], offset: 0 };
    // SAFETY: all of `dx`, and then the places of the view in it.
    unsafe {
        fill(all, elem, zero, dx, dx_len);
        scatter(view, elem, dy, dx, dx_len);
    }
}

/// Whether all bytes of an element are zero. (No, where that cannot be asked: a value may have padding.)
///
/// # Safety
/// `elem` bytes at `value` can be read. (They need not be initialised.)
unsafe fn all_zero(value: *const u8, elem: usize) -> bool {
    // SAFETY: the caller's promise; `settle` has given them values.
    isa::settle(value) && unsafe { core::slice::from_raw_parts(value, elem) }.iter().all(|&byte| byte == 0)
}

/// Gradients up to this size are zeroed first: they are in the first-level cache then.
const NEAR: usize = 16 << 10;
/// So many bytes of values or fewer are put on zeros one by one.
const FEW: usize = 4 << 10;

/// [`grad`] with zeros that are zero bytes, by the set of `how`.
///
/// # Safety
/// As for [`grad`]; the CPU has the set.
pub(super) unsafe fn grad_by(view: View<'_>, elem: usize, dy: *const u8, dx: *mut u8, dx_len: usize, how: How) {
    let bytes = dx_len * elem;
    let isa = how.isa;
    let mut room = room();
    let pairs = Pairs::merge(&mut room, view.shape, None, view.strides, elem);
    let values = pairs.as_ref().map_or(0, |pairs| pairs.total);
    let stream = streams(bytes, bytes + values, how.threshold);
    let first = dx.wrapping_add(view.offset * elem);
    // SAFETY: the caller's promise: first all of `dx` is written, in one way or the other, then its places.
    unsafe {
        let Some(mut pairs) = pairs else { return zeros(dx, bytes, stream, isa) };
        if pairs.total <= FEW {
            zeros(dx, bytes, stream, isa);
            return kernels::in_order(pairs.axes(), pairs.run, dy, first);
        }
        if bytes <= NEAR || !pairs.sort() {
            zeros(dx, bytes, stream, isa);
            return scatter(view, elem, dy, dx, dx_len);
        }
        let (axes, run, total) = (pairs.axes(), pairs.run, pairs.total);
        let (src, dst) = (dy.wrapping_offset(pairs.src), first.wrapping_offset(pairs.dst));
        let piece = Piece { axes, run, src, dst, total, source: (dy, total), high: dx.addr() + bytes };
        #[cfg(feature = "rayon")]
        if bytes >= how.spread {
            // Each part lays the zeros before its first position, up to the next part's; the first those from the start on.
            let start = dst.addr();
            return super::parallel::spread(&piece, &|part| {
                let from = if part.dst.addr() == start { dx } else { part.dst };
                ground_piece(part, from, stream, isa);
            });
        }
        ground_piece(&piece, dx, stream, isa);
    }
}

/// A piece of a gradient, which is written from the place `from` up to the piece's `high`, by the set `isa`.
///
/// # Safety
/// As for [`grad`], of whose values this is a part; the CPU has the set.
unsafe fn ground_piece(piece: &Piece<'_>, from: *mut u8, stream: bool, isa: Isa) {
    let &Piece { axes, run, src, dst, total, source, high } = piece;
    let (inner, walk, outer) = kernels::split(axes, 0, run);
    let bytes = high - from.addr();
    // SAFETY: the caller's promise.
    unsafe {
        if total == bytes {
            return whole(piece, stream, isa);
        }
        let source = (source.0.addr(), source.0.addr() + source.1);
        let mut job = kernels::Job { inner, walk, outer, run, src, dst, source, high, total, stream, ground: None };
        if run >= kernels::LONG {
            return with_isa!(isa, L => ground::long::<L>(&job, from, bytes));
        }
        // A transposed gradient is turned by squares, which do not come in the order of the zeros.
        if walk.src.unsigned_abs() >= 64 * run {
            zeros(from, bytes, stream, isa);
            return run_scatter(axes, &mut job, isa);
        }
        let mut buffer = ground::Buffer::new();
        let mut ground = if stream {
            with_isa!(isa, L => ground::Ground::streamed::<L>(from, bytes, &mut buffer))
        } else {
            with_isa!(isa, L => ground::Ground::plain::<L>(from, bytes))
        };
        job.ground = Some(&mut ground);
        run_scatter(axes, &mut job, isa);
        ground.finish();
    }
}

/// Zeros only.
///
/// # Safety
/// `bytes` bytes at `dst` can be written; the CPU has the set.
unsafe fn zeros(dst: *mut u8, bytes: usize, stream: bool, isa: Isa) {
    // SAFETY: the caller's promise; nothing else is written.
    unsafe { with_isa!(isa, L => ground::zeros::<L>(dst, bytes, stream)) }
}

/// Adds contiguous values to the view's positions, in order.
///
/// # Safety
/// Every position of `view` lies in the array at `dst`; `values` has as many elements as the view, and does not overlap.
pub(crate) unsafe fn add<T: Copy + AddAssign>(view: View<'_>, values: *const T, dst: *mut T) {
    // SAFETY: the caller's promise; `chosen` names a set the CPU has.
    unsafe { add_by(view, values, dst, isa::current()) }
}

/// [`add`], shared out among the threads of rayon's current pool if there is much to add.
///
/// # Safety
/// As for [`add`].
#[cfg(feature = "rayon")]
pub(crate) unsafe fn add_spread<T: Copy + AddAssign + Send + Sync>(view: View<'_>, values: *const T, dst: *mut T) {
    let (size, isa) = (size_of::<T>(), isa::current());
    let mut room = room();
    let pairs = Pairs::merge(&mut room, view.shape, None, view.strides, size.max(1));
    // A run may be cut at any multiple of EVEN bytes, which must not be inside an element.
    if let Some(mut pairs) = pairs
        && super::parallel::EVEN.checked_rem(size) == Some(0)
        && pairs.total >= super::SPREAD
        && pairs.sort()
    {
        let (axes, run, total) = (pairs.axes(), pairs.run, pairs.total);
        let (src, dst) = (values.wrapping_byte_offset(pairs.src), dst.wrapping_add(view.offset));
        let dst = dst.wrapping_byte_offset(pairs.dst);
        let source = (values.cast(), total);
        let piece = Piece { axes, run, src: src.cast(), dst: dst.cast(), total, source, high: usize::MAX };
        let work = |part: &Piece<'_>| {
            let (_, walk, outer) = kernels::split(part.axes, 0, part.run);
            let (src, dst) = (part.src.cast::<T>(), part.dst.cast::<T>());
            let mut job = sum::Sum { len: part.run / size, walk, outer, src, dst };
            // SAFETY: a part of the caller's positions; `T` may be added by any thread. `current` names a set the CPU has.
            unsafe { with_isa!(isa, L => sum::sum::<L, T>(&mut job)) }
        };
        // SAFETY: values of `T` may be sent to other threads and be looked at by them.
        unsafe { super::parallel::spread(&piece, &work) };
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { add_by(view, values, dst, isa) }
}

/// [`add`] by the set `isa`.
///
/// # Safety
/// As for [`add`]; the CPU has the set.
pub(super) unsafe fn add_by<T: Copy + AddAssign>(view: View<'_>, values: *const T, dst: *mut T, isa: Isa) {
    let size = size_of::<T>();
    if size == 0 {
        // There is no memory to walk, but adding may still mean something.
        let count: usize = view.shape.iter().product();
        for _ in 0..count {
            // SAFETY: elements without size are everywhere.
            unsafe { *dst += *values }
        }
        return;
    }
    let mut room = room();
    let Some(pairs) = Pairs::merge(&mut room, view.shape, None, view.strides, size) else { return };
    let (_, walk, outer) = kernels::split(pairs.axes(), 0, pairs.run);
    let mut job = sum::Sum { len: pairs.run / size, walk, outer, src: values, dst: dst.wrapping_add(view.offset) };
    // SAFETY: the caller's promise.
    unsafe { with_isa!(isa, L => sum::sum::<L, T>(&mut job)) }
}
