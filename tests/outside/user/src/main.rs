//! A user of the tensor library, who has never heard of pyslice.

use tensor::{Matrix, plan, s};

/// Brackets that a macro's fragments get in an expansion are nobody's needless ones.
macro_rules! from {
    ($m:expr, $row:expr, $t:ty, $p:pat) => {
        $m.get(s![$row, if let $p = Some($row as $t) { 1 } else { 0 }:])
    };
}

fn main() {
    let m = Matrix([1, 2, 3, 4, 5, 6]);
    let row = 1;
    assert_eq!(m.get(s![row, ::-1]), Ok(vec![6, 5, 4]));
    assert_eq!(m.get(s![..., const { 1 + 1 }]), Ok(vec![3, 6]));
    assert_eq!(from!(m, row - 1, core::primitive::i64, Some(0 | 1)), Ok(vec![2, 3]));
    assert_eq!(plan!([2, 3]; 1).offset(), 3);
}
