use pyslice::s;

fn main() {
    let _ = s![True, False];
}
