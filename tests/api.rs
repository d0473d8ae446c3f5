//! Every public signature other programs are written against, exactly as it stands in the design.
//!
//! Nothing here runs much: that it compiles is the test.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::type_complexity, reason = "the types are the point")]

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::str::FromStr;

use pyslice::{AsSpec, Bounds, Dim, FixedPlan, Masks, Plan, SliceError, Spec, SpecBuf, SpecRef};

// Makers of a spec.
const _: fn(&[i64], &[i64], &[i64], Masks) -> Result<SpecBuf, SliceError> = SpecBuf::from_masks;
const _: fn(usize, &[i64], &[i64], &[i64], &[i64]) -> Result<SpecBuf, SliceError> =
    SpecBuf::from_axes;
const _: fn(
    &[usize],
    Option<&[i64]>,
    &[i64],
    &[i64],
    Option<&[i64]>,
) -> Result<SpecBuf, SliceError> = SpecBuf::from_onnx;

/// The methods that `Spec`, `SpecRef` and `SpecBuf` have alike.
macro_rules! alike {
    ($($t:ty),*) => { $(
        const _: for<'b> fn(&'b $t) -> &'b [i64] = <$t>::begin;
        const _: for<'b> fn(&'b $t) -> &'b [i64] = <$t>::end;
        const _: for<'b> fn(&'b $t) -> &'b [i64] = <$t>::strides;
        const _: fn(&$t) -> Masks = <$t>::masks;
        const _: fn(&$t, &[usize]) -> Result<Plan, SliceError> = <$t>::plan;
        const _: fn(&$t, &[usize], Bounds) -> Result<Plan, SliceError> = <$t>::plan_with;
        const _: fn(&$t, &[usize], &[isize]) -> Result<Plan, SliceError> = <$t>::plan_strided;
        const _: fn(&$t, &[usize], &[isize], Bounds) -> Result<Plan, SliceError> = <$t>::plan_strided_with;
    )* };
}
alike!(SpecBuf, SpecRef<'static>, Spec<2>, Spec<3, 2, 1, 1>);

// The methods of a plan.
const _: fn(&Plan) -> &[usize] = Plan::shape;
const _: fn(&Plan) -> &[isize] = Plan::strides;
const _: fn(&Plan) -> usize = Plan::offset;
const _: fn(&Plan) -> usize = Plan::len;
const _: fn(&Plan) -> usize = Plan::input_len;
const _: fn(&Plan) -> bool = Plan::is_identity;
const _: fn(&Plan) -> bool = Plan::is_contiguous;
const _: fn(&Plan, SpecBuf) -> Result<Plan, SliceError> = Plan::then;
const _: fn(&Plan, SpecBuf, Bounds) -> Result<Plan, SliceError> = Plan::then_with;
const _: fn(&Plan, usize, &[u8], &mut [u8]) -> Result<(), SliceError> = Plan::copy_bytes;

/// The methods for any element type, as a program that is generic itself would use them.
#[expect(dead_code, reason = "that it compiles is the test")]
fn elements<T: Copy>() {
    let _: fn(&Plan, &[T]) -> Result<Vec<T>, SliceError> = Plan::copy;
    let _: fn(&Plan, &[T], &mut [T]) -> Result<(), SliceError> = Plan::copy_into;
    let _: fn(&Plan, &[T], &mut [MaybeUninit<T>]) -> Result<(), SliceError> =
        Plan::copy_into_uninit;
    let _: fn(&Plan, &[T], &mut Vec<T>) -> Result<(), SliceError> = Plan::copy_into_vec;
    let _: fn(&Plan, &mut [T], &[T]) -> Result<(), SliceError> = Plan::assign;
    let _: fn(&Plan, &mut [T], &[T], &[usize]) -> Result<(), SliceError> = Plan::assign_broadcast;
    let _: fn(&Plan, &mut [T], T) -> Result<(), SliceError> = Plan::fill;
}

#[expect(dead_code, reason = "that it compiles is the test")]
fn gradients<T: Copy + Default>() {
    let _: fn(&Plan, &[T]) -> Result<Vec<T>, SliceError> = Plan::grad;
    let _: fn(&Plan, &[T], &mut [T]) -> Result<(), SliceError> = Plan::grad_into;
}

#[expect(dead_code, reason = "that it compiles is the test")]
fn sums<T: Copy + std::ops::AddAssign>() {
    let _: fn(&Plan, &mut [T], &[T]) -> Result<(), SliceError> = Plan::add_assign;
}

fn is_owned<T: Clone + Debug + PartialEq + Eq + Hash + Send + Sync + 'static>() {}
fn is_copied<T: Copy + Debug + PartialEq + Send + Sync>() {}
fn is_text<T: FromStr<Err: Debug + Display> + Display>() {}
fn is_spec<T: AsSpec>() {}
fn is_error<T: std::error::Error + Send + Sync + Copy + PartialEq + 'static>() {}

#[test]
fn types_keep_their_traits() {
    is_owned::<SpecBuf>();
    is_owned::<Plan>();
    is_owned::<FixedPlan<3, 2>>();
    is_owned::<Spec<2>>();
    is_owned::<SpecRef<'static>>();
    is_copied::<Spec<4, 2, 1, 1>>();
    is_copied::<SpecRef<'_>>();
    is_copied::<FixedPlan<3, 2>>();
    is_copied::<Dim>();
    is_copied::<Bounds>();
    is_copied::<Masks>();
    is_text::<SpecBuf>();
    is_error::<SliceError>();
    is_spec::<SpecBuf>();
    is_spec::<SpecRef<'_>>();
    is_spec::<Spec<2>>();
    is_spec::<&SpecBuf>();
    is_spec::<&&Spec<1, 1, 1>>();
}

/// Public fields and variants, by the names a program writes.
#[test]
fn fields_and_variants_are_named_as_designed() {
    let masks = Masks { begin: 0, end: 0, ellipsis: 1, new_axis: 0, shrink_axis: 0 };
    let Masks { begin: _, end: _, ellipsis, new_axis: _, shrink_axis: _ } = masks;
    assert_eq!(ellipsis, 1);
    let dims = [Dim::Known(5), Dim::Unknown, Dim::Between(2, 9)];
    let spec = SpecBuf::from_masks(&[0], &[0], &[1], masks).unwrap();
    fn inferred(spec: &SpecBuf, dims: &[Dim]) -> Result<impl Deref<Target = [Dim]>, SliceError> {
        spec.infer_shape(dims)
    }
    assert_eq!(*inferred(&spec, &dims).unwrap(), dims);
    assert_eq!(spec.plan_with(&[3], Bounds::Strict), spec.plan_with(&[3], Bounds::Clamp));
    assert_eq!(spec.plan(&[3]).and_then(|plan| plan.then(&spec)), spec.plan(&[3]));
}

/// Plans and specs are shared between threads as they are.
#[test]
fn threads_share_plans_and_specs() {
    let spec = SpecBuf::from_axes(2, &[0, 1], &[5, 0], &[-9, 9], &[-2, 3]).unwrap();
    let plan = spec.plan(&[6, 7]).unwrap();
    let data: Vec<u32> = (0..42).collect();
    let wanted = plan.copy(&data).unwrap();
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                for _ in 0..200 {
                    assert_eq!(plan.copy(&data), Ok(wanted.clone()));
                    assert_eq!(spec.plan(&[6, 7]).as_ref(), Ok(&plan));
                }
            });
        }
    });
}

