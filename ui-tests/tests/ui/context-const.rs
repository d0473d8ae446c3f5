use pyslice::{Spec, SpecRef, s};

const CROP: Spec<2> = s![1..2, :];
static TABLE: [SpecRef<'static>; 2] = [s![0].as_ref(), s![1.5].as_ref()];

fn main() {
    let _ = (CROP.begin(), TABLE[0].begin());
}
