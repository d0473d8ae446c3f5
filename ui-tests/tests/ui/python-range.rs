use pyslice::s;

fn main() {
    let _ = s![range(1, 9, 2)];
}
