//! A whole slice in TensorFlow's encoding: [`Spec`] on the stack, [`SpecBuf`] on the heap,
//! [`SpecRef`] borrowed.

mod buf;
#[cfg(feature = "toolkit")]
mod builder;
mod entry;
#[cfg(feature = "toolkit")]
pub(crate) mod negated;
#[cfg(feature = "toolkit")]
mod on_axis;
#[cfg(feature = "toolkit")]
mod shorten;
mod traits;
#[cfg(feature = "toolkit")]
mod value;

pub(crate) use buf::Encoded;
pub use buf::SpecBuf;
#[cfg(feature = "toolkit")]
pub use builder::SpecBuilder;
pub use entry::{Entry, IntoEntries, IntoEntry};
#[cfg(feature = "toolkit")]
pub use on_axis::{OnAxis, SliceAxis};
#[cfg(feature = "toolkit")]
pub use shorten::shorten;
#[cfg(feature = "toolkit")]
pub use value::{SliceBound, SliceIndex};

use crate::error::SliceError;
use core::fmt;

/// The most entries a slice can have: TensorFlow's masks have 32 bits, and one is spare.
pub const MAX_ENTRIES: usize = 31;

/// The five bit masks of a StridedSlice; bit `i` belongs to entry `i`.
///
/// The fields are public, and there will be no others: code that reads another system's graph
/// writes them one by one, and a sixth mask would be another encoding.
///
/// # Source
///
/// TensorFlow's StridedSlice; MindSpore's op and LiteRT's carry the same five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Masks {
    /// The start is left out.
    pub begin: u32,
    /// The stop is left out.
    pub end: u32,
    /// The entry is `...`.
    pub ellipsis: u32,
    /// The entry is `None`, a new axis.
    pub new_axis: u32,
    /// The entry is an index: its axis is dropped.
    pub shrink_axis: u32,
}

/// A slice of `LEN` entries, stored without the heap. `s![...]` makes one.
///
/// `TAKES` counts the entries that take an axis (indices and ranges), `DROPS` the indices among
/// them, and `ADDS` the new axes; the change of rank is thus known to the compiler. A literal slice
/// is a constant.
///
/// Slices of different types, such as `s![1:]` and `s![0]`, cannot be the two branches of an `if`,
/// nor stand in one array. Borrowed, both are a [`SpecRef`]: `if c { s![1:].as_ref() } else {
/// s![0].as_ref() }`, for literal slices. Owned, both are a [`SpecBuf`]: `if c { s![n:].to_buf() }
/// else { s![n].to_buf() }`, for all.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// let spec = pyslice::s![-1, :3];
/// assert_eq!((spec.begin(), spec.end()), (&[-1, 0][..], &[0, 3][..]));
/// assert_eq!((spec.masks().shrink_axis, spec.masks().begin), (1, 2));
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Spec<
    const LEN: usize,
    const TAKES: usize = LEN,
    const DROPS: usize = 0,
    const ADDS: usize = 0,
> {
    begin: [i64; LEN],
    end: [i64; LEN],
    strides: [i64; LEN],
    masks: Masks,
    strict: bool,
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    /// Makes a slice of these canonical values.
    ///
    /// It does not check that as many mask bits are set as the type says. Callers have counted
    /// them, or rely on the planner, which refuses a slice whose counts are wrong.
    #[inline]
    pub(crate) const fn new(
        begin: [i64; LEN],
        end: [i64; LEN],
        strides: [i64; LEN],
        masks: Masks,
    ) -> Self {
        // An entry that neither takes nor adds an axis is an ellipsis, and there is at most one.
        const {
            assert!(
                DROPS <= TAKES
                    && TAKES + ADDS <= LEN
                    && LEN <= TAKES + ADDS + 1
                    && LEN <= MAX_ENTRIES
            )
        }
        Spec { begin, end, strides, masks, strict: false }
    }

    /// Borrows the slice, as one type for slices of any length.
    #[inline]
    #[allow(
        clippy::should_implement_trait,
        reason = "a const fn cannot be a trait's; the trait for arguments is AsSpec"
    )]
    pub const fn as_ref(&self) -> SpecRef<'_> {
        let counts = Counts { takes: TAKES as u8, drops: DROPS as u8, adds: ADDS as u8 };
        let Spec { begin, end, strides, masks, strict } = self;
        SpecRef { begin, end, strides, masks: *masks, counts, strict: *strict, axis: 0 }
    }
}

