//! Memory for results.

use crate::kernel::memory::reserve;
use alloc::vec::Vec;

#[test]
fn room_is_made_once_and_used_again() {
    for len in [0usize, 1, 1000, (4 << 20) - 1, 4 << 20, (9 << 20) + 5] {
        let mut out: Vec<u8> = Vec::new();
        assert!(reserve(&mut out, len).is_ok());
        assert!(out.capacity() >= len);
        // Every byte can be written, in huge pages or not.
        out.resize(len, 7);
        let at = out.as_ptr();
        out.clear();
        assert!(reserve(&mut out, len).is_ok());
        assert_eq!((at, out.len()), (out.as_ptr(), 0));
    }
    let mut out: Vec<u64> = Vec::new();
    assert!(reserve(&mut out, usize::MAX / 4).is_err());
}
