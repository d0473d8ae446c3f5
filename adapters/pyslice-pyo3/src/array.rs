//! NumPy's arrays of any element type, by their bytes.

use crate::{Subscript, to_py_err};
use numpy::npyffi::{
    self, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, PyArrayObject_fields, npy_intp,
};
use numpy::{
    BorrowError, PyArray1, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyEllipsis, PyTuple};
use slice_core::{AsSpec, Plan, SpecBuf, SpecRef};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::slice;

/// Python's slices of NumPy's arrays, of any element type, byte order, alignment and strides.
///
/// Elements are moved as bytes by pyslice's kernels; what holds references, as `object` does, is
/// moved by NumPy. A subclass of `numpy.ndarray` is a `TypeError`, because a slice of it may mean
/// something else, as of a masked array; `numpy.asarray(x)` is the plain array.
///
/// # Examples
///
/// ```
/// use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
/// use pyo3::{IntoPyObjectExt, prelude::*};
/// use pyslice::s;
/// use pyslice_pyo3::PySlice;
///
/// # Python::attach(|py| {
/// # if py.import("numpy").is_err() { return Ok(()) }
/// let x = PyArray1::from_vec(py, vec![0., 1., 2., 3., 4.]);
/// let view = x.as_untyped().pyslice(s![::-2])?; //                    x[::-2]
/// let copy = x.as_untyped().pyslice_copy(s![1:, None])?; //           x[1:, None].copy()
/// let zero = 0.into_bound_py_any(py)?;
/// x.as_untyped().pyslice_assign(s![-1], &zero)?; //                   x[-1] = 0
/// let sum: f64 = view.call_method0("sum")?.extract()?;
/// assert_eq!((copy.shape(), sum), (&[4, 1][..], 0. + 2. + 0.));
/// # Ok::<(), PyErr>(())
/// # })
/// # .unwrap();
/// ```
pub trait PySlice<'py> {
    /// `x[spec]` as a view, which shares the array's memory. Indices only make one of rank 0.
    ///
    /// # Errors
    ///
    /// What [`to_py_err`] makes of the planner's errors; `TypeError` for a subclass of `ndarray`;
    /// NumPy's `ValueError` for more axes than it has.
    fn pyslice(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyUntypedArray>>;

    /// What `x[spec]` is in Python: a scalar for indices only, otherwise a view.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](Self::pyslice).
    fn pyslice_item(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyAny>>;

    /// `x[spec].copy()`: a new array in C order.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](Self::pyslice), `MemoryError`, and [`BorrowError`] while Rust code
    /// borrows the memory to write to it.
    fn pyslice_copy(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyUntypedArray>>;

    /// `x[spec] = values`: any object that NumPy takes, cast and broadcast as NumPy does. Values
    /// that overlap the slice are read before anything is written.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice_copy`](Self::pyslice_copy), `ValueError` if the array is read-only or
    /// the values do not broadcast, and NumPy's for values that it cannot cast. Nothing is written
    /// then.
    fn pyslice_assign(&self, spec: impl AsSpec, values: &Bound<'py, PyAny>) -> PyResult<()>;
}

impl<'py> PySlice<'py> for Bound<'py, PyUntypedArray> {
    fn pyslice(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyUntypedArray>> {
        view(self, spec.as_spec())
    }

    fn pyslice_item(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec.as_spec();
        let view = view(self, spec)?;
        // With an ellipsis NumPy has an array of rank 0.
        if view.ndim() == 0 && spec.masks().ellipsis == 0 {
            return view.get_item(PyTuple::empty(self.py()));
        }
        Ok(view.into_any())
    }

    fn pyslice_copy(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyUntypedArray>> {
        copy(&view(self, spec.as_spec())?)
    }

    fn pyslice_assign(&self, spec: impl AsSpec, values: &Bound<'py, PyAny>) -> PyResult<()> {
        let spec = spec.as_spec();
        let target = view(self, spec)?;
        if target.ndim() == 0 {
            // What one element takes is another rule of NumPy's: no list, for one.
            return self.set_item(Subscript(spec), values);
        }
        assign(&target, values)
    }
}

fn fields(array: &Bound<'_, PyUntypedArray>) -> *const PyArrayObject_fields {
    // SAFETY: it is an array, and Python is attached, as its `Bound` says.
    unsafe { npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr()) }
}

/// The lowest byte of an array; strides may be negative.
fn lowest(array: &Bound<'_, PyUntypedArray>) -> *mut u8 {
    // SAFETY: the fields of a living array.
    let first: *mut u8 = unsafe { (*fields(array)).data }.cast();
    if array.is_empty() {
        return first;
    }
    let axes = array.shape().iter().zip(array.strides());
    let back = axes.filter(|(_, stride)| **stride < 0).fold(0isize, |sum, (&n, &stride)| {
        sum.wrapping_add(stride.wrapping_mul((n as isize).wrapping_sub(1)))
    });
    first.wrapping_offset(back)
}

fn view<'py>(
    array: &Bound<'py, PyUntypedArray>,
    spec: SpecRef<'_>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    if !array.is_exact_instance_of::<PyUntypedArray>() {
        return Err(PyTypeError::new_err(format!(
            "an array of type {} may slice differently; pass numpy.asarray(x)",
            array.get_type().name()?
        )));
    }
    let plan = spec.plan_strided(array.shape(), array.strides()).map_err(to_py_err)?;
    let first = lowest(array).wrapping_add(plan.offset());
    // SAFETY: every position of the plan is a position of the array.
    unsafe { part(array, array.dtype(), plan.shape(), plan.strides(), first) }
}

/// An array in the memory of another one, which it keeps alive. It can be written to if the other
/// one can.
///
/// # Safety
///
/// Every element lies in the memory of `owner`'s elements. If `dtype` is not that of `owner`, both
/// have elements that any bytes are.
unsafe fn part<'py>(
    owner: &Bound<'py, PyUntypedArray>,
    dtype: Bound<'py, PyArrayDescr>,
    shape: &[usize],
    strides: &[isize],
    first: *mut u8,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = owner.py();
    // SAFETY: the fields of a living array.
    let flags = unsafe { (*fields(owner)).flags } & NPY_ARRAY_WRITEABLE;
    // SAFETY: the elements are in memory, as the caller promises, and `owner` keeps it.
    let part = unsafe { new(dtype, shape, strides.as_ptr(), first, flags)? };
    // SAFETY: both are arrays, and the call takes over a reference to `owner`.
    let failed = unsafe {
        PY_ARRAY_API.PyArray_SetBaseObject(py, part.as_array_ptr(), owner.clone().into_ptr())
    };
    if failed < 0 { Err(PyErr::fetch(py)) } else { Ok(part) }
}

