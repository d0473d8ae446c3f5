//! The picture as SVG: the input, an arrow, the result.

use super::common::Tuple;
use super::grid::{self, Cell, Grid, Panel, Shown};
use super::{Scene, color};
use svg::Document;
use svg::node::element::{Rectangle, Style, Text, Title};

/// Side of a cell, and the room between panels.
const CELL: usize = 28;
const GAP: usize = 20;
/// Room for the numbers of rows and columns, and for the name of a panel.
const EDGE: usize = 20;
const NAME: usize = 20;
const MARGIN: usize = 24;
/// Panels are put side by side up to this width, and so are input and result.
const WIDE: usize = 760;

/// Colours of what stands on the page, for light pages and for dark ones.
const STYLE: &str = r#"
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1c2028 }
.code { font-size: 16px; font-weight: 600; fill: #1156a3 }
.faint, .number { fill: #707580; font-size: 11px }
.number, .light, .dark { text-anchor: middle }
text.light { fill: #fff }
text.dark { fill: #1c2028 }
.small { font-size: 8px }
.left { fill: #eceef2 }
.page { fill: #fff; stroke: #dfe2e8 }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ee }
.code { fill: #79b8ff }
.faint, .number { fill: #9aa3ad }
.left { fill: #262c36 }
.page { fill: #12161c; stroke: #333a45 }
}
"#;

/// What is drawn so far, and how far it reaches.
struct Drawing {
    cells: Vec<Rectangle>,
    texts: Vec<Text>,
    wide: usize,
    high: usize,
}

impl Drawing {
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        self.texts.push(Text::new(text).set("x", x).set("y", y).set("class", class));
    }

    fn reach(&mut self, x: usize, y: usize) {
        (self.wide, self.high) = (self.wide.max(x), self.high.max(y));
    }
}

/// How wide and how high a panel is.
fn size(grid: &Grid) -> (usize, usize) {
    let name = if grid.shape.len() > 2 { NAME } else { 0 };
    let rows = if grid.has_rows() { EDGE } else { 0 };
    let numbers = if grid.from_end { 2 * EDGE } else { EDGE };
    (rows + grid.columns.len() * CELL, name + numbers + grid.rows.len() * CELL)
}

/// How many panels stand side by side: as many as the last leading axis has, or an even share of
/// them if they do not fit.
fn across(grid: &Grid) -> usize {
    let most = (WIDE / (size(grid).0 + GAP)).max(1);
    let natural = grid.shape.len().checked_sub(3).map_or(1, |axis| grid.shape[axis]);
    // Rows of equal length, unless that leaves much room empty.
    let even = (most.div_ceil(2)..=most).rev().find(|n| natural.is_multiple_of(*n));
    if natural <= most { natural.max(1) } else { even.unwrap_or(most) }
}

/// How wide all panels are, and the words for those that are folded.
fn width(grid: &Grid) -> usize {
    let count = grid.panels.iter().filter(|shown| matches!(shown, Shown::Panel(_))).count();
    let words = grid.panels.iter().map(|shown| match shown {
        Shown::Folded(first, last) => EDGE + grid::folded(first, last).chars().count() * 7,
        _ => 0,
    });
    let panels = (count.min(across(grid)) * (size(grid).0 + GAP)).saturating_sub(GAP);
    panels.max(words.max().unwrap_or(0))
}

/// The whole picture.
pub fn picture(scene: &Scene) -> String {
    let Scene { slice, input, result, assigned, clamped } = scene;
    let mut drawing = Drawing { cells: vec![], texts: vec![], wide: 0, high: 0 };
    let x = format!("x = {}", input.arange());
    let (heading, title, parts) = match assigned {
        None => {
            let shape = Tuple(&result.shape);
            let heading = format!("x[{slice}]");
            let title = format!("{heading} of shape {} is of shape {shape}", Tuple(&input.shape));
            (heading, title, [(x, input), (format!("the result: shape {shape}"), result)])
        }
        Some(base) => {
            let title = format!("x[{slice}] = v, for x of shape {}", Tuple(&input.shape));
            let v = format!("v = {base} + {}", result.arange());
            (format!("x[{slice}] = v"), title, [(v, result), (format!("{x}, afterwards"), input)])
        }
    };
    let top = MARGIN + 8;
    drawing.text(MARGIN, top, "code", &heading);
    drawing.reach(MARGIN + heading.chars().count() * 10, top);
    let [(left, first), (right, second)] = parts;
    let y = top + 28;
    drawing.text(MARGIN, y, "note", &left);
    panels(&mut drawing, first, MARGIN, y + 12);

    // Side by side if there is room, else one below the other.
    let words = left.chars().count() * 7;
    let beside = MARGIN + width(first).max(words) + 3 * GAP;
    let (x, y) = if beside + width(second) <= WIDE + 2 * MARGIN + 3 * GAP {
        (beside, y)
    } else {
        (MARGIN, drawing.high + 2 * GAP)
    };
    drawing.text(x, y, "note", &right);
    drawing.reach(x + right.chars().count() * 7, y);
    panels(&mut drawing, second, x, y + 12);

    let mut words = clamped.clone();
    if input.has_gaps() || result.has_gaps() {
        words.push("long axes are shown in part".into());
    }
    if !words.is_empty() {
        let (words, foot) = (words.join("; "), drawing.high + 30);
        drawing.text(MARGIN, foot, "faint", &words);
        drawing.reach(MARGIN + words.chars().count() * 7, foot);
    }
    finish(drawing, &title)
}

/// The frame around what is drawn.
fn finish(drawing: Drawing, title: &str) -> String {
    let (wide, high) = (drawing.wide + MARGIN, drawing.high + MARGIN - 8);
    let frame = Rectangle::new().set("width", wide).set("height", high).set("rx", 8);
    let mut document = Document::new()
        .set("viewBox", (0, 0, wide, high))
        .set("width", wide)
        .set("height", high)
        .set("role", "img")
        .add(Title::new(title))
        .add(Style::new(STYLE))
        .add(frame.set("class", "page"));
    for cell in drawing.cells {
        document = document.add(cell);
    }
    for text in drawing.texts {
        document = document.add(text);
    }
    format!("{document}\n")
}

/// The panels of an array, with the upper left corner at `x`, `y`. A word for those that are folded
/// has a line of its own.
fn panels(drawing: &mut Drawing, grid: &Grid, x: usize, mut y: usize) {
    if grid.is_empty() {
        drawing.text(x, y + 24, "faint", "no cells");
        drawing.reach(x + 60, y + 24);
        return;
    }
    let ((wide, high), across) = (size(grid), across(grid));
    let edge = if grid.has_rows() { EDGE } else { 0 };
    let is_panel = |shown: &Shown| matches!(shown, Shown::Panel(_));
    for run in grid.panels.chunk_by(|a, b| is_panel(a) && is_panel(b)) {
        for row in run.chunks(across) {
            let mut low = y;
            for (i, shown) in row.iter().enumerate() {
                let x = x + i * (wide + GAP);
                let (right, words) = match shown {
                    Shown::Panel(one) => {
                        panel(drawing, grid, one, x, y);
                        low = y + high;
                        (x + wide, None)
                    }
                    Shown::Folded(first, last) => (x, Some(grid::folded(first, last))),
                    Shown::Gap => (x, Some("...".to_string())),
                };
                let mut right = right;
                if let Some(words) = words {
                    drawing.text(x + edge, y + 14, "faint", &words);
                    low = y + NAME;
                    right += edge + words.chars().count() * 7;
                }
                drawing.reach(right, low);
            }
            y = low + GAP / 2;
        }
    }
}

fn panel(drawing: &mut Drawing, grid: &Grid, panel: &Panel, x: usize, y: usize) {
    let (mut x, mut y) = (x, y);
    let rows = if grid.has_rows() { EDGE } else { 0 };
    if !panel.place.is_empty() {
        drawing.text(x + rows, y + 14, "faint", &grid::name(&panel.place));
        y += NAME;
    }
    let number = |position: Option<usize>| position.map_or("...".into(), |p| p.to_string());
    for (i, &column) in grid.columns.iter().enumerate() {
        drawing.text(x + rows + i * CELL + CELL / 2, y + 14, "number", &number(column));
    }
    y += EDGE;
    x += rows;
    if grid.from_end {
        let (below, len) = (y + grid.rows.len() * CELL, grid.shape.last().copied().unwrap_or(0));
        for (i, column) in grid.columns.iter().enumerate() {
            let number = column.map_or("...".into(), |column| format!("-{}", len - column));
            drawing.text(x + i * CELL + CELL / 2, below + 14, "number", &number);
        }
    }
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
    let rect = Rectangle::new().set("x", x + 1).set("y", y + 1).set("rx", 3);
    let rect = rect.set("width", side).set("height", side);
    let (value, rect, class) = match cell {
        Cell::Gap => return,
        Cell::Left(value) => (value, rect.set("class", "left"), "number"),
        Cell::Taken(value, place) => {
            let background = color::of(place, grid.taken);
            let [r, g, b] = background;
            let class = if color::is_dark(background) { "light" } else { "dark" };
            (value, rect.set("fill", format!("#{r:02x}{g:02x}{b:02x}")), class)
        }
    };
    drawing.cells.push(rect);
    let digits = value.to_string();
    let class = if digits.len() > 3 { format!("{class} small") } else { class.to_string() };
    // Six digits and more have no room; the colour tells where they belong.
    if digits.len() <= 5 {
        drawing.text(x + CELL / 2, middle, &class, &digits);
    }
}
