use pyslice::s;

fn main() {
    let _ = s![n:m:i:2];
}
