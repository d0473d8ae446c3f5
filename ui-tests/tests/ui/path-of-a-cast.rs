use pyslice::s;

fn main() {
    let _ = s![n as config::Index:];
}
