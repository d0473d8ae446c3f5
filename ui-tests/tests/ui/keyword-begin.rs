use pyslice::s;

fn main() {
    let _ = s![begin=1, end=3];
}
