use crate::held::Held;
use crate::part::put;
use crate::raw::{Raw, no_size};
use crate::read::{Reader, fill_value, filled};
use crate::selection::to_u64;
use crate::walk::{Report, check};
use crate::{ArraySlice, Error, Part, Sliced, SlicedBytes, Values};
use futures::stream::{self, StreamExt, TryStreamExt};
use slice_core::{Chunk, Plan};
use std::sync::Arc;
use zarrs::array::{ArrayError, ElementOwned};
use zarrs::storage::{AsyncReadableStorageTraits, AsyncReadableWritableStorageTraits};

/// The gap where none was said: it takes about as long as one more request to a store far away.
const GAP: u64 = 1 << 20;

/// The async twins, for stores that are far away. All requests of one call are sent from the task
/// that awaits it, [`in_flight`](ArraySlice::with_in_flight) chunks at a time.
impl<S: AsyncReadableStorageTraits + ?Sized + 'static> ArraySlice<'_, S> {
    /// Async variant of [`read`](ArraySlice::read).
    ///
    /// # Errors
    ///
    /// Those of `read`.
    pub async fn async_read<T>(&self) -> Result<Sliced<T>, Error>
    where
        T: ElementOwned + Copy + Send + Sync,
    {
        self.check::<T>()?;
        let mut values = filled(fill_value::<T, S>(self.array)?, self.plan.len())?;
        self.async_read_into(&mut values).await?;
        Ok(Sliced { shape: self.shape().to_vec(), values })
    }

    /// Async variant of [`read_bytes`](ArraySlice::read_bytes).
    ///
    /// # Errors
    ///
    /// Those of `read_bytes`.
    pub async fn async_read_bytes(&self) -> Result<SlicedBytes, Error> {
        let data_type = self.array.data_type();
        Ok(match data_type.fixed_size() {
            Some(1) => Raw::<1>::sliced(self.async_read().await?, data_type),
            Some(2) => Raw::<2>::sliced(self.async_read().await?, data_type),
            Some(4) => Raw::<4>::sliced(self.async_read().await?, data_type),
            Some(8) => Raw::<8>::sliced(self.async_read().await?, data_type),
            Some(16) => Raw::<16>::sliced(self.async_read().await?, data_type),
            _ => return Err(no_size(data_type)),
        })
    }

    /// Async variant of [`read_into`](ArraySlice::read_into).
    ///
    /// # Errors
    ///
    /// Those of `read_into`.
    pub async fn async_read_into<T>(&self, result: &mut [T]) -> Result<(), Error>
    where
        T: ElementOwned + Copy + Send + Sync,
    {
        self.check_result(result.len())?;
        self.async_for_each_part(|part: Part<T>| Ok::<(), Error>(part.copy_to(result)?)).await
    }

