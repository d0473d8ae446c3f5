use pyslice::s;

fn main() {
    let _ = s![lambda x: x];
}
