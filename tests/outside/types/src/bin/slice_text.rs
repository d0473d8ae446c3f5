//! error: `&str` cannot be taken as a slice; a slice is what `s![...]` gives, a `SpecBuf` or a `SpecRef`
//! under: "::2"
//! help: `text.parse::<SpecBuf>()?` for a text
use pyslice::*;

fn main() {
    let plan = s![1:].plan(&[5]).unwrap();
    let _ = plan.then("::2");
}
