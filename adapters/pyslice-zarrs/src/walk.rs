use crate::selection::{Selection, to_u64, to_usize};
use crate::{Error, Progress};
use rayon::iter::{ParallelBridge, ParallelIterator};
use slice_core::{Chunk, Chunks, Plan};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zarrs::array::{Array, ArrayError, ChunkGrid, CodecError, CodecOptions};
use zarrs::plugin::ExtensionName;

/// The chunks of a grid that a slice touches.
pub(crate) fn chunks<'a>(grid: &ChunkGrid, plan: &'a Plan) -> Result<Chunks<'a>, Error> {
    let first = vec![0; grid.dimensionality()];
    if grid.name_v3().as_deref() == Some("regular")
        && let Some(shape) = grid.chunk_shape_u64(&first)?
    {
        return Ok(plan.chunks(&to_usize(&shape)?)?);
    }
    // Other grids are asked for the lengths along each axis; the last chunks of some reach over
    // the array.
    let mut lengths = Vec::with_capacity(first.len());
    for (axis, (&n, &count)) in grid.array_shape().iter().zip(grid.grid_shape()).enumerate() {
        let (mut along, mut left) = (Vec::new(), n);
        for i in 0..count {
            let mut coords = first.clone();
            coords[axis] = i;
            let shape = grid.chunk_shape_u64(&coords)?;
            let len = shape.map_or(left, |shape| shape[axis]).min(left);
            along.push(len);
            left -= len;
        }
        lengths.push(to_usize(&along)?);
    }
    Ok(plan.chunks_of_lengths(&lengths)?)
}

/// Goes over the chunks of an array that a slice touches. `each` gets the coordinates of the chunk
/// and the slice of what is stored, which is more than the chunk where it reaches over the array.
pub(crate) fn for_each_chunk<S: ?Sized + Send + Sync, E: From<Error> + Send>(
    array: &Array<S>,
    plan: &Plan,
    options: &CodecOptions,
    each: impl Fn(&[u64], &Plan, &Chunk) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    run(chunks(array.chunk_grid(), plan)?, options, |chunk| {
        let coords = to_u64(chunk.coords());
        each(&coords, &stored(array, &coords, &chunk)?, &chunk)
    })
}

/// What a slice takes of a chunk as it is stored.
pub(crate) fn stored<S: ?Sized>(
    array: &Array<S>,
    coords: &[u64],
    chunk: &Chunk,
) -> Result<Plan, Error> {
    let (origin, shape) = (array.chunk_origin(coords)?, array.chunk_shape(coords)?);
    if origin != to_u64(chunk.origin()) {
        let what = "slices of arrays whose chunks do not form rows and columns".into();
        return Err(ArrayError::UnsupportedMethod(what).into());
    }
    let selection = Selection::try_from(chunk.plan().clone())?;
    Ok(selection.within(&lengths(&shape)).map_err(CodecError::from)?)
}

/// The lengths of a chunk as numbers.
pub(crate) fn lengths(shape: &[NonZeroU64]) -> Vec<u64> {
    shape.iter().map(|n| n.get()).collect()
}

/// Goes over chunks with all threads of rayon's current pool; one after the other if zarrs was told
/// to have one at a time.
pub(crate) fn run<E: Send>(
    mut chunks: Chunks<'_>,
    options: &CodecOptions,
    each: impl Fn(Chunk) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    if options.concurrent_target() <= 1 || chunks.len() <= 1 {
        chunks.try_for_each(each)
    } else {
        chunks.par_bridge().try_for_each(each)
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
