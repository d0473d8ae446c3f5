use pyslice::s;

fn main() {
    let _ = s![::0, 1::0];
}
