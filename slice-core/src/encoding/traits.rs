//! Makes the three forms of a slice interchangeable: comparison, hashing, conversion and pointers.

use super::{AsSpec, Entry, Spec, SpecBuf, SpecRef};
use crate::error::SliceError;
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::hash::{Hash, Hasher};

// The compiler would list these beneath the message of the trait, and blame `str` where `&str` was
// given.
macro_rules! pointers {
    ($($pointer:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: AsSpec + ?Sized> AsSpec for $pointer {
            #[inline]
            fn as_spec(&self) -> SpecRef<'_> {
                (**self).as_spec()
            }
        }
    )* };
}
pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

#[diagnostic::do_not_recommend]
impl<T: AsSpec + ToOwned + ?Sized> AsSpec for Cow<'_, T> {
    #[inline]
    fn as_spec(&self) -> SpecRef<'_> {
        (**self).as_spec()
    }
}

impl<const L: usize, const T: usize, const D: usize, const A: usize> Hash for Spec<L, T, D, A> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}
impl Hash for SpecBuf {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

impl PartialEq for dyn AsSpec + '_ {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_spec() == other.as_spec()
    }
}
impl Eq for dyn AsSpec + '_ {}
impl Hash for dyn AsSpec + '_ {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_spec().hash(state);
    }
}

/// With this, any slice can be looked up in a map whose keys are [`SpecBuf`]s.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{AsSpec, SpecBuf, s};
/// use std::collections::HashMap;
///
/// let names: HashMap<SpecBuf, &str> =
///     HashMap::from([("0, ...".parse()?, "first"), (s![::-1].into(), "reversed")]);
/// assert_eq!(names.get(&s![0, ...] as &dyn AsSpec), Some(&"first"));
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
impl<'a> Borrow<dyn AsSpec + 'a> for SpecBuf {
    #[inline]
    fn borrow(&self) -> &(dyn AsSpec + 'a) {
        self
    }
}

macro_rules! equal {
    ($([$($generics:tt)*] $one:ty, $other:ty;)*) => { $(
        impl<$($generics)*> PartialEq<$other> for $one {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.as_spec() == other.as_spec()
            }
        }
        impl<$($generics)*> PartialEq<$one> for $other {
            #[inline]
            fn eq(&self, other: &$one) -> bool {
                self.as_spec() == other.as_spec()
            }
        }
    )* };
}
equal! {
    [const L: usize, const T: usize, const D: usize, const A: usize] Spec<L, T, D, A>, SpecRef<'_>;
    [const L: usize, const T: usize, const D: usize, const A: usize] Spec<L, T, D, A>, SpecBuf;
    [] SpecBuf, SpecRef<'_>;
}

impl From<SpecRef<'_>> for SpecBuf {
    #[inline]
    fn from(spec: SpecRef<'_>) -> SpecBuf {
        spec.to_buf()
    }
}
impl<const L: usize, const T: usize, const D: usize, const A: usize> From<Spec<L, T, D, A>>
    for SpecBuf
{
    #[inline]
    fn from(spec: Spec<L, T, D, A>) -> SpecBuf {
        spec.to_buf()
    }
}
impl<const L: usize, const T: usize, const D: usize, const A: usize> From<&Spec<L, T, D, A>>
    for SpecBuf
{
    #[inline]
    fn from(spec: &Spec<L, T, D, A>) -> SpecBuf {
        spec.to_buf()
    }
}
impl<'a, const L: usize, const T: usize, const D: usize, const A: usize> From<&'a Spec<L, T, D, A>>
    for SpecRef<'a>
{
    #[inline]
    fn from(spec: &'a Spec<L, T, D, A>) -> SpecRef<'a> {
        spec.as_ref()
    }
}
impl<'a> From<&'a SpecBuf> for SpecRef<'a> {
    #[inline]
    fn from(spec: &'a SpecBuf) -> SpecRef<'a> {
        spec.as_ref()
    }
}

/// Fails as [`SpecBuf::from_entries`] does.
///
/// # Examples
///
/// ```
/// use pyslice::{Entry, SliceError, SpecBuf};
///
/// // The first position of each of three axes.
/// let spec: SpecBuf = (0..3).map(|_| Entry::Index(0)).collect::<Result<_, SliceError>>()?;
/// assert_eq!(spec.to_string(), "0, 0, 0");
/// # Ok::<(), SliceError>(())
/// ```
impl FromIterator<Entry> for Result<SpecBuf, SliceError> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        SpecBuf::from_entries(entries)
    }
}
