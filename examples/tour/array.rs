//! An array whose element type is known only at run time: bytes, and how many an element has.
//! `image` and `npyz` read and write the files; the plan of a slice moves the elements.

use super::common::{Result, Tuple};
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer, ImageDecoder, ImageReader};
use image::{Luma, LumaA, Pixel, Rgb, Rgba};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriteOptions, WriterBuilder};
use pyslice::{Plan, Shaped, s};
use std::io::Cursor;

/// An array in C order.
#[derive(Clone, Debug)]
pub struct Array {
    /// Lengths of the axes.
    pub shape: Vec<usize>,
    /// The elements, one after the other.
    pub bytes: Vec<u8>,
    /// Bytes of an element.
    pub size: usize,
    /// What an element is, as `.npy` files say it.
    pub dtype: DType,
    /// Whether the axes are rows, columns and perhaps channels.
    pub picture: bool,
}

impl Array {
    /// Reads a PNG, a JPEG or a `.npy` file. The first bytes say which it is.
    pub fn read(file: &[u8]) -> Result<Array> {
        if file.starts_with(b"\x93NUMPY") { Array::from_npy(file) } else { Array::decode(file) }
    }

    /// Rows, columns and channels of a picture, upright as its EXIF data say. A grey picture has no
    /// axis of channels.
    fn decode(file: &[u8]) -> Result<Array> {
        let mut decoder =
            ImageReader::new(Cursor::new(file)).with_guessed_format()?.into_decoder()?;
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let mut picture = DynamicImage::from_decoder(decoder)?;
        // The decoder fills what a JPEG file lacks with grey. Only its end has this marker.
        let last = |marker: [u8; 2]| file.windows(2).rposition(|pair| pair == marker);
        if file.starts_with(&[0xff, 0xd8]) && last([0xff, 0xd9]) < last([0xff, 0xda]) {
            return Err("it is cut short".into());
        }
        picture.apply_orientation(orientation);
        let (color, mut shape) =
            (picture.color(), vec![picture.height() as usize, picture.width() as usize]);
        let channels = usize::from(color.channel_count());
        shape.extend((channels > 1).then_some(channels));
        let size = usize::from(color.bytes_per_pixel()) / channels;
        let dtype = unsigned(size)?;
        Ok(Array { shape, bytes: picture.into_bytes(), size, dtype, picture: true })
    }

    /// An array of any element type that has a size, in C or Fortran order.
    fn from_npy(mut file: &[u8]) -> Result<Array> {
        let header = NpyHeader::from_reader(&mut file)?;
        let (dtype, mut shape) = (header.dtype(), Vec::new());
        for &n in header.shape() {
            shape.push(usize::try_from(n)?);
        }
        let size = dtype.num_bytes().filter(|&n| n > 0 && !dtype.uses_pickled_array());
        let size = size.ok_or_else(|| {
            format!("its elements ({}) are Python objects or have no size", dtype.descr())
        })?;
        let count = shape.iter().try_fold(size, |n, &len| n.checked_mul(len));
        let bytes = count.and_then(|n| file.get(..n)).ok_or_else(|| {
            format!("it is cut short: {} bytes of data for shape {}", file.len(), Tuple(&shape))
        })?;
        let bytes = match header.order() {
            Order::C => bytes.to_vec(),
            // The same bytes are an array in C order with its axes reversed.
            Order::Fortran => {
                let reversed: Vec<_> = shape.iter().rev().copied().collect();
                let axes: Vec<_> = (0..shape.len()).rev().collect();
                s![].plan(&reversed)?.permute(&axes)?.bytes(size).on(bytes)?.to_vec()?
            }
        };
        let pixels = (size == 1 || size == 2) && dtype.descr() == unsigned(size)?.descr();
        let axes = !bytes.is_empty() && matches!(shape[..], [_, _] | [_, _, ..=4]);
        Ok(Array { shape, bytes, size, dtype, picture: pixels && axes })
    }

    /// The array as a `.npy` file.
    pub fn to_npy(&self) -> Result<Vec<u8>> {
        let shape: Vec<u64> = self.shape.iter().map(|&n| n as u64).collect();
        let header = WriteOptions::new_header_only().dtype(self.dtype.clone()).shape(&shape);
        Ok([&header.writer(Vec::new()).write_header_only()?, &self.bytes[..]].concat())
    }

    /// `self[slice]`, by the plan of the slice.
    pub fn cut(&self, plan: &Plan) -> Result<Array> {
        let bytes = plan.bytes(self.size).on(&self.bytes)?.to_vec()?;
        Ok(Array { shape: plan.shape().to_vec(), bytes, dtype: self.dtype.clone(), ..*self })
    }

    /// `self[place] = values`, by the plan of the place; the values are broadcast.
    pub fn assign(&mut self, place: &Plan, values: &Array) -> Result<()> {
        let values = Shaped(&values.bytes, &values.shape);
        Ok(place.bytes(self.size).on_mut(&mut self.bytes)?.assign(values)?)
    }

