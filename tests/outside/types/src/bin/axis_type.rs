//! error: `Axis` is not the number of an axis, which is an integer
//! under: Axis(1)
//! help: `axis.index()` for ndarray's `Axis`
use pyslice::*;

/// As in ndarray.
struct Axis(#[allow(dead_code)] usize);

fn main() {
    let _ = s![:].on_axis(Axis(1));
}
