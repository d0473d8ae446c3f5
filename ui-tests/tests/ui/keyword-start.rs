use pyslice::s;

fn main() {
    let _ = s![start=1, stop=4, step=2];
}
