use pyslice::s;

fn main() {
    let _ = s![[i for i in idx]];
}
