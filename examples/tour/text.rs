//! Text on a picture: glyphs cut from strips, one cell for each character.

use super::canvas::Canvas;
use super::common::Failure;
use pyslice::{SliceError, s};

/// The characters on a strip: printable ASCII.
const FIRST: u8 = b' ';
const COUNT: usize = 95;

/// A typeface of one size: a grey strip of glyphs, all equally wide.
pub struct Face {
    strip: Vec<u8>,
    shape: [usize; 2],
}

/// The faces of a sheet.
pub struct Faces {
    /// The heading.
    pub head: Face,
    /// What a tile shows.
    pub title: Face,
    /// A slice.
    pub code: Face,
    /// A remark.
    pub note: Face,
}

impl Faces {
    /// Reads the strips that come with the example.
    pub fn load() -> Result<Faces, Failure> {
        Ok(Faces {
            head: Face::load(include_bytes!("../assets/head.png"))?,
            title: Face::load(include_bytes!("../assets/title.png"))?,
            code: Face::load(include_bytes!("../assets/code.png"))?,
            note: Face::load(include_bytes!("../assets/note.png"))?,
        })
    }
}

impl Face {
    fn load(png: &[u8]) -> Result<Face, Failure> {
        let strip = image::load_from_memory(png)
            .map_err(|e| Failure(format!("broken glyphs: {e}")))?
            .into_luma8();
        let shape = [strip.height() as usize, strip.width() as usize];
        Ok(Face { strip: strip.into_raw(), shape })
    }

    /// Width of one character.
    pub fn width(&self) -> usize {
        self.shape[1] / COUNT
    }

    /// Height of a line.
    pub fn height(&self) -> usize {
        self.shape[0]
    }

    /// Writes `text` with its upper left corner at row `y`, column `x`. What ASCII lacks becomes a
    /// question mark.
    pub fn write(
        &self,
        on: &mut Canvas,
        y: usize,
        x: usize,
        text: &str,
        colour: [u8; 3],
    ) -> Result<(), SliceError> {
        let (w, h) = (self.width(), self.height());
        for (i, letter) in text.chars().enumerate() {
            let code = u8::try_from(letter)
                .ok()
                .filter(|c| (FIRST..FIRST + COUNT as u8).contains(c))
                .unwrap_or(b'?');
            let at = usize::from(code - FIRST) * w;
            let ink = s![:, at:at + w].plan(&self.shape)?.copy(&self.strip)?;
            let x = x + i * w;
            let place = s![y:y + h, x:x + w].plan(&on.shape())?;
            let mut under = place.copy(&on.rgb)?;
            // Past the right edge the place is narrower than the glyph.
            if under.len() != ink.len() * 3 {
                return Ok(());
            }
            for (pixel, &ink) in under.chunks_exact_mut(3).zip(&ink) {
                for (level, &colour) in pixel.iter_mut().zip(&colour) {
                    let mixed = u32::from(*level) * u32::from(255 - ink)
                        + u32::from(colour) * u32::from(ink);
                    *level = (mixed / 255) as u8;
                }
            }
            place.assign(&mut on.rgb, &under)?;
        }
        Ok(())
    }
}
