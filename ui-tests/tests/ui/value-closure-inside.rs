use pyslice::s;

fn main() {
    let _ = s![x.map(|v v + 1).len()];
}
