//! error: `String` cannot be a bound or a step of a slice; these are integers
//! under: to
//! help: `x.parse::<i64>()?` for a text
use pyslice::*;

fn main() {
    let to = String::new();
    let _ = s![:to];
}
