use pyslice::s;

fn main() {
    let _ = s![np::newaxis, 0];
}
