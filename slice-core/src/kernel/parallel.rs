//! Cuts one piece of work into parts for several threads.
//!
//! The loops are sorted, so each part of the outermost loop writes to its own range of the
//! destination. Halving that loop again and again gives parts that never meet. A kernel may rewrite
//! bytes between positions unchanged, but none from the next part's first position on. Each thread,
//! and the caller, takes the next free part, so one that starts late costs little, and a pool that
//! is busy, gone, or cannot be started delays nothing.

use super::nest::Loop;
use super::piece::Piece;
#[cfg(test)]
use super::tests::SHARED_OUT;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::error::Error;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{self, catch_unwind, resume_unwind};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};

/// Parts of fewer bytes than this are not cut.
const LEAST: usize = if cfg!(test) { 128 } else { 256 << 10 };
/// Parts for each thread, if there is enough work.
const PARTS: usize = 12;
/// Parts are alike aligned: runs are cut at multiples of this, long loops at as many positions.
pub(super) const EVEN: usize = if cfg!(test) { 16 } else { 4096 };
/// How often a thread checks whether others are done before it yields the processor. Most parts
/// take less time than that, and waking up may take as long as a part.
const LOOKS: usize = 2000;
/// How often a thread looks whether its helper comes after all.
const GRACE: usize = 20;

type Work<'a> = dyn Fn(&Piece<'_>) + 'a;

/// What is shared with other threads. One that comes late, when the work is done, finds no part.
struct Shared {
    work: *const Work<'static>,
    parts: Vec<Part>,
    /// The first part that nobody has taken.
    next: AtomicUsize,
    /// How many parts are not done.
    open: AtomicUsize,
    caller: Thread,
    /// What the work panicked with first, if it did.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: only `run_parts` makes one: the work may be done by any thread, and for several parts at
// once; nothing else of it is bound to a thread.
unsafe impl Send for Shared {}
// SAFETY: the same.
unsafe impl Sync for Shared {}

impl Shared {
    /// Does parts until none is left.
    fn take(&self) {
        while let Some(part) = self.parts.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            // SAFETY: this part is open and nobody else's, so `run_parts` still keeps the work.
            let work = unsafe { &*self.work };
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&part.piece()))) {
                let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
                match *first {
                    None => *first = Some(panic),
                    // Dropping it may panic again, outside `catch_unwind`.
                    Some(_) => core::mem::forget(panic),
                }
            }
            // Releases what this thread has written to the caller, which must not go on before.
            if self.open.fetch_sub(1, Ordering::Release) == 1 {
                self.caller.unpark();
            }
        }
    }

    /// Does parts on this thread of a pool, and asks `helpers` other threads of it for help. It
    /// wakes one, which may take 20 µs; each of them wakes others.
    ///
    /// The pool may be gone: a thread outlives the one that it made with `use_current_thread`, and
    /// a pool's exit handlers run when it has ended. `rayon::spawn` would end the process then.
    fn share(&self, helpers: usize) {
        let is_left = self.next.load(Ordering::Relaxed) < self.parts.len();
        let Some(others) = helpers.checked_sub(1).filter(|_| is_left) else { return self.take() };
        let (begun, ended) = (AtomicBool::new(false), AtomicBool::new(false));
        rayon::join(
            || {
                self.share(others / 2);
                // `join` would do other work of the pool until the helper has ended. That may take
                // long, or need a lock that the caller holds. So this thread waits for the helper
                // here, and for a moment before and after, in which it is on its way.
                let (mut looks, mut grace) = (0, GRACE);
                while grace > 0 {
                    if !begun.load(Ordering::Acquire) || ended.load(Ordering::Acquire) {
                        grace -= 1;
                    } else if looks < LOOKS {
                        looks += 1;
                    } else {
                        thread::yield_now();
                    }
                    core::hint::spin_loop();
                }
            },
            || {
                begun.store(true, Ordering::Release);
                self.share(others - others / 2);
                ended.store(true, Ordering::Release);
            },
        );
    }
}

/// Does and awaits all parts when it is dropped, also by a panic.
struct Finish<'a>(&'a Shared);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.take();
        let mut looks = 0;
        while self.0.open.load(Ordering::Acquire) > 0 {
            if looks < LOOKS {
                looks += 1;
                core::hint::spin_loop();
            } else {
                thread::park();
            }
        }
    }
}

/// A part of a piece, with loops of its own.
pub(super) struct Part {
    loops: Vec<Loop>,
    /// Everything else of the part; it has no loops.
    piece: Piece<'static>,
}

impl Part {
    pub(super) fn of(piece: &Piece<'_>) -> Part {
        Part { loops: piece.loops.to_vec(), piece: Piece { loops: &[], ..*piece } }
    }

