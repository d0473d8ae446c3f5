//! The picture as SVG: the input, an arrow, the result.

use super::color;
use super::common::Tuple;
use super::grid::{Cell, Grid, Panel};
use pyslice::Plan;
use std::fmt::Write as _;

/// Side of a cell, and the room between panels.
const CELL: usize = 28;
const GAP: usize = 20;
/// Room for the numbers of rows and columns, and for the name of a panel.
const EDGE: usize = 20;
const NAME: usize = 20;
const MARGIN: usize = 24;
/// Panels are put side by side up to this width, and so are input and result.
const WIDE: usize = 760;

/// What is drawn so far, and how far it reaches.
struct Drawing {
    body: String,
    wide: usize,
    high: usize,
}

impl Drawing {
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(self.body, r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#);
    }

    fn reach(&mut self, x: usize, y: usize) {
        (self.wide, self.high) = (self.wide.max(x), self.high.max(y));
    }
}

/// How wide and how high a panel is.
fn size(grid: &Grid) -> (usize, usize) {
    let name = if grid.shape.len() > 2 { NAME } else { 0 };
    let rows = if grid.has_rows() { EDGE } else { 0 };
    (rows + grid.columns.len() * CELL, name + EDGE + grid.rows.len() * CELL)
}

/// How many panels stand side by side: those of the last leading axis, or an even share of them if
/// there is no room.
fn across(grid: &Grid) -> usize {
    let most = (WIDE / (size(grid).0 + GAP)).max(1);
    let natural = grid.shape.len().checked_sub(3).map_or(1, |axis| grid.shape[axis]);
    // Rows of equal length, unless that leaves much room empty.
    let even = (most.div_ceil(2)..=most).rev().find(|n| natural.is_multiple_of(*n));
    if natural <= most { natural.max(1) } else { even.unwrap_or(most) }
}

/// How wide all panels are.
fn width(grid: &Grid) -> usize {
    let count = grid.panels.len().min(across(grid));
    (count * (size(grid).0 + GAP)).saturating_sub(GAP)
}

/// The whole picture.
pub fn picture(slice: &str, shape: &[usize], plan: &Plan, input: &Grid, result: &Grid) -> String {
    let mut drawing = Drawing { body: String::new(), wide: 0, high: 0 };
    let heading = format!("x[{slice}]");
    let top = MARGIN + 8;
    drawing.text(MARGIN, top, "code", &heading);
    drawing.reach(MARGIN + heading.chars().count() * 10, top);
    let (y, caption) =
        (top + 28, |name: &str, shape: &[usize]| format!("{name}: shape {}", Tuple(shape)));
    let left = caption("x", shape);
    drawing.text(MARGIN, y, "note", &left);
    grid(&mut drawing, input, MARGIN, y + 12);

    // Side by side if there is room, else one below the other.
    let words = left.chars().count() * 7;
    let beside = MARGIN + width(input).max(words) + 3 * GAP;
    let (x, y) = if beside + width(result) <= WIDE + 2 * MARGIN + 3 * GAP {
        (beside, y)
    } else {
        (MARGIN, drawing.high + 2 * GAP)
    };
    let right = caption("the result", plan.shape());
    drawing.text(x, y, "note", &right);
    drawing.reach(x + right.chars().count() * 7, y);
    grid(&mut drawing, result, x, y + 12);

    let foot = drawing.high + 30;
    let mut words = String::from("numbers, and colours from light to dark: place in the result");
    if input.has_gaps() || result.has_gaps() {
        words += "; long axes are shown in part";
    }
    drawing.text(MARGIN, foot, "faint", &words);
    drawing.reach(MARGIN + words.chars().count() * 7, foot);
    finish(
        drawing,
        &format!("{heading} of shape {} is of shape {}", Tuple(shape), Tuple(plan.shape())),
    )
}

/// The frame around what is drawn.
fn finish(drawing: Drawing, title: &str) -> String {
    let (wide, high) = (drawing.wide + MARGIN, drawing.high + MARGIN - 8);
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">
<title>{title}</title>
<style>
text {{ font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1c2028 }}
.code {{ font-size: 16px; font-weight: 600; fill: #1156a3 }}
.faint, .number {{ fill: #707580; font-size: 11px }}
.number, .cell {{ text-anchor: middle }}
.light {{ fill: #fff; text-anchor: middle }}
.small {{ font-size: 8px }}
</style>
<rect width="{wide}" height="{high}" rx="8" fill="#fff" stroke="#dfe2e8"/>
{}</svg>
"##,
        drawing.body
    )
}

/// The panels of an array, with the upper left corner at `x`, `y`.
fn grid(drawing: &mut Drawing, grid: &Grid, x: usize, y: usize) {
    if grid.is_empty() {
        drawing.text(x, y + 24, "faint", "no cells");
        drawing.reach(x + 60, y + 24);
        return;
    }
    let ((wide, high), across) = (size(grid), across(grid));
    for (i, one) in grid.panels.iter().enumerate() {
        let (x, y) = (x + i % across * (wide + GAP), y + i / across * (high + GAP / 2));
        match one {
            Some(one) => panel(drawing, grid, one, x, y),
            None => drawing.text(x, y + high / 2, "faint", "..."),
        }
        drawing.reach(x + wide, y + high);
    }
}

fn panel(drawing: &mut Drawing, grid: &Grid, panel: &Panel, x: usize, y: usize) {
    let (mut x, mut y) = (x, y);
    let rows = if grid.has_rows() { EDGE } else { 0 };
    if !panel.place.is_empty() {
        drawing.text(x + rows, y + 14, "faint", &panel.name());
        y += NAME;
    }
    let number = |position: Option<usize>| position.map_or("...".into(), |p| p.to_string());
    for (i, &column) in grid.columns.iter().enumerate() {
        drawing.text(x + rows + i * CELL + CELL / 2, y + 14, "number", &number(column));
    }
    y += EDGE;
    x += rows;
    for (i, (cells, &row)) in panel.cells.iter().zip(&grid.rows).enumerate() {
        let middle = y + i * CELL + CELL / 2 + 4;
        if grid.has_rows() {
            drawing.text(x - EDGE / 2 - 1, middle, "number", &number(row));
        }
        for (j, &cell) in cells.iter().enumerate() {
            square(drawing, grid, cell, x + j * CELL, y + i * CELL, middle);
        }
    }
}

fn square(drawing: &mut Drawing, grid: &Grid, cell: Cell, x: usize, y: usize, middle: usize) {
    let side = CELL - 2;
    let fill = match cell {
        Cell::Gap => return,
        Cell::Left => "#eceef2".to_string(),
        Cell::Taken(place) => {
            let [r, g, b] = color::of(place, grid.taken);
            format!("#{r:02x}{g:02x}{b:02x}")
        }
    };
    let _ = writeln!(
        drawing.body,
        r#"<rect x="{}" y="{}" width="{side}" height="{side}" rx="3" fill="{fill}"/>"#,
        x + 1,
        y + 1
    );
    if let Cell::Taken(place) = cell {
        let class = if color::is_dark(color::of(place, grid.taken)) { "light" } else { "cell" };
        let digits = place.to_string();
        let class = if digits.len() > 3 { format!("{class} small") } else { class.to_string() };
        // Six digits and more have no room; the colour tells where they belong.
        if digits.len() <= 5 {
            drawing.text(x + CELL / 2, middle, &class, &digits);
        }
    }
}
