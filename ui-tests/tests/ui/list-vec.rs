use pyslice::s;

fn main() {
    let _ = s![vec![0, 2]];
}
