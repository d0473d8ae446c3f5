use pyslice::s;

fn main() {
    let _ = s![1:if n == m::N { 1 } else { 2 }];
}
