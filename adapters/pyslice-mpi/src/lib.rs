//! Python slices as messages between the ranks of an MPI program, through [rsmpi](mpi).
//!
//! [`SliceType`] is a slice as an MPI datatype: a message takes it from an array, or puts it into
//! one. [`share`] is a rank's part of the chunks that a slice touches; who sends them, reads or
//! writes them is the program's business.
//!
//! ```no_run
//! use mpi::traits::*;
//! use pyslice::s;
//! use pyslice_mpi::SliceType;
//!
//! let universe = mpi::initialize().ok_or("MPI runs already")?;
//! let world = universe.world();
//! let mut data = vec![0.0; 6 * 8];
//! if world.rank() == 0 {
//!     // data[::-1, 2]
//!     let column = SliceType::new(&s![::-1, 2].plan(&[6, 8])?)?;
//!     world.process_at_rank(1).send(&column.view(&data)?);
//! } else if world.rank() == 1 {
//!     // data[:, 0] = what comes
//!     let column = SliceType::new(&s![:, 0].plan(&[6, 8])?)?;
//!     world.process_at_rank(0).receive_into(&mut column.view_mut(&mut data)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod slice_type;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use error::Error;
pub use slice_type::SliceType;

use mpi::traits::Communicator;
use slice_core::{Chunk, Chunks};

/// The chunks that this rank takes of those that a slice touches: as many as any other rank, or one
/// more, and neighbours in the grid.
///
/// Nothing is sent: each rank plans the slice and goes straight to its first chunk. The ranks'
/// parts do not meet and are all of the chunks.
///
/// ```no_run
/// use mpi::traits::*;
/// use pyslice::s;
/// use pyslice_mpi::share;
///
/// let universe = mpi::initialize().ok_or("MPI runs already")?;
/// let plan = s![::-2, 100:900].plan(&[1000, 1000])?;
/// for chunk in share(plan.chunks(&[100, 100])?, &universe.world()) {
///     println!("rank {} reads chunk {:?}", universe.world().rank(), chunk.coords());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn share<'a>(
    chunks: Chunks<'a>,
    ranks: &impl Communicator,
) -> impl ExactSizeIterator<Item = Chunk> + 'a {
    let (rank, size) = (ranks.rank().unsigned_abs(), ranks.size().unsigned_abs());
    let first = |rank: u32| (chunks.len() as u128 * u128::from(rank) / u128::from(size)) as usize;
    let (begin, end) = (first(rank), first(rank + 1));
    chunks.skip(begin).take(end - begin)
}
