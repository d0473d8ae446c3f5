use pyslice::s;

fn main() {
    let _ = s![Slice::new(0, None, 2)];
}
