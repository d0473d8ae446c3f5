//! Cells of an array in panels: the last two axes are rows and columns, each place on the others is
//! a panel of its own.

use pyslice::{Plan, SliceError};

/// The most rows, columns and panels that are shown; the middle of longer axes is left out.
const ROWS: usize = 14;
const COLUMNS: usize = 20;
const PANELS: usize = 12;

/// A panel of cells.
pub struct Panel {
    /// Its place on the leading axes; empty for an array of one or two axes.
    pub place: Vec<usize>,
    /// The cells, row by row. A column or row that is left out has none.
    pub cells: Vec<Vec<Cell>>,
}

impl Panel {
    /// Its place as an index.
    pub fn name(&self) -> String {
        let place: Vec<String> = self.place.iter().map(usize::to_string).collect();
        format!("[{}]", place.join(", "))
    }
}

/// One cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Its place in the result, counted from 0.
    Taken(usize),
    /// It is not in the result.
    Left,
    /// Cells that are not shown.
    Gap,
}

/// An array as panels.
pub struct Grid {
    /// Its shape.
    pub shape: Vec<usize>,
    /// The rows shown; `None` is a gap.
    pub rows: Vec<Option<usize>>,
    /// The columns shown.
    pub columns: Vec<Option<usize>>,
    /// The panels shown; `None` is a gap.
    pub panels: Vec<Option<Panel>>,
    /// How many elements the result has.
    pub taken: usize,
}

impl Grid {
    /// The input, each cell with its place in the result.
    pub fn input(plan: &Plan) -> Result<Grid, SliceError> {
        Grid::new(plan.input_shape(), plan.len(), |index| match plan.inverse(index)? {
            Some(at) => Ok(Cell::Taken(flat(&at, plan.shape()))),
            None => Ok(Cell::Left),
        })
    }

    /// The result, each cell with its place.
    pub fn result(plan: &Plan) -> Grid {
        let taken = |index: &[usize]| Ok(Cell::Taken(flat(index, plan.shape())));
        let empty =
            || Grid { shape: vec![], rows: vec![], columns: vec![], panels: vec![], taken: 0 };
        Grid::new(plan.shape(), plan.len(), taken).unwrap_or_else(|_: SliceError| empty())
    }

    fn new(
        shape: &[usize],
        taken: usize,
        cell: impl Fn(&[usize]) -> Result<Cell, SliceError>,
    ) -> Result<Grid, SliceError> {
        let lead = shape.len().saturating_sub(2);
        let (leading, plane) = shape.split_at(lead);
        let (high, wide) = match plane {
            [] => (1, 1),
            [wide] => (1, *wide),
            [high, wide, ..] => (*high, *wide),
        };
        let (rows, columns) = (shown(high, ROWS), shown(wide, COLUMNS));
        let count = leading.iter().fold(1usize, |n, &d| n.saturating_mul(d));
        let mut panels = Vec::new();
        for number in shown(count, PANELS) {
            let Some(number) = number else {
                panels.push(None);
                continue;
            };
            let place = unflat(number, leading);
            let one = |row: Option<usize>, column: Option<usize>| match (row, column) {
                (Some(row), Some(column)) => {
                    let plane = [row, column];
                    let index: Vec<usize> =
                        place.iter().chain(&plane[2 - shape.len().min(2)..]).copied().collect();
                    cell(&index)
                }
                _ => Ok(Cell::Gap),
            };
            let line =
                |&row: &Option<usize>| columns.iter().map(|&column| one(row, column)).collect();
            let cells = rows.iter().map(line).collect::<Result<_, _>>()?;
            panels.push(Some(Panel { place, cells }));
        }
        Ok(Grid { shape: shape.to_vec(), rows, columns, panels, taken })
    }

    /// Whether something is left out.
    pub fn has_gaps(&self) -> bool {
        self.rows.contains(&None)
            || self.columns.contains(&None)
            || self.panels.iter().any(Option::is_none)
    }

    /// Whether rows have numbers: an array of one axis has only columns.
    pub fn has_rows(&self) -> bool {
        self.shape.len() >= 2
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }
}

/// All positions of an axis, or the first ones, a gap and the last two.
fn shown(len: usize, most: usize) -> Vec<Option<usize>> {
    if len <= most {
        return (0..len).map(Some).collect();
    }
    (0..most - 3).map(Some).chain([None]).chain((len - 2..len).map(Some)).collect()
}

/// The place of an index in C order.
fn flat(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |at, (&i, &n)| at * n + i)
}

/// The index at a place in C order.
fn unflat(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> =
        shape.iter().rev().map(|&n| (at % n.max(1), at /= n.max(1)).0).collect();
    index.reverse();
    index
}
