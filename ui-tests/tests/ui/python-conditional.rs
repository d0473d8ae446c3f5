use pyslice::s;

fn main() {
    let _ = s![1 if n else 2];
}
