use pyslice::s;

fn main() {
    let _ = s![np.int64(3)];
}
