use pyslice::s;

fn main() {
    let _ = s![RangeFull];
}
