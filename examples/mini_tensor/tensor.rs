//! [`Tensor`]: storage that may be shared, and a plan that says where in it the elements
//! are, however many views it went through.

use super::dtype::{bytes_of, elements};
use super::{DType, Element, Error, Result, at};
use pyslice::{AsSpec, Plan, Shaped, SliceError};
use std::sync::Arc;

/// An array of any rank and element type. Cloning and slicing share the storage; writing copies it
/// first if it is shared.
#[derive(Clone, Debug)]
pub struct Tensor {
    bytes: Arc<Vec<u8>>,
    dtype: DType,
    layout: Plan,
}

impl Tensor {
    /// A tensor of these values, in C order.
    pub fn new<T: Element>(shape: &[usize], values: &[T]) -> Result<Tensor> {
        Tensor::from_bytes(T::DTYPE, shape, bytes_of(values))
    }

    /// A tensor of zeros.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Tensor> {
        let count = at![].plan(shape)?.len();
        let bytes = count.checked_mul(dtype.size()).filter(|&n| n <= isize::MAX as usize);
        let bytes =
            bytes.ok_or(SliceError::BytesTooLarge { elements: count, size: dtype.size() })?;
        Tensor::from_bytes(dtype, shape, vec![0; bytes])
    }

    /// 0, 1, 2, … in C order.
    pub fn arange<T: Element>(shape: &[usize]) -> Result<Tensor> {
        let count = at![].plan(shape)?.len();
        Tensor::new(shape, &(0..count).map(T::from_count).collect::<Vec<_>>())
    }

    pub(super) fn from_bytes(dtype: DType, shape: &[usize], bytes: Vec<u8>) -> Result<Tensor> {
        // The slice that takes everything: its plan is the layout of a C-contiguous tensor.
        let layout = at![].plan(shape)?;
        let found = bytes.len() / dtype.size();
        if found != layout.len() {
            return Err(Error::Count { expected: layout.len(), found });
        }
        Ok(Tensor { bytes: Arc::new(bytes), dtype, layout })
    }

    pub fn dtype(&self) -> DType {
        self.dtype
    }

    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// How many elements there are.
    pub fn count(&self) -> usize {
        self.layout.len()
    }

    /// How far apart neighbours are, in bytes.
    pub fn byte_strides(&self) -> Result<Vec<isize>> {
        Ok(self.layout.byte_strides(self.dtype.size())?.collect())
    }

    /// Whether the two see the same storage.
    pub fn shares_storage_with(&self, other: &Tensor) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// `x[spec]`: a view of the same storage. Range bounds are clamped, as in Python.
    pub fn slice(&self, spec: impl AsSpec) -> Result<Tensor> {
        Ok(Tensor { layout: self.layout.then(spec)?, ..self.clone() })
    }

    /// [`slice`](Tensor::slice) that refuses range bounds outside their axis.
    pub fn slice_strict(&self, spec: impl AsSpec) -> Result<Tensor> {
        Ok(Tensor { layout: self.layout.then(spec.as_spec().strict())?, ..self.clone() })
    }

    /// `x[spec]`, to be written; storage that is shared is copied first.
    pub fn slice_mut(&mut self, spec: impl AsSpec) -> Result<SliceMut<'_>> {
        let plan = self.layout.then(spec)?;
        // Other elements of this tensor would change with the ones that are written.
        if self.layout.repeats()? {
            return Err(Error::ReadOnly);
        }
        let bytes = Arc::make_mut(&mut self.bytes).as_mut_slice();
        Ok(SliceMut { bytes, dtype: self.dtype, plan })
    }

    /// The axes in another order.
    pub fn permute(&self, order: &[usize]) -> Result<Tensor> {
        Ok(Tensor { layout: self.layout.permute(order)?, ..self.clone() })
    }

    /// A view of this shape in which axes of length 1, and axes that are not there, repeat.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Tensor> {
        Ok(Tensor { layout: self.layout.broadcast_to(shape)?, ..self.clone() })
    }

    /// The same elements in another shape: a view where strides allow it, else a copy.
    pub fn reshape(&self, shape: &[usize]) -> Result<Tensor> {
        match self.layout.reshape(shape) {
            Ok(layout) => Ok(Tensor { layout, ..self.clone() }),
            Err(SliceError::NeedsCopy) => self.contiguous()?.reshape(shape),
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes of the elements, in C order: one call of a kernel that knows the size of an
    /// element only.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.layout.bytes(self.dtype.size()).on(&self.bytes)?.to_vec()?)
    }

    /// The elements in C order.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.expect(T::DTYPE)?;
        Ok(elements(&self.to_bytes()?))
    }

    /// The only element.
    pub fn item<T: Element>(&self) -> Result<T> {
        match self.to_vec()?[..] {
            [one] => Ok(one),
            _ => Err(Error::Count { expected: self.count(), found: 1 }),
        }
    }

    /// A tensor of its own storage, in C order.
    pub fn contiguous(&self) -> Result<Tensor> {
        Tensor::from_bytes(self.dtype, self.shape(), self.to_bytes()?)
    }

    pub(super) fn expect(&self, expected: DType) -> Result<()> {
        let found = self.dtype;
        if found == expected { Ok(()) } else { Err(Error::DType { expected, found }) }
    }
}

/// A part of a tensor, to be written.
#[derive(Debug)]
pub struct SliceMut<'a> {
    bytes: &'a mut [u8],
    dtype: DType,
    plan: Plan,
}

impl SliceMut<'_> {
    pub fn shape(&self) -> &[usize] {
        self.plan.shape()
    }

    /// `x[spec] = value`
    pub fn fill<T: Element>(&mut self, value: T) -> Result<()> {
        if T::DTYPE != self.dtype {
            return Err(Error::DType { expected: self.dtype, found: T::DTYPE });
        }
        let mut place = self.plan.bytes(self.dtype.size()).on_mut(self.bytes)?;
        Ok(place.assign(Shaped(&bytes_of(&[value]), &[]))?)
    }

    /// `x[spec] = values`, broadcast.
    pub fn assign(&mut self, values: &Tensor) -> Result<()> {
        values.expect(self.dtype)?;
        let size = self.dtype.size();
        let values = values.layout.bytes(size).on(&values.bytes)?;
        Ok(self.plan.bytes(size).on_mut(self.bytes)?.assign(values)?)
    }
}
