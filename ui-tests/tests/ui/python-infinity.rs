use pyslice::s;

fn main() {
    let _ = s![1:np.inf];
}
