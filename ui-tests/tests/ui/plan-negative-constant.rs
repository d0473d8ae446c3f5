use pyslice::plan;

const N: usize = 2;

fn main() {
    let _ = plan!([4, 6]; -N:);
}
