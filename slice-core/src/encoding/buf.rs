//! [`SpecBuf`]: a slice of any length, made at run time.

use super::{
    Counts, Entry, IntoEntries, IntoEntry, MAX_ENTRIES, Masks, OTHER_COUNTS, Spec, SpecRef,
};
use crate::error::SliceError;
use smallvec::SmallVec;

/// One number for each entry. Most slices have at most four entries, and need no heap.
type Numbers = SmallVec<[i64; 4]>;

/// A slice that owns its entries: parsed from text, decoded from masks or from axes, or built entry
/// by entry.
///
/// It is always canonical: where a mask bit makes the numbers of an entry meaningless, they are 0,
/// 0 and 1, and an index has stride 1, or -1 if masks gave it a negative one, which planning
/// refuses. So two encodings that differ only in such numbers compare equal.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{SpecBuf, s};
///
/// let typed: SpecBuf = "1, ::-1".parse()?;
/// assert_eq!(typed, s![1, ::-1].to_buf());
/// assert_eq!(typed.plan(&[2, 3])?.shape(), [3]);
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SpecBuf {
    begin: Numbers,
    end: Numbers,
    strides: Numbers,
    masks: Masks,
    counts: Counts,
    pub(super) strict: bool,
    pub(super) axis: i64,
}

impl SpecBuf {
    /// Makes a slice of these entries, or of what can be one: an integer is an index, and a Rust
    /// range the range of Python's with the same bounds. A list has elements of one type, which is
    /// `Entry` where they are of different kinds.
    ///
    /// # Errors
    ///
    /// A step of 0, a second ellipsis, or more than 31 entries.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "toolkit")] {
    /// use pyslice::{Entry, SpecBuf};
    ///
    /// let spec = SpecBuf::from_entries(&[Entry::Index(-1), Entry::Ellipsis])?;
    /// assert_eq!((spec.begin(), spec.end()), (&[-1, 0][..], &[0, 0][..]));
    /// assert_eq!((spec.masks().shrink_axis, spec.masks().ellipsis), (1, 2));
    /// // Rows and columns that are known only at run time.
    /// let window = SpecBuf::from_entries([4..9_usize, 0..5])?;
    /// assert_eq!(window.to_string(), "4:9, 0:5");
    /// let element = [1, -1];
    /// assert_eq!(SpecBuf::from_entries(&element)?.to_string(), "1, -1");
    /// // Entries of different kinds.
    /// let (rows, column) = (4..9_usize, 2);
    /// let part = SpecBuf::from_entries([Entry::from(rows), column.into()])?;
    /// assert_eq!(part.to_string(), "4:9, 2");
    /// # }
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// The encoding is what TensorFlow's `Tensor.__getitem__` passes to StridedSlice (recorded
    /// answers, `tf_encode`).
    #[inline]
    pub fn from_entries<E: IntoEntry>(entries: impl IntoEntries<E>) -> Result<SpecBuf, SliceError> {
        let mut out = SpecBuf::default();
        let mut entries = entries.into_entries();
        for entry in entries.by_ref().take(MAX_ENTRIES) {
            out.push(entry.into_entry())?;
        }
        match entries.count() {
            0 => Ok(out),
            more => Err(SliceError::TooLong { entries: MAX_ENTRIES.saturating_add(more) }),
        }
    }

    #[inline]
    pub(crate) fn from_ref(s: SpecRef<'_>) -> SpecBuf {
        SpecBuf {
            begin: Numbers::from_slice(s.begin),
            end: Numbers::from_slice(s.end),
            strides: Numbers::from_slice(s.strides),
            masks: s.masks,
            counts: s.counts,
            strict: s.strict,
            axis: s.axis,
        }
    }

    /// Appends an entry.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry) -> Result<(), SliceError> {
        let at = self.begin.len();
        if at >= MAX_ENTRIES {
            return Err(SliceError::TooLong { entries: at.saturating_add(1) });
        }
        let encoded = Encoded::of(entry, at, self.masks)?;
        self.begin.push(encoded.begin);
        self.end.push(encoded.end);
        self.strides.push(encoded.stride);
        self.masks = encoded.masks;
        self.counts = Counts::of(self.masks, self.begin.len());
        Ok(())
    }

    /// Appends an index whose stride was negative in the masks that it was decoded from. Planning
    /// it is an error.
    #[cfg(feature = "toolkit")]
    #[inline]
    pub(crate) fn push_bad_shrink(&mut self, index: i64) -> Result<(), SliceError> {
        self.push(Entry::Index(index))?;
        if let Some(s) = self.strides.last_mut() {
            *s = -1;
        }
        Ok(())
    }

    /// Borrows the slice.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "the same name as on Spec, where it is const")]
    pub fn as_ref(&self) -> SpecRef<'_> {
        let SpecBuf { begin, end, strides, masks, counts, strict, axis } = self;
        let (masks, counts, strict, axis) = (*masks, *counts, *strict, *axis);
        SpecRef { begin, end, strides, masks, counts, strict, axis }
    }
}

