//! Honest and dishonest views: the check that all `unsafe` of the kernels rests on.

use crate::kernel::View;

fn fits(shape: &[usize], strides: &[isize], offset: usize, buffer: usize) -> Option<usize> {
    View { shape, strides, offset }.fits(buffer)
}

#[test]
fn an_honest_view_fits() {
    assert_eq!(fits(&[], &[], 0, 1), Some(1));
    assert_eq!(fits(&[3], &[1], 0, 3), Some(3));
    assert_eq!(fits(&[3], &[-1], 2, 3), Some(3));
    assert_eq!(fits(&[2, 3], &[3, 1], 0, 6), Some(6));
    assert_eq!(fits(&[2, 3], &[-3, -1], 5, 6), Some(6));
    assert_eq!(fits(&[5, 2], &[0, 1], 1, 3), Some(10), "rows that share elements");
    assert_eq!(fits(&[0], &[1], 99, 1), Some(0), "an empty view lies anywhere");
    assert_eq!(fits(&[0, usize::MAX], &[1, 1], 0, 0), Some(0));
}

#[test]
fn a_view_that_leaves_its_buffer_is_refused() {
    assert_eq!(fits(&[], &[], 0, 0), None, "one position, no element");
    assert_eq!(fits(&[], &[], 1, 1), None);
    assert_eq!(fits(&[3], &[1], 1, 3), None, "one past the end");
    assert_eq!(fits(&[3], &[-1], 1, 9), None, "one before the start");
    assert_eq!(fits(&[2, 2], &[5, -1], 0, 9), None, "before the start on one axis only");
    assert_eq!(fits(&[2, 3], &[3, 1], 0, 5), None);
    assert_eq!(fits(&[1], &[1], usize::MAX, usize::MAX), None);
    assert_eq!(fits(&[1], &[], 0, 9), None, "ranks differ");
    assert_eq!(fits(&[], &[1], 0, 9), None, "ranks differ");
}

#[test]
fn a_view_whose_numbers_overflow_is_refused() {
    assert_eq!(fits(&[2], &[isize::MIN], 0, usize::MAX), None, "below the address space");
    assert_eq!(fits(&[3], &[isize::MAX], 0, isize::MAX as usize), None, "beyond any buffer");
    assert_eq!(fits(&[5], &[isize::MAX], 0, usize::MAX), None, "the reach overflows");
    assert_eq!(fits(&[usize::MAX, 2], &[0, 0], 0, 1), None, "the count overflows");
    assert_eq!(fits(&[2, 2], &[1, 1], usize::MAX - 1, usize::MAX), None, "the end overflows");
    let n = 1 << (usize::BITS - 1);
    assert_eq!(fits(&[n, n], &[0, 0], 0, 1), None, "the count overflows to 0");
}
