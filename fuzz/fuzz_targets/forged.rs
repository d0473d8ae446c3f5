//! Slices under types that are not theirs, on ndarray's arrays: they are refused, or taken for what
//! they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice_fuzz::Source;
use pyslice_fuzz::forged::{Numbers, one_type};

fuzz_target!(|data: &[u8]| {
    let mut source = Source(data);
    let which = source.byte();
    let below = &mut |n| u64::from(source.byte()) % n;
    one_type(usize::from(which), &mut Numbers { below, catches: false });
});
