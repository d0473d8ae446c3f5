use pyslice::plan;

fn main() {
    let _ = plan!([4, 6]; s![1, :3].strict());
}
