use pyslice::s;

fn main() {
    let _ = s![&n..&m, 0usize..4usize];
}
