use pyslice::s;

fn main() {
    let idx = [1, 2];
    let _ = s![tuple(idx)];
}
