use pyslice::s;

fn main() {
    let _ = s![slice(stop=n)];
}
