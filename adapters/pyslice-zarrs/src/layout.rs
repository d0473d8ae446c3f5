use crate::selection::{Taken, taken};
use slice_core::{Plan, SliceError, SpecBuf};

/// What is read of a chunk whose elements have places of their own, as few runs of places as
/// possible for the gaps that may be read through.
///
/// The axes at the end whose gaps are read through are one block, of one length; blocks stand one
/// after the other in the buffer that is read into.
pub(crate) struct Blocks {
    /// Where the first block begins, and how long each is, in elements.
    first: usize,
    len: usize,
    /// How many blocks there are along each axis before, and how far apart.
    outer: Vec<(usize, usize)>,
    gap: usize,
    /// What the slice takes of the buffer.
    pub(crate) of: Plan,
}

/// A run of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Blocks {
    /// `gap` is in elements.
    pub(crate) fn new(plan: &Plan, order: &[usize], gap: usize) -> Result<Blocks, SliceError> {
        let (read, turn) = plan.forwards()?;
        let (parts, shape) = (taken(&read), read.input_shape());
        if !order.is_empty() && order.len() != shape.len() {
            return Err(SliceError::RankMismatch { expected: shape.len(), found: order.len() });
        }
        let stored = |axis: usize| order.get(axis).copied().unwrap_or(axis);
        // From the axis that is stored last to the first one.
        let (mut len, mut width, mut first) = (1, 1, 0);
        let mut blocks = 1;
        let mut strides = vec![0; parts.len()];
        let mut outer: Vec<(usize, usize)> = Vec::new();
        for axis in (0..parts.len()).rev().map(stored) {
            let (Some(part), Some(&n)) = (parts.get(axis), shape.get(axis)) else {
                return Err(SliceError::RankMismatch { expected: shape.len(), found: order.len() });
            };
            let Taken { start, step, len: count } = *part;
            let apart = step.unsigned_abs() * width;
            first += start * width;
            width *= n;
            if outer.is_empty() && (count <= 1 || apart - len <= gap) {
                strides[axis] = apart;
                len += (count.max(1) - 1) * apart;
            } else {
                strides[axis] = blocks * len;
                blocks *= count;
                outer.push((count, apart));
            }
        }
        outer.reverse();
        let of = laid_out(&turn, &strides)?;
        Ok(Blocks { first, len, outer, gap, of })
    }

    /// Whether there is more than one block.
    pub(crate) fn are_many(&self) -> bool {
        !self.outer.is_empty()
    }

    /// How many blocks there are.
    pub(crate) fn count(&self) -> usize {
        self.outer.iter().map(|&(n, _)| n).product()
    }

    /// How many elements the buffer has.
    pub(crate) fn buffer_len(&self) -> usize {
        self.len * self.count()
    }

    /// Where the blocks begin, in the order in which they are stored.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let mut index = vec![0; self.outer.len()];
        let mut next = self.outer.iter().all(|&(n, _)| n > 0).then_some(self.first);
        std::iter::from_fn(move || {
            let here = next?;
            let mut at = here;
            for (i, &(n, apart)) in index.iter_mut().zip(&self.outer).rev() {
                *i += 1;
                if *i < n {
                    next = Some(at + apart);
                    return Some(here);
                }
                *i = 0;
                at -= (n - 1) * apart;
            }
            next = None;
            Some(here)
        })
    }

    /// The runs to ask for.
    pub(crate) fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for start in self.starts() {
            match runs.last_mut() {
                Some(last) if start - (last.start + last.len) <= self.gap => {
                    last.len = start + self.len - last.start;
                }
                _ => runs.push(Run { start, len: self.len }),
            }
        }
        runs
    }

    /// Puts the blocks one after the other, from what was read of these runs, in bytes.
    pub(crate) fn gather(&self, runs: &[Run], read: &[impl AsRef<[u8]>], size: usize) -> Vec<u8> {
        let mut blocks = Vec::new();
        let mut runs = runs.iter().zip(read);
        let mut run = runs.next();
        for start in self.starts() {
            while let Some((at, bytes)) = run {
                if let Some(from) = start.checked_sub(at.start).filter(|&from| from < at.len) {
                    let bytes = bytes.as_ref().get(from * size..(from + self.len) * size);
                    blocks.extend_from_slice(bytes.unwrap_or_default());
                    break;
                }
                run = runs.next();
            }
        }
        blocks
    }
}

/// A plan that turns what was read forwards, over a buffer in which what was read is this far apart
/// along each axis.
pub(crate) fn laid_out(turn: &Plan, strides: &[usize]) -> Result<Plan, SliceError> {
    let mut offset = 0;
    let mut apart = Vec::with_capacity(turn.shape().len());
    for ((source, &way), &n) in turn.source_axes().zip(turn.strides()).zip(turn.shape()) {
        let stride = source.and_then(|axis| strides.get(axis)).map_or(0, |&n| n as isize);
        if way < 0 {
            offset += stride as usize * (n.max(1) - 1);
        }
        apart.push(if way < 0 { -stride } else { stride });
    }
    SpecBuf::default().plan_strided_at(turn.shape(), &apart, offset)
}
