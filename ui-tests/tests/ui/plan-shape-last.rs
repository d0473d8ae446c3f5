use pyslice::plan;

fn main() {
    let _ = plan!(1, ::2; [4, 6]);
}
