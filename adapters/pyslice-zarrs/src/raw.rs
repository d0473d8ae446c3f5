use crate::{Error, Sliced};
use zarrs::array::{ArrayBytes, ArrayError, DataType, Element, ElementError, ElementOwned};

/// What a slice selects of an array whose element type is known only at run time: bytes, in C
/// order, and the type that they are of.
///
/// Made by [`PyArray::py_bytes`](crate::PyArray::py_bytes).
#[derive(Clone, Debug)]
pub struct SlicedBytes {
    shape: Vec<usize>,
    data_type: DataType,
    bytes: Vec<u8>,
}

impl SlicedBytes {
    /// The shape, in elements.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the elements.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The elements in C order, each as this machine has it in memory.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The elements in C order, each as this machine has it in memory.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// An element of `N` bytes of any meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<const N: usize>([u8; N]);

impl<const N: usize> Raw<N> {
    pub(crate) fn sliced(
        Sliced { shape, values }: Sliced<Self>,
        data_type: &DataType,
    ) -> SlicedBytes {
        let values: Vec<[u8; N]> = values.into_iter().map(|Raw(bytes)| bytes).collect();
        SlicedBytes { shape, data_type: data_type.clone(), bytes: values.into_flattened() }
    }
}

impl<const N: usize> Element for Raw<N> {
    fn validate_data_type(data_type: &DataType) -> Result<(), ElementError> {
        let fits = data_type.fixed_size() == Some(N);
        fits.then_some(()).ok_or(ElementError::IncompatibleElementType)
    }

    fn to_array_bytes<'a>(
        data_type: &DataType,
        elements: &'a [Self],
    ) -> Result<ArrayBytes<'a>, ElementError> {
        Self::into_array_bytes(data_type, elements.to_vec())
    }

    fn into_array_bytes(
        data_type: &DataType,
        elements: Vec<Self>,
    ) -> Result<ArrayBytes<'static>, ElementError> {
        Self::validate_data_type(data_type)?;
        let bytes: Vec<[u8; N]> = elements.into_iter().map(|Raw(bytes)| bytes).collect();
        Ok(ArrayBytes::new_flen(bytes.into_flattened()))
    }
}

impl<const N: usize> ElementOwned for Raw<N> {
    fn from_array_bytes(
        data_type: &DataType,
        bytes: ArrayBytes<'_>,
    ) -> Result<Vec<Self>, ElementError> {
        Self::validate_data_type(data_type)?;
        let bytes = bytes.into_fixed()?;
        Ok(bytes.as_chunks().0.iter().map(|&bytes| Raw(bytes)).collect())
    }
}

/// Elements of a size for which there is no [`Raw`].
pub(crate) fn no_size(data_type: &DataType) -> Error {
    let name = crate::error::name(data_type);
    let what = format!("elements of {name} as bytes; they have to take 1, 2, 4, 8 or 16 bytes");
    ArrayError::UnsupportedMethod(what).into()
}
