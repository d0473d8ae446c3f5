use pyslice::s;

fn main() {
    let _ = s![const { Some(1) }:];
}
