use pyslice::s;

fn main() {
    let _ = s![Axis(0)];
}
