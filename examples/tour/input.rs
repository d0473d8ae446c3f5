//! Reading pictures and `.npy` arrays.

use super::array::{Array, Dtype, Kind};
use super::common::{Failure, Tuple};
use super::progress::Progress;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use pyslice::{Plan, SliceError, SpecBuf, SpecRef, s};
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::Path;

/// The picture that the tour cuts unless it is given another.
const EMBEDDED: &[u8] = include_bytes!("../assets/grace_hopper.jpg");

/// The embedded picture.
pub fn embedded() -> Result<Array, Failure> {
    decode(EMBEDDED)
}

/// Reads a PNG, a JPEG or a `.npy` file. The first bytes say which it is.
pub fn read(path: &Path, progress: &mut Progress<'_>) -> Result<Array, Failure> {
    let name = path.display();
    let unreadable = |e: std::io::Error| Failure(format!("cannot read {name}: {e}"));
    let file = File::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.is_dir() {
        return Err(Failure(format!("cannot read {name}: it is a directory")));
    }
    let mut bytes = Vec::new();
    let mut file = BufReader::new(file);
    // In parts, so that a large file shows how far it is.
    while file.by_ref().take(1 << 24).read_to_end(&mut bytes).map_err(unreadable)? > 0 {
        progress.share("reading", bytes.len() as u64, about.len());
    }
    let array = if bytes.starts_with(b"\x93NUMPY") {
        npy(bytes)
    } else if bytes.starts_with(b"PK\x03\x04") {
        Err(Failure::new(
            "it is a zip file, such as numpy.savez writes; save one array with numpy.save",
        ))
    } else {
        progress.step("decoding");
        decode(&bytes)
    };
    array.map_err(|e| Failure(format!("cannot read {name}: {e}")))
}

/// Decodes a PNG or a JPEG picture as rows, columns and channels, upright as its EXIF data say; a
/// grey picture has no axis of channels.
fn decode(bytes: &[u8]) -> Result<Array, Failure> {
    let open = || ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let reader = open().map_err(|e| Failure::new(e.to_string()))?;
    match reader.format() {
        None => return Err(Failure::new("it is not a PNG, JPEG or .npy file")),
        // The decoder would fill what is missing with grey.
        Some(ImageFormat::Jpeg) if !jpeg_is_whole(bytes) => {
            return Err(Failure::new("it is cut short"));
        }
        _ => {}
    }
    let picture = reader.decode().map_err(|e| Failure::new(e.to_string()))?;
    let (rows, columns) = (picture.height() as usize, picture.width() as usize);
    let channels = usize::from(picture.color().channel_count());
    let (bytes, size) = match picture {
        DynamicImage::ImageLuma8(p) => (p.into_raw(), 1),
        DynamicImage::ImageLumaA8(p) => (p.into_raw(), 1),
        DynamicImage::ImageRgb8(p) => (p.into_raw(), 1),
        DynamicImage::ImageRgba8(p) => (p.into_raw(), 1),
        DynamicImage::ImageLuma16(_)
        | DynamicImage::ImageLumaA16(_)
        | DynamicImage::ImageRgb16(_)
        | DynamicImage::ImageRgba16(_) => (picture.into_bytes(), 2),
        _ => return Err(Failure::new("its pixels are neither 8-bit nor 16-bit")),
    };
    let shape = if channels == 1 { vec![rows, columns] } else { vec![rows, columns, channels] };
    let stored = Array { shape, bytes, dtype: Dtype::uint(size), picture: true };
    // EXIF data that cannot be read are ignored.
    let decoder = open().ok().and_then(|reader| reader.into_decoder().ok());
    let orientation = decoder.and_then(|mut decoder| decoder.orientation().ok());
    match orientation.unwrap_or(Orientation::NoTransforms) {
        Orientation::NoTransforms => Ok(stored),
        other => {
            let plan = upright(&stored.shape, other).map_err(|e| Failure::new(e.to_string()))?;
            Ok(Array { picture: true, ..stored.cut(&plan)? })
        }
    }
}

/// The plan that rotates or flips a stored picture to the orientation that a camera noted.
fn upright(shape: &[usize], orientation: Orientation) -> Result<Plan, SliceError> {
    let stored = s![].plan(shape)?;
    let turned = || stored.permute(&[&[1, 0], &[2][..shape.len() - 2]].concat());
    match orientation {
        Orientation::NoTransforms => Ok(stored),
        Orientation::FlipHorizontal => stored.then(s![:, ::-1]),
        Orientation::Rotate180 => stored.then(s![::-1, ::-1]),
        Orientation::FlipVertical => stored.then(s![::-1]),
        Orientation::Rotate90FlipH => turned(),
        Orientation::Rotate90 => turned()?.then(s![:, ::-1]),
        Orientation::Rotate270FlipH => turned()?.then(s![::-1, ::-1]),
        Orientation::Rotate270 => turned()?.then(s![::-1]),
    }
}