/// A new array whose elements are at `first`, or in new memory in C order if that is null.
///
/// # Safety
///
/// `strides` has the length of `shape`, or is null as `first` is. All elements are in memory that
/// stays as long as the array does.
unsafe fn new<'py>(
    dtype: Bound<'py, PyArrayDescr>,
    shape: &[usize],
    strides: *const isize,
    first: *mut u8,
    flags: i32,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = dtype.py();
    let rank = shape.len().try_into().map_err(|_| PyValueError::new_err("too many axes"))?;
    // SAFETY: the call takes over the reference to `dtype`; it only reads `shape` and `strides`,
    // whose numbers are as wide as NumPy's; the rest is the caller's promise.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, NpyTypes::PyArray_Type),
            dtype.into_dtype_ptr(),
            rank,
            shape.as_ptr().cast_mut().cast::<npy_intp>(),
            strides.cast_mut(),
            first.cast(),
            flags,
            null_mut(),
        );
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}

/// An array as bytes: an axis for those of an element is the last one.
struct Bytes<'py> {
    /// All memory from the lowest byte to the highest. Borrowing it says no where other Rust code
    /// borrows any of it, gaps included.
    memory: Bound<'py, PyArray1<u8>>,
    plan: Plan,
}

impl<'py> Bytes<'py> {
    /// The elements hold no references.
    fn of(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bytes<'py>> {
        let with = |axes: &[usize], last| [axes, &[last]].concat();
        let shape = with(array.shape(), array.dtype().itemsize());
        let strides = [array.strides(), &[1]].concat();
        let plan = SpecBuf::default().plan_strided(&shape, &strides).map_err(to_py_err)?;
        let bytes = dtype::<u8>(array.py());
        // SAFETY: these are the bytes from the array's lowest to its highest. Those between its
        // elements belong to what it is a view of.
        let memory = unsafe { part(array, bytes, &[plan.input_len()], &[1], lowest(array))? };
        Ok(Bytes { memory: memory.cast_into()?, plan })
    }

