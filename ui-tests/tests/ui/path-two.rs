use pyslice::s;

fn main() {
    let _ = s![u8::MIN:u8::MAX];
}
