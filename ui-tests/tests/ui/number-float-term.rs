use pyslice::s;

fn main() {
    let _ = s![n / 2.0, n * 0.5:];
}
