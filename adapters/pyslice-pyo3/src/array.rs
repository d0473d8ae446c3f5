//! NumPy's arrays of any element type, by their bytes.

use crate::to_py_err;
use numpy::npyffi::{
    self, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, PyArrayObject_fields, npy_intp,
};
use numpy::{
    BorrowError, PyArray1, PyArrayDescr, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyTuple};
use slice_core::{AsSpec, Plan, SpecBuf, SpecRef};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::slice;

/// Python's slices of NumPy's arrays, of any element type, byte order, alignment and strides.
///
/// Elements are moved as bytes by pyslice's kernels; what holds references, as `object` does, and
/// what is assigned to a few elements is moved by NumPy. A subclass of `numpy.ndarray` is a
/// `TypeError`, because a slice of it may mean something else, as of a masked array;
/// `numpy.asarray(x)` is the plain array.
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
        view(self, &plan(self, spec.as_spec())?)
    }

    fn pyslice_item(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyAny>> {
        let spec = spec.as_spec();
        let plan = plan(self, spec)?;
        // With an ellipsis NumPy has an array of rank 0.
        if !plan.shape().is_empty() || spec.masks().ellipsis != 0 {
            return Ok(view(self, &plan)?.into_any());
        }
        let (py, first) = (self.py(), lowest(self).wrapping_add(plan.offset()));
        // SAFETY: this is an element of the array, which a scalar of records keeps alive.
        unsafe {
            let dtype = self.dtype().as_dtype_ptr();
            let scalar = PY_ARRAY_API.PyArray_Scalar(py, first.cast(), dtype, self.as_ptr());
            Bound::from_owned_ptr_or_err(py, scalar)
        }
    }

    fn pyslice_copy(&self, spec: impl AsSpec) -> PyResult<Bound<'py, PyUntypedArray>> {
        copy(&self.pyslice(spec)?)
    }

    fn pyslice_assign(&self, spec: impl AsSpec, values: &Bound<'py, PyAny>) -> PyResult<()> {
        let spec = spec.as_spec();
        let target = view(self, &plan(self, spec)?)?;
        if target.ndim() > 0 {
            return assign(&target, values);
        }
        writable(&target)?;
        if spec.masks().ellipsis != 0 {
            return by_numpy(&target, values);
        }
        // What one element takes is another rule of NumPy's: no array, for one.
        target.set_item(PyTuple::empty(self.py()), values)
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

/// What the slice takes of the array, in bytes.
fn plan(array: &Bound<'_, PyUntypedArray>, spec: SpecRef<'_>) -> PyResult<Plan> {
    if !array.is_exact_instance_of::<PyUntypedArray>() {
        return Err(PyTypeError::new_err(format!(
            "an array of type {} may slice differently; pass numpy.asarray(x)",
            array.get_type().name()?
        )));
    }
    spec.plan_strided(array.shape(), array.strides()).map_err(to_py_err)
}

/// The array that a plan of [`plan`] selects.
fn view<'py>(
    array: &Bound<'py, PyUntypedArray>,
    plan: &Plan,
) -> PyResult<Bound<'py, PyUntypedArray>> {
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

/// For as many elements NumPy is as fast as the kernels, which cost a microsecond to prepare.
const FEW: usize = 512;

fn assign(target: &Bound<'_, PyUntypedArray>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let dtype = target.dtype();
    if !is_bytes(&dtype) {
        writable(target)?;
        return by_numpy(target, values);
    }
    let few = target.len() <= FEW;
    // A number is cast before anything is written, as an array is below.
    if few && is_number(values) {
        writable(target)?;
        return by_numpy(target, values);
    }
    let mut values = cast(values, &dtype)?;
    if few {
        writable(target)?;
        return by_numpy(target, values.as_any());
    }
    // Axes of length 1 that the target does not have are nothing to NumPy.
    while values.ndim() > target.ndim() && values.shape().first() == Some(&1) {
        let spec = SpecBuf::from_entries([0]).map_err(to_py_err)?;
        values = view(&values, &plan(&values, spec.as_ref())?)?;
    }
    let (mut from, into) = (Bytes::of(&values)?, Bytes::of(target)?);
    let fits = from.plan.broadcast_to(into.plan.shape());
    if fits.is_err() {
        // The same without the axis of bytes, for its words.
        let plan = SpecBuf::default().plan(values.shape()).map_err(to_py_err)?;
        plan.broadcast_to(target.shape()).map_err(to_py_err)?;
    }
    if from.meets(&into) {
        values = copy(&values)?;
        from = Bytes::of(&values)?;
    }
    let mut memory = into.memory.try_readwrite().map_err(not_writable)?;
    let source = from.memory.try_readonly()?;
    let values = from.plan.on(source.as_slice()?).map_err(to_py_err)?;
    into.plan.assign(memory.as_slice_mut()?, values).map_err(to_py_err)
}

fn not_writable(error: BorrowError) -> PyErr {
    match error {
        BorrowError::NotWriteable => PyValueError::new_err("the array is read-only"),
        other => other.into(),
    }
}

/// Refuses an array that is read-only, or that Rust code has borrowed.
fn writable(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    // SAFETY: it is an array. A borrow looks at its address, shape and strides, not at elements.
    let array = unsafe { array.cast_unchecked::<PyArrayDyn<u8>>() };
    array.try_readwrite().map(drop).map_err(not_writable)
}

/// `target[...] = values`, by NumPy.
fn by_numpy(target: &Bound<'_, PyUntypedArray>, values: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = target.py();
    // SAFETY: both live, and NumPy checks everything else.
    let failed =
        unsafe { PY_ARRAY_API.PyArray_CopyObject(py, target.as_array_ptr(), values.as_ptr()) };
    if failed < 0 { Err(PyErr::fetch(py)) } else { Ok(()) }
}

/// Whether the object is one of Python's numbers or a scalar of NumPy's.
fn is_number(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyComplex>()
        || is_scalar(object)
}

/// Whether the object is a scalar of NumPy's.
fn is_scalar(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are types that live as long as Python does.
    unsafe {
        let generic = npyffi::get_type_object(object.py(), NpyTypes::PyGenericArrType_Type);
        ffi::PyType_IsSubtype(object.get_type_ptr(), generic) != 0
    }
}

/// The values as an array of this type, cast by NumPy.
fn cast<'py>(
    values: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = values.py();
    if let Ok(array) = values.cast_exact::<PyUntypedArray>()
        && array.dtype().is_equiv_to(dtype)
    {
        return Ok(array.clone());
    }
    // `asarray` wraps a scalar of NumPy's that does not fit, where an assignment refuses it.
    if is_scalar(values) {
        // SAFETY: NumPy allocates the memory.
        let element = unsafe { new(dtype.clone(), &[], null(), null_mut(), 0)? };
        element.set_item(PyTuple::empty(py), values)?;
        return Ok(element);
    }
    Ok(ASARRAY.import(py, "numpy", "asarray")?.call1((values, dtype))?.cast_into()?)
}