/// The three forms of a slice are compared, hashed and converted as one, behind any pointer.
#[test]
fn an_axis_that_no_slice_reaches_is_refused() {
    use pyslice::s;
    let far = Err(SliceError::TooLong { entries: 32 });
    assert_eq!(s![0].on_axis(30_u8).unwrap().to_string(), ":, ".repeat(30) + "0");
    assert_eq!((s![0].on_axis(31), s![0].on_axis(u128::MAX)), (far.clone(), far.clone()));
    assert_eq!(s![0].on_axis(-30).unwrap().to_string(), "..., 0".to_owned() + &", :".repeat(29));
    assert_eq!((s![0].on_axis(-31), s![0].on_axis(i64::MIN)), (far.clone(), far));
    let near = SliceError::TooManyEntries { takes: 2, rank: 1 };
    assert_eq!(s![0, None, 1].on_axis(-1), Err(near));
    // What planning refuses, it still refuses.
    let index = Masks { shrink_axis: 1, ..Masks::default() };
    let shrunk = SpecBuf::from_masks(&[1], &[0], &[-1], index).unwrap();
    let refused = SliceError::ShrinkStride { entry: 1, axis: 1 };
    assert_eq!(shrunk.on_axis(1).unwrap().plan(&[2, 2]), Err(refused));
}

