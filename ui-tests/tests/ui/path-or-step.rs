use pyslice::s;

fn main() {
    let _ = s![config::SIZE];
}
