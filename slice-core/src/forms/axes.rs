//! The axes form: `axes`, `starts`, `ends`, `strides`, as Paddle's `strided_slice` and ONNX's
//! `Slice` carry it.

use super::StepRange;
use crate::algebra::runs::AxisPart;
use crate::axis;
use crate::encoding::{Entry, SpecBuf, shorten};
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::walk::MAX_RANK;
use alloc::vec;
use alloc::vec::Vec;

/// A slice in axes form: what `Slice` and `strided_slice` ops take, and what they leave to a
/// squeeze and an unsqueeze.
///
/// Apply `starts:ends:strides` on `axes` (by Python's rules), then remove the axes in `drop`, then
/// insert axes of length 1 so that they stand at the positions in `add`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AxesForm {
    /// The axes of the input that are sliced, ascending. An axis that is taken whole is left out.
    /// If there are none, no operator is needed.
    pub axes: Vec<i64>,
    /// The first position on each; never negative.
    pub starts: Vec<i64>,
    /// Where to stop on each; `-n - 1` on an axis of `n` where a negative stride runs down to
    /// element 0 (-1 would mean the last element). It is never 2^31 - 1 on a longer axis, where
    /// ONNX takes that for the end: it is counted from the end then.
    pub ends: Vec<i64>,
    /// The step on each; never 0.
    pub strides: Vec<i64>,
    /// The axes of the input to drop after slicing, ascending.
    pub drop: Vec<usize>,
    /// The positions in the final shape at which an axis of length 1 is added, ascending.
    pub add: Vec<usize>,
}

impl SpecBuf {
    /// Reads the axes form with Python's rules: Paddle's `strided_slice`, and other operators with
    /// the same rules.
    ///
    /// `axes` may be negative and in any order; axes that are not named are taken whole.
    ///
    /// # Errors
    ///
    /// Vectors of different lengths, a rank that no plan has, an axis outside `-rank..rank`, an
    /// axis named twice, a stride of 0, or more separate entries than the 31 that fit the masks.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::SpecBuf;
    ///
    /// let spec = SpecBuf::from_axes(3, &[-1, 0], &[4, 1], &[0, 3], &[-2, 1])?;
    /// assert_eq!(spec.to_string(), "1:3, :, 4:0:-2");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// `paddle.strided_slice` 3.3 on distinct axes (recorded answers, `paddle_slice`), which agrees
    /// with NumPy.
    #[inline]
    pub fn from_axes(
        rank: usize,
        axes: &[i64],
        starts: &[i64],
        ends: &[i64],
        strides: &[i64],
    ) -> Result<SpecBuf, SliceError> {
        SpecBuf::from_entries(shorten(&named(rank, axes, starts, ends, strides)?))
    }
}

/// The entry of each axis; `None` for one that is not named.
#[inline]
fn named(
    rank: usize,
    axes: &[i64],
    starts: &[i64],
    ends: &[i64],
    strides: &[i64],
) -> Result<Vec<Option<Entry>>, SliceError> {
    for (what, found) in
        [("starts", starts.len()), ("ends", ends.len()), ("strides", strides.len())]
    {
        if found != axes.len() {
            return Err(SliceError::LengthMismatch { what, found, expected: axes.len() });
        }
    }
    let all = axes.iter().zip(starts).zip(ends).zip(strides).enumerate();
    on_axes(
        rank,
        all.map(|(i, (((&axis, &start), &stop), &step))| match step {
            0 => Err(SliceError::ZeroStep { entry: i }),
            _ => Ok((axis, Entry::Range { start: Some(start), stop: Some(stop), step })),
        }),
    )
}

/// The value for each axis; `None` for an axis that is not named.
#[inline]
pub fn on_axes<T: Copy>(
    rank: usize,
    said: impl Iterator<Item = Result<(i64, T), SliceError>>,
) -> Result<Vec<Option<T>>, SliceError> {
    if rank > MAX_RANK {
        return Err(SliceError::RankTooHigh { rank, limit: MAX_RANK });
    }
    let mut named: Vec<Option<T>> = vec![None; rank];
    for said in said {
        let (axis, what) = said?;
        let at = resolve(axis, rank)?;
        match named.get_mut(at) {
            Some(slot @ None) => *slot = Some(what),
            _ => return Err(SliceError::RepeatedAxis { axis: at }),
        }
    }
    Ok(named)
}

/// An axis counted from the front.
#[inline]
pub fn resolve(axis: i64, rank: usize) -> Result<usize, SliceError> {
    let n = i64::try_from(rank).unwrap_or(i64::MAX);
    match axis::position(axis, n).and_then(|v| usize::try_from(v).ok()) {
        Some(v) => Ok(v),
        None => Err(SliceError::AxisOutOfRange { axis, rank }),
    }
}

/// The end that ONNX takes for the end of the axis in the direction of travel, as it does
/// `i64::MAX`.
pub const ONNX_END: i64 = i32::MAX as i64;

/// Where to stop, as a number that ONNX does not take for the end of the axis.
#[inline]
fn end(part: &AxisPart) -> i64 {
    let (stop, len) = (part.stop(), i64::try_from(part.axis_len).unwrap_or(i64::MAX));
    if stop == ONNX_END && len > stop { stop.saturating_sub(len) } else { stop }
}

