use pyslice::s;

fn main() {
    let _ = s![(0..9).step_by(2), (0..3).rev()];
}
