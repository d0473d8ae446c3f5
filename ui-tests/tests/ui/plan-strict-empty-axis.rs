use pyslice::plan;

fn main() {
    let _ = plan!([0]; :4; strict);
}
