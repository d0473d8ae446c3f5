//! error: `plan!` needs the shape of the array first
//! help: write the shape and `;` before the slice: `plan!([4, 6]; 1, ::2)`
use pyslice::plan;

fn main() {
    let _ = plan!();
}
