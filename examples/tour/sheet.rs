//! The contact sheet: tiles in rows, each with its name, its slice and the shape of the result.

use super::canvas::Canvas;
use super::common::Failure;
use super::text::{Face, Faces};
use pyslice::SliceError;

/// One tile and the words below it.
pub struct Tile {
    /// What it shows.
    pub name: String,
    /// Its slices, a line or two.
    pub code: Vec<String>,
    /// A remark.
    pub note: String,
    /// The picture.
    pub picture: Canvas,
}

const PAPER: [u8; 3] = [250, 250, 248];
const PANEL: [u8; 3] = [236, 237, 240];
const INK: [u8; 3] = [28, 32, 40];
const BLUE: [u8; 3] = [17, 86, 163];
const GREY: [u8; 3] = [112, 117, 128];
const MARGIN: usize = 36;
const GAP: usize = 28;
const ACROSS: usize = 4;

/// Lays the tiles out under a heading.
pub fn compose(heading: &str, remark: &str, tiles: &[Tile]) -> Result<Canvas, Failure> {
    lay_out(heading, remark, tiles, &Faces::load()?)
        .map_err(|e| Failure(format!("cannot lay out the sheet: {e}")))
}

fn lay_out(
    heading: &str,
    remark: &str,
    tiles: &[Tile],
    faces: &Faces,
) -> Result<Canvas, SliceError> {
    let most = |of: &dyn Fn(&Tile) -> usize| tiles.iter().map(of).max().unwrap_or(0);
    let words = |face: &Face, text: &str| text.chars().count() * face.width();
    let caption = |t: &Tile| {
        let code = t.code.iter().map(|c| words(&faces.code, c)).max().unwrap_or(0);
        code.max(words(&faces.title, &t.name)).max(words(&faces.note, &t.note))
    };
    let (high, wide) = (most(&|t| t.picture.rows), most(&|t| t.picture.columns.max(caption(t))));
    // A row of tiles is as high as its longest caption makes it.
    let row_height = |row: &[Tile]| {
        let lines = row.iter().map(|t| t.code.len()).max().unwrap_or(0);
        high + 10 + faces.title.height() + 4 + lines * faces.code.height() + 3 + faces.note.height()
    };
    let top = MARGIN + faces.head.height() + 6 + faces.note.height() + GAP;
    let across = tiles.len().clamp(1, ACROSS);
    let columns = 2 * MARGIN + across * wide + (across - 1) * GAP;
    let rows =
        top + tiles.chunks(across).map(|row| row_height(row) + GAP).sum::<usize>() - GAP + MARGIN;

    let mut sheet = Canvas::new(rows, columns, PAPER)?;
    faces.head.write(&mut sheet, MARGIN, MARGIN, heading, INK)?;
    faces.note.write(&mut sheet, MARGIN + faces.head.height() + 6, MARGIN, remark, GREY)?;
    let mut y = top;
    for row in tiles.chunks(across) {
        for (i, tile) in row.iter().enumerate() {
            let (x, picture) = (MARGIN + i * (wide + GAP), &tile.picture);
            sheet.fill(y, x, high, wide, PANEL)?;
            sheet.paste(
                y + (high - picture.rows) / 2,
                x + (wide - picture.columns) / 2,
                picture,
            )?;
            write_caption(&mut sheet, y + high + 10, x, tile, faces)?;
        }
        y += row_height(row) + GAP;
    }
    Ok(sheet)
}

fn write_caption(
    sheet: &mut Canvas,
    mut y: usize,
    x: usize,
    tile: &Tile,
    faces: &Faces,
) -> Result<(), SliceError> {
    faces.title.write(sheet, y, x, &tile.name, INK)?;
    y += faces.title.height() + 4;
    for code in &tile.code {
        faces.code.write(sheet, y, x, code, BLUE)?;
        y += faces.code.height();
    }
    faces.note.write(sheet, y + 3, x, &tile.note, GREY)
}