    pub(super) fn piece(&self) -> Piece<'_> {
        Piece { loops: &self.loops, ..self.piece }
    }

    /// Two parts of about one size, the one with the lower places first.
    pub(super) fn halves(&self) -> (Part, Part) {
        let piece = &self.piece;
        // A single run can be cut at any byte.
        let bytes = Loop { n: piece.run, src: 1, dst: 1 };
        let last = *self.loops.last().unwrap_or(&bytes);
        let half =
            if last.n >= 2 * EVEN { (last.n / 2).next_multiple_of(EVEN) } else { last.n / 2 };
        let (src, dst) = last.after(half, (piece.src, piece.dst));
        let part = |n: usize, piece: Piece<'static>| {
            let mut part = Part { loops: self.loops.clone(), piece };
            match part.loops.pop() {
                None => part.piece.run = n,
                Some(_) if n == 1 => {}
                Some(last) => part.loops.push(Loop { n, ..last }),
            }
            part
        };
        let total = piece.total / last.n * half;
        // The first part may write up to the first place of the second one.
        let limit = piece.limit.min(dst.addr());
        let first = Piece { total, limit, ..*piece };
        let second = Piece { total: piece.total - total, src, dst, start: dst, ..*piece };
        (part(half, first), part(last.n - half, second))
    }

    /// Parts of at most `most` bytes, in the order of their places.
    fn cut(self, most: usize, parts: &mut Vec<Part>) {
        if self.piece.total <= most {
            return parts.push(self);
        }
        let (one, two) = self.halves();
        one.cut(most, parts);
        two.cut(most, parts);
    }
}

/// What threads of no pool share their work with.
enum Outside {
    /// rayon's global pool, of so many threads; of 1, and nobody asks it, if it cannot be started.
    Global(usize),
    /// A pool of our own.
    Own(ThreadPool),
}

impl Outside {
    fn get() -> &'static Outside {
        static OUTSIDE: OnceLock<Outside> = OnceLock::new();
        OUTSIDE.get_or_init(|| {
            // The pool is started here, so that a failure is a value; rayon itself would panic.
            match ThreadPoolBuilder::new().build_global() {
                Ok(()) => Outside::Global(rayon::current_num_threads()),
                Err(error) if error.source().is_some() => Outside::Global(1),
                // The program was first. Whether its pool has started, rayon says only by a panic.
                Err(_) if cfg!(panic = "abort") => {
                    ThreadPoolBuilder::new().build().map_or(Outside::Global(1), Outside::Own)
                }
                Err(_) => Outside::Global(silently(rayon::current_num_threads).unwrap_or(1)),
            }
        })
    }
}

/// What `f` returns, or nothing if it panics, which is not reported.
fn silently<T>(f: fn() -> T) -> Option<T> {
    // The hook cannot be changed while this thread panics.
    if thread::panicking() {
        return catch_unwind(f).ok();
    }
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = catch_unwind(f).ok();
    panic::set_hook(hook);
    result
}

/// Does `work` for all parts of `piece`, on rayon's current pool and on the calling thread, which
/// may belong to the pool. A panic of the work is passed on to the caller.
///
/// # Safety
///
/// `work` may run on any thread, and for several parts at once: it touches nothing but the part's
/// own places and the source, which nobody writes to.
pub(super) unsafe fn run_parts<'a>(piece: &Piece<'_>, work: &'a Work<'a>) {
    // A thread of a pool asks that pool.
    let outside = rayon::current_thread_index().is_none().then(Outside::get);
    let threads = match outside {
        None => rayon::current_num_threads(),
        Some(Outside::Global(threads)) => *threads,
        Some(Outside::Own(pool)) => pool.current_num_threads(),
    };
    let most = LEAST.max(piece.total.div_ceil(PARTS * threads));
    if threads == 1 || piece.total <= most {
        return work(piece);
    }
    let mut parts = Vec::new();
    Part::of(piece).cut(most, &mut parts);
    let helpers = (threads - 1).min(parts.len() - 1);
    // SAFETY: only the lifetime changes. Whoever has taken a part uses it, and the part is open
    // until they are done; `Finish` is dropped below, and returns when no part is open.
    let work = unsafe { core::mem::transmute::<*const Work<'a>, *const Work<'static>>(work) };
    let (next, open) = (AtomicUsize::new(0), AtomicUsize::new(parts.len()));
    let (caller, panic) = (thread::current(), Mutex::new(None));
    let shared = Arc::new(Shared { work, parts, next, open, caller, panic });
    #[cfg(test)]
    SHARED_OUT.set(SHARED_OUT.get() + 1);
    let finish = Finish(&shared);
    let helper = Arc::clone(&shared);
    let help = move || helper.share(helpers - 1);
    match outside {
        None => shared.share(helpers),
        Some(Outside::Global(_)) => rayon::spawn(help),
        Some(Outside::Own(pool)) => pool.spawn(help),
    }
    drop(finish);
    let panic = shared.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}
