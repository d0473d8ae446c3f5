use pyslice::s;

fn main() {
    let _ = s![np.s_[1:2]];
}
