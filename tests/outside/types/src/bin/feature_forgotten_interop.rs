//! error: unresolved import `pyslice::interop`
//! help: the item is gated behind the `interop` feature

use pyslice::interop::onnx;

fn main() {}
