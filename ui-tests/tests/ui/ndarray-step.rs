use pyslice::s;

fn main() {
    let _ = s![2..4;2];
}
