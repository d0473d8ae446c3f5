use pyslice::s;

fn main() {
    let x = 1;
    let _ = s![np.isnan(x)];
}
