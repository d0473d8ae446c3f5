use pyslice::s;

fn main() {
    let _ = s![1:10 step 2];
}
