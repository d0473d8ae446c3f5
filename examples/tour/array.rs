//! An array whose element type is known only at run time: bytes, a shape, and how to read one
//! element.

use super::common::Failure;
use pyslice::{Plan, SliceError, SpecBuf, SpecRef};

/// What the bytes of an element mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1.
    Bool,
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Uint,
    /// A float of 2, 4 or 8 bytes.
    Float,
    /// Two floats of 4 or 8 bytes each.
    Complex,
    /// Characters of 1 or 4 bytes, with zeros behind them.
    Text {
        /// Bytes per character.
        unit: usize,
    },
    /// Anything else: dates, records, long floats. Bytes are bytes to a slice.
    Other,
}

/// An element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dtype {
    /// As NumPy writes it in a `.npy` header: a Python literal, such as `'<f4'`.
    pub descr: String,
    /// Bytes per element.
    pub size: usize,
    /// What they mean.
    pub kind: Kind,
    /// Whether the first byte is the most significant one.
    pub big_endian: bool,
}

impl Dtype {
    /// Unsigned integers of this machine's byte order.
    pub fn uint(size: usize) -> Dtype {
        let big_endian = cfg!(target_endian = "big");
        let order = if size == 1 {
            '|'
        } else if big_endian {
            '>'
        } else {
            '<'
        };
        Dtype { descr: format!("'{order}u{size}'"), size, kind: Kind::Uint, big_endian }
    }

    /// Whether an element is one number, so that it can be shown as brightness.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Bool | Kind::Int | Kind::Uint | Kind::Float)
    }

    /// Up to 8 bytes of an element as an unsigned integer.
    fn bits(&self, bytes: &[u8]) -> u64 {
        let join = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
        if self.big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    }

    /// An element as an integer; `None` where it is none.
    fn integer(&self, element: &[u8]) -> Option<i128> {
        let (bits, unused) = (self.bits(element), 64u32.saturating_sub(8 * element.len() as u32));
        match self.kind {
            Kind::Uint => Some(bits.into()),
            Kind::Int => Some(((bits << unused).cast_signed() >> unused).into()),
            _ => None,
        }
    }

    /// An element as a number; `None` where it is none.
    pub fn number(&self, element: &[u8]) -> Option<f64> {
        match self.kind {
            Kind::Bool => Some(f64::from(u8::from(element != [0]))),
            Kind::Float => self.float(element),
            _ => self.integer(element).map(|v| v as f64),
        }
    }

    fn float(&self, bytes: &[u8]) -> Option<f64> {
        let bits = self.bits(bytes);
        match bytes.len() {
            2 => Some(half(bits as u16)),
            4 => Some(f64::from(f32::from_bits(bits as u32))),
            8 => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// An element for a person to read.
    pub fn show(&self, element: &[u8]) -> String {
        let float = |bytes| self.float(bytes).map_or("?".into(), short);
        match self.kind {
            Kind::Bool => (if element == [0] { "False" } else { "True" }).into(),
            Kind::Int | Kind::Uint => self.integer(element).unwrap_or(0).to_string(),
            Kind::Float => float(element),
            Kind::Complex => {
                let (real, imaginary) = element.split_at(element.len() / 2);
                let imaginary = float(imaginary);
                let plus = if imaginary.starts_with('-') { "" } else { "+" };
                format!("{}{plus}{imaginary}j", float(real))
            }
            Kind::Text { unit } => {
                let codes = element
                    .chunks_exact(unit)
                    .map(|c| u32::try_from(self.bits(c)).unwrap_or(u32::MAX));
                let text: String = codes.map(|c| char::from_u32(c).unwrap_or('?')).collect();
                format!("{:?}", text.trim_end_matches('\0'))
            }
            Kind::Other => element.iter().fold(String::from("0x"), |s, b| s + &format!("{b:02x}")),
        }
    }
}

/// A float with up to six decimals, or with an exponent where that would be long or lose all
/// digits.
fn short(v: f64) -> String {
    if v == 0.0 || (1e-4..1e9).contains(&v.abs()) {
        let digits = format!("{v:.6}");
        return digits.trim_end_matches('0').trim_end_matches('.').into();
    }
    if v.is_finite() { format!("{v:.6e}") } else { v.to_string() }
}

/// An IEEE half-precision float.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + fraction / 1024.0) * 2f64.powi(e - 15),
    }
}

/// An array in C order.
#[derive(Clone, Debug)]
pub struct Array {
    /// Lengths of the axes.
    pub shape: Vec<usize>,
    /// The elements, one after the other.
    pub bytes: Vec<u8>,
    /// What they are.
    pub dtype: Dtype,
    /// Whether the axes are rows, columns and perhaps channels.
    pub picture: bool,
}

impl Array {
    /// Plans `spec` for this array.
    pub fn plan(&self, spec: SpecRef<'_>) -> Result<Plan, SliceError> {
        spec.plan(&self.shape)
    }

    /// The array that the plan selects.
    pub fn cut(&self, plan: &Plan) -> Result<Array, Failure> {
        let cut = plan.bytes(self.dtype.size).on(&self.bytes).and_then(|view| view.to_vec());
        let bytes = cut.map_err(|e| Failure::new(e.to_string()))?;
        Ok(Array { shape: plan.shape().to_vec(), bytes, dtype: self.dtype.clone(), picture: false })
    }

    /// `self[place] = values`.
    pub fn assign(&mut self, place: &SpecBuf, values: &Array) -> Result<(), SliceError> {
        let plan = place.plan(&self.shape)?;
        plan.bytes(self.dtype.size).on_mut(&mut self.bytes)?.assign(&values.bytes)
    }

    /// The smallest and the largest number in the array; `None` if there is none.
    pub fn extremes(&self) -> Option<(f64, f64)> {
        let numbers =
            self.bytes.chunks_exact(self.dtype.size.max(1)).filter_map(|e| self.dtype.number(e));
        numbers.filter(|v| v.is_finite()).fold(None, |seen, v| match seen {
            None => Some((v, v)),
            Some((low, high)) => Some((v.min(low), v.max(high))),
        })
    }

    /// The first few elements and the last, for a person to read.
    pub fn summary(&self) -> String {
        const SHOWN: usize = 8;
        let size = self.dtype.size.max(1);
        let count = self.bytes.len() / size;
        let one = |i: usize| {
            self.bytes.get(i * size..i * size + size).map_or(String::new(), |e| self.dtype.show(e))
        };
        if count <= SHOWN {
            return (0..count).map(one).collect::<Vec<_>>().join(", ");
        }
        let head: Vec<_> = (0..SHOWN - 2).map(one).collect();
        format!("{}, ..., {}, {}", head.join(", "), one(count - 2), one(count - 1))
    }
}

/// Zeros for `len` elements of `size` bytes, or a failure if memory runs out.
pub fn zeros(len: usize, size: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let count = len.saturating_mul(size);
    if bytes.try_reserve_exact(count).is_err() {
        return Err(Failure(format!("no memory for {len} elements of {size} bytes")));
    }
    bytes.resize(count, 0);
    Ok(bytes)
}
