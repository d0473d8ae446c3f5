use pyslice::s;

fn main() {
    let _ = s![n - x[-1]:];
}
