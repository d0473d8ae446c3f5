//! macerator: `AutoArch` compiles for the set that it finds, AVX-512 by default (without VBMI). Its vectors have arithmetic,
//! comparisons, selection and halves of loads; nothing that moves an element to another lane. So what it does here is to
//! compile the plain loop.

use ::macerator::{AutoArch, Simd, WithSimd};

use crate::{Layer, plain};

pub(crate) const LAYER: Layer = Layer {
    name: "macerator*",
    reverse: |src, dst| AutoArch::new().dispatch(Loop(plain::reverse, src, dst)),
    second: |src, dst| AutoArch::new().dispatch(Loop(plain::second, src, dst)),
    bgr: |src, dst| AutoArch::new().dispatch(Loop(plain::bgr, src, dst)),
    columns: |src, dst| AutoArch::new().dispatch(Loop(plain::columns, src, dst)),
    bytes: |src, dst| AutoArch::new().dispatch(Loop(plain::second, src, dst)),
};

/// As in `pulp.rs`.
struct Loop<'a, T, F>(F, &'a [T], &'a mut [T]);

impl<T, F: Fn(&[T], &mut [T])> WithSimd for Loop<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self) {
        self.0(self.1, self.2);
    }
}
