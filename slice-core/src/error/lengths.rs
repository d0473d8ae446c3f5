//! [`Lengths`]: a shape that an error can carry.

use crate::messages::const_message::Value::{Number, Text};
use crate::messages::const_message::fill;
use core::fmt;

/// The lengths of a shape, as an error carries them: the last seven, each up to `u32::MAX`.
///
/// It is meant to be printed, as Python prints a shape: `(3,)`, `(2, 4)`. Lengths that do not fit
/// are printed as `…` and `+`.
///
/// # Examples
///
/// ```
/// use pyslice::{SliceError, s};
///
/// # #[cfg(feature = "kernels")] {
/// let plan = s![:, 1:].plan(&[2, 3])?;
/// let error = plan.assign(&mut [0; 6], pyslice::Shaped(&[1, 2, 3], &[3])).unwrap_err();
/// let SliceError::Broadcast { values_shape, slice_shape, .. } = error else { panic!("{error}") };
/// assert_eq!(format!("{values_shape} {slice_shape}"), "(3,) (2, 2)");
/// # }
/// # Ok::<(), SliceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lengths {
    last: [u32; Self::MOST],
    rank: u8,
}

impl Lengths {
    const MOST: usize = 7;

    /// Takes the lengths of this shape.
    #[must_use]
    #[inline]
    pub fn new(shape: &[usize]) -> Lengths {
        let mut last = [0; Self::MOST];
        let mut rest = shape.get(shape.len().saturating_sub(Self::MOST)..).unwrap_or(shape);
        for to in &mut last {
            let [n, after @ ..] = rest else { break };
            *to = u32::try_from(*n).unwrap_or(u32::MAX);
            rest = after;
        }
        Lengths { last, rank: u8::try_from(shape.len()).unwrap_or(u8::MAX) }
    }
}

impl fmt::Display for Lengths {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = usize::from(self.rank);
        f.write_str(if rank > Self::MOST { "(…, " } else { "(" })?;
        let mut comma = "";
        for &n in self.last.iter().take(rank) {
            let more = if n == u32::MAX { "+" } else { "" };
            fill(f, "{}{}{}", &[Text(comma), Number(n.into()), Text(more)])?;
            comma = ", ";
        }
        f.write_str(if rank == 1 { ",)" } else { ")" })
    }
}

impl fmt::Debug for Lengths {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
