//! A user of the tensor library, who has never heard of pyslice.

use tensor::{Matrix, plan, s};

fn main() {
    let m = Matrix([1, 2, 3, 4, 5, 6]);
    let row = 1;
    assert_eq!(m.get(s![row, ::-1]), Ok(vec![6, 5, 4]));
    assert_eq!(m.get(s![..., const { 1 + 1 }]), Ok(vec![3, 6]));
    assert_eq!(plan!([2, 3]; 1).offset(), 3);
}
