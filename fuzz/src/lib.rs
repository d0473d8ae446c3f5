//! What the fuzz targets share: bytes decoded into cases, and the reference of the tests.
//!
//! The layout of a case is plain, so that `seed` can write the recorded answers' cases in it.
#![allow(dead_code, reason = "each target uses a part")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a target fails by panicking")]

#[path = "../../tests/support/check.rs"]
pub mod check;
#[path = "../../tests/support/entries.rs"]
pub mod entries;
#[cfg(feature = "fuzz")]
#[path = "../../tests/support/forged.rs"]
pub mod forged;
#[cfg(feature = "fuzz")]
#[path = "../../tests/support/layouts.rs"]
pub mod layouts;
#[path = "../../tests/support/naive.rs"]
pub mod naive;
#[path = "../../tests/support/recorded.rs"]
pub mod recorded;

use naive::Item;

/// A shape, and a slice in masks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Bits that a target may use as it likes.
    pub control: u8,
    pub shape: Vec<usize>,
    /// begin, end, ellipsis, new axis, shrink axis.
    pub masks: [u32; 5],
    pub begin: Vec<i64>,
    pub end: Vec<i64>,
    pub strides: Vec<i64>,
}

/// Bytes, read one after the other; 0 when there are none left.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a>(pub &'a [u8]);

impl Source<'_> {
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// One byte for a small number, nine for any other.
    pub fn number(&mut self) -> i64 {
        match self.byte() {
            small @ 0..=240 => i64::from(small) - 120,
            _ => i64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    /// The length of an axis: mostly short, some as long as a few vectors.
    pub fn length(&mut self) -> usize {
        match self.byte() {
            short @ 0..=199 => usize::from(short % 20),
            long => usize::from(long - 200) * 7 + 20,
        }
    }

    pub fn case(&mut self) -> Case {
        let control = self.byte();
        let (entries, rank) = (self.below(34), self.below(11));
        let shape = (0..rank).map(|_| self.length()).collect();
        let masks = std::array::from_fn(|_| self.word());
        let [begin, end, strides] =
            std::array::from_fn(|_| (0..entries).map(|_| self.number()).collect());
        Case { control, shape, masks, begin, end, strides }
    }
}

impl Case {
    /// The bytes that decode to this case; `None` if a part of it has no place in the layout.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let fits = self.begin.len() < 34 && self.shape.len() < 11;
        let same = self.begin.len() == self.end.len() && self.begin.len() == self.strides.len();
        if !(fits && same) {
            return None;
        }
        let mut bytes = vec![self.control, self.begin.len() as u8, self.shape.len() as u8];
        for &n in &self.shape {
            bytes.push(u8::try_from(n).ok().filter(|&n| n < 20)?);
        }
        self.masks.iter().for_each(|mask| bytes.extend(mask.to_le_bytes()));
        for &number in self.begin.iter().chain(&self.end).chain(&self.strides) {
            match number {
                -120..=120 => bytes.push((number + 120) as u8),
                _ => {
                    bytes.push(u8::MAX);
                    bytes.extend(number.to_le_bytes());
                }
            }
        }
        Some(bytes)
    }

    /// The entries, as the reference decodes them.
    pub fn items(&self) -> Result<Vec<Item>, naive::Fault> {
        naive::from_masks(&self.begin, &self.end, &self.strides, self.masks)
    }

    /// Entries that fit the shape, with as little changed as that takes.
    pub fn fitting(&self) -> Vec<Item> {
        let mut items = self.items().unwrap_or_default();
        let mut seen = false;
        items.retain(|item| *item != Item::Ellipsis || !std::mem::replace(&mut seen, true));
        let mut room = self.shape.len();
        items.retain(|item| match item {
            Item::Index { .. } | Item::Range { .. } => {
                let fits = room > 0;
                room = room.saturating_sub(1);
                fits
            }
            _ => true,
        });
        let expanded = naive::expand(self.shape.len(), &items).unwrap_or_default();
        let mut lengths = self.shape.iter();
        let mut fitted = Vec::new();
        for item in expanded {
            fitted.push(match item {
                Item::NewAxis | Item::Ellipsis => item,
                Item::Index { at, .. } => match *lengths.next().unwrap() as i128 {
                    0 => naive::FULL,
                    n if at < 0 => Item::Index { at: at.rem_euclid(n) - n, stride: 1 },
                    n => Item::Index { at: at % n, stride: 1 },
                },
                Item::Range { start, stop, step } => {
                    lengths.next();
                    Item::Range { start, stop, step: if step == 0 { 1 } else { step } }
                }
            });
        }
        fitted.truncate(31);
        fitted
    }

    /// Whether the input and the result stay small enough to try everything on them.
    pub fn is_small(&self, limit: usize) -> bool {
        let count = |shape: &[usize]| {
            shape.iter().try_fold(1_usize, |count, &n| count.checked_mul(n.max(1)))
        };
        count(&self.shape).is_some_and(|count| count <= limit)
    }
}

/// Strides of an array whose axes lie in some order, with gaps, some of them backwards or (with
/// `repeat`) of stride 0.
pub fn layout(shape: &[usize], source: &mut Source<'_>, repeat: bool) -> Vec<isize> {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by_key(|_| source.byte());
    let (mut strides, mut reach) = (vec![0; shape.len()], 1_isize);
    for &axis in &order {
        let bits = source.byte();
        let stride = reach + isize::from(bits & 3 == 3);
        strides[axis] = match bits >> 6 {
            1 => -stride,
            2 if repeat => 0,
            _ => stride,
        };
        reach = stride * shape[axis].max(1) as isize;
    }
    strides
}

/// The positions of a slice of a strided input, counted from the lowest element it touches.
pub fn positions(
    shape: &[usize],
    strides: &[isize],
    items: &[Item],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let wide: Vec<i128> = strides.iter().map(|&s| s as i128).collect();
    let (out, from) = naive::pick_strided(shape, &wide, items).ok()?;
    let lowest: i128 = if shape.contains(&0) {
        0
    } else {
        shape.iter().zip(&wide).map(|(&n, &s)| s.min(0) * (n as i128 - 1)).sum()
    };
    Some((out, from.into_iter().map(|at| (at - lowest) as usize).collect()))
}
