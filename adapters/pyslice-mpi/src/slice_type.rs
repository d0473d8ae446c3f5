use crate::Error;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use mpi::datatype::{
    DatatypeRef, DynBuffer, DynBufferMut, MutView, UncommittedDatatype, UncommittedUserDatatype,
    UserDatatype, View,
};
use mpi::environment::{is_finalized, is_initialized};
use mpi::ffi::MPI_Type_create_resized;
use mpi::traits::{AsRaw, Equivalence, FromRaw};
use mpi::{Address, Count};
use slice_core::{Buffer, Plan, SliceError};

/// A slice of an array of `T` as an MPI datatype: what a message takes from the array, or puts into
/// it, without a buffer in between that we would pack.
///
/// It is vectors of vectors (`MPI_Type_create_hvector`), one for each axis of the slice that does
/// not continue another one, so its size does not depend on the slice's. Negative steps and plans
/// with strides of their own are as good as any; elements come in the order of the slice.
pub struct SliceType<T> {
    datatype: UserDatatype,
    plan: Plan,
    element: PhantomData<fn() -> T>,
}

impl<T: Equivalence> SliceType<T> {
    /// The datatype of a plan.
    ///
    /// # Errors
    ///
    /// [`Error::NotInitialized`], [`Error::TooLong`], and [`SliceError::BytesTooLarge`] for an
    /// array with more bytes than memory has.
    pub fn new(plan: &Plan) -> Result<SliceType<T>, Error> {
        if !is_initialized() || is_finalized() {
            return Err(Error::NotInitialized);
        }
        let size = size_of::<T>();
        let at = plan.byte_offset(size)? as Address;
        let loops = loops(plan, size)?;
        let element = T::equivalent_datatype();
        let mut inner = match loops.first() {
            _ if plan.is_empty() => UncommittedUserDatatype::contiguous(0, &element),
            Some(&(n, stride)) if stride == size as Address => {
                UncommittedUserDatatype::contiguous(n, &element)
            }
            Some(&(n, stride)) => vector(n, stride, &element),
            None => UncommittedUserDatatype::contiguous(1, &element),
        };
        if !plan.is_empty() {
            for &(n, stride) in loops.iter().skip(1) {
                inner = vector(n, stride, &inner);
            }
            // Negative strides reach below the first element, so the datatype goes with the address
            // of the array.
            inner = UncommittedUserDatatype::heterogeneous_indexed_block(1, &[at], &inner);
        }
        Ok(SliceType { datatype: inner.commit(), plan: plan.clone(), element: PhantomData })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The slice of an array, to be sent.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `data` is not the array that the plan was made for.
    pub fn view<'a>(&'a self, data: &'a [T]) -> Result<View<'a, 'a, UserDatatype, [T]>, Error> {
        self.check(Buffer::Source, data.len())?;
        // SAFETY: the datatype has the positions of the plan, all of which were just found inside
        // `data`, and elements that are equivalent to `T`.
        Ok(unsafe { View::with_count_and_datatype(data, 1, &self.datatype) })
    }

