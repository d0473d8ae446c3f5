use pyslice::plan;

fn main() {
    let _ = plan!(shape; 1);
}
