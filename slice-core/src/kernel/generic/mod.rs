//! Each algorithm once, over the vector layer.
pub(crate) mod blend;
pub(crate) mod carry;
#[cfg(target_arch = "x86_64")]
pub(crate) mod comb;
pub(crate) mod fill;
pub(crate) mod gap;
pub(crate) mod gather;
pub(crate) mod grad;
pub(crate) mod permute;
pub(crate) mod runs;
pub(crate) mod scatter;
pub(crate) mod stage;
pub(crate) mod steps;
pub(crate) mod sum;
pub(crate) mod transpose;
pub(crate) mod units;
