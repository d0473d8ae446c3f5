//! error: `Spec<1, 1, 1>` cannot be an index of a slice; an index is an integer
//! under: inner
use pyslice::*;

fn main() {
    let inner = s![1];
    let _ = s![inner];
}
