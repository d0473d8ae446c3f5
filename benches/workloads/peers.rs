//! The peers of one workload, each checked for the right elements before it is measured.

use std::cell::RefCell;
use std::hint::black_box;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use ndarray::{Array, Dimension, SliceArg};
use pyslice::Plan;

use crate::timing::Peer;

/// An element of the workloads.
pub(crate) trait Element: Copy + Default + PartialEq + 'static {
    /// Something that tells positions apart.
    fn at(i: usize) -> Self;
}

macro_rules! elements {
    ($($t:ty)*) => { $(impl Element for $t {
        fn at(i: usize) -> Self {
            (i % 65_521) as $t
        }
    })* };
}
elements!(u8 u16 f32 f64);
impl Element for [f64; 2] {
    fn at(i: usize) -> Self {
        [i as f64, -1.0]
    }
}

/// A workload and its peers, ours first.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) peers: Vec<Peer>,
}

/// `n` elements, all different as far as the type allows.
pub(crate) fn data<T: Element>(n: usize) -> Vec<T> {
    (0..n).map(T::at).collect()
}

/// Elements that begin 16 bytes into a page, where glibc's `malloc` puts large ones. How two
/// buffers lie to each other within a page changes the time of `memcpy` by up to a third. The other
/// libraries allocate their arrays themselves.
struct Placed<T> {
    room: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: Element> Placed<T> {
    fn new(data: &[T]) -> Placed<T> {
        let mut room = vec![T::default(); data.len() + 4096 / size_of::<T>()];
        let first = (16 - room.as_ptr().addr() as isize).rem_euclid(4096) as usize / size_of::<T>();
        room[first..first + data.len()].copy_from_slice(data);
        Placed { room, first, len: data.len() }
    }
}

impl<T> Deref for Placed<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.room[self.first..][..self.len]
    }
}

impl<T> DerefMut for Placed<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.room[self.first..][..self.len]
    }
}

/// A peer whose result was right once.
fn peer<T: Element>(
    name: &'static str,
    mut write: impl FnMut(&mut [T]) + 'static,
    out: &Rc<RefCell<Placed<T>>>,
    want: &[T],
) -> Peer {
    let out = out.clone();
    write(&mut out.borrow_mut());
    assert!(**out.borrow() == *want, "{name} is wrong");
    let run = move || {
        write(&mut out.borrow_mut());
        black_box(&out);
    };
    Peer { name, run: Box::new(run) }
}

/// A copy of as many bytes as the result has.
fn memcpy<T: Element>(n: usize) -> Peer {
    let (from, mut to) = (Placed::new(&data::<T>(n)), Placed::new(&vec![T::default(); n]));
    let run = move || {
        to.copy_from_slice(black_box(&from));
        black_box(&to);
    };
    Peer { name: "memcpy", run: Box::new(run) }
}

/// What mdarray does for a slice: a new array, an assignment to one that is there, and the result.
pub(crate) struct Md<T> {
    pub(crate) alloc: Box<dyn FnMut()>,
    pub(crate) into: Box<dyn FnMut()>,
    pub(crate) result: Vec<T>,
}

/// What we do for a slice of an array of a given shape: a new array, and into one that is there.
#[derive(Clone, Copy)]
pub(crate) struct Ours<T> {
    pub(crate) alloc: fn(&[usize], &[T]) -> Vec<T>,
    pub(crate) into: fn(&[usize], &[T], &mut [T]),
}

