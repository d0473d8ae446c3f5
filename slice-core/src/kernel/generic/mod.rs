//! Each algorithm once, over the vector layer.
pub(crate) mod gather;
pub(crate) mod permute;
pub(crate) mod runs;
pub(crate) mod stage;
pub(crate) mod steps;
pub(crate) mod transpose;
