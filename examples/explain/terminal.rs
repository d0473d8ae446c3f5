//! The picture in characters.

use super::Scene;
use super::color;
use super::common::Tuple;
use super::grid::{self, Cell, Grid, Panel, Shown};

/// How many characters wide rows of panels may be.
const WIDTH: usize = 100;

/// Both arrays, one below the other.
pub fn picture(Scene { input, result, assigned, .. }: &Scene, colours: bool) -> String {
    let marks = match (colours, assigned) {
        (false, None) => "what is taken is in brackets",
        (false, Some(_)) => "what is assigned is in brackets",
        (true, None) => "colours show the order of the result",
        (true, Some(_)) => "colours show the order of the values",
    };
    let mut text = format!("x = {}; {marks}.\n\n", input.arange());
    let x = |name| grid(name, input, colours, true);
    let other = |name| grid(name, result, colours, false);
    text += &match assigned {
        None => [x("x"), other("the result")].join("\n"),
        Some(_) => [other("v"), x("x afterwards")].join("\n"),
    };
    if input.has_gaps() || result.has_gaps() {
        text += "\nLong axes are shown in part.\n";
    }
    text
}

/// The panels of an array. `mark` says that cells without colours are put in brackets if they are
/// taken.
fn grid(name: &str, grid: &Grid, colours: bool, mark: bool) -> String {
    let mut text = format!("{name}, shape {}\n", Tuple(&grid.shape));
    if grid.is_empty() {
        return text + "\n  no cells\n";
    }
    let widest = |positions: &[Option<usize>]| {
        positions.iter().flatten().max().map_or(1, |p| p.to_string().len())
    };
    // A bracket or a space stands on either side, and a space between cells.
    let cell = widest(&grid.columns).max(grid.largest.to_string().len()) + 3;
    let margin = if grid.has_rows() { widest(&grid.rows) + 3 } else { 0 };
    let names = grid.panels.iter().map(|shown| match shown {
        Shown::Panel(panel) => grid::name(&panel.place).len(),
        _ => 0,
    });
    let wide = margin + (grid.columns.len() * cell).max(names.max().unwrap_or(0));
    let sizes = Sizes { cell, margin, wide };
    let across = (WIDTH / (wide + 3)).max(1);
    // Panels stand side by side; a word for those that are folded has a line of its own.
    let panels = |shown: &Shown| matches!(shown, Shown::Panel(_));
    for run in grid.panels.chunk_by(|a, b| panels(a) && panels(b)) {
        for row in run.chunks(across) {
            text += "\n";
            let row: Vec<Vec<String>> =
                row.iter().map(|shown| lines(grid, shown, sizes, colours, mark)).collect();
            for i in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
                let line: Vec<&str> =
                    row.iter().filter_map(|p| p.get(i).map(String::as_str)).collect();
                text += line.join("   ").trim_end();
                text += "\n";
            }
        }
    }
    text
}

/// Widths in characters.
#[derive(Clone, Copy)]
struct Sizes {
    /// Of a cell.
    cell: usize,
    /// Of what stands left of the cells.
    margin: usize,
    /// Of a panel.
    wide: usize,
}

/// The lines of a panel, or of what stands for it.
fn lines(grid: &Grid, shown: &Shown, sizes: Sizes, colours: bool, mark: bool) -> Vec<String> {
    match shown {
        Shown::Panel(one) => panel(grid, one, sizes, colours, mark),
        Shown::Folded(first, last) => {
            let words = grid::folded(first, last);
            let words = if colours { color::faint(&words) } else { words };
            vec![format!("{:margin$}{words}", "", margin = sizes.margin)]
        }
        Shown::Gap => vec!["...".into()],
    }
}

/// The lines of a panel, equally wide on screen.
fn panel(
    grid: &Grid,
    panel: &Panel,
    Sizes { cell, margin, wide }: Sizes,
    colours: bool,
    mark: bool,
) -> Vec<String> {
    let faint = |text: &str| if colours { color::faint(text) } else { text.to_string() };
    let fill = " ".repeat(wide - margin - grid.columns.len() * cell);
    let number = |position: Option<usize>, width: usize| match position {
        Some(p) => format!("{p:>width$}"),
        None => format!("{:>width$}", "."),
    };
    let mut lines = Vec::new();
    if !panel.place.is_empty() {
        let name = grid::name(&panel.place);
        lines.push(format!(
            "{:margin$} {name:rest$}",
            "",
            rest = (wide - margin).saturating_sub(1)
        ));
    }
    let heads: String = grid.columns.iter().map(|&c| number(c, cell - 2) + "  ").collect();
    lines.push(faint(&format!("{:margin$}{heads}", "")) + &fill);
    for (cells, &row) in panel.cells.iter().zip(&grid.rows) {
        let head =
            if grid.has_rows() { format!("{} | ", number(row, margin - 3)) } else { String::new() };
        let mut line = faint(&head);
        let plain = |text: &str| format!("{text:>width$}  ", width = cell - 2);
        for one in cells {
            line += &match *one {
                Cell::Taken(value, _) if mark && !colours => {
                    format!("{:>width$} ", format!("[{value}]"), width = cell - 1)
                }
                Cell::Taken(value, place) if colours => {
                    color::paint(&plain(&value.to_string()), color::of(place, grid.taken))
                }
                Cell::Taken(value, _) => plain(&value.to_string()),
                Cell::Left(value) => faint(&plain(&value.to_string())),
                Cell::Gap => faint(&plain(".")),
            };
        }
        lines.push(line + &fill);
    }
    lines
}
