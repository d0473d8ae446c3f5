//! A picture to draw on, and pictures resized to fit it. Every pixel is moved by a plan.

use super::pixels::Pixels;
use pyslice::{Shaped, SliceError, s};
use std::fmt;

/// An RGB picture of 8 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// Its pixels.
    pub rgb: Vec<u8>,
}

/// How a picture was brought to size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// So many pixels a side became one.
    Smaller(usize),
    /// One pixel became so many a side.
    Larger(usize),
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Smaller(1) => f.write_str("pixel for pixel"),
            Scale::Smaller(k) => write!(f, "shown at 1/{k}"),
            Scale::Larger(k) => write!(f, "shown at {k} times"),
        }
    }
}

/// The side of a square of the chequered background that shows through transparent pixels.
const SQUARE: usize = 8;

impl Canvas {
    /// A canvas of one colour.
    pub fn new(rows: usize, columns: usize, colour: [u8; 3]) -> Result<Canvas, SliceError> {
        let mut canvas = Canvas { rows, columns, rgb: vec![0; rows * columns * 3] };
        canvas.fill(0, 0, rows, columns, colour)?;
        Ok(canvas)
    }

    /// Rows, columns and the three channels.
    pub fn shape(&self) -> [usize; 3] {
        [self.rows, self.columns, 3]
    }

    /// Fills a rectangle.
    pub fn fill(
        &mut self,
        y: usize,
        x: usize,
        rows: usize,
        columns: usize,
        colour: [u8; 3],
    ) -> Result<(), SliceError> {
        let place = s![y:y + rows, x:x + columns].plan(&self.shape())?;
        place.assign(&mut self.rgb, Shaped(&colour, &[3]))
    }

    /// Puts another canvas on this one.
    pub fn paste(&mut self, y: usize, x: usize, other: &Canvas) -> Result<(), SliceError> {
        s![y:y + other.rows, x:x + other.columns]
            .plan(&self.shape())?
            .assign(&mut self.rgb, &other.rgb)
    }

    /// A picture about as large as `side` by `side`: made smaller by averaging, or larger by
    /// repeating, a whole number of times, so that every pixel is treated alike. Says how
    /// often.
    pub fn fitted(pixels: &Pixels, side: usize) -> Result<(Canvas, Scale), SliceError> {
        let longest = pixels.rows.max(pixels.columns).max(1);
        let smaller = ((longest + side / 2) / side).max(1);
        let larger = (side / longest).max(1);
        let canvas = Canvas::opaque(pixels, SQUARE * smaller)?.shrink(smaller)?.enlarge(larger)?;
        Ok((canvas, if larger > 1 { Scale::Larger(larger) } else { Scale::Smaller(smaller) }))
    }

    /// The colours of a picture, with transparent pixels on a chequered background.
    fn opaque(pixels: &Pixels, square: usize) -> Result<Canvas, SliceError> {
        let (rows, columns) = (pixels.rows, pixels.columns);
        let shape = [rows, columns, pixels.channels];
        let mut rgb = vec![0; rows * columns * 3];
        let colours = if pixels.channels < 3 {
            s![..., :1].plan(&shape)?
        } else {
            s![..., :3].plan(&shape)?
        };
        let levels = colours.copy(&pixels.bytes)?;
        s![].plan(&[rows, columns, 3])?.assign(&mut rgb, Shaped(&levels, colours.shape()))?;
        if matches!(pixels.channels, 2 | 4) {
            let alpha = s![..., -1].plan(&shape)?.copy(&pixels.bytes)?;
            for (i, (pixel, &alpha)) in rgb.chunks_exact_mut(3).zip(&alpha).enumerate() {
                let (y, x) = (i / columns / square, i % columns / square);
                let background: u32 = if (y + x).is_multiple_of(2) { 255 } else { 221 };
                for level in pixel {
                    let mixed =
                        u32::from(*level) * u32::from(alpha) + background * u32::from(255 - alpha);
                    *level = (mixed / 255) as u8;
                }
            }
        }
        Ok(Canvas { rows, columns, rgb })
    }

    /// Every `k` by `k` pixels become their average: the sum of the slices `i::k`, first of the
    /// rows, then of the columns.
    fn shrink(self, k: usize) -> Result<Canvas, SliceError> {
        if k == 1 {
            return Ok(self);
        }
        let (rows, columns) = (self.rows.div_ceil(k), self.columns.div_ceil(k));
        let between = [rows, self.columns, 3];
        let mut by_row = vec![0u64; between.iter().product()];
        for i in 0..k.min(self.rows) {
            let plan = s![i::k].plan(&self.shape())?;
            let part: Vec<u64> = plan.copy(&self.rgb)?.into_iter().map(u64::from).collect();
            s![:plan.shape()[0]].plan(&between)?.add_assign(&mut by_row, &part)?;
        }
        let mut sums = vec![0u64; rows * columns * 3];
        for i in 0..k.min(self.columns) {
            let plan = s![:, i::k].plan(&between)?;
            let part = plan.copy(&by_row)?;
            s![:, :plan.shape()[1]].plan(&[rows, columns, 3])?.add_assign(&mut sums, &part)?;
        }
        // The last row and column of averages may stand for fewer pixels.
        let share = |at: usize, len: usize| k.min(len - at * k) as u64;
        let average = |(i, sum): (usize, u64)| {
            let (y, x) = (i / 3 / columns, i / 3 % columns);
            let count = share(y, self.rows) * share(x, self.columns);
            ((sum + count / 2) / count) as u8
        };
        Ok(Canvas { rows, columns, rgb: sums.into_iter().enumerate().map(average).collect() })
    }

    /// Every pixel becomes `k` by `k` pixels: broadcast along two new axes.
    fn enlarge(self, k: usize) -> Result<Canvas, SliceError> {
        if k == 1 {
            return Ok(self);
        }
        let (rows, columns) = (self.rows, self.columns);
        let mut rgb = vec![0; rows * k * columns * k * 3];
        let all = s![].plan(&[rows, k, columns, k, 3])?;
        all.assign(&mut rgb, Shaped(&self.rgb, &[rows, 1, columns, 1, 3]))?;
        Ok(Canvas { rows: rows * k, columns: columns * k, rgb })
    }
}
