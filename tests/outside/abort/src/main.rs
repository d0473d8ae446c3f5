//! A program in which a panic is the end, and whose own pool cannot be started.

use pyslice::s;
use std::io::Error;

fn main() {
    let failed = rayon::ThreadPoolBuilder::new()
        .spawn_handler(|_| Err(Error::other("no threads today")))
        .build_global();
    assert!(failed.is_err());
    let plan = s![::-1].plan(&[1 << 21]).unwrap();
    let data: Vec<u32> = (0..1 << 21).collect();
    for _ in 0..3 {
        assert!(plan.on(&data).unwrap().par().to_vec().unwrap().iter().eq(data.iter().rev()));
    }
}
