use pyslice::s;

fn main() {
    let _ = s![f::<u8, u16>()];
}