impl Plan {
    /// The slice in axes form, as ONNX's `Slice` and Paddle's `strided_slice` take it, with the
    /// axes to drop and to add. It is computed from the plan; the slice is not planned again.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, permuted, broadcast or
    /// reshaped; [`SliceError::NotRepresentable`] for an axis that was added and then emptied.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let form = s![1, None, ::-2].plan(&[4, 6])?.to_axes()?;
    /// assert_eq!((form.starts, form.ends, form.strides), (vec![1, 5], vec![2, 0], vec![1, -2]));
    /// // A stop before position 0 is -n - 1: -1 would be the last position.
    /// assert_eq!(s![::-1].plan(&[6])?.to_axes()?.ends, [-7]);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn to_axes(&self) -> Result<AxesForm, SliceError> {
        let mut form = AxesForm::default();
        for (a, part) in self.takings("an axes form")?.into_iter().enumerate() {
            if part.out.is_none() {
                form.drop.push(a);
            } else if part.is_whole() {
                continue;
            }
            form.axes.push(a as i64);
            form.starts.push(part.start as i64);
            form.ends.push(end(&part));
            form.strides.push(part.step as i64);
        }
        form.add = self.added().collect();
        Ok(form)
    }

    /// The slice as stepped ranges, which ndarray and burn take: one for each axis of the input. An
    /// axis that the slice drops has length 1 in the result. [`to_axes`](Plan::to_axes) names these
    /// axes, and those that the slice adds.
    ///
    /// # Errors
    ///
    /// Those of [`to_axes`](Plan::to_axes).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::StepRange;
    /// use pyslice::{SliceError, s};
    ///
    /// let ranges = s![1, ..., ::-2].plan(&[4, 3, 6])?.to_step_ranges()?;
    /// let range = |start, end, step| StepRange { start, end: Some(end), step };
    /// assert_eq!(ranges, [range(1, 2, 1), range(0, 3, 1), range(1, 6, -2)]);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn to_step_ranges(&self) -> Result<Vec<StepRange>, SliceError> {
        let range = |part: AxisPart| StepRange {
            start: part.low(),
            end: Some(part.high()),
            step: part.step as i64,
        };
        Ok(self.takings("a list of stepped ranges")?.into_iter().map(range).collect())
    }
}

impl AxesForm {
    /// The slice that does all three steps on an array of the given shape, by Python's rules: the
    /// inverse of [`to_axes`](SpecBuf::to_axes).
    ///
    /// The numbers of an ONNX graph follow ONNX's rules, where a start or an end outside its axis
    /// can mean another position: the reader `interop::onnx::slice` follows them.
    ///
    /// # Errors
    ///
    /// Those of [`SpecBuf::from_axes`] and [`Spec::plan`](crate::Spec::plan); an axis in `drop` or
    /// a position in `add` that does not exist or is named twice; [`SliceError::DropLength`] for an
    /// axis in `drop` that is not of length 1 after slicing.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{AxesForm, s};
    ///
    /// // Slices two axes, drops axis 0, and adds an axis in its place.
    /// let form = AxesForm {
    ///     axes: vec![0, 1],
    ///     starts: vec![1, 5],
    ///     ends: vec![2, -7],
    ///     strides: vec![1, -1],
    ///     drop: vec![0],
    ///     add: vec![0],
    /// };
    /// let spec = form.to_spec(&[4, 6])?;
    /// assert_eq!(spec.plan(&[4, 6])?.shape(), [1, 6]);
    /// assert!(spec.same_on(s![1, None, ::-1], &[4, 6])?);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// The order is the one of ONNX, `Slice`, `Squeeze`, `Unsqueeze`, whose axes count in the
    /// output where axes are added.
    #[inline]
    pub fn to_spec(&self, shape: &[usize]) -> Result<SpecBuf, SliceError> {
        let rank = shape.len();
        let mut named = named(rank, &self.axes, &self.starts, &self.ends, &self.strides)?;
        // Checks the shape, and gives the length of each axis after slicing.
        let sliced = SpecBuf::from_entries(shorten(&named))?.plan(shape)?;
        let mut dropped = vec![false; rank];
        for &axis in &self.drop {
            let (Some(entry), Some(&len), Some(seen)) =
                (named.get_mut(axis), sliced.shape().get(axis), dropped.get_mut(axis))
            else {
                return Err(SliceError::AxisOutOfRange { axis: axis as i64, rank });
            };
            if core::mem::replace(seen, true) {
                return Err(SliceError::RepeatedAxis { axis });
            }
            if len != 1 {
                return Err(SliceError::DropLength { axis, len });
            }
            let n = shape.get(axis).map_or(0, |&n| n as i64);
            let first = match *entry {
                Some(Entry::Range { start, stop, step }) => axis::run(n, start, stop, step).start,
                _ => 0,
            };
            *entry = Some(Entry::Index(first));
        }
        let out = rank.saturating_sub(self.drop.len()).saturating_add(self.add.len());
        let mut added = vec![false; out];
        for &at in &self.add {
            match added.get_mut(at) {
                Some(seen @ false) => *seen = true,
                Some(_) => return Err(SliceError::RepeatedAxis { axis: at }),
                None => return Err(SliceError::AxisOutOfRange { axis: at as i64, rank: out }),
            }
        }
        // New axes and those that are kept take the places of the result in turn; one that is
        // dropped takes none.
        let (mut entries, mut places) = (Vec::new(), added.into_iter().peekable());
        for (entry, dropped) in named.into_iter().zip(dropped) {
            if !dropped {
                while places.next() == Some(true) {
                    entries.push(Some(Entry::NewAxis));
                }
            }
            entries.push(entry);
        }
        entries.extend(places.map(|_| Some(Entry::NewAxis)));
        SpecBuf::from_entries(shorten(&entries))
    }
}
