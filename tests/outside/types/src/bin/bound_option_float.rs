//! error: `Option<f64>` cannot be a bound or a step of a slice; these are integers
//! under: to
//! help: or an `Option` of one, where `None` leaves it out
use pyslice::*;

fn main() {
    let to = Some(1.5_f64);
    let _ = s![:to];
}
