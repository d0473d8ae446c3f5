use pyslice::s;

fn main() {
    let _ = s![x.iter().sum::<usize>():];
}
