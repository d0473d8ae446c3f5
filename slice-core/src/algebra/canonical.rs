//! Whether two slices select the same elements, and the canonical form of all that do.

use super::runs::{AxisPart, EMPTY_NEW_AXIS};
use crate::encoding::{Entry, SpecBuf, shorten};
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::axes::OutAxis;
use alloc::vec;
use alloc::vec::Vec;

impl Plan {
    /// Whether both plans give results of equal shape, with the same position of the buffer at each
    /// place.
    ///
    /// Two empty results are the same if they have the same shape. Unlike `==`, this ignores how
    /// the plans were made: a dropped step, a new axis for an axis of length 1, the shape of the
    /// input.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let short = s![0:1:5].plan(&[9])?;
    /// let other = s![-9, None].plan(&[9])?;
    /// assert!(short != other && short.selects_same(&other));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn selects_same(&self, other: &Plan) -> bool {
        let same_axis = |(a, b): (OutAxis, OutAxis)| {
            // A stride matters only where there is a second position.
            a.len < 2 || a.stride == b.stride
        };
        self.shape() == other.shape()
            && (self.is_empty()
                || self.offset() == other.offset() && self.axes().zip(other.axes()).all(same_axis))
    }

    /// The slice that takes the same elements from the input in one step, in canonical form.
    ///
    /// Two plans on one shape that [select the same](Plan::selects_same) give equal slices. Where
    /// there is a choice, the canonical form keeps axes rather than dropping and adding them,
    /// leaves out bounds that are not needed, and leaves out whole axes at the end.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides. [`SliceError::TooLong`] if it
    /// takes more than 31 entries. [`SliceError::NotRepresentable`] if no single slice gives the
    /// shape, because an axis was added and then cut to length 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let both = s![::-1].plan(&[10, 4])?.then(s![1:-1:3])?;
    /// assert_eq!(both.to_spec()?.to_string(), "8::-3");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "fold")]
    #[inline]
    pub fn to_spec(&self) -> Result<SpecBuf, SliceError> {
        let parts = match self.parts("`to_spec`")? {
            Some(parts) => parts,
            // Nothing is taken: any part of an axis works, and the first positions are the
            // canonical ones.
            None => self
                .input_shape()
                .iter()
                .map(|&n| AxisPart { axis_len: n, start: 0, step: 1, len: 0, out: None })
                .collect(),
        };
        let Some(entries) = spell(self.shape(), &parts, self.is_empty()) else {
            return Err(EMPTY_NEW_AXIS);
        };
        SpecBuf::from_entries(shorten(&entries))
    }
}

/// How entry i of the result and axis j of the input can go together.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The axis is kept: `start:stop:step`.
    Keep,
    /// The axis of the result is new.
    Add,
    /// The axis of the input is dropped.
    Drop,
    /// They cannot go together.
    None,
}

/// The entries that turn `parts` into `shape`, with `None` for a whole axis. Returns `None` if no
/// entries do.
///
/// Going backwards, each pair of an axis of the result and one of the input gets the first way that
/// leads to the end. These ways are then followed from the front. So the outcome depends only on
/// the shape and the parts.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "i and j are at most the ranks, which are at most 254"
)]
#[inline]
fn spell(shape: &[usize], parts: &[AxisPart], empty: bool) -> Option<Vec<Option<Entry>>> {
    let (rank, axes) = (shape.len(), parts.len());
    let at = |i: usize, j: usize| i.saturating_mul(axes.saturating_add(1)).saturating_add(j);
    let mut ways = vec![Way::None; at(rank.saturating_add(1), 0)];
    for i in (0..=rank).rev() {
        for j in (0..=axes).rev() {
            let open = |i: usize, j: usize| {
                (i, j) == (rank, axes)
                    || ways.get(at(i, j)).is_some_and(|&w| i <= rank && j <= axes && w != Way::None)
            };
            let (len, part) = (shape.get(i).copied(), parts.get(j));
            let keeps = match (len, part) {
                (Some(len), Some(p)) if empty => len <= p.axis_len,
                (Some(len), Some(p)) => len == p.len,
                _ => false,
            };
            let drops = part.is_some_and(|p| if empty { p.axis_len > 0 } else { p.len == 1 });
            let way = if keeps && open(i + 1, j + 1) {
                Way::Keep
            } else if len == Some(1) && open(i + 1, j) {
                Way::Add
            } else if drops && open(i, j + 1) {
                Way::Drop
            } else {
                Way::None
            };
            if let Some(slot) = ways.get_mut(at(i, j)) {
                *slot = way;
            }
        }
    }
    let (mut i, mut j, mut entries) = (0, 0, Vec::with_capacity(axes));
    while (i, j) != (rank, axes) {
        match ways.get(at(i, j))? {
            Way::Keep => {
                let (&len, part) = (shape.get(i)?, parts.get(j)?);
                entries.push(range(AxisPart { len, ..*part }));
                (i, j) = (i + 1, j + 1);
            }
            Way::Add => {
                entries.push(Some(Entry::NewAxis));
                i += 1;
            }
            Way::Drop => {
                entries.push(Some(Entry::Index(parts.get(j)?.start as i64)));
                j += 1;
            }
            Way::None => return None,
        }
    }
    Some(entries)
}

/// The shortest range for a part; `None` for a whole axis.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "every position lies on the axis, whose length fits isize"
)]
#[inline]
fn range(part: AxisPart) -> Option<Entry> {
    let (n, start, step) = (part.axis_len as i64, part.start as i64, part.step as i64);
    if part.len == part.axis_len && step == 1 {
        return None;
    }
    if part.len == 0 {
        return Some(Entry::Range { start: None, stop: Some(0), step: 1 });
    }
    // Every position lies on the axis, whose length fits isize. One step past the last position may
    // not fit.
    let last = start + step * (part.len as i64 - 1);
    let (from, past) = if step > 0 {
        (0, last.saturating_add(step) >= n)
    } else {
        (n - 1, last.saturating_add(step) < 0)
    };
    Some(Entry::Range {
        start: (start != from).then_some(start),
        stop: (!past).then_some(last + step.signum()),
        step,
    })
}
