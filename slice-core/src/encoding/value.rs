//! Run-time values where a slice has a number.

/// An integer that can be used as an index: every primitive integer type.
///
/// Values outside `i64` saturate; the planner then refuses them, since no axis reaches that far.
///
/// # Examples
///
/// ```
/// use pyslice::SliceIndex;
///
/// assert_eq!((7_u8.to_index(), u128::MAX.to_index()), (7, i64::MAX));
/// ```
///
/// # Source
///
/// Python refuses an index that does not fit a machine integer (`IndexError`), whereas it clamps a
/// bound.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an index of a slice; an index is an integer",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`",
    note = "write `r.start:r.end` for a range, `*x` for a reference, `x as i64` for a float or a \
            boolean, `x.unwrap_or(0)` for an `Option`, `x?` for a `Result`, `x.get()` for a \
            `NonZero`, `x.parse::<i64>()?` for a text",
    note = "for entries or ranges in variables, write `SpecBuf::from_entries([Entry::from(rows), \
            columns.into()])?`; it also takes a list with one index for each axis",
    note = "the value of `s![...]` is a slice, not an entry: pass it by itself, as in \
            `x.pyslice(rows)`, or `x.pyslice(&rows)` if it is a `SpecBuf`; or keep \
            `let rows = Entry::range(1, 3, 1)` and write `SpecBuf::from_entries([rows, \
            0.into()])?`",
    note = "for an array of positions, use an iterator, or ndarray's `select`; for a mask, `filter`"
)]
pub trait SliceIndex: sealed::Sealed + Sized {
    /// The index, saturated to `i64`.
    fn to_index(self) -> i64;

    /// The method that the macros call: the compiler prints this name where a run-time value is not
    /// allowed.
    #[doc(hidden)]
    #[inline]
    fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(self) -> i64 {
        self.to_index()
    }
}

/// An integer, or an `Option` of one, that can be a bound or a step; `None` means left out.
///
/// Values outside `i64` are clamped, as Python does.
///
/// # Examples
///
/// ```
/// use pyslice::SliceBound;
///
/// assert_eq!(
///     (3_usize.to_bound(), None::<i32>.to_bound(), i128::MIN.to_bound()),
///     (Some(3), None, Some(i64::MIN))
/// );
/// ```
///
/// # Source
///
/// CPython's `_PyEval_SliceIndex`, which clamps to the largest and smallest machine integer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a bound or a step of a slice; these are integers",
    label = "this is `{Self}`, not an integer",
    note = "use any primitive integer, such as `usize`, `i32` or `i64`, or an `Option` of one, \
            where `None` leaves it out",
    note = "write `*x` for a reference, `x.copied()` for an `Option` of one, `x as i64` for a \
            float or a boolean, `x?` for a `Result`, `x.get()` for a `NonZero`, \
            `x.parse::<i64>()?` for a text",
    note = "write `r.start:r.end` for a range `r`"
)]
pub trait SliceBound: sealed::Sealed + Sized {
    /// The bound, clamped to `i64`, or `None` where it is left out.
    fn to_bound(self) -> Option<i64>;

    /// The method that the macros call: the compiler prints this name where a run-time value is not
    /// allowed.
    #[doc(hidden)]
    #[inline]
    fn in_a_const_write_const_braces_and_in_a_const_fn_only_constants(self) -> Option<i64> {
        self.to_bound()
    }
}

pub(super) mod sealed {
    pub trait Sealed {}
}

// The compiler would list all twelve types, and `Option`, beneath the messages above, which are
// shorter.
macro_rules! int {
    ($($t:ty)*) => { $(
        impl sealed::Sealed for $t {}
        #[diagnostic::do_not_recommend]
        impl SliceIndex for $t {
            #[inline]
            fn to_index(self) -> i64 {
                #[allow(unused_comparisons, reason = "unsigned types are never below zero")]
                match i64::try_from(self) {
                    Ok(v) => v,
                    Err(_) if self < 0 => i64::MIN,
                    Err(_) => i64::MAX,
                }
            }
        }
        #[diagnostic::do_not_recommend]
        impl SliceBound for $t {
            #[inline]
            fn to_bound(self) -> Option<i64> {
                Some(self.to_index())
            }
        }
    )* };
}
int!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<T> sealed::Sealed for Option<T> {}
#[diagnostic::do_not_recommend]
impl<T: SliceIndex> SliceBound for Option<T> {
    #[inline]
    fn to_bound(self) -> Option<i64> {
        self.map(SliceIndex::to_index)
    }
}
