//! error: `&[usize]` is not a shape for `plan!`; a shape is an array of `usize`
//! under: SHAPE
//! help: a shape of run time goes to `s![..].plan(&shape)`
use pyslice::*;
const SHAPE: &[usize] = &[4, 6];

fn main() {
    let _ = plan!(SHAPE; 0);
}
