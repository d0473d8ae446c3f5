use pyslice::s;

fn main() {
    let _ = s![Entry::range(1, None, 2), Entry::FULL];
}
