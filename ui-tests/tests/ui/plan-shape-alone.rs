use pyslice::plan;

fn main() {
    let _ = plan!([4, 6]);
}
