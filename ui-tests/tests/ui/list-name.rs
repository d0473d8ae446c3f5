use pyslice::s;

fn main() {
    let q = 1;
    let _ = s![[q]];
}
