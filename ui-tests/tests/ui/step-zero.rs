use pyslice::s;

fn main() {
    let _ = s![0, 2:8:0];
}