    /// Whether the memory of the two meets.
    fn meets(&self, other: &Bytes<'_>) -> bool {
        let [one, two] = [self, other].map(|bytes| {
            let start = lowest(bytes.memory.as_untyped()).addr();
            start..start + bytes.memory.len()
        });
        one.start < two.end && two.start < one.end
    }
}

/// Whether the elements are the bytes in the array, and not references to what is elsewhere.
fn is_bytes(dtype: &Bound<'_, PyArrayDescr>) -> bool {
    b"biufcSUVmM".contains(&dtype.kind()) && !dtype.has_object()
}

fn copy<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = array.dtype();
    if !is_bytes(&dtype) {
        return Ok(array.call_method0("copy")?.cast_into()?);
    }
    let size = dtype.itemsize();
    // SAFETY: NumPy allocates the memory.
    let result = unsafe { new(dtype, array.shape(), null(), null_mut(), 0)? };
    let source = Bytes::of(array)?;
    if source.plan.is_empty() {
        return Ok(result);
    }
    // SAFETY: a new array in C order owns as many bytes at its first element, and nobody else has
    // it yet.
    let target: &mut [MaybeUninit<u8>] =
        unsafe { slice::from_raw_parts_mut((*fields(&result)).data.cast(), result.len() * size) };
    let memory = source.memory.try_readonly()?;
    source.plan.copy_into(memory.as_slice()?, target).map_err(to_py_err)?;
    Ok(result)
}

fn assign(target: &Bound<'_, PyUntypedArray>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let dtype = target.dtype();
    if !is_bytes(&dtype) {
        return target.set_item(PyEllipsis::get(target.py()), values);
    }
    let mut values = cast(values, &dtype)?;
    // Axes of length 1 that the target does not have are nothing to NumPy.
    while values.ndim() > target.ndim() && values.shape().first() == Some(&1) {
        values = view(&values, SpecBuf::from_entries([0]).map_err(to_py_err)?.as_ref())?;
    }
    let (mut from, into) = (Bytes::of(&values)?, Bytes::of(target)?);
    let fits = from.plan.broadcast_to(into.plan.shape());
    if fits.is_err() {
        // The same without the axis of bytes, for its words.
        let plan = SpecBuf::default().plan(values.shape()).map_err(to_py_err)?;
        plan.broadcast_to(target.shape()).map_err(to_py_err)?;
    }
    if into.plan.is_empty() {
        return Ok(());
    }
    if from.meets(&into) {
        values = copy(&values)?;
        from = Bytes::of(&values)?;
    }
    let mut memory = into.memory.try_readwrite().map_err(|error| match error {
        BorrowError::NotWriteable => PyValueError::new_err("the array is read-only"),
        other => other.into(),
    })?;
    let source = from.memory.try_readonly()?;
    let values = from.plan.on(source.as_slice()?).map_err(to_py_err)?;
    into.plan.assign(memory.as_slice_mut()?, values).map_err(to_py_err)
}

/// The values as an array of this type, cast by NumPy.
fn cast<'py>(
    values: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static GENERIC: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = values.py();
    if let Ok(array) = values.cast_exact::<PyUntypedArray>()
        && array.dtype().is_equiv_to(dtype)
    {
        return Ok(array.clone());
    }
    // `asarray` wraps a scalar of NumPy's that does not fit, where an assignment refuses it.
    if values.is_instance(GENERIC.import(py, "numpy", "generic")?)? {
        // SAFETY: NumPy allocates the memory.
        let element = unsafe { new(dtype.clone(), &[], null(), null_mut(), 0)? };
        element.set_item(PyTuple::empty(py), values)?;
        return Ok(element);
    }
    Ok(ASARRAY.import(py, "numpy", "asarray")?.call1((values, dtype))?.cast_into()?)
}
