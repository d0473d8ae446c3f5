use pyslice::s;

fn main() {
    let _ = s![0..10.step_by(2)];
}