    /// The slice of an array, to be received into.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `data` is not the array that the plan was made for;
    /// [`SliceError::Repeats`] if strides make the slice meet an element more than once, which MPI
    /// does not allow here.
    pub fn view_mut<'a>(
        &'a self,
        data: &'a mut [T],
    ) -> Result<MutView<'a, 'a, UserDatatype, [T]>, Error> {
        self.check(Buffer::Target, data.len())?;
        if self.plan.repeats()? {
            return Err(SliceError::Repeats.into());
        }
        // SAFETY: as for `view`; no two positions are one.
        Ok(unsafe { MutView::with_count_and_datatype(data, 1, &self.datatype) })
    }

    /// Two slices of one array at once: this one to be sent, the other one to be received into, as
    /// an exchange of borders needs them.
    ///
    /// # Errors
    ///
    /// Those of [`view`](Self::view) and [`view_mut`](Self::view_mut), [`SliceError::Overlap`] if
    /// the two share an element, and what [`Plan::disjoint`] returns where it cannot tell.
    ///
    /// # Examples
    ///
    /// Each rank's rows have a ghost row above and below, for the neighbours' borders:
    ///
    /// ```no_run
    /// use mpi::{point_to_point::send_receive_into, traits::*};
    /// use pyslice::s;
    /// use pyslice_mpi::SliceType;
    ///
    /// let universe = mpi::initialize().ok_or("MPI runs already")?;
    /// let world = universe.world();
    /// let (rank, size) = (world.rank(), world.size());
    /// let mut x = vec![f64::from(rank); 10 * 8];
    /// let edge = SliceType::new(&s![-2].plan(&[10, 8])?)?; //      x[-2]
    /// let ghost = SliceType::new(&s![0].plan(&[10, 8])?)?; //      x[0]
    /// let next = world.process_at_rank((rank + 1) % size);
    /// let last = world.process_at_rank((rank + size - 1) % size);
    /// let (sent, mut received) = edge.view_beside(&ghost, &mut x)?;
    /// send_receive_into(&sent, &next, &mut received, &last);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view_beside<'a>(
        &'a self,
        other: &'a SliceType<T>,
        data: &'a mut [T],
    ) -> Result<(DynBuffer<'a>, DynBufferMut<'a>), Error> {
        self.check(Buffer::Source, data.len())?;
        other.check(Buffer::Target, data.len())?;
        if other.plan.repeats()? {
            return Err(SliceError::Repeats.into());
        }
        if !self.plan.disjoint(&other.plan)? {
            return Err(SliceError::Overlap { first: 0, second: 1 }.into());
        }
        let data = data.as_mut_ptr();
        // SAFETY: `data` is borrowed for `'a`, and so are the datatypes, whose handles these are.
        // They have the positions of the plans, all of which were just found inside `data`, and
        // elements that are equivalent to `T`. No position of one is a position of the other, nor
        // twice one of `other`, and neither buffer is a reference.
        Ok(unsafe {
            (
                DynBuffer::from_raw(data, 1, DatatypeRef::from_raw(self.datatype.as_raw())),
                DynBufferMut::from_raw(data, 1, DatatypeRef::from_raw(other.datatype.as_raw())),
            )
        })
    }

    /// Checks that every position of the plan lies in an array of `found` elements.
    fn check(&self, buffer: Buffer, found: usize) -> Result<(), Error> {
        let expected = self.plan.input_len();
        let fits = if self.plan.is_strided() { found >= expected } else { found == expected };
        if fits && lies_in(&self.plan, found) {
            return Ok(());
        }
        Err(SliceError::BufferLength { buffer, expected, found }.into())
    }
}

impl<T> fmt::Debug for SliceType<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SliceType").field("plan", &self.plan).finish_non_exhaustive()
    }
}

/// The datatype of `n` others whose first elements are `stride` bytes apart.
fn vector(n: Count, stride: Address, of: &impl UncommittedDatatype) -> UncommittedUserDatatype {
    if stride != -1 {
        return UncommittedUserDatatype::heterogeneous_vector(n, 1, stride, of);
    }
    // Open MPI 4.1 reads forwards from the first of single bytes that go backwards. The same as
    // neighbours, each of which reaches back to the one before, comes out right.
    let mut each = MaybeUninit::uninit();
    // SAFETY: the datatype is alive, and MPI writes the new one's handle, which nobody else has.
    let each = unsafe {
        MPI_Type_create_resized(of.as_raw(), 0, stride, each.as_mut_ptr());
        UncommittedUserDatatype::from_raw(each.assume_init())
    };
    UncommittedUserDatatype::contiguous(n, &each)
}

/// The loops over the positions of a plan, innermost first, with strides in bytes. Loops that
/// continue each other are one.
fn loops(plan: &Plan, size: usize) -> Result<Vec<(Count, Address)>, Error> {
    let mut loops: Vec<(usize, isize)> = Vec::new();
    let strides: Vec<isize> = plan.byte_strides(size)?.collect();
    for (&n, &stride) in plan.shape().iter().zip(&strides).rev().filter(|(n, _)| **n != 1) {
        match loops.last_mut() {
            Some((m, inner)) if inner.checked_mul(*m as isize) == Some(stride) => {
                *m = m.saturating_mul(n);
            }
            _ => loops.push((n, stride)),
        }
    }
    let count = |(len, stride): (usize, isize)| match Count::try_from(len) {
        Ok(n) => Ok((n, stride as Address)),
        Err(_) => Err(Error::TooLong { len }),
    };
    loops.into_iter().map(count).collect()
}

/// Whether every position of the plan lies below `found`. It trusts nothing of the plan.
fn lies_in(plan: &Plan, found: usize) -> bool {
    if plan.shape().contains(&0) {
        return true;
    }
    let (mut low, mut high) = (plan.offset() as i128, plan.offset() as i128);
    for (&n, &stride) in plan.shape().iter().zip(plan.strides()) {
        let Some(reach) = (n as i128 - 1).checked_mul(stride as i128) else { return false };
        let end = if reach < 0 { &mut low } else { &mut high };
        match end.checked_add(reach) {
            Some(sum) => *end = sum,
            None => return false,
        }
    }
    low >= 0 && high < found as i128
}
