use crate::selection::{to_u64, to_usize};
use crate::{Error, Progress};
use rayon::iter::{ParallelBridge, ParallelIterator};
use slice_core::{Chunk, Chunks, Plan};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zarrs::array::{Array, ArrayError, ChunkGrid, CodecOptions};
use zarrs::plugin::ExtensionName;

/// The chunks of a grid that a slice touches.
pub(crate) fn chunks<'a>(grid: &ChunkGrid, plan: &'a Plan) -> Result<Chunks<'a>, Error> {
    let first = vec![0; grid.dimensionality()];
    if grid.name_v3().as_deref() == Some("regular")
        && let Some(shape) = grid.chunk_shape_u64(&first)?
    {
        return Ok(plan.chunks(&to_usize(&shape)?)?);
    }
    // Other grids are asked about the chunks that are touched, axis by axis.
    let chunk_at = |axis: usize, position: usize| {
        let mut at = first.clone();
        *at.get_mut(axis)? = position as u64;
        let coords = grid.chunk_indices(&at).ok()??;
        let (origin, shape) =
            (grid.chunk_origin(&coords).ok()??, grid.chunk_shape_u64(&coords).ok()??);
        let start = usize::try_from(*origin.get(axis)?).ok()?;
        let len = usize::try_from(*shape.get(axis)?).ok()?;
        Some((usize::try_from(*coords.get(axis)?).ok()?, start..start.checked_add(len)?))
    };
    Ok(plan.chunks_by(&to_usize(grid.grid_shape())?, chunk_at)?)
}

/// Goes over the chunks of an array that a slice touches. `each` also gets a chunk's coordinates.
pub(crate) fn for_each_chunk<S: ?Sized + Send + Sync, E: From<Error> + Send>(
    array: &Array<S>,
    plan: &Plan,
    options: &CodecOptions,
    each: impl Fn(&[u64], &Chunk) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    run(chunks(array.chunk_grid(), plan)?, options, |chunk| {
        let coords = to_u64(chunk.coords());
        check(array, &coords, &chunk)?;
        each(&coords, &chunk)
    })
}

/// Checks that the grid has the chunk where its rows and columns say.
pub(crate) fn check<S: ?Sized>(
    array: &Array<S>,
    coords: &[u64],
    chunk: &Chunk,
) -> Result<(), Error> {
    let (origin, shape) = (array.chunk_origin(coords)?, array.chunk_shape(coords)?);
    let (is_origin, is_shape) = (chunk.origin(), chunk.plan().input_shape());
    if origin != to_u64(is_origin) || lengths(&shape) != to_u64(is_shape) {
        let what = "slices of arrays whose chunks do not form rows and columns".into();
        return Err(ArrayError::UnsupportedMethod(what).into());
    }
    Ok(())
}

/// The lengths of a chunk as numbers.
pub(crate) fn lengths(shape: &[NonZeroU64]) -> Vec<u64> {
    shape.iter().map(|n| n.get()).collect()
}

/// Goes over chunks, or groups of them, with all threads of rayon's current pool; one after the
/// other if zarrs was told to have one at a time.
pub(crate) fn run<I: Send, E: Send>(
    mut items: impl Iterator<Item = I> + Send,
    options: &CodecOptions,
    each: impl Fn(I) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    if options.concurrent_target() <= 1 || items.size_hint().1.is_some_and(|most| most <= 1) {
        items.try_for_each(each)
    } else {
        items.par_bridge().try_for_each(each)
    }
}

/// Counts what is done, for those who want to know.
pub(crate) struct Report<'a> {
    tell: Option<&'a (dyn Fn(Progress) + Sync)>,
    chunks: AtomicUsize,
    elements: AtomicU64,
    total: Progress,
    size: u64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        tell: Option<&'a (dyn Fn(Progress) + Sync)>,
        chunks_total: usize,
        plan: &Plan,
        size: usize,
    ) -> Self {
        let (size, bytes_total) = (size as u64, (plan.len() as u64).saturating_mul(size as u64));
        let total = Progress { chunks: 0, chunks_total, bytes: 0, bytes_total };
        Report { tell, chunks: AtomicUsize::new(0), elements: AtomicU64::new(0), total, size }
    }

    /// `elements` more are done, and `chunks` more.
    pub(crate) fn done(&self, chunks: usize, elements: usize) {
        let chunks = self.chunks.fetch_add(chunks, Ordering::Relaxed) + chunks;
        let elements = elements as u64;
        let elements = self.elements.fetch_add(elements, Ordering::Relaxed) + elements;
        if let Some(tell) = self.tell {
            tell(Progress { chunks, bytes: elements * self.size, ..self.total });
        }
    }
}
