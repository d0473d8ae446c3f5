use pyslice::s;

fn main() {
    let _ = s![n ?? 0];
}
