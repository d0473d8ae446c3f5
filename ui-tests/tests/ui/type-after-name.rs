use pyslice::s;

fn main() {
    let _ = s![n: usize];
}
