//! The text between Python's brackets, for libraries that take entries one by one.

/// One entry of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Takes one position and drops the axis.
    Index(i64),
    /// `start:stop:step`; the step is 1 where it is left out.
    Range(Option<i64>, Option<i64>, i64),
    /// `None`: a new axis.
    NewAxis,
    /// `...`
    Ellipsis,
}

/// Reads a text; `None` if it holds anything but indices, ranges, `None` and `...` with numbers of
/// 64 bits.
pub fn entries(text: &str) -> Option<Vec<Entry>> {
    let text = text.trim().strip_suffix(',').unwrap_or(text.trim());
    text.split(',').map(|entry| one(entry.trim())).collect()
}

fn one(text: &str) -> Option<Entry> {
    let bound = |text: &str| match text.trim() {
        "" | "None" => Some(None),
        number => number.parse::<i64>().ok().map(Some),
    };
    match text {
        "None" | "newaxis" | "np.newaxis" | "tf.newaxis" => return Some(Entry::NewAxis),
        "..." | "Ellipsis" => return Some(Entry::Ellipsis),
        _ => {}
    }
    match text.split(':').collect::<Vec<_>>()[..] {
        [index] => bound(index)?.map(Entry::Index),
        [start, stop] => Some(Entry::Range(bound(start)?, bound(stop)?, 1)),
        [start, stop, step] => {
            Some(Entry::Range(bound(start)?, bound(stop)?, bound(step)?.unwrap_or(1)))
        }
        _ => None,
    }
}
