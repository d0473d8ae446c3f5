use pyslice::s;

fn main() {
    let _ = s![0..5, 1.5, ..., usize::MAX, ..., 2:3:0];
}
