use pyslice::s;

fn main() {
    let _ = s![torch.argmax(x)];
}
