//! Slices, and what they select by Python's rules.

use object_store_tests::{Random, product};

/// A slice: as text, and which positions it takes of each axis.
#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) text: String,
    pub(crate) positions: Vec<Vec<usize>>,
    pub(crate) shape: Vec<usize>,
}

/// One entry of a slice.
#[derive(Clone, Copy)]
pub(crate) enum Take {
    New,
    Index(i64),
    Range(Option<i64>, Option<i64>, i64),
}

fn range(start: impl Into<Option<i64>>, stop: impl Into<Option<i64>>, step: i64) -> Take {
    Take::Range(start.into(), stop.into(), step)
}

impl Slice {
    /// A slice of an array of this shape; axes without an entry are taken whole.
    pub(crate) fn new(shape: &[usize], entries: &[Take]) -> Self {
        let mut axes = shape.iter();
        let (mut words, mut positions, mut out) = (Vec::new(), Vec::new(), Vec::new());
        for &entry in entries {
            let bound = |at: Option<i64>| at.map_or(String::new(), |at| at.to_string());
            match entry {
                Take::New => {
                    words.push("None".into());
                    out.push(1);
                }
                Take::Index(at) => {
                    let n = *axes.next().expect("an axis");
                    words.push(at.to_string());
                    positions.push(vec![if at < 0 { at + n as i64 } else { at } as usize]);
                }
                Take::Range(start, stop, step) => {
                    let n = *axes.next().expect("an axis");
                    words.push(format!("{}:{}:{step}", bound(start), bound(stop)));
                    let taken = object_store_tests::positions(n, start, stop, step);
                    out.push(taken.len());
                    positions.push(taken);
                }
            }
        }
        for &n in axes {
            positions.push((0..n).collect());
            out.push(n);
        }
        Self { text: format!("[{}]", words.join(", ")), positions, shape: out }
    }

    pub(crate) fn random(random: &mut Random, shape: &[usize]) -> Self {
        let mut entries = Vec::new();
        for &n in &shape[..random.below(shape.len() + 1)] {
            if random.below(6) == 0 {
                entries.push(Take::New);
            }
            let mut bound = || {
                let at = random.below(3 * n) as i64 - n as i64;
                Some(at).filter(|_| random.below(3) > 0)
            };
            let (start, stop) = (bound(), bound());
            entries.push(match random.below(8) {
                0 => Take::Index(random.below(2 * n) as i64 - n as i64),
                1..5 => Take::Range(start, stop, 1 + random.below(n / 2) as i64),
                5 => Take::Range(start, stop, -1),
                _ => Take::Range(start, stop, -1 - random.below(n / 2) as i64),
            });
        }
        Self::new(shape, &entries)
    }

    /// Slices that no draw should miss, of arrays as `cases` has them.
    pub(crate) fn chosen(shape: &[usize]) -> Vec<Self> {
        use Take::{Index, New};
        let all = range(None, None, 1);
        let entries: [&[Take]; 12] = [
            &[],
            &[Index(-1)],
            &[range(None, None, -1)],
            &[range(2, 7, 1), all, range(None, None, 2)],
            &[Index(0), all, range(None, None, -3)],
            &[range(4, 8, 1), range(5, 10, 1), range(8, 16, 1)],
            &[range(3, 9, 1), Index(6), New, range(9, 21, 1)],
            &[Index(5), Index(8), Index(13)],
            &[New, range(None, None, 5), range(None, None, 9), range(-1, None, -11), New],
            &[range(5, 5, 1)],
            &[range(0, 4, 1), range(0, 8, 1), range(0, 12, 1)],
            &[range(8, None, -4), range(11, 3, -2), range(1, -1, 1)],
        ];
        entries.iter().map(|entries| Self::new(shape, entries)).collect()
    }

    /// The numbers of the elements it selects, in C order.
    pub(crate) fn elements(&self, shape: &[usize]) -> Vec<usize> {
        let number = |at: &Vec<usize>| at.iter().zip(shape).fold(0, |n, (i, len)| n * len + i);
        product(&self.positions).iter().map(number).collect()
    }
}
