//! Shows a slice to someone who would rather look than read: entry by entry, as numbers, and as a
//! picture.
//!
//! `cargo run --release --example explain -- "1, ::2, ..., ::-1" 4,6,8`
#![allow(
    unreachable_pub,
    reason = "pub says what a module is for; nothing outside the example sees it"
)]

mod color;
#[path = "../common/mod.rs"]
mod common;
mod entries;
mod grid;
mod svg;
mod terminal;

use clap::Parser;
use common::{Result, Tuple, encoding, read_slice, underline};
use grid::Grid;
use pyslice::{Plan, SliceError, SpecBuf};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows what a slice takes.
///
/// The number in a cell is its value in x = np.arange(...).reshape(SHAPE). What is taken stands in
/// brackets, or has a colour: from the first of the result to the last, colours go from light to
/// dark. A terminal gets colours unless NO_COLOR is set.
#[derive(Parser)]
#[command(name = "explain")]
struct Options {
    /// A slice as Python writes it between the brackets, such as "1, ::2, ..., ::-1"
    #[arg(allow_hyphen_values = true)]
    slice: String,
    /// The lengths of the array's axes, such as 4,6,8; () for an array without axes
    shape: String,
    /// Write the picture to this .svg file as well
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Show x[SLICE] = v, with the values of v in their places, instead of x[SLICE]
    #[arg(long)]
    assign: bool,
    /// A range bound outside its axis is an error; without it, bounds are clamped as in Python
    #[arg(long)]
    strict: bool,
    /// Colours even where the output is not a terminal
    #[arg(long)]
    color: bool,
}

fn main() -> ExitCode {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    common::finish(run(std::env::args_os(), io::stdout().is_terminal() && !refused))
}

/// Does what the command line asks for, and gives the words about it.
pub fn run(args: impl IntoIterator<Item = OsString>, terminal: bool) -> Result<String> {
    let options = Options::try_parse_from(args)?;
    let (spec, shape) = (read_slice(&options.slice)?, lengths(&options.shape)?);
    let spec = if options.strict { spec.strict() } else { spec };
    let plan = spec.plan(&shape).map_err(|e| misfit(&options.slice, &spec, &shape, e))?;
    let scene = Scene::new(&spec, &plan, options.assign)?;
    let mut text = describe(&spec, &shape, &plan)?;
    text += &terminal::picture(&scene, terminal || options.color);
    if let Some(path) = &options.out {
        std::fs::write(path, svg::picture(&scene))
            .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        text += &format!("\nwrote {}\n", path.display());
    }
    Ok(text)
}

/// `4,6,8`, `(4, 6, 8)` or `()`.
fn lengths(text: &str) -> Result<Vec<usize>> {
    let inner = text.trim_matches(['(', ')', '[', ']', ' ']);
    let parts = inner.strip_suffix(',').unwrap_or(inner).split_terminator(',');
    let one = |part: &str| {
        part.trim().parse().map_err(|_| format!("shape `{text}`: `{part}` is not a length").into())
    };
    parts.map(one).collect()
}

/// What is drawn.
struct Scene {
    /// The slice, as Python writes it.
    slice: String,
    /// The cells of `x`, after the assignment if there is one.
    input: Grid,
    /// The cells of the result, or of the values that are assigned.
    result: Grid,
    /// The first of the values that are assigned.
    assigned: Option<usize>,
    /// Which bounds are clamped.
    clamped: Vec<String>,
}

impl Scene {
    fn new(spec: &SpecBuf, plan: &Plan, assign: bool) -> std::result::Result<Scene, SliceError> {
        let shape = plan.input_shape();
        let (mut input, mut result) = (Grid::input(plan)?, Grid::result(plan)?);
        input.from_end = entries::counts_from_end(spec, shape.len());
        // Larger than each value of `x`, so that nobody confuses them.
        let above = |len| (2..18).map(|digits| 10_usize.pow(digits)).find(|&base| base >= len);
        let assigned = assign.then(|| above(plan.input_len()).unwrap_or(plan.input_len()));
        if let Some(base) = assigned {
            input.assign(base);
            result.assign(base);
        }
        let clamped = entries::clamped(spec, shape)?;
        Ok(Scene { slice: spec.to_string(), input, result, assigned, clamped })
    }
}

/// The table of entries, the encoding and the plan.
fn describe(
    spec: &SpecBuf,
    shape: &[usize],
    plan: &Plan,
) -> std::result::Result<String, SliceError> {
    let mut words = format!("x[{spec}] for x of shape {}\n\n", Tuple(shape));
    words += &entries::table(spec, shape)?;
    words += &format!("\n{}", encoding(spec, ""));
    let (result, strides) = (Tuple(plan.shape()), Tuple(plan.strides()));
    words +=
        &format!("\nresult    shape {result}, {} of {} elements\n", plan.len(), plan.input_len());
    words += &format!("view      strides {strides}, offset {}{}\n\n", plan.offset(), memory(plan));
    Ok(words)
}

/// How the result lies in the input.
fn memory(plan: &Plan) -> &'static str {
    if plan.is_empty() {
        ""
    } else if plan.is_identity() {
        "; the whole input in order"
    } else if plan.is_contiguous() {
        "; one run of memory"
    } else {
        ""
    }
}

/// Words for a slice that does not fit the shape, with the entries at fault underlined.
fn misfit(text: &str, spec: &SpecBuf, shape: &[usize], error: SliceError) -> String {
    let spans = entries::spans(text);
    let at_fault = match error {
        SliceError::IndexOutOfRange { axis, .. } | SliceError::BoundOutOfRange { axis, .. } => {
            entries::taking(spec, shape.len(), axis).and_then(|i| spans.get(i)).copied()
        }
        SliceError::TooManyEntries { rank, .. } => {
            let mut taking = spec.entries().zip(&spans).filter(|(entry, _)| entries::takes(entry));
            taking.nth(rank).zip(spans.last()).map(|((_, first), last)| (first.0, last.1))
        }
        _ => None,
    };
    let shape = Tuple(shape);
    let error = match error {
        // The last piece of advice is for those who call the library.
        SliceError::BoundOutOfRange { .. } => {
            let text = error.to_string();
            let kept = text.rsplit_once(", or ").map_or(text.as_str(), |(kept, _)| kept);
            format!("{kept}, or leave out `--strict`, and it is clamped")
        }
        _ => error.to_string(),
    };
    match at_fault {
        Some((from, to)) => {
            let marked = underline(text, from, to);
            format!("the slice does not fit shape {shape}\n{marked}\n  {error}")
        }
        None => format!("the slice does not fit shape {shape}: {error}"),
    }
}
