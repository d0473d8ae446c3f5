//! Expressions of Rust that look like something else before they end.
use pyslice::{Spec, s};

struct Point {
    x: usize,
}

/// Counts from the end, too.
struct Tensor([usize; 3]);

impl std::ops::Index<isize> for Tensor {
    type Output = usize;
    fn index(&self, at: isize) -> &usize {
        &self.0[at.rem_euclid(3) as usize]
    }
}

#[derive(PartialEq)]
enum Mode {
    Train,
}

#[allow(non_camel_case_types)]
struct pair {
    a: usize,
}

macro_rules! labelled {
    ($l:lifetime, $n:expr) => {
        s![$l: loop { break $l $n }:, { $l: loop { break $l $n } }]
    };
}

fn counted<const N: usize>() -> Spec<2, 2, 1> {
    s![-const { N }, const { N - 1 }:]
}

fn main() {
    let (n, p, o, mode) = (3_usize, Point { x: 1 }, Some(2), Mode::Train);
    let r = &n;
    let (or, is, new_axis, lambda) = (1, 2, 3, 4);
    let (deep, x) = ((((5_usize,),),), Tensor([7, 8, 9]));
    assert_eq!(s![if let Point { x, .. } = p { x } else { 0 }], s![1]);
    assert_eq!(s![if unsafe { n } > 0 { 1 } else { 2 }:], s![1:]);
    assert_eq!(s![if let Some(q) = o && { q > 1 } { q } else { 0 }], s![2]);
    assert_eq!(s![if const { 3 > 2 } { 1 } else { 2 }], s![1]);
    assert_eq!(s![if match n { 3 => true, _ => false } { 1 } else { 2 }], s![1]);
    assert_eq!(s![n + if let Point { x: 0..=5 } = p { 1 } else { 2 }], s![4]);
    assert_eq!(s![if let 3.. = n { 1 } else if let 'a'..='z' = 'b' { 2 } else { 3 }], s![1]);
    assert_eq!(s![match { n + 1 } { 4 => 1, _ => 2 }:match if n > 1 { 1 } else { 2 } { q => q }], s![1:1]);
    assert_eq!(s![{ let mut k = 0; for q in 0..3 { k += q } k }], s![3]);
    assert_eq!(s![{ for _ in 0..3 {} n }], s![3]);
    assert_eq!(s![(if mode == Mode::Train { 1 } else { 0 })], s![1]);
    assert_eq!(s![deep.0.0.0:deep.0 .0.0], s![5:5]);
    assert_eq!(s![x[-1], -x[-2]], s![9, -8]);
    assert_eq!(s![pair { a: n }.a], s![3]);
    assert_eq!(s![--n, -*r, const { b'a' }], s![3, -3, 97]);
    assert_eq!(s![or, is, new_axis:lambda], s![1, 2, 3:4]);
    assert_eq!(s![[n, 1].map(|v: usize| -> usize { v + 1 })[0]], s![4]);
    assert_eq!(labelled!('l, 2), s![2:, 2]);
    assert_eq!(counted::<3>(), s![-3, 2:]);
}