    /// Async variant of [`for_each_part`](ArraySlice::for_each_part). The parts come one after the
    /// other, as they arrive.
    ///
    /// # Errors
    ///
    /// Those of `for_each_part`.
    pub async fn async_for_each_part<T, E>(
        &self,
        mut each: impl FnMut(Part<T>) -> Result<(), E>,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error>,
    {
        self.check::<T>()?;
        let held = Arc::new(Held::default());
        let array = self.array.with_storage(Arc::clone(&held));
        let gap = self.gap.unwrap_or(GAP);
        let reader = Reader::new(&array, &self.options, gap, None)?;
        let report = Report::new(self.progress, self.chunks()?.len(), &self.plan, size_of::<T>());
        let mut chunks = stream::iter(self.chunks()?)
            .map(|chunk| self.fetch(&reader, &held, gap, chunk))
            .buffer_unordered(self.in_flight);
        while let Some(parts) = chunks.try_next().await? {
            for part in parts {
                let len = part.target.len();
                each(part)?;
                report.done(0, len);
            }
            report.done(1, 0);
        }
        Ok(())
    }

    /// The parts of one chunk or shard.
    async fn fetch<T: ElementOwned + Send>(
        &self,
        reader: &Reader<'_, Held>,
        held: &Held,
        gap: u64,
        chunk: Chunk,
    ) -> Result<Vec<Part<T>>, Error> {
        let coords = to_u64(chunk.coords());
        let (key, store) = (self.array.chunk_key(&coords), self.array.storage());
        check(self.array, &coords, &chunk)?;
        loop {
            let parts = reader.parts(&coords, chunk.plan(), chunk.target());
            let more = held.fetch(&*store, &key, gap).await;
            if !more.map_err(|error| Error::from(error).of_chunk(self.array, &coords))? {
                held.forget(&key);
                return parts;
            }
        }
    }
}

impl<S: AsyncReadableWritableStorageTraits + ?Sized + 'static> ArraySlice<'_, S> {
    /// Async variant of [`assign`](ArraySlice::assign).
    ///
    /// # Errors
    ///
    /// Those of `assign`. Chunks that were written before the error stay written; each is the old
    /// one or the new one, if the store writes its objects so.
    pub async fn async_assign<'v, T>(&self, values: impl Into<Values<'v, T>>) -> Result<(), Error>
    where
        T: ElementOwned + Copy + Send + Sync + 'v,
    {
        let Values { values, shape } = values.into();
        let source = self.source(values.len(), shape.as_deref())?;
        self.async_write(|of, target, stored: &mut [T]| {
            let part = source.then_plan(target)?;
            Ok::<(), Error>(put(&part, &values, of, stored)?)
        })
        .await
    }

    /// Async variant of [`fill`](ArraySlice::fill).
    ///
    /// # Errors
    ///
    /// Those of [`async_assign`](ArraySlice::async_assign).
    pub async fn async_fill<T>(&self, value: T) -> Result<(), Error>
    where
        T: ElementOwned + Copy + Send + Sync,
    {
        self.async_write(|of, _, stored: &mut [T]| Ok::<(), Error>(of.fill(stored, value)?)).await
    }

    /// Async variant of [`assign_parts`](ArraySlice::assign_parts).
    ///
    /// # Errors
    ///
    /// Those of [`async_assign`](ArraySlice::async_assign) and those of `part`.
    pub async fn async_assign_parts<T, E>(
        &self,
        part: impl Fn(&Plan, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error> + Send,
    {
        let fill = fill_value::<T, S>(self.array)?;
        self.async_write(|of, target, stored: &mut [T]| {
            let mut values = filled(fill, target.len())?;
            part(target, &mut values)?;
            Ok(of.assign(stored, &values).map_err(Error::from)?)
        })
        .await
    }

    async fn async_write<T, E>(
        &self,
        change: impl Fn(&Plan, &Plan, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error> + Send,
    {
        self.check::<T>()?;
        let fill = fill_value::<T, S>(self.array)?;
        let report = Report::new(self.progress, self.chunks()?.len(), &self.plan, size_of::<T>());
        let mut chunks = stream::iter(self.chunks()?)
            .map(|chunk| self.change(fill, chunk, &change))
            .buffer_unordered(self.in_flight);
        while let Some(len) = chunks.try_next().await? {
            report.done(1, len);
        }
        Ok(())
    }

    /// Writes one chunk, and gives the number of elements.
    async fn change<T, E>(
        &self,
        fill: T,
        chunk: Chunk,
        change: &(impl Fn(&Plan, &Plan, &mut [T]) -> Result<(), E> + Sync),
    ) -> Result<usize, E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error>,
    {
        let coords = to_u64(chunk.coords());
        let (array, options) = (self.array, &self.options);
        let of_chunk = |error: ArrayError| Error::from(error).of_chunk(array, &coords);
        check(array, &coords, &chunk)?;
        let plan = chunk.plan();
        let mut values = if chunk.is_whole() {
            filled(fill, plan.input_len())?
        } else {
            let stored = array.async_retrieve_chunk_opt::<Vec<T>>(&coords, options).await;
            stored.map_err(of_chunk)?
        };
        change(plan, chunk.target(), &mut values)?;
        let stored = array.async_store_chunk_opt(&coords, values, options).await;
        stored.map_err(of_chunk)?;
        Ok(plan.len())
    }
}
