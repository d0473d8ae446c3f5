use pyslice::s;

fn main() {
    let _ = s![usize(n)];
}
