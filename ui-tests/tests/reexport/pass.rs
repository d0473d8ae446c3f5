use tensor::{Matrix, s};

fn main() {
    let m = Matrix([1, 2, 3, 4, 5, 6]);
    assert_eq!(m.get(s![1, ::-1]), Ok(vec![6, 5, 4]));
}
