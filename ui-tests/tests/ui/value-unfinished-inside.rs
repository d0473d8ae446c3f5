use pyslice::s;

fn main() {
    let _ = s![n.min(n +):];
}
