//! candle's element types, each of which has a vector of its own.

use candle_core::{DType, Error};

/// Evaluates an expression for every element type. It gets the elements of two storages of one
/// type, or of one storage with a function that makes a storage of its type.
macro_rules! by_type {
    (@[$($t:ident)*] $op:expr, ($to:expr, $from:expr), ($a:ident, $b:ident) => $body:expr) => {
        match ($to, $from) {
            $((CpuStorage::$t($a), CpuStorage::$t($b)) => $body,)*
            (to, from) => Err($crate::dtype::unsupported_pair(to.dtype(), from.dtype(), $op)),
        }
    };
    (@[$($t:ident)*] $op:expr, $storage:expr, ($elems:ident, $make:pat) => $body:expr) => {
        match $storage {
            $(CpuStorage::$t($elems) => {
                let $make = CpuStorage::$t;
                $body
            })*
            other => Err($crate::dtype::unsupported(other.dtype(), $op)),
        }
    };
    ($($call:tt)*) => {
        // Types of less than a byte do not: several elements may share one.
        $crate::dtype::by_type!(
            @[U8 U32 I16 I32 I64 BF16 F16 F32 F64 F8E4M3 F8E8M0] $($call)*
        )
    };
}
pub(crate) use by_type;

#[cold]
pub(crate) fn unsupported(dtype: DType, op: &'static str) -> Error {
    Error::UnsupportedDTypeForOp(dtype, op).bt()
}

#[cold]
pub(crate) fn unsupported_pair(lhs: DType, rhs: DType, op: &'static str) -> Error {
    if lhs == rhs {
        return unsupported(lhs, op);
    }
    Error::DTypeMismatchBinaryOp { lhs, rhs, op }.bt()
}
