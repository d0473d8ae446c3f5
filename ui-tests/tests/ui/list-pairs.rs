use pyslice::s;

fn main() {
    let _ = s![[0, 2], [1, 3]];
}
