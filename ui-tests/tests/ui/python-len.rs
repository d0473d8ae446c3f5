use pyslice::s;

fn main() {
    let _ = s![len(x) - 1];
}
