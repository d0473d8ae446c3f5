use pyslice::s;

fn main() {
    let _ = s![(k := 3):];
}