/// A borrowed slice of any length. It is `Copy`, and can be a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpecRef<'a> {
    pub(crate) begin: &'a [i64],
    pub(crate) end: &'a [i64],
    pub(crate) strides: &'a [i64],
    pub(crate) masks: Masks,
    // Counted once where the slice is made, since counting bits is slow on a baseline x86-64.
    pub(crate) counts: Counts,
    pub(crate) strict: bool,
    /// The axis that the first entry belongs to; a negative one counts from the end.
    pub(crate) axis: i64,
}

/// How many entries of a slice take an axis, drop the one they take, and add one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Counts {
    pub(crate) takes: u8,
    pub(crate) drops: u8,
    pub(crate) adds: u8,
}

impl Counts {
    /// Counts the entries of each kind. Where their bits overlap, ellipsis wins over new axis, and
    /// new axis over shrink.
    pub(crate) const fn of(masks: Masks, len: usize) -> Counts {
        // There are at most 31 entries, so this bit exists. Bits past the last entry do not count.
        let all = 1u32.wrapping_shl(len as u32).wrapping_sub(1);
        let ellipsis = masks.ellipsis & all;
        let new_axis = masks.new_axis & all & !ellipsis;
        let shrink_axis = masks.shrink_axis & all & !ellipsis & !new_axis;
        let takes = (all & !ellipsis & !new_axis).count_ones();
        Counts {
            takes: takes as u8,
            drops: shrink_axis.count_ones() as u8,
            adds: new_axis.count_ones() as u8,
        }
    }
}

/// The error for a slice whose type or stored counts do not match its entries.
pub(crate) const OTHER_COUNTS: SliceError = SliceError::NotRepresentable {
    what: "a slice with other numbers of entries, axes or indices than its type has; write it \
           with `s![...]`",
};

/// Anything that can be used as a slice: the argument type for APIs built on this crate.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{AsSpec, SliceError, s};
///
/// fn rank_after(spec: impl AsSpec, shape: &[usize]) -> Result<usize, SliceError> {
///     Ok(spec.as_spec().plan(shape)?.shape().len())
/// }
/// assert_eq!(rank_after(s![0, None, None], &[4, 5])?, 3);
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a slice; a slice is the value of `s![...]`, a `SpecBuf` \
               or a `SpecRef`",
    label = "this is `{Self}`, not a slice",
    note = "write `s![1:3]` instead of a Rust range or a tuple, `s![i]` for an index, \
            `text.parse::<SpecBuf>()?` for text, and `?` behind a `Result`",
    note = "`SpecBuf::from_entries(list)?` is Python's `x[tuple(list)]`: an entry for each axis; \
            for an array of positions, use an iterator, or ndarray's `select`; for a mask, `filter`"
)]
pub trait AsSpec {
    /// Borrows the slice.
    fn as_spec(&self) -> SpecRef<'_>;
}

