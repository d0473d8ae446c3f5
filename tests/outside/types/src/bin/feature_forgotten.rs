//! error: unresolved import `pyslice::PySlice`
//! help: the item is gated behind the `ndarray` feature
//! under: pyslice::PySlice

use pyslice::PySlice;

fn main() {}
