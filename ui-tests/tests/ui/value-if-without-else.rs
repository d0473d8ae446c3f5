use pyslice::s;

fn main() {
    let _ = s![if n > 1 { 2 }];
}