// The compiler would list these beneath the message above, and blame `str` where `&str` was given.
#[diagnostic::do_not_recommend]
impl<const L: usize, const T: usize, const D: usize, const A: usize> AsSpec for Spec<L, T, D, A> {
    #[inline]
    fn as_spec(&self) -> SpecRef<'_> {
        self.as_ref()
    }
}
#[diagnostic::do_not_recommend]
impl AsSpec for SpecRef<'_> {
    #[inline]
    fn as_spec(&self) -> SpecRef<'_> {
        *self
    }
}
#[diagnostic::do_not_recommend]
impl AsSpec for SpecBuf {
    #[inline]
    fn as_spec(&self) -> SpecRef<'_> {
        self.as_ref()
    }
}
/// The methods that all three forms share; `const` where the form allows it.
macro_rules! shared {
    ([$($k:tt)*] $as_ref:ident) => {
        /// The begin of each entry: the start of a range, or the index; 0 where it is left out.
        #[inline]
        pub $($k)* fn begin(&self) -> &[i64] {
            self.$as_ref().begin
        }
        /// The end of each entry: the stop of a range, or the index plus 1; 0 where it is left out.
        #[inline]
        pub $($k)* fn end(&self) -> &[i64] {
            self.$as_ref().end
        }
        /// The stride of each entry: the step of a range, otherwise 1.
        #[inline]
        pub $($k)* fn strides(&self) -> &[i64] {
            self.$as_ref().strides
        }
        /// The five masks.
        #[inline]
        pub $($k)* fn masks(&self) -> Masks {
            self.$as_ref().masks
        }
        /// How many entries there are.
        #[inline]
        pub $($k)* fn len(&self) -> usize {
            self.$as_ref().begin.len()
        }
        /// Whether there are no entries, as in Python's `x[()]`, which is the whole array.
        #[inline]
        pub $($k)* fn is_empty(&self) -> bool {
            self.$as_ref().begin.is_empty()
        }
        /// How many entries take an axis: indices and ranges.
        #[inline]
        pub $($k)* fn takes(&self) -> usize {
            self.$as_ref().counts.takes as usize
        }
        /// How many entries drop the axis they take: indices.
        #[inline]
        pub $($k)* fn drops(&self) -> usize {
            self.$as_ref().counts.drops as usize
        }
        /// Whether bounds outside their axis are refused: see [`strict`](Self::strict).
        #[inline]
        pub $($k)* fn is_strict(&self) -> bool {
            self.$as_ref().strict
        }
        /// The axis that the first entry belongs to: 0, except for slices made by
        /// [`on_axis`](Spec::on_axis). A negative one counts from the end. The entries, the numbers
        /// and the masks stay as they were before `on_axis`; [`expand`](SpecBuf::expand) makes the
        /// slice whose entries begin at axis 0.
        #[inline]
        pub $($k)* fn axis(&self) -> i64 {
            self.$as_ref().axis
        }
        /// How many axes are added.
        #[inline]
        pub $($k)* fn adds(&self) -> usize {
            self.$as_ref().counts.adds as usize
        }
        /// The same slice, but planning it fails if a range bound lies outside its axis.
        ///
        /// On an axis of `len` positions both bounds must lie in `-len..=len`; under a negative
        /// step a start in `-len..=max(len - 1, 0)` and a stop in `-len - 1..=max(len - 1, 0)`. These
        /// are the bounds that the Python array API standard makes every library take.
        ///
        /// A bound that a calculation made negative is one of these, if the axis is long enough:
        /// `s![top:top + 300]` with `top = -5` is empty, or another part of the array. Clamp both
        /// bounds, as in `s![top.max(0):(top + 300).max(0)]`, or use [`window`](crate::window()).
        ///
        /// Every call that takes a slice takes a strict one. It is not equal to one that is not
        /// strict. Text and [`masks`](Self::masks) made from it do not keep the strictness; what
        /// serde writes does.
        ///
        /// # Examples
        ///
        /// ```
        /// # #[cfg(feature = "toolkit")] {
        /// use pyslice::{SliceError, s};
        ///
        /// assert_eq!(s![2:9].plan(&[4])?.len(), 2);
        /// let refused = s![2:9].strict().plan(&[4]).unwrap_err();
        /// assert_eq!(refused, SliceError::BoundOutOfRange { bound: 9, axis: 0, len: 4 });
        /// // The same holds for a slice of a slice.
        /// assert!(s![::2].plan(&[8])?.then(s![:5].strict()).is_err());
        /// # }
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// The Python array API standard's page on indexing, for what is inside.
        #[must_use]
        #[inline]
        pub $($k)* fn strict(mut self) -> Self {
            self.strict = true;
            self
        }
        /// The entries, first to last.
        pub fn entries(&self) -> Entries<'_> {
            Entries { spec: self.$as_ref(), at: 0 }
        }
        /// Copies the slice to a [`SpecBuf`], which is one type for slices of any length.
        pub fn to_buf(&self) -> SpecBuf {
            SpecBuf::from_ref(self.$as_ref())
        }
    };
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    shared!([const] as_ref);
}
impl SpecBuf {
    shared!([] as_ref);
}
impl SpecRef<'_> {
    shared!([const] get);

    #[inline]
    pub(crate) const fn get(&self) -> SpecRef<'_> {
        *self
    }
}

impl<'a> SpecRef<'a> {
    /// How many axes of an array of `rank` axes are taken whole before the first entry, and how many
    /// by the ellipsis, or behind the last entry. `None` if there are not so many axes: [`misfit`]
    /// says which error that is.
    ///
    /// [`misfit`]: Self::misfit
    #[inline]
    pub(crate) const fn whole_axes(&self, rank: usize) -> Option<(usize, usize)> {
        let Some(free) = rank.checked_sub(self.counts.takes as usize) else { return None };
        if self.axis == 0 {
            return Some((0, free));
        }
        let far = self.axis.unsigned_abs();
        if far > rank as u64 {
            return None;
        }
        let before = if self.axis < 0 { rank.wrapping_sub(far as usize) } else { far as usize };
        match free.checked_sub(before) {
            Some(rest) => Some((before, rest)),
            None => None,
        }
    }

