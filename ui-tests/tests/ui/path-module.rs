use pyslice::s;

fn main() {
    let _ = s![std::cmp::min(n, m)];
}
