use pyslice::s;

fn main() {
    let n = 2;
    let _ = s![(n > 1) & (n < 3)];
}
