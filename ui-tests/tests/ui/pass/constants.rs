//! A literal slice in `const`, `static`, tables and `const fn`.
#![deny(warnings)]
use pyslice::{Spec, SpecRef, s};

const CROP: Spec<2> = s![1:-1, 1:-1];
const PICK: SpecRef<'static> = s![0, ...].as_ref();
static VIEWS: [SpecRef<'static>; 4] = [s![0].as_ref(), s![..., ::-1].as_ref(), s![].as_ref(), s![:, ::2].as_ref()];

const fn choose(first: bool) -> Spec<1> {
    if first { s![::2] } else { s![None::2] }
}

fn main() {
    assert_eq!(CROP.plan(&[5, 6]).unwrap().shape(), [3, 4]);
    assert_eq!(PICK.begin(), [0, 0]);
    let shapes: Vec<Vec<usize>> = VIEWS.iter().map(|v| v.plan(&[5, 6]).unwrap().shape().to_vec()).collect();
    assert_eq!(shapes, [vec![6], vec![5, 6], vec![5, 6], vec![5, 3]]);
    assert_eq!(choose(true), choose(false));
    let borrowed: SpecRef<'static> = s![1:2].as_ref();
    assert_eq!(borrowed.end(), [2]);
}
