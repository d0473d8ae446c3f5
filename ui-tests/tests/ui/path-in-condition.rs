use pyslice::s;

fn main() {
    let _ = s![if mode == Mode::Train { 1 } else { 0 }];
}