/// Slices, with a new result and into one that is there.
pub(crate) fn slice<T: Element, D: Dimension + 'static, I: SliceArg<D> + Clone + 'static>(
    name: &'static str,
    (dim, info): (D, I),
    ours: Ours<T>,
    md: Option<fn(Vec<T>) -> Md<T>>,
    sink: &mut dyn FnMut(Work),
) where
    I::OutDim: 'static,
{
    let shape = dim.slice().to_vec();
    let x = Rc::new(Placed::new(&data::<T>(dim.size())));
    let nd =
        Rc::new(Array::from_shape_vec(dim.clone(), x.to_vec()).expect("the shape holds the data"));
    let want: Vec<T> = nd.slice(info.clone()).iter().copied().collect();
    let out = Rc::new(RefCell::new(Placed::new(&vec![T::default(); want.len()])));
    let mut md = md.map(|make| make(x.to_vec()));
    if let Some(md) = &md {
        assert!(md.result == want, "mdarray is wrong");
    }

    let mut peers = Vec::new();
    let (from, to) = (x.clone(), shape.clone());
    peers.push(peer("ours", move |out: &mut [T]| (ours.into)(&to, &from, out), &out, &want));
    let (from, spec) = (nd.clone(), info.clone());
    let target = RefCell::new(from.slice(spec.clone()).as_standard_layout().into_owned());
    target.borrow_mut().fill(T::default());
    target.borrow_mut().assign(&from.slice(spec.clone()));
    assert!(target.borrow().iter().eq(&want), "ndarray is wrong");
    let theirs = move || target.borrow_mut().assign(&from.slice(spec.clone()));
    peers.push(Peer { name: "ndarray", run: Box::new(theirs) });
    if let Some(md) = &mut md {
        peers.push(Peer { name: "mdarray", run: std::mem::replace(&mut md.into, Box::new(|| ())) });
    }
    peers.push(memcpy::<T>(want.len()));
    sink(Work { name, mode: "into", peers });

    let mut peers = Vec::new();
    assert!((ours.alloc)(&shape, &x) == want, "ours is wrong");
    peers.push(Peer {
        name: "ours",
        run: Box::new(move || drop(black_box((ours.alloc)(&shape, &x)))),
    });
    let theirs = move || drop(black_box(nd.slice(info.clone()).as_standard_layout().into_owned()));
    peers.push(Peer { name: "ndarray", run: Box::new(theirs) });
    if let Some(md) = md {
        peers.push(Peer { name: "mdarray", run: md.alloc });
    }
    peers.push(memcpy::<T>(want.len()));
    sink(Work { name, mode: "alloc", peers });
}

/// What else is done with a slice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Assign,
    Fill,
    Grad,
}

/// Assignments, fills and gradients, in place.
pub(crate) fn back<T: Element, D: Dimension + 'static, I: SliceArg<D> + Clone + 'static>(
    name: &'static str,
    kind: Kind,
    (dim, info): (D, I),
    plan: impl Fn(&[usize]) -> Plan + Copy + 'static,
    sink: &mut dyn FnMut(Work),
) where
    I::OutDim: 'static,
{
    let shape = dim.slice().to_vec();
    let x = data::<T>(dim.size());
    let mut nd = Array::from_shape_vec(dim, x.clone()).expect("the shape holds the data");
    let view = nd.slice(info.clone());
    let (len, value) = (view.len(), T::at(7));
    let values =
        Array::from_shape_vec(view.raw_dim(), data::<T>(len)).expect("as many values as places");
    let y = Placed::new(&values.iter().copied().collect::<Vec<T>>());
    // One element after the other.
    let want: Vec<T> = {
        let mut nd = nd.clone();
        if kind == Kind::Grad {
            nd.iter_mut().for_each(|x| *x = T::default());
        }
        for (place, &from) in nd.slice_mut(info.clone()).iter_mut().zip(y.iter()) {
            *place = if kind == Kind::Fill { value } else { from };
        }
        nd.iter().copied().collect()
    };
    let out = Rc::new(RefCell::new(Placed::new(&x)));
    let ours = move |out: &mut [T]| {
        let plan = plan(&shape);
        match kind {
            Kind::Assign => plan.assign(out, &y[..]),
            Kind::Fill => plan.fill(out, value),
            Kind::Grad => plan.grad_into(&y, out),
        }
        .expect("the lengths fit");
    };
    let mut peers = vec![peer("ours", ours, &out, &want)];
    let theirs = move || {
        if kind == Kind::Grad {
            nd.fill(T::default());
        }
        let mut view = nd.slice_mut(info.clone());
        if kind == Kind::Fill {
            view.fill(value)
        } else {
            view.assign(&values)
        }
        black_box(&nd);
    };
    peers.push(Peer { name: "ndarray", run: Box::new(theirs) });
    peers.push(memcpy::<T>(if kind == Kind::Grad { want.len() } else { len }));
    sink(Work { name, mode: "into", peers });
}
