use pyslice::plan;

fn main() {
    let _ = plan!([9223372036854775807, 2, 3]; 0);
}
