use pyslice::s;

fn main() {
    let _ = s![slice(1:2)];
}
