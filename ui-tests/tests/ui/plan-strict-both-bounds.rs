use pyslice::plan;

fn main() {
    let _ = plan!([4, 6]; ..., 6:-8:-1; strict);
}
