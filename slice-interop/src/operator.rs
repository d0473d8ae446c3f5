//! Shared code of the readers: numbers that may be unknown, and what an operator gives.

use crate::error::{InteropError, not_representable};
use alloc::vec::Vec;
use slice_core::__private::interop::{MAX_RANK, Part, infer_parts, shorten};
use slice_core::{Dim, Dims, Entry, MAX_ENTRIES, SliceError, SpecBuf};

/// The numbers of one input or attribute of an operator.
///
/// Slices, arrays and vectors of `i16`, `i32`, `i64`, `u32` and `u64` become this by `into()`,
/// which the readers do themselves. A number that only the running graph computes is `None` in a
/// slice of `Option<i64>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ints<'a> {
    /// All are known.
    I16(&'a [i16]),
    /// All are known.
    I32(&'a [i32]),
    /// All are known.
    I64(&'a [i64]),
    /// All are known.
    U32(&'a [u32]),
    /// All are known. One above `i64::MAX` counts as `i64::MAX`, which lies outside every axis too.
    U64(&'a [u64]),
    /// `None` is a number that is not known yet.
    Some(&'a [Option<i64>]),
    /// This many numbers, none of which is known yet.
    Later(usize),
}

impl Ints<'_> {
    /// How many numbers there are.
    pub const fn len(&self) -> usize {
        match self {
            Ints::I16(v) => v.len(),
            Ints::I32(v) => v.len(),
            Ints::I64(v) => v.len(),
            Ints::U32(v) => v.len(),
            Ints::U64(v) => v.len(),
            Ints::Some(v) => v.len(),
            Ints::Later(n) => *n,
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at `i`, if there is one and it is known.
    pub fn get(&self, i: usize) -> Option<i64> {
        match self {
            Ints::I16(v) => v.get(i).map(|&v| i64::from(v)),
            Ints::I32(v) => v.get(i).map(|&v| i64::from(v)),
            Ints::I64(v) => v.get(i).copied(),
            Ints::U32(v) => v.get(i).map(|&v| i64::from(v)),
            Ints::U64(v) => v.get(i).map(|&v| i64::try_from(v).unwrap_or(i64::MAX)),
            Ints::Some(v) => v.get(i).copied().flatten(),
            Ints::Later(_) => None,
        }
    }

    /// The numbers that are known.
    pub(crate) fn known(&self) -> impl Iterator<Item = i64> {
        let given = if let Ints::Later(_) = self { 0 } else { self.len() };
        (0..given).filter_map(|i| self.get(i))
    }

    /// An error unless there are `expected` numbers.
    pub(crate) fn expect(&self, what: &'static str, expected: usize) -> Result<(), InteropError> {
        if self.len() == expected {
            return Ok(());
        }
        Err(SliceError::LengthMismatch { what, found: self.len(), expected }.into())
    }
}

macro_rules! from {
    ($($kind:ident $t:ty),*) => { $(
        impl<'a> From<&'a [$t]> for Ints<'a> {
            fn from(v: &'a [$t]) -> Self {
                Ints::$kind(v)
            }
        }
        impl<'a, const N: usize> From<&'a [$t; N]> for Ints<'a> {
            fn from(v: &'a [$t; N]) -> Self {
                Ints::$kind(v)
            }
        }
        impl<'a> From<&'a Vec<$t>> for Ints<'a> {
            fn from(v: &'a Vec<$t>) -> Self {
                Ints::$kind(v)
            }
        }
    )* };
}
from!(I16 i16, I32 i32, I64 i64, U32 u32, U64 u64, Some Option<i64>);

/// A slicing operator of another system, with the numbers that its graph has for it.
///
/// The functions of this crate's modules return one, and its methods translate it
/// to a slice. Each follows its own system's rules, and refuses what that system refuses.
///
/// # Examples
///
/// ```
/// use pyslice::Dim;
/// use pyslice::interop::{Ints, Operator, tf};
///
/// let op = tf::slice(&[0, 2], &[-1, 3]);
/// assert_eq!(op.to_spec(&[4, 9])?.to_string(), ":, 2:5");
/// // The length of the first axis does not have to be known.
/// assert_eq!(op.spec_if_known(&[Dim::Unknown, Dim::Known(9)])?, Some(op.to_spec(&[4, 9])?));
/// // The graph computes `begin`; only how many numbers it has is known.
/// let dims =
///     tf::slice(Ints::Later(2), &[-1, 3]).infer(Some(&[Dim::Known(4), Dim::Unknown]))?;
/// assert_eq!(*dims.unwrap(), [Dim::Between(0, 4), Dim::Known(3)]);
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
pub trait Operator: sealed::Parts {
    /// The slice that the operator takes of an input of this shape.
    ///
    /// # Errors
    ///
    /// What the operator's own system refuses; [`SliceError::NotRepresentable`] for what the
    /// operator can do but no slice can, or for a number that is not known yet;
    /// [`SliceError::ShapeTooLarge`] for an axis longer than any array's, and
    /// [`SliceError::RankTooHigh`] for more axes than any plan has.
    fn to_spec(&self, shape: &[usize]) -> Result<SpecBuf, InteropError> {
        // No array has such an axis, and on 64 bits its length would not fit the arithmetic.
        if shape.iter().any(|&n| n > isize::MAX as usize) {
            return Err(SliceError::ShapeTooLarge.into());
        }
        let dims: Vec<Dim> = shape.iter().map(|&n| Dim::Known(n)).collect();
        let waits = not_representable(
            "an operator some of whose numbers the graph computes; import it when they are known",
        );
        self.spec_if_known(&dims)?.ok_or(waits)
    }

    /// The same for an input whose shape is not fully known. `None` means that the slice depends on
    /// lengths or numbers that are not known.
    ///
    /// A slice that is returned is right for every shape that the operator accepts. If the operator
    /// refuses a window that leaves its axis, plan the slice with
    /// [`strict`](slice_core::Spec::strict), which refuses it too.
    ///
    /// # Errors
    ///
    /// Those of [`to_spec`](Self::to_spec) that occur for every shape that matches `shape`.
    fn spec_if_known(&self, shape: &[Dim]) -> Result<Option<SpecBuf>, InteropError> {
        let parts = read(self, shape)?;
        // This only reports errors; its result is not needed.
        infer_parts(&parts, shape)?;
        for &part in &parts {
            match part {
                Part::Never(_, what) => return Err(not_representable(what)),
                Part::Added(Dim::Known(0)) => {
                    return Err(not_representable("an axis that is added and then emptied"));
                }
                _ => {}
            }
        }
        let entries: Option<Vec<Entry>> = parts.iter().map(|part| part.entry()).collect();
        let Some(entries) = entries else { return Ok(None) };
        if entries.contains(&Entry::Ellipsis) || self.has_entries() && entries.len() <= MAX_ENTRIES
        {
            return Ok(Some(SpecBuf::from_entries(&entries)?));
        }
        // Whole axes at the end are left out, and others if the masks have no room for them.
        let named: Vec<_> =
            entries.into_iter().map(|entry| (entry != Entry::FULL).then_some(entry)).collect();
        Ok(Some(SpecBuf::from_entries(shorten(&named))?))
    }

    /// The shape of the result, as far as it is known. Not even the rank of the input has to be
    /// known. `None` means that the rank of the result is not known.
    ///
    /// # Errors
    ///
    /// Those of [`spec_if_known`](Self::spec_if_known).
    fn infer(&self, shape: Option<&[Dim]>) -> Result<Option<Dims>, InteropError> {
        let unknown;
        let shape = match (shape, self.each_axis()) {
            (Some(shape), _) => shape,
            (None, Some(numbers)) => {
                unknown = alloc::vec![Dim::Unknown; possible(numbers.len())?];
                &unknown
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(infer_parts(&read(self, shape)?, shape)?))
    }
}

impl<T: sealed::Parts> Operator for T {}

/// The entries of the slice, if the operator is one for the rank of this shape.
fn read(
    operator: &(impl sealed::Parts + ?Sized),
    shape: &[Dim],
) -> Result<Vec<Part>, InteropError> {
    let expected = possible(shape.len())?;
    let found = operator.each_axis().map_or(Ok(expected), |numbers| possible(numbers.len()))?;
    if found != expected {
        return Err(SliceError::RankMismatch { expected, found }.into());
    }
    operator.parts(shape)
}

/// An error unless an array can have this many axes. What is done for each axis or for each number
/// is thus done a few hundred times at most.
pub(crate) const fn possible(rank: usize) -> Result<usize, InteropError> {
    if rank > MAX_RANK {
        return Err(InteropError::Slice(SliceError::RankTooHigh { rank, limit: MAX_RANK }));
    }
    Ok(rank)
}

pub(crate) mod sealed {
    use super::{Dim, InteropError, Ints, Part};
    use alloc::vec::Vec;

    /// What the reader of each system implements.
    pub trait Parts {
        /// The entries of the slice, as far as they are known.
        fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError>;

        /// Whether the operator has entries as a slice has, which the slice keeps one by one.
        fn has_entries(&self) -> bool {
            false
        }

        /// A list of numbers with one for each axis of the input, if the operator has such a list.
        fn each_axis(&self) -> Option<Ints<'_>> {
            None
        }
    }
}