    /// An array of zeros with the same kind of elements.
    pub fn zeros(&self, shape: &[usize]) -> Array {
        let bytes = vec![0; shape.iter().product::<usize>() * self.size];
        Array { shape: shape.to_vec(), bytes, dtype: self.dtype.clone(), ..*self }
    }

    /// A cut of a picture as a picture: the plan says which of its axes were rows, columns and
    /// channels. An index leaves one row, one column, or grey.
    pub fn pixels(mut self, plan: &Plan) -> Result<DynamicImage> {
        let shape = Tuple(&self.shape);
        if !self.picture {
            return Err(format!("an array of shape {shape} is not a picture; use .npy").into());
        }
        if plan.is_empty() {
            return Err(format!("the slice selects nothing (shape {shape})").into());
        }
        let mut lengths = [1; 3];
        for (axis, &n) in plan.source_axes().zip(plan.shape()) {
            if let Some(axis) = axis {
                lengths[axis] = n;
            }
        }
        self.shape = lengths.to_vec();
        // Two of three or four colours are shown without the third, which stays 0.
        if lengths[2] == 2 && plan.input_shape()[2] != 2 {
            let mut colours = self.zeros(&[lengths[0], lengths[1], 3]);
            colours.assign(&s![..., :2].plan(&colours.shape)?, &self)?;
            self = colours;
        }
        let [high, wide] = [u32::try_from(lengths[0])?, u32::try_from(lengths[1])?];
        let bytes = self.bytes;
        let picture = match (self.size, self.shape[2]) {
            (1, 1) => picture::<Luma<u8>>(wide, high, bytes),
            (1, 2) => picture::<LumaA<u8>>(wide, high, bytes),
            (1, 3) => picture::<Rgb<u8>>(wide, high, bytes),
            (1, _) => picture::<Rgba<u8>>(wide, high, bytes),
            (_, 1) => picture::<Luma<u16>>(wide, high, words(&bytes)),
            (_, 2) => picture::<LumaA<u16>>(wide, high, words(&bytes)),
            (_, 3) => picture::<Rgb<u16>>(wide, high, words(&bytes)),
            _ => picture::<Rgba<u16>>(wide, high, words(&bytes)),
        };
        picture.ok_or_else(|| "the pixels do not fill the picture".into())
    }

    /// An array of rows, columns and perhaps channels as a picture.
    pub fn whole(self) -> Result<DynamicImage> {
        let plan = s![].plan(&self.shape)?;
        self.pixels(&plan)
    }

    /// The first few elements and the last, for a person to read.
    pub fn summary(&self) -> String {
        let elements: Vec<&[u8]> = self.bytes.chunks_exact(self.size).collect();
        let show = |some: &[&[u8]]| some.iter().map(|e| show(&self.dtype, e)).collect::<Vec<_>>();
        match &elements[..] {
            [] => "none".into(),
            few if few.len() <= 8 => show(few).join(", "),
            [first @ .., a, b] => {
                format!("{}, ..., {}", show(&first[..6]).join(", "), show(&[a, b]).join(", "))
            }
            _ => unreachable!("fewer than two elements are few"),
        }
    }
}

/// An unsigned integer of this machine's byte order.
fn unsigned(size: usize) -> Result<DType> {
    let order = match (size, cfg!(target_endian = "big")) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    Ok(DType::parse(&format!("'{order}u{size}'"))?)
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|&pair| u16::from_ne_bytes(pair)).collect()
}

fn picture<P: Pixel>(wide: u32, high: u32, levels: Vec<P::Subpixel>) -> Option<DynamicImage>
where
    DynamicImage: From<ImageBuffer<P, Vec<P::Subpixel>>>,
{
    ImageBuffer::from_raw(wide, high, levels).map(DynamicImage::from)
}

/// A number for a person to read; the bytes of anything else.
fn show(dtype: &DType, element: &[u8]) -> String {
    let DType::Plain(plain) = dtype else { return format!("{element:02x?}") };
    let join = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
    let bits = match plain.endianness() {
        Endianness::Big => element.iter().fold(0, join),
        _ => element.iter().rev().fold(0, join),
    };
    match (plain.type_char(), element.len()) {
        (TypeChar::Bool, _) => (bits != 0).to_string(),
        (TypeChar::Uint, _) => bits.to_string(),
        (TypeChar::Int, n @ 1..=8) => {
            (bits.cast_signed() << (64 - 8 * n) >> (64 - 8 * n)).to_string()
        }
        (TypeChar::Float, 4) => f32::from_bits(bits as u32).to_string(),
        (TypeChar::Float, 8) => f64::from_bits(bits).to_string(),
        _ => format!("{element:02x?}"),
    }
}
