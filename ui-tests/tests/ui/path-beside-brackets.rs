use pyslice::s;

fn main() {
    let _ = s![h(m::N):m::N];
}
