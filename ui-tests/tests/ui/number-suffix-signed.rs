use pyslice::s;

fn main() {
    let _ = s![-1_i64:];
}
