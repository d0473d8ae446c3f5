use pyslice::s;

fn main() {
    let _ = s![Vec::<u8>::new().len()];
}
