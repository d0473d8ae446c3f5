use pyslice::s;

fn main() {
    let _ = s![x=1];
}
