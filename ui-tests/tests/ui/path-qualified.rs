use pyslice::s;

fn main() {
    let _ = s![<usize as Default>::default()];
}
