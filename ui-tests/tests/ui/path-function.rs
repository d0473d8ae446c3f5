use pyslice::s;

fn main() {
    let _ = s![i64::from(3)];
}
