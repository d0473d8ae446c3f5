use pyslice::s;

fn main() {
    let _ = s![let k = n; k];
}
