use pyslice::s;

fn main() {
    let _ = s![slice(None, None, -1)];
}
