//! Cells of an array in panels: the last two axes are rows and columns, each place on the others is
//! a panel of its own.

use super::common::Tuple;
use pyslice::{Entry, Plan, SliceError, SpecBuf};

/// The most rows, columns and panels that are shown; the middle of longer axes is left out.
const ROWS: usize = 14;
const COLUMNS: usize = 20;
const PANELS: usize = 12;
/// The most panels that are searched for those with elements of the result.
const LOOKED_THROUGH: usize = 4096;

/// A panel of cells.
pub struct Panel {
    /// Its place on the leading axes; empty for an array of one or two axes.
    pub place: Vec<usize>,
    /// The cells, row by row. A column or row that is left out has none.
    pub cells: Vec<Vec<Cell>>,
}

/// What stands where a panel would.
pub enum Shown {
    /// The panel.
    Panel(Panel),
    /// One panel or several, from the first place to the last, of which nothing is taken.
    Folded(Vec<usize>, Vec<usize>),
    /// Panels that are left out.
    Gap,
}

/// The place of a panel as an index.
pub fn name(place: &[usize]) -> String {
    let place: Vec<String> = place.iter().map(usize::to_string).collect();
    format!("[{}]", place.join(", "))
}

/// What is said of folded panels.
pub fn folded(first: &[usize], last: &[usize]) -> String {
    if first == last {
        format!("{}: nothing taken", name(first))
    } else {
        format!("{} to {}: nothing taken", name(first), name(last))
    }
}

/// One cell. Values are `np.arange`'s: places in the input, counted in C order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Its value, and its place in the result, counted from 0.
    Taken(usize, usize),
    /// Its value; it is not in the result.
    Left(usize),
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
    /// The panels.
    pub panels: Vec<Shown>,
    /// How many elements the result has.
    pub taken: usize,
    /// The largest value of the input.
    pub largest: usize,
    /// Whether columns are numbered from the end, too.
    pub from_end: bool,
}

impl Grid {
    /// The input. Panels of which nothing is taken are folded, unless nothing is taken at all.
    pub fn input(plan: &Plan) -> Result<Grid, SliceError> {
        let shape = plan.input_shape();
        let cell = |index: &[usize]| {
            let value = flat(index, shape);
            Ok(match plan.inverse(index)? {
                Some(at) => Cell::Taken(value, flat(&at, plan.shape())),
                None => Cell::Left(value),
            })
        };
        let used = |place: &[usize]| {
            if place.is_empty() || plan.is_empty() {
                return Ok(true);
            }
            let entries: Vec<Entry> = place.iter().map(|&p| Entry::Index(p as i64)).collect();
            plan.overlaps(&SpecBuf::from_entries(&entries)?.plan(shape)?)
        };
        Grid::new(shape, plan, cell, used)
    }

    /// The result, with the values of the input.
    pub fn result(plan: &Plan) -> Result<Grid, SliceError> {
        let taken = |index: &[usize]| {
            let steps = index.iter().zip(plan.strides());
            let at =
                steps.fold(plan.offset() as isize, |at, (&i, &stride)| at + i as isize * stride);
            Ok(Cell::Taken(at as usize, flat(index, plan.shape())))
        };
        Grid::new(plan.shape(), plan, taken, |_| Ok(true))
    }

    fn new(
        shape: &[usize],
        plan: &Plan,
        cell: impl Fn(&[usize]) -> Result<Cell, SliceError>,
        used: impl Fn(&[usize]) -> Result<bool, SliceError>,
    ) -> Result<Grid, SliceError> {
        let lead = shape.len().saturating_sub(2);
        let (leading, plane) = shape.split_at(lead);
        let (high, wide) = match plane {
            [] => (1, 1),
            [wide] => (1, *wide),
            [high, wide, ..] => (*high, *wide),
        };
        let (rows, columns) = (shown(high, ROWS), shown(wide, COLUMNS));
        let panels = places(leading, used)?
            .into_iter()
            .map(|place| match place {
                Shown::Panel(Panel { place, .. }) => {
                    let one = |row: Option<usize>, column: Option<usize>| match (row, column) {
                        (Some(row), Some(column)) => {
                            let plane = &[row, column][2 - shape.len().min(2)..];
                            cell(&[&place[..], plane].concat())
                        }
                        _ => Ok(Cell::Gap),
                    };
                    let line = |&row: &Option<usize>| {
                        columns.iter().map(|&column| one(row, column)).collect()
                    };
                    let cells = rows.iter().map(line).collect::<Result<_, _>>()?;
                    Ok(Shown::Panel(Panel { place, cells }))
                }
                other => Ok(other),
            })
            .collect::<Result<_, SliceError>>()?;
        let (taken, largest) = (plan.len(), plan.input_len().saturating_sub(1));
        let shape = shape.to_vec();
        Ok(Grid { shape, rows, columns, panels, taken, largest, from_end: false })
    }

    /// What makes an array of these values in NumPy, before anything was assigned to it.
    pub fn arange(&self) -> String {
        let count = self.shape.iter().fold(1usize, |n, &d| n.saturating_mul(d));
        match self.shape.len() {
            0 => "np.arange(1).reshape(())".into(),
            1 => format!("np.arange({count})"),
            _ => format!("np.arange({count}).reshape{}", Tuple(&self.shape)),
        }
    }

    /// The cells that are taken hold the assigned values: `base`, `base + 1` and so on.
    pub fn assign(&mut self, base: usize) {
        for shown in &mut self.panels {
            let Shown::Panel(panel) = shown else { continue };
            for cell in panel.cells.iter_mut().flatten() {
                if let Cell::Taken(value, place) = cell {
                    *value = base.saturating_add(*place);
                }
            }
        }
        self.largest = self.largest.max(base.saturating_add(self.taken));
    }

    /// Whether something is left out.
    pub fn has_gaps(&self) -> bool {
        self.rows.contains(&None)
            || self.columns.contains(&None)
            || self.panels.iter().any(|panel| matches!(panel, Shown::Gap))
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

/// The panels to show, without their cells yet: those that are used, and between them one word for
/// those that are not.
fn places(
    leading: &[usize],
    used: impl Fn(&[usize]) -> Result<bool, SliceError>,
) -> Result<Vec<Shown>, SliceError> {
    let count = leading.iter().fold(1usize, |n, &d| n.saturating_mul(d));
    let numbers = shown(count, if count <= LOOKED_THROUGH { count } else { PANELS });
    let mut all = Vec::new();
    for number in numbers {
        let Some(number) = number else {
            all.push(Shown::Gap);
            continue;
        };
        let place = unflat(number, leading);
        if used(&place)? {
            all.push(Shown::Panel(Panel { place, cells: vec![] }));
        } else if let Some(Shown::Folded(_, last)) = all.last_mut() {
            *last = place;
        } else {
            all.push(Shown::Folded(place.clone(), place));
        }
    }
    let keep = shown(all.len(), PANELS);
    let mut all: Vec<Option<Shown>> = all.into_iter().map(Some).collect();
    let take = |at: Option<usize>| at.map_or(Some(Shown::Gap), |at| all[at].take());
    Ok(keep.into_iter().filter_map(take).collect())
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
