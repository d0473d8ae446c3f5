//! Values known only at run time, where a number may stand.

/// An integer that can stand as an index.
///
/// Values outside `i64` saturate; the planner then refuses them, since no axis reaches that far.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no slice index",
    label = "an index must be a primitive integer",
    note = "write an integer; for a reference `r` write `*r`, for a float convert it first (`x as i64`)"
)]
pub trait SliceIndex: sealed::Sealed + Copy {
    /// The index, saturated to `i64`.
    fn to_index(self) -> i64;
}

/// An integer, or an `Option` of one, that can stand as a bound or a step; `None` means left out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no slice bound",
    label = "a bound or step must be a primitive integer, or an `Option` of one",
    note = "write an integer; for a reference `r` write `*r`, for a float convert it first (`x as i64`)"
)]
pub trait SliceBound: sealed::Sealed + Copy {
    /// The bound, clamped to `i64`, or `None` where it is left out.
    fn to_bound(self) -> Option<i64>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! int {
    ($($t:ty)*) => { $(
        impl sealed::Sealed for $t {}
        impl SliceIndex for $t {
            #[inline(always)]
            fn to_index(self) -> i64 {
                // Comparing in the wider of the two types decides on which side a value that does not fit lies.
                #[allow(unused_comparisons, reason = "unsigned types are never below zero")]
                match i64::try_from(self) {
                    Ok(v) => v,
                    Err(_) if self < 0 => i64::MIN,
                    Err(_) => i64::MAX,
                }
            }
        }
        impl SliceBound for $t {
            #[inline(always)]
            fn to_bound(self) -> Option<i64> {
                Some(self.to_index())
            }
        }
    )* };
}
int!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl<T: SliceIndex> sealed::Sealed for Option<T> {}
impl<T: SliceIndex> SliceBound for Option<T> {
    #[inline(always)]
    fn to_bound(self) -> Option<i64> {
        self.map(SliceIndex::to_index)
    }
}
