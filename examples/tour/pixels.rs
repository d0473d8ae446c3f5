//! Arrays as pictures: which axis is which, and how numbers become brightness.

use super::array::{Array, Dtype, Kind};
use super::common::{Failure, Tuple};
use pyslice::{Plan, s};

/// A picture to be written or shown: rows, columns, channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
    pub channels: usize,
    /// Bytes per channel: 1, or 2 in this machine's order.
    pub depth: usize,
    /// The channels, one after the other.
    pub bytes: Vec<u8>,
}

/// The numbers that stand for black and for white.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    black: f64,
    white: f64,
}

impl Levels {
    /// For the pixels of a picture file the range of their type, else the range of the values at
    /// hand.
    pub fn of(array: &Array) -> Levels {
        let (black, white) = match (array.dtype.kind, array.dtype.size) {
            (Kind::Bool, _) => (0.0, 1.0),
            (Kind::Uint, 1) => (0.0, 255.0),
            (Kind::Uint, 2) => (0.0, 65535.0),
            (Kind::Float, _) => match array.extremes() {
                Some((low, high)) if low < 0.0 || high > 1.0 => (low, high),
                _ => (0.0, 1.0),
            },
            _ => array.extremes().unwrap_or((0.0, 1.0)),
        };
        Levels { black, white }
    }

    /// Whether values are stretched to fit, so that the picture shows them only relatively.
    pub fn stretched(&self, dtype: &Dtype) -> Option<(f64, f64)> {
        let as_stored = matches!((dtype.kind, dtype.size), (Kind::Bool, _) | (Kind::Uint, 1 | 2));
        (!as_stored).then_some((self.black, self.white))
    }

    /// An element as a brightness.
    fn level(&self, dtype: &Dtype, element: &[u8]) -> u8 {
        let span = self.white - self.black;
        let share = dtype
            .number(element)
            .map_or(0.0, |v| if span == 0.0 { 1.0 } else { (v - self.black) / span });
        // A cast from float to integer saturates, and takes "not a number" to 0.
        (share * 255.0 + 0.5) as u8
    }
}

/// Which lengths of an array are rows, columns and channels.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    lengths: [usize; 3],
    /// Whether two channels would be grey and alpha: so they are where the input has just these
    /// two.
    pair: bool,
}

impl Layout {
    /// The layout of a cut; `None` if it is not a picture.
    ///
    /// A cut of a picture keeps its meaning: axis 0 is rows, 1 columns, 2 channels, and an index
    /// leaves one of them. Any other array is a picture if, apart from leading axes of length
    /// 1, it is (rows, columns) or (rows, columns, 1 to 4 channels).
    pub fn of(input: &Array, plan: &Plan) -> Option<Layout> {
        let mut lengths = [1; 3];
        if input.picture {
            for (axis, &n) in plan.source_axes().zip(plan.shape()) {
                if let Some(slot) = axis.and_then(|a| lengths.get_mut(a)) {
                    *slot = n;
                }
            }
        } else {
            let start = plan.shape().iter().position(|&n| n != 1).unwrap_or(plan.shape().len());
            lengths = match *plan.shape().get(start..)? {
                [] => [1, 1, 1],
                [columns] => [1, columns, 1],
                [rows, columns] => [rows, columns, 1],
                [rows, columns, channels @ 1..=4] => [rows, columns, channels],
                _ => return None,
            };
        }
        // Only where all of an axis of two goes to the axis of channels; two of three colours are
        // still colours.
        let last = input.shape.len().checked_sub(1);
        let pair = input.shape.last() == Some(&2) && plan.source_axes().any(|axis| axis == last);
        Some(Layout { lengths, pair })
    }

    /// The layout of a picture.
    pub fn whole(picture: &Array) -> Option<Layout> {
        Layout::of(picture, &picture.plan(s![].as_ref()).ok()?)
    }
}

impl Pixels {
    /// The pixels of `cut`, and whether two channels of it became three colours; `exact` keeps 16
    /// bits where the input has them.
    pub fn of(
        cut: Array,
        layout: Option<Layout>,
        levels: Levels,
        exact: bool,
    ) -> Result<(Pixels, bool), Failure> {
        let shape = Tuple(&cut.shape);
        if cut.bytes.is_empty() {
            return Err(Failure(format!(
                "the slice selects nothing (shape {shape}), and a picture needs a pixel"
            )));
        }
        if !cut.dtype.is_number() {
            return Err(Failure(format!(
                "elements of type {} cannot be shown as brightness; use .npy",
                cut.dtype.descr
            )));
        }
        let Some(Layout { lengths: [rows, columns, channels], pair }) = layout else {
            return Err(Failure(format!(
                "an array of shape {shape} is not a picture; use .npy, or slice further"
            )));
        };
        let (dtype, wide) =
            (&cut.dtype, exact && cut.dtype.kind == Kind::Uint && cut.dtype.size == 2);
        let (bytes, depth) = if dtype.kind == Kind::Uint && dtype.size == 1 {
            (cut.bytes, 1)
        } else if wide {
            let foreign = dtype.big_endian != cfg!(target_endian = "big");
            let pair = |e: &[u8]| if foreign { [e[1], e[0]] } else { [e[0], e[1]] };
            (cut.bytes.chunks_exact(2).flat_map(pair).collect(), 2)
        } else {
            (cut.bytes.chunks_exact(dtype.size).map(|e| levels.level(dtype, e)).collect(), 1)
        };
        let pixels = Pixels { rows, columns, channels, depth, bytes };
        Ok(if channels == 2 && !pair {
            (pixels.with_empty_channel(), true)
        } else {
            (pixels, false)
        })
    }

    /// Two colours of a picture as RGB whose third colour is missing.
    fn with_empty_channel(self) -> Pixels {
        let two = self.channels * self.depth;
        let empty = [0, 0];
        let three = self
            .bytes
            .chunks_exact(two)
            .flat_map(|p| p.iter().chain(empty.iter().take(self.depth)).copied());
        Pixels { channels: 3, bytes: three.collect(), ..self }
    }
}
