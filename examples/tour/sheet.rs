//! The contact sheet: tiles in rows, each with its name, its slice and the shape of the result.

use super::common::Result;
use image::imageops::{crop_imm, overlay};
use image::{GrayImage, Rgba, RgbaImage};

/// One tile and the words below it.
pub struct Tile {
    /// What it shows.
    pub name: String,
    /// Its slices, a line or two.
    pub code: Vec<String>,
    /// A remark.
    pub note: String,
    /// The picture.
    pub picture: RgbaImage,
}

const PAPER: Rgba<u8> = Rgba([250, 250, 248, 255]);
const PANEL: Rgba<u8> = Rgba([236, 237, 240, 255]);
const INK: [u8; 3] = [28, 32, 40];
const BLUE: [u8; 3] = [17, 86, 163];
const GREY: [u8; 3] = [112, 117, 128];
const MARGIN: u32 = 36;
const GAP: u32 = 28;
const ACROSS: usize = 4;

/// A typeface of one size: a strip of glyphs, all equally wide, for printable ASCII.
struct Face(GrayImage);

impl Face {
    fn new(png: &[u8]) -> Result<Face> {
        Ok(Face(image::load_from_memory(png)?.into_luma8()))
    }

    fn width(&self) -> u32 {
        self.0.width() / 95
    }

    fn height(&self) -> u32 {
        self.0.height()
    }

    /// Writes `text` with its upper left corner at `x`, `y`. What ASCII lacks becomes a question
    /// mark.
    fn write(&self, on: &mut RgbaImage, x: u32, y: u32, text: &str, [r, g, b]: [u8; 3]) {
        let mut x = i64::from(x);
        for letter in text.chars() {
            let letter = if (' '..='~').contains(&letter) { letter } else { '?' };
            let at = (letter as u32 - 32) * self.width();
            let glyph = crop_imm(&self.0, at, 0, self.width(), self.height()).to_image();
            let ink = RgbaImage::from_fn(self.width(), self.height(), |x, y| {
                Rgba([r, g, b, glyph.get_pixel(x, y)[0]])
            });
            overlay(on, &ink, x, y.into());
            x += i64::from(self.width());
        }
    }
}

/// Lays the tiles out under a heading.
pub fn compose(heading: &str, remark: &str, tiles: &[Tile]) -> Result<RgbaImage> {
    let head = Face::new(include_bytes!("../assets/head.png"))?;
    let title = Face::new(include_bytes!("../assets/title.png"))?;
    let code = Face::new(include_bytes!("../assets/code.png"))?;
    let note = Face::new(include_bytes!("../assets/note.png"))?;

    let most = |of: &dyn Fn(&Tile) -> u32| tiles.iter().map(of).max().unwrap_or(0);
    let words = |face: &Face, text: &str| text.chars().count() as u32 * face.width();
    let caption = |t: &Tile| {
        let codes = t.code.iter().map(|line| words(&code, line)).max().unwrap_or(0);
        codes.max(words(&title, &t.name)).max(words(&note, &t.note))
    };
    let (high, wide) =
        (most(&|t| t.picture.height()), most(&|t| t.picture.width().max(caption(t))));
    // A row of tiles is as high as its longest caption makes it.
    let row_height = |row: &[Tile]| {
        let lines = row.iter().map(|t| t.code.len()).max().unwrap_or(0) as u32;
        high + 10 + title.height() + 4 + lines * code.height() + 3 + note.height() + GAP
    };
    let mut y = MARGIN + head.height() + 6 + note.height() + GAP;
    let columns = tiles.len().clamp(1, ACROSS) as u32;
    let width = 2 * MARGIN + columns * (wide + GAP) - GAP;
    let height = y + tiles.chunks(ACROSS).map(row_height).sum::<u32>() - GAP + MARGIN;

    let mut sheet = RgbaImage::from_pixel(width, height, PAPER);
    let panel = RgbaImage::from_pixel(wide, high, PANEL);
    head.write(&mut sheet, MARGIN, MARGIN, heading, INK);
    note.write(&mut sheet, MARGIN, MARGIN + head.height() + 6, remark, GREY);
    for row in tiles.chunks(ACROSS) {
        let mut x = MARGIN;
        for tile in row {
            let picture = &tile.picture;
            let (right, down) = ((wide - picture.width()) / 2, (high - picture.height()) / 2);
            overlay(&mut sheet, &panel, x.into(), y.into());
            overlay(&mut sheet, picture, (x + right).into(), (y + down).into());
            let mut line = y + high + 10;
            title.write(&mut sheet, x, line, &tile.name, INK);
            line += title.height() + 4;
            for text in &tile.code {
                code.write(&mut sheet, x, line, text, BLUE);
                line += code.height();
            }
            note.write(&mut sheet, x, line + 3, &tile.note, GREY);
            x += wide + GAP;
        }
        y += row_height(row);
    }
    Ok(sheet)
}
