//! A tensor whose rank is in its type. The rank of a slice is then in its type too, and a slice
//! that takes too many axes does not compile.

use super::{Result, Tensor};
use pyslice::{Rank, SliceError, SliceRank};

/// A tensor of `N` axes.
#[derive(Clone, Debug)]
pub struct Ranked<const N: usize>(Tensor);

impl<const N: usize> Ranked<N> {
    pub fn new(tensor: Tensor) -> Result<Ranked<N>> {
        let found = tensor.shape().len();
        if found == N {
            Ok(Ranked(tensor))
        } else {
            Err(SliceError::RankMismatch { expected: N, found }.into())
        }
    }

    /// `x[spec]`; the compiler works out how many axes are left.
    pub fn slice<S, const OUT: usize>(&self, spec: S) -> Result<Ranked<OUT>>
    where
        S: SliceRank<N, Out = Rank<OUT>>,
    {
        Ranked::new(self.0.slice(spec)?)
    }

    pub fn shape(&self) -> [usize; N] {
        self.0.shape().try_into().expect("the rank was checked when this was made")
    }

    pub fn into_tensor(self) -> Tensor {
        self.0
    }
}
