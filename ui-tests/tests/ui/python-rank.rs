use pyslice::s;

fn main() {
    let _ = s![len(x.shape)];
}
