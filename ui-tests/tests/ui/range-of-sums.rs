use pyslice::s;

fn main() {
    let _ = s![(i - 1)..(i + 2)];
}
