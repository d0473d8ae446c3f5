//! error: `&str` cannot be used as a slice; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`
//! under: "::2"
//! help: `text.parse::<SpecBuf>()?` for text
use pyslice::*;

fn main() {
    let plan = s![1:].plan(&[5]).unwrap();
    let _ = plan.then("::2");
}