/// One entry as numbers, and the masks with its bits set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoded {
    /// The begin of the entry.
    pub(crate) begin: i64,
    /// Its end.
    pub(crate) end: i64,
    /// Its stride.
    pub(crate) stride: i64,
    /// The masks of this entry and of those before it.
    pub(crate) masks: Masks,
}

impl Encoded {
    /// Encodes `entry` as number `at` (below 31) of a slice whose masks so far are `masks`. Nothing
    /// else turns an entry into numbers and mask bits.
    ///
    /// # Errors
    ///
    /// A step of 0 or a second ellipsis.
    #[inline]
    pub(crate) const fn of(entry: Entry, at: usize, masks: Masks) -> Result<Encoded, SliceError> {
        match entry {
            Entry::Range { step: 0, .. } => Err(SliceError::ZeroStep { entry: at }),
            Entry::Ellipsis if masks.ellipsis != 0 => Err(SliceError::SecondEllipsis { entry: at }),
            _ => Ok(Encoded::as_it_is(entry, at, masks)),
        }
    }

    /// [`of`](Self::of) without the rules. Nothing else turns an entry into numbers and mask bits.
    #[inline]
    pub(crate) const fn as_it_is(entry: Entry, at: usize, masks: Masks) -> Encoded {
        let mut m = masks;
        let bit = 1u32.wrapping_shl(at as u32);
        match entry {
            Entry::Index(i) => {
                m.shrink_axis |= bit;
                // No axis has a position i64::MAX, so that index is refused by every plan; its end
                // only has to exist.
                Encoded { begin: i, end: i.saturating_add(1), stride: 1, masks: m }
            }
            Entry::NewAxis => {
                m.new_axis |= bit;
                Encoded { begin: 0, end: 0, stride: 1, masks: m }
            }
            Entry::Ellipsis => {
                m.ellipsis |= bit;
                Encoded { begin: 0, end: 0, stride: 1, masks: m }
            }
            Entry::Range { start, stop, step } => {
                let begin = match start {
                    Some(v) => v,
                    None => {
                        m.begin |= bit;
                        0
                    }
                };
                let end = match stop {
                    Some(v) => v,
                    None => {
                        m.end |= bit;
                        0
                    }
                };
                Encoded { begin, end, stride: step, masks: m }
            }
        }
    }
}

/// Converts a slice that is known only at run time to a [`Spec`], whose type has the counts of its
/// entries, axes, indices and new axes.
///
/// # Examples
///
/// ```
/// use pyslice::{Spec, SpecBuf};
///
/// let buf: SpecBuf = "0, None, 1:".parse()?;
/// assert_eq!(Spec::<3, 2, 1, 1>::try_from(buf.as_ref())?.as_ref(), buf.as_ref());
/// assert!(Spec::<3>::try_from(buf.as_ref()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<const L: usize, const T: usize, const D: usize, const A: usize> TryFrom<SpecRef<'_>>
    for Spec<L, T, D, A>
{
    type Error = SliceError;

    /// Fails with [`SliceError::NotRepresentable`] if one of these counts differs.
    #[inline]
    fn try_from(spec: SpecRef<'_>) -> Result<Self, SliceError> {
        let found = Counts::of(spec.masks, spec.len());
        if (usize::from(found.takes), usize::from(found.drops), usize::from(found.adds))
            != (T, D, A)
            || spec.axis != 0
        {
            return Err(OTHER_COUNTS);
        }
        let array = |v: &[i64]| v.try_into().map_err(|_| OTHER_COUNTS);
        let new = Spec::new(array(spec.begin)?, array(spec.end)?, array(spec.strides)?, spec.masks);
        Ok(if spec.strict { new.strict() } else { new })
    }
}

impl Default for SpecBuf {
    /// The empty slice, Python's `x[()]`.
    #[inline]
    fn default() -> SpecBuf {
        SpecBuf {
            begin: Numbers::new(),
            end: Numbers::new(),
            strides: Numbers::new(),
            masks: Masks::default(),
            counts: Counts::default(),
            strict: false,
            axis: 0,
        }
    }
}
