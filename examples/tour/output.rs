//! Results as bytes of a file.

use super::array::Array;
use super::common::{Failure, Tuple, file};
use super::pixels::Pixels;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use std::fs;
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
            _ => Err(Failure(format!(
                "cannot write {}: its name must end in .png, .jpg or .npy",
                path.display()
            ))),
        }
    }
}

/// Checks, before any work is done, that `path` may be written, and that it is not the picture
/// itself, which would be gone then. Gives the format that the name asks for.
pub fn check(path: &Path, picture: Option<&Path>) -> Result<Format, Failure> {
    file::check(path)?;
    // A name that leads nowhere yet is not a file's.
    if let (Ok(out), Some(Ok(picture))) = (fs::canonicalize(path), picture.map(fs::canonicalize))
        && out == picture
    {
        let name = path.display();
        return Err(Failure(format!(
            "{name} is the picture itself, which would be lost; name another file with -o"
        )));
    }
    Format::of(path)
}

/// Encodes pixels as PNG or JPEG.
pub fn encode(pixels: &Pixels, format: Format, to: &mut dyn Write) -> Result<(), Failure> {
    let size = |n: usize| {
        u32::try_from(n)
            .map_err(|_| Failure::new("more pixels in a row or column than a file can have"))
    };
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
            return Err(Failure::new(
                "JPEG has 8 bits a channel, and these pixels have 16; use .png",
            ));
        }
        Format::Jpeg if matches!(pixels.channels, 2 | 4) => {
            return Err(Failure::new(
                "JPEG has no transparency, and this picture has; use .png, or drop the channel",
            ));
        }
        Format::Jpeg => {
            JpegEncoder::new_with_quality(to, 92).write_image(&pixels.bytes, width, height, color)
        }
        _ => {
            let encoder =
                PngEncoder::new_with_quality(to, CompressionType::Default, FilterType::Adaptive);
            encoder.write_image(&pixels.bytes, width, height, color)
        }
    };
    result.map_err(|e| Failure::new(e.to_string()))
}

/// Writes an array as NumPy's `.npy`. The elements are bytes here, which `npyz` does not write.
///
/// As NumPy does, version 1 where the header is Latin-1, and version 3, whose headers are UTF-8,
/// where it is not.
pub fn npy(array: &Array, to: &mut dyn Write) -> Result<(), Failure> {
    let shape = Tuple(&array.shape);
    let header =
        format!("{{'descr': {}, 'fortran_order': False, 'shape': {shape}, }}", array.dtype.descr);
    // Data begin at a multiple of 64 bytes, after the preamble and the line break that ends the
    // header.
    let ended = |header: &mut Vec<u8>, preamble: usize| {
        let padding = 63 - (preamble + header.len()) % 64;
        header.extend(std::iter::repeat_n(b' ', padding));
        header.push(b'\n');
    };
    let latin: Result<Vec<u8>, _> = header.chars().map(u8::try_from).collect();
    let mut file = b"\x93NUMPY".to_vec();
    match latin {
        Ok(mut header) if header.len() < usize::from(u16::MAX) - 64 => {
            ended(&mut header, 10);
            file.extend([1, 0]);
            file.extend((header.len() as u16).to_le_bytes());
            file.extend(header);
        }
        _ => {
            let mut header = header.into_bytes();
            ended(&mut header, 12);
            let too_long = |_| Failure::new("its element type is too long for a header");
            file.extend([3, 0]);
            file.extend(u32::try_from(header.len()).map_err(too_long)?.to_le_bytes());
            file.extend(header);
        }
    }
    let mut write = |bytes: &[u8]| to.write_all(bytes).map_err(|e| Failure::new(e.to_string()));
    write(&file)?;
    write(&array.bytes)
}
