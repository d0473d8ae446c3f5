//! Shows a slice to someone who would rather look than read: entry by entry, as numbers, and as a
//! picture.
//!
//! `cargo run --release --example explain -- "1, ::2, ..., ::-1" 4,6,8`
#![allow(
    unreachable_pub,
    reason = "pub says what a module is for; nothing outside the example sees it"
)]

mod args;
mod color;
#[path = "../common/mod.rs"]
mod common;
mod entries;
mod grid;
mod svg;
mod terminal;

use common::{Failure, Tuple, file, read_slice, underline};
use grid::Grid;
use pyslice::{Plan, SliceError, SpecBuf};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let wish = color::Wish::of_environment(io::stdout().is_terminal());
    let mut out = common::Tolerant(io::stdout().lock());
    ExitCode::from(run(std::env::args_os().skip(1), &mut out, &mut io::stderr().lock(), wish))
}

/// Does what the command line asks for. Gives the exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    wish: color::Wish,
) -> u8 {
    match args::parse(args).and_then(|options| explain(options, out, wish)) {
        Ok(()) => 0,
        Err(failure) => {
            let _ = writeln!(err, "error: {failure}");
            1
        }
    }
}

/// [`run`] without a terminal, for tests.
pub fn run_plain(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    run(args, out, err, color::Wish { usual: color::Depth::None, best: color::Depth::Cube })
}

fn explain(options: args::Options, out: &mut dyn Write, wish: color::Wish) -> Result<(), Failure> {
    let unprinted = |e: io::Error| Failure(format!("cannot print: {e}"));
    if options.help {
        return write!(out, "{}", args::HELP).map_err(unprinted);
    }
    let spec = read_slice(&options.slice)?;
    if let Some(path) = &options.out {
        file::check(path)?;
    }
    let shape = &options.shape;
    let spec = if options.strict { spec.strict() } else { spec };
    let plan = spec.plan(shape).map_err(|e| misfit(&options.slice, &spec, shape, e))?;

    let words = describe(&spec, shape, &plan).map_err(|e| Failure::new(e.to_string()))?;
    out.write_all(words.as_bytes()).map_err(unprinted)?;
    let scene =
        Scene::new(&spec, &plan, options.assign).map_err(|e| Failure::new(e.to_string()))?;
    out.write_all(terminal::picture(&scene, wish.given(options.color)).as_bytes())
        .map_err(unprinted)?;

    if let Some(path) = &options.out {
        let picture = svg::picture(&scene);
        file::write(path, |to| {
            to.write_all(picture.as_bytes()).map_err(|e| Failure::new(e.to_string()))
        })?;
        writeln!(out, "\nwrote {}", path.display()).map_err(unprinted)?;
    }
    Ok(())
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
    fn new(spec: &SpecBuf, plan: &Plan, assign: bool) -> Result<Scene, SliceError> {
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
fn describe(spec: &SpecBuf, shape: &[usize], plan: &Plan) -> Result<String, SliceError> {
    let mut words = format!("x[{spec}] for x of shape {}\n\n", Tuple(shape));
    words += &entries::table(spec, shape)?;
    let m = spec.masks();
    words += &format!(
        "\nbegin    {:?}\nend      {:?}\nstrides  {:?}\n",
        spec.begin(),
        spec.end(),
        spec.strides()
    );
    words += &format!(
        "masks    begin {}, end {}, ellipsis {}, new_axis {}, shrink_axis {}\n",
        m.begin, m.end, m.ellipsis, m.new_axis, m.shrink_axis
    );
    let (result, strides) = (Tuple(plan.shape()), Tuple(plan.strides()));
    words +=
        &format!("\nresult   shape {result}, {} of {} elements\n", plan.len(), plan.input_len());
    words += &format!("view     strides {strides}, offset {}{}\n\n", plan.offset(), memory(plan));
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
fn misfit(text: &str, spec: &SpecBuf, shape: &[usize], error: SliceError) -> Failure {
    let spans = entries::spans(text);
    let at_fault = match error {
        SliceError::IndexOutOfRange { axis, .. } | SliceError::BoundOutOfRange { axis, .. } => {
            let entry = entries::taking(spec, shape.len(), axis);
            entry.and_then(|i| spans.get(i)).map(|span| (span.0, span.1))
        }
        SliceError::TooManyEntries { rank, .. } => {
            let first = spec
                .entries()
                .enumerate()
                .filter(|(_, e)| entries::takes(e))
                .nth(rank)
                .map(|(i, _)| i);
            first
                .and_then(|i| spans.get(i))
                .zip(spans.last())
                .map(|(first, last)| (first.0, last.1))
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
    Failure(match at_fault {
        Some((from, to)) => format!(
            "the slice does not fit shape {shape}\n{}\n  {error}",
            underline(text, from, to)
        ),
        None => format!("the slice does not fit shape {shape}: {error}"),
    })
}
