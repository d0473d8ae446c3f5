use pyslice::plan;

fn main() {
    let _ = plan!(SHAPE, 1);
}