/// Whether a JPEG file has its end: segments that say how long they are, and after a start of scan
/// (`ff da`) data, in which `ff` only stands before 0 or a restart marker.
fn jpeg_is_whole(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xff, marker]) = bytes.get(at..at + 2) {
        at = match marker {
            0xd9 => return true,
            // A marker may be preceded by any number of bytes ff.
            0xff => at + 1,
            0x01 | 0xd0..=0xd7 => at + 2,
            _ => match bytes.get(at + 2..at + 4) {
                Some(&[high, low]) => at + 2 + usize::from(u16::from_be_bytes([high, low])),
                _ => return false,
            },
        };
        if marker == 0xda {
            let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7);
            match bytes.get(at..).and_then(|data| data.windows(2).position(ends)) {
                Some(n) => at += n,
                None => return false,
            }
        }
    }
    false
}

/// Reads a `.npy` file of any fixed-size element type, in C or Fortran order.
fn npy(file: Vec<u8>) -> Result<Array, Failure> {
    let file = utf8_header(file)?;
    let mut rest = file.as_slice();
    let header = NpyHeader::from_reader(&mut rest).map_err(|e| Failure::new(e.to_string()))?;
    let dtype = dtype(&header.dtype())?;
    let shape = header.shape().iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>();
    let shape = shape.map_err(|_| Failure::new("its shape does not fit in memory"))?;
    let count = shape.iter().try_fold(dtype.size, |n, &d| n.checked_mul(d));
    let Some(bytes) = count.and_then(|n| rest.get(..n)) else {
        let (have, shape) = (rest.len(), Tuple(&shape));
        return Err(Failure(format!(
            "it is cut short: {have} bytes of data for shape {shape} of {}",
            dtype.descr
        )));
    };
    let bytes = match header.order() {
        Order::C => bytes.to_vec(),
        Order::Fortran => {
            // The first axis is the one whose elements lie side by side.
            let strides = shape
                .iter()
                .scan(1isize, |s, &n| Some(std::mem::replace(s, s.saturating_mul(n as isize))));
            let strides: Vec<isize> = strides.collect();
            let plan = SpecBuf::default()
                .plan_strided(&shape, &strides)
                .map_err(|e| Failure::new(e.to_string()))?;
            let in_c_order = plan.bytes(dtype.size).on(bytes).and_then(|view| view.to_vec());
            in_c_order.map_err(|e| Failure::new(e.to_string()))?
        }
    };
    let picture =
        dtype.is_number() && !bytes.is_empty() && matches!(shape[..], [_, _] | [_, _, 1..=4]);
    Ok(Array { shape, bytes, dtype, picture })
}

/// A `.npy` file whose header is not ASCII as one of version 3, whose headers are UTF-8: before
/// that they are Latin-1, which `npyz` does not read.
fn utf8_header(file: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let (first, length) = match file.get(6..12) {
        Some(&[1, 0, a, b, ..]) => (10, usize::from(u16::from_le_bytes([a, b]))),
        Some(&[2, 0, a, b, c, d]) => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        _ => return Ok(file),
    };
    let Some(header) =
        file.get(first..).and_then(|rest| rest.get(..length)).filter(|h| !h.is_ascii())
    else {
        return Ok(file);
    };
    let text: String = header.iter().map(|&byte| char::from(byte)).collect();
    let size = u32::try_from(text.len()).map_err(|_| Failure::new("its header is too long"))?;
    let data = file.get(first + length..).unwrap_or(&[]);
    Ok([b"\x93NUMPY\x03\x00", &size.to_le_bytes()[..], text.as_bytes(), data].concat())
}

/// The element type of a `.npy` file.
fn dtype(found: &DType) -> Result<Dtype, Failure> {
    let descr = found.descr();
    if found.uses_pickled_array() {
        return Err(Failure(format!(
            "its elements ({descr}) are Python objects, which have no fixed size"
        )));
    }
    let size = found.num_bytes().filter(|&n| n > 0);
    let Some(size) = size else {
        return Err(Failure(format!("its elements ({descr}) have no size")));
    };
    let (kind, big_endian) = match found {
        DType::Plain(t) => {
            let kind = match t.type_char() {
                TypeChar::Bool => Kind::Bool,
                TypeChar::Int => Kind::Int,
                TypeChar::Uint => Kind::Uint,
                TypeChar::Float if matches!(size, 2 | 4 | 8) => Kind::Float,
                TypeChar::Complex if matches!(size, 8 | 16) => Kind::Complex,
                TypeChar::ByteStr => Kind::Text { unit: 1 },
                TypeChar::UnicodeStr => Kind::Text { unit: 4 },
                _ => Kind::Other,
            };
            (kind, t.endianness() == Endianness::Big)
        }
        _ => (Kind::Other, false),
    };
    Ok(Dtype { descr, size, kind, big_endian })
}

/// Words for a slice that does not fit the array.
pub fn misfit(spec: SpecRef<'_>, shape: &[usize], why: impl std::fmt::Display) -> Failure {
    Failure(format!("the slice `{spec}` does not fit shape {}: {why}", Tuple(shape)))
}
