//! error: the shape, or an axis of it, has more elements than isize::MAX
//! under: 0
use pyslice::*;
const SHAPE: [usize; 2] = [usize::MAX / 2, 6];

fn main() {
    let _ = plan!(SHAPE; 0);
}
