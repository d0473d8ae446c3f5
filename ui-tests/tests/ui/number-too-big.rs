use pyslice::s;

fn main() {
    let _ = s![99999999999999999999];
}
