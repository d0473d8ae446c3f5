use crate::selection::to_usize;
use crate::{Error, Progress};
use rayon::iter::{ParallelBridge, ParallelIterator};
use slice_core::{Chunk, Chunks, Plan};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zarrs::array::{ArrayError, ChunkGrid, CodecOptions};
use zarrs::plugin::ExtensionName;

/// The chunks of a grid that a slice touches.
pub(crate) fn chunks<'a>(grid: &ChunkGrid, plan: &'a Plan) -> Result<Chunks<'a>, Error> {
    let first = vec![0; grid.dimensionality()];
    let shape =
        grid.chunk_shape_u64(&first)?.ok_or(ArrayError::InvalidChunkGridIndicesError(first))?;
    match grid.name_v3().as_deref() {
        Some("regular") => Ok(plan.chunks(&to_usize(&shape)?)?),
        name => Err(ArrayError::UnsupportedMethod(format!("slices of the grid {name:?}")).into()),
    }
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
