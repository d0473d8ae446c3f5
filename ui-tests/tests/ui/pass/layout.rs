//! Comments, line breaks, other brackets, trailing commas.
#![deny(warnings)]
use pyslice::s;

fn main() {
    let n = 4;
    let spec = s![
        1, // the first row
        /* from the second */ 2
            : /* to the fourth */
            n,
        ...,
        ::
        -1,
    ];
    assert_eq!(spec, s!(1, 2:4, ..., ::-1));
    assert_eq!(spec, s! { 1, 2:4, ..., ::-1, });
}
