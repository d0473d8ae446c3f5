//! Element types, known at run time.

use std::ops::{Add, AddAssign, Mul};

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    U8,
    I64,
    F32,
    F64,
}

impl DType {
    /// The size of one element in bytes.
    pub fn size(self) -> usize {
        match self {
            DType::U8 => size_of::<u8>(),
            DType::I64 => size_of::<i64>(),
            DType::F32 => size_of::<f32>(),
            DType::F64 => size_of::<f64>(),
        }
    }
}

/// A Rust type that is an element type.
pub trait Element: Copy + Default + Add<Output = Self> + Mul<Output = Self> + AddAssign {
    /// Which one.
    const DTYPE: DType;
    /// The element whose bytes these are.
    fn read(bytes: &[u8]) -> Self;
    /// Appends the element's bytes.
    fn write(self, bytes: &mut Vec<u8>);
    /// For means and gradients.
    fn from_count(n: usize) -> Self;
}

macro_rules! elements {
    ($($t:ty => $dtype:ident),*) => { $(
        impl Element for $t {
            const DTYPE: DType = DType::$dtype;
            fn read(bytes: &[u8]) -> $t {
                <$t>::from_ne_bytes(bytes.try_into().expect("one element's bytes"))
            }
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_ne_bytes());
            }
            fn from_count(n: usize) -> $t {
                n as $t
            }
        }
    )* };
}
elements!(u8 => U8, i64 => I64, f32 => F32, f64 => F64);

/// The elements in a buffer of bytes.
pub fn elements<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(T::read).collect()
}

/// The bytes of elements.
pub fn bytes_of<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size_of_val(values));
    values.iter().for_each(|v| v.write(&mut bytes));
    bytes
}

/// Runs `$body` with `$T` standing for the Rust type of `$dtype`.
macro_rules! with_type {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::mini_tensor::DType::U8 => {
                type $T = u8;
                $body
            }
            $crate::mini_tensor::DType::I64 => {
                type $T = i64;
                $body
            }
            $crate::mini_tensor::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::mini_tensor::DType::F64 => {
                type $T = f64;
                $body
            }
        }
    };
}
pub(super) use with_type;
