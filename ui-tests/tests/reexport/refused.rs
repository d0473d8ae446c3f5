use tensor::s;

fn main() {
    let _ = s![0..2, ::-1];
}
