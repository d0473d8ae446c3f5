use pyslice::s;

fn main() {
    let n = -2;
    let _ = s![np.abs(n):];
}
