//! pulp: `Arch` compiles for the set that it finds, AVX-512 by the feature `x86-v4` (without VBMI). Its trait has rotations by
//! whole vectors, and a `deinterleave` that leaves the order of the lanes open and differs from set to set; no shuffles,
//! reversals or narrowing. (Its tokens `V3` and `V4` have those, as the intrinsics of `core::arch` under other names.) So what
//! it does here is to compile the plain loop. Pixels by three shifted loads and masks were slower than that (1.05 times in
//! the cache, 1.4 to 1.8 from memory).

use ::pulp::{Arch, Simd, WithSimd};

use crate::{Layer, plain};

pub(crate) const LAYER: Layer = Layer {
    name: "pulp*",
    reverse: |src, dst| Arch::new().dispatch(Loop(plain::reverse, src, dst)),
    second: |src, dst| Arch::new().dispatch(Loop(plain::second, src, dst)),
    bgr: |src, dst| Arch::new().dispatch(Loop(plain::bgr, src, dst)),
    columns: |src, dst| Arch::new().dispatch(Loop(plain::columns, src, dst)),
    bytes: |src, dst| Arch::new().dispatch(Loop(plain::second, src, dst)),
};

/// A closure would do, but nothing makes sure that a closure is inlined into the function that has the features.
struct Loop<'a, T, F>(F, &'a [T], &'a mut [T]);

impl<T, F: Fn(&[T], &mut [T])> WithSimd for Loop<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0(self.1, self.2);
    }
}
