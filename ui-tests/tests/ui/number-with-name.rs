use pyslice::s;

fn main() {
    let _ = s![2n];
}
