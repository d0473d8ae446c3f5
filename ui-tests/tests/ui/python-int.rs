use pyslice::s;

fn main() {
    let _ = s![int(n / 2)];
}
