use pyslice::s;

fn main() {
    let _ = s![9223372036854775807];
}
