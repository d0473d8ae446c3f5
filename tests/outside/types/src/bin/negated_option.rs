//! error: `Option<usize>` cannot be negated to give a bound or a step; these are integers
//! under: -to
//! help: `x.map(|x| -(x as i64))` for an `Option`
use pyslice::*;

fn main() {
    let to = Some(3_usize);
    let _ = s![:-to];
}
