//! [`SpecBuilder`]: a slice put together at run time, entry by entry.

use super::{Entry, IntoEntry, SliceBound, SliceIndex, SpecBuf};
use crate::error::SliceError;

/// Builds a slice entry by entry. The first mistake is kept, and [`build`](SpecBuilder::build)
/// returns it.
///
/// A slice whose entries are known when the program is written is shorter as `s![...]`, which takes
/// run-time values too.
///
/// # Examples
///
/// ```
/// use pyslice::SpecBuf;
///
/// let rows = 2u8;
/// let spec = SpecBuf::builder()
///     .index(1)
///     .range(rows, 4, 1)
///     .new_axis()
///     .ellipsis()
///     .range(None::<i64>, -3, -1)
///     .full()
///     .build()?;
/// assert_eq!(spec.to_string(), "1, 2:4, None, ..., :-3:-1, :");
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct SpecBuilder {
    spec: Result<SpecBuf, SliceError>,
}

impl SpecBuf {
    /// Starts an empty slice, to which entries are added.
    #[inline]
    pub fn builder() -> SpecBuilder {
        SpecBuilder { spec: Ok(SpecBuf::default()) }
    }
}

impl SpecBuilder {
    /// Adds any entry, or a Rust range.
    #[inline]
    pub fn entry(mut self, entry: impl IntoEntry) -> SpecBuilder {
        if let Ok(spec) = &mut self.spec
            && let Err(e) = spec.push(entry.into_entry())
        {
            self.spec = Err(e);
        }
        self
    }

    /// Adds an index: it takes an axis and drops it.
    #[inline]
    pub fn index(self, index: impl SliceIndex) -> SpecBuilder {
        self.entry(Entry::Index(index.to_index()))
    }

    /// Adds `start:stop:step`: see [`Entry::range`].
    #[inline]
    pub fn range(
        self,
        start: impl SliceBound,
        stop: impl SliceBound,
        step: impl SliceBound,
    ) -> SpecBuilder {
        self.entry(Entry::range(start, stop, step))
    }

    /// Adds `:`, the whole axis.
    #[inline]
    pub fn full(self) -> SpecBuilder {
        self.entry(Entry::FULL)
    }

    /// Adds `None`, a new axis of length 1.
    #[inline]
    pub fn new_axis(self) -> SpecBuilder {
        self.entry(Entry::NewAxis)
    }

    /// Adds `...`, as many full axes as are needed.
    #[inline]
    pub fn ellipsis(self) -> SpecBuilder {
        self.entry(Entry::Ellipsis)
    }

    /// Returns the slice.
    ///
    /// # Errors
    ///
    /// The first mistake: see [`SpecBuf::from_entries`].
    #[inline]
    pub fn build(self) -> Result<SpecBuf, SliceError> {
        self.spec
    }
}
