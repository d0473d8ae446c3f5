use pyslice::s;

fn main() {
    let _ = s![np.arange(3)];
}
