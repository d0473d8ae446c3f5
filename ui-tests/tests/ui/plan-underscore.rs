use pyslice::plan;

fn main() {
    let _ = plan!([_, 6]; 1);
}
