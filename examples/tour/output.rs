//! Results as bytes of a file.

use super::array::Array;
use super::common::{Failure, Tuple, file};
use super::pixels::Pixels;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use std::io::Write;
use std::path::Path;

/// The kinds of file that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels of 8 or 16 bits, 1 to 4 channels.
    Png,
    /// Pixels of 8 bits, grey or RGB.
    Jpeg,
    /// Any array.
    Npy,
}

impl Format {
    /// The format that a file name asks for.
    fn of(path: &Path) -> Result<Format, Failure> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        match ending.as_str() {
            "png" => Ok(Format::Png),
            "jpg" | "jpeg" => Ok(Format::Jpeg),
            "npy" => Ok(Format::Npy),
            _ => Err(Failure(format!("cannot write {}: its name must end in .png, .jpg or .npy", path.display()))),
        }
    }
}

/// Checks, before any work is done, that `path` may be written. Gives the format that the name asks for.
pub fn check(path: &Path) -> Result<Format, Failure> {
    file::check(path)?;
    Format::of(path)
}

/// Encodes pixels as PNG or JPEG.
pub fn encode(pixels: &Pixels, format: Format, to: &mut dyn Write) -> Result<(), Failure> {
    let size =
        |n: usize| u32::try_from(n).map_err(|_| Failure::new("more pixels in a row or column than a file can have"));
    let (width, height) = (size(pixels.columns)?, size(pixels.rows)?);
    let wide = pixels.depth == 2;
    let color = match (pixels.channels, wide) {
        (1, false) => ExtendedColorType::L8,
        (2, false) => ExtendedColorType::La8,
        (3, false) => ExtendedColorType::Rgb8,
        (4, false) => ExtendedColorType::Rgba8,
        (1, true) => ExtendedColorType::L16,
        (2, true) => ExtendedColorType::La16,
        (3, true) => ExtendedColorType::Rgb16,
        _ => ExtendedColorType::Rgba16,
    };
    let result = match format {
        Format::Jpeg if wide => {
            return Err(Failure::new("JPEG has 8 bits a channel, and these pixels have 16; use .png"));
        }
        Format::Jpeg if matches!(pixels.channels, 2 | 4) => {
            return Err(Failure::new("JPEG has no transparency, and this picture does; use .png, or drop the channel"));
        }
        Format::Jpeg => JpegEncoder::new_with_quality(to, 92).write_image(&pixels.bytes, width, height, color),
        _ => {
            let encoder = PngEncoder::new_with_quality(to, CompressionType::Default, FilterType::Adaptive);
            encoder.write_image(&pixels.bytes, width, height, color)
        }
    };
    result.map_err(|e| Failure::new(e.to_string()))
}

/// Writes an array as NumPy's `.npy`, version 1. The elements are bytes here, which `npyz` does not write.
pub fn npy(array: &Array, to: &mut dyn Write) -> Result<(), Failure> {
    let shape = Tuple(&array.shape);
    let mut header = format!("{{'descr': {}, 'fortran_order': False, 'shape': {shape}, }}", array.dtype.descr);
    // Data begin at a multiple of 64 bytes, after 10 bytes of preamble and the line break that ends the header.
    let padding = 63 - (10 + header.len()) % 64;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    let length = u16::try_from(header.len()).map_err(|_| Failure::new("its element type is too long for a header"))?;
    let mut write = |bytes: &[u8]| to.write_all(bytes).map_err(|e| Failure::new(e.to_string()));
    write(b"\x93NUMPY\x01\x00")?;
    write(&length.to_le_bytes())?;
    write(header.as_bytes())?;
    write(&array.bytes)
}
