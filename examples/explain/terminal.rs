//! The picture in characters.

use super::color::{self, Depth};
use super::common::Tuple;
use super::grid::{Cell, Grid, Panel};

/// How many characters wide rows of panels may be.
const WIDTH: usize = 100;

/// Input and result, one below the other.
pub fn picture(input: &Grid, result: &Grid, depth: Depth) -> String {
    let mut text = String::from("The number in a cell is its place in the result.\n\n");
    text += &grid("x", input, depth);
    text += "\n";
    text += &grid("the result", result, depth);
    if input.has_gaps() || result.has_gaps() {
        text += "\nLong axes are shown in part.\n";
    }
    text
}

fn grid(name: &str, grid: &Grid, depth: Depth) -> String {
    let mut text = format!("{name}, shape {}\n", Tuple(&grid.shape));
    if grid.is_empty() {
        return text + "\n  no cells\n";
    }
    let names: Vec<String> = grid.panels.iter().flatten().map(Panel::name).collect();
    let widest = |positions: &[Option<usize>]| {
        positions.iter().flatten().max().map_or(1, |p| p.to_string().len())
    };
    let cell = widest(&grid.columns).max(grid.taken.saturating_sub(1).to_string().len());
    let margin = if grid.has_rows() { widest(&grid.rows) + 3 } else { 0 };
    let wide = margin
        + (grid.columns.len() * (cell + 1)).max(names.iter().map(String::len).max().unwrap_or(0));
    let sizes = Sizes { cell, margin, wide };
    let panels: Vec<Vec<String>> =
        grid.panels.iter().map(|p| panel(grid, p.as_ref(), sizes, depth)).collect();
    for row in panels.chunks((WIDTH / (wide + 3)).max(1)) {
        text += "\n";
        for i in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let line: Vec<&str> = row.iter().filter_map(|p| p.get(i).map(String::as_str)).collect();
            text += line.join("   ").trim_end();
            text += "\n";
        }
    }
    text
}

/// Widths in characters.
#[derive(Clone, Copy)]
struct Sizes {
    /// Of the number in a cell.
    cell: usize,
    /// Of what stands left of the cells.
    margin: usize,
    /// Of a panel.
    wide: usize,
}

/// The lines of a panel, equally wide on screen.
fn panel(
    grid: &Grid,
    panel: Option<&Panel>,
    Sizes { cell, margin, wide }: Sizes,
    depth: Depth,
) -> Vec<String> {
    let Some(panel) = panel else {
        return vec!["...".into()];
    };
    let fill = " ".repeat(wide - margin - grid.columns.len() * (cell + 1));
    let number = |position: Option<usize>, width: usize| match position {
        Some(p) => format!("{p:>width$}"),
        None => format!("{:>width$}", "."),
    };
    let mut lines = Vec::new();
    if !panel.place.is_empty() {
        lines.push(format!("{:margin$}{:rest$}", "", panel.name(), rest = wide - margin));
    }
    let heads: String = grid.columns.iter().map(|&c| number(c, cell) + " ").collect();
    lines.push(color::faint(&format!("{:margin$}{heads}", ""), depth) + &fill);
    for (cells, &row) in panel.cells.iter().zip(&grid.rows) {
        let head =
            if grid.has_rows() { format!("{} | ", number(row, margin - 3)) } else { String::new() };
        let mut line = color::faint(&head, depth);
        for one in cells {
            line += &match *one {
                Cell::Taken(place) => {
                    color::paint(&format!("{place:>cell$} "), color::of(place, grid.taken), depth)
                }
                Cell::Left => color::faint(&format!("{:>cell$} ", "\u{b7}"), depth),
                Cell::Gap => color::faint(&format!("{:>cell$} ", "."), depth),
            };
        }
        lines.push(line + &fill);
    }
    lines
}
