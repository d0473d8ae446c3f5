use pyslice::s;

fn main() {
    let _ = s![(slice(None),) * axis + (0,)];
}