    /// Why a slice does not fit an array of `rank` axes.
    #[cold]
    pub(crate) const fn misfit(&self, rank: usize) -> SliceError {
        let (takes, far) = (self.counts.takes as usize, self.axis.unsigned_abs());
        // Axis `rank` exists for new axes, which stand before it.
        if self.axis != 0 && (far > rank as u64 || takes > 0 && self.axis == rank as i64) {
            return SliceError::AxisOutOfRange { axis: self.axis, rank };
        }
        let before = if self.axis < 0 { rank.wrapping_sub(far as usize) } else { far as usize };
        SliceError::TooManyEntries { takes: takes.wrapping_add(before), rank }
    }

    /// Entry `i`, decoded; `None` past the end.
    pub const fn entry(&self, i: usize) -> Option<Entry> {
        if i >= self.begin.len() || i >= self.end.len() || i >= self.strides.len() {
            return None;
        }
        let bit = 1u32.wrapping_shl(i as u32);
        let m = self.masks;
        #[expect(clippy::indexing_slicing, reason = "i is below all three lengths, checked above")]
        let (b, e, s) = (self.begin[i], self.end[i], self.strides[i]);
        Some(if m.ellipsis & bit != 0 {
            Entry::Ellipsis
        } else if m.new_axis & bit != 0 {
            Entry::NewAxis
        } else if m.shrink_axis & bit != 0 {
            Entry::Index(b)
        } else {
            Entry::Range {
                start: if m.begin & bit != 0 { None } else { Some(b) },
                stop: if m.end & bit != 0 { None } else { Some(e) },
                step: s,
            }
        })
    }
}

#[cfg(feature = "serde")]
impl SpecRef<'_> {
    /// Whether the text that `Display` prints parses back to this slice: see there for exceptions.
    pub(crate) fn has_text(&self) -> bool {
        let same = |(entry, &stride): (Entry, &i64)| match entry {
            Entry::Index(index) => index != i64::MAX && stride == 1,
            Entry::Range { step, .. } => step != 0,
            Entry::NewAxis | Entry::Ellipsis => true,
        };
        !self.strict && self.axis == 0 && self.entries().zip(self.strides).all(same)
    }
}

/// The entries of a slice, first to last.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    spec: SpecRef<'a>,
    at: usize,
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    #[inline]
    fn next(&mut self) -> Option<Entry> {
        let e = self.spec.entry(self.at)?;
        self.at = self.at.saturating_add(1);
        Some(e)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.spec.begin.len().saturating_sub(self.at);
        (n, Some(n))
    }
}
impl ExactSizeIterator for Entries<'_> {}

/// Python text, without brackets, that parses back to an equal slice; the empty slice is `()`. Text
/// does not say that a slice is [`strict`](SpecRef::strict).
///
/// Three kinds of slices, which no array takes, do not parse back: those with an index of
/// `i64::MAX`, with a step of 0 that was known only at run time, and with an index to which masks
/// gave a negative stride. A slice on an axis ([`on_axis`](SpecRef::on_axis)) is written with entries
/// from axis 0 on (`:, 1:`), which select the same; one that has an ellipsis and an axis counted
/// from the end has no such text, and is shown with the axis.
impl fmt::Display for SpecRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "toolkit")]
        if self.axis != 0 {
            return match self.expanded() {
                Ok(expanded) => expanded.fmt(f),
                Err(_) => write!(f, "{} on axis {}", SpecRef { axis: 0, ..*self }, self.axis),
            };
        }
        if self.begin.is_empty() {
            return f.pad("()");
        }
        entry::text(self.entries(), f)
    }
}
impl SpecRef<'_> {
    pub(super) fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("text", &format_args!("{self}"))
            .field("begin", &self.begin)
            .field("end", &self.end)
            .field("strides", &self.strides)
            .field("masks", &self.masks)
            .field("strict", &self.strict)
            .field("axis", &self.axis)
            .finish()
    }
}
impl fmt::Debug for SpecRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.debug("SpecRef", f)
    }
}
impl<const L: usize, const T: usize, const D: usize, const A: usize> fmt::Debug
    for Spec<L, T, D, A>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().debug("Spec", f)
    }
}
impl fmt::Debug for SpecBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().debug("SpecBuf", f)
    }
}
impl<const L: usize, const T: usize, const D: usize, const A: usize> fmt::Display
    for Spec<L, T, D, A>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}
impl fmt::Display for SpecBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}