#[test]
fn forms_of_one_slice() {
    use ndarray::array;
    use pyslice::{Entry, PySlice, s};
    use std::borrow::Cow;
    use std::collections::HashMap;
    use std::hash::{BuildHasher, RandomState};
    use std::rc::Rc;
    use std::sync::Arc;

    let spec = s![0, ..., ::-1];
    let buf = SpecBuf::from(spec);
    let borrowed = SpecRef::from(&buf);
    let (one, two) = (
        [spec == buf, spec == borrowed, buf == borrowed],
        [buf == spec, borrowed == spec, borrowed == buf],
    );
    assert_eq!((one, two), ([true; 3], [true; 3]));
    assert!(s![1] != buf && buf != s![1] && s![1].as_ref() != buf);
    assert_eq!(
        (SpecBuf::from(borrowed), SpecBuf::from(&spec), SpecRef::from(&spec)),
        (buf.clone(), buf.clone(), borrowed)
    );
    let state = RandomState::new();
    let hashes = [
        state.hash_one(spec),
        state.hash_one(borrowed),
        state.hash_one(&buf),
        state.hash_one(&spec as &dyn AsSpec),
    ];
    assert_eq!(hashes, [hashes[0]; 4]);

    let map = HashMap::from([(buf.clone(), 7)]);
    assert_eq!(map.get(&spec as &dyn AsSpec), Some(&7));
    assert_eq!(map.get(&borrowed as &dyn AsSpec), Some(&7));
    assert_eq!((map.get(&buf), map.get(&s![1] as &dyn AsSpec)), (Some(&7), None));

    let collected: Result<SpecBuf, SliceError> = borrowed.entries().collect();
    assert_eq!(collected, Ok(buf.clone()));
    let many = std::iter::repeat_n(Entry::NewAxis, 32).collect::<Result<SpecBuf, _>>();
    assert_eq!(many, Err(SliceError::TooLong { entries: 32 }));

    fn rank(spec: impl AsSpec) -> usize {
        spec.as_spec().plan(&[2, 3]).unwrap().shape().len()
    }
    let boxed: Box<dyn AsSpec> = Box::new(spec);
    let cow: Cow<'_, Spec<3, 2, 1>> = Cow::Borrowed(&spec);
    assert_eq!(
        [
            rank(boxed),
            rank(cow),
            rank(Rc::new(spec)),
            rank(Arc::new(buf.clone())),
            <&mut SpecBuf as AsSpec>::as_spec(&&mut buf.clone())
                .plan(&[2, 3])
                .unwrap()
                .shape()
                .len()
        ],
        [1; 5]
    );
    // On ndarray's arrays too, with the rank in the type where the slice has it.
    let x = array![[1, 2, 3], [4, 5, 6]];
    let reversed = array![3, 2, 1];
    assert_eq!(x.pyslice(Arc::new(spec)), reversed);
    assert_eq!(x.pyslice(Cow::<'_, Spec<3, 2, 1>>::Owned(spec)), reversed);
    assert_eq!(x.pyslice(Box::new(buf)), reversed.into_dyn());
}
