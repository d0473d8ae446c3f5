use pyslice::plan;

fn main() {
    let _ = plan!([6]; :, ::2, None, 3);
}
