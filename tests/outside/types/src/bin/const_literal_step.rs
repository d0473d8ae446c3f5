//! error: step is 0 on entry 1; a step must be 1 or more, or -1 or less
//! under: const { 0 }

fn main() {
    let _ = pyslice::s![1, ::const { 0 }];
}
