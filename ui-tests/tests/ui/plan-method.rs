use pyslice::plan;

fn main() {
    let _ = plan!(x.shape(); 1);
}
