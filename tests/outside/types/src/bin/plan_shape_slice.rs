//! error: `&[usize]` is not a shape for `plan!`; a shape is an array of `usize`
//! under: SHAPE
//! help: plan a shape that is known only at run time with `s![..].plan(&shape)`
use pyslice::*;
const SHAPE: &[usize] = &[4, 6];

fn main() {
    let _ = plan!(SHAPE; 0);
}
