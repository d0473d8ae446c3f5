use pyslice::s;

fn main() {
    let _ = s![np.array([0, 2])];
}
