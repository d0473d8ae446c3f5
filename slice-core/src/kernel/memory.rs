//! Memory for fresh results.

use crate::error::SliceError;
use alloc::vec::Vec;
use core::mem::size_of;

/// Makes room for `len` elements in an empty vector.
pub(crate) fn reserve<T>(out: &mut Vec<T>, len: usize) -> Result<(), SliceError> {
    out.try_reserve_exact(len).map_err(|_| SliceError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) })
}
