use pyslice::s;

fn main() {
    let _ = s![1, if a and b { 1 } else { 2 }];
}
