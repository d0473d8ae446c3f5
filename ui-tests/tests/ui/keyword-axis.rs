use pyslice::s;

fn main() {
    let _ = s![axis=0];
}
