//! Cuts a picture with Python slices and shows what each of them is: text, encoding, plan, time.
//!
//! `cargo run --release --example tour` writes a contact sheet; `-- --help` says what else can be
//! given.
#![allow(
    unreachable_pub,
    reason = "pub says what a module is for; nothing outside the example sees it"
)]

mod args;
mod array;
mod canvas;
#[path = "../common/mod.rs"]
mod common;
mod cuts;
mod input;
mod output;
mod pixels;
mod progress;
mod report;
mod sheet;
mod text;

use array::Array;
use canvas::Canvas;
use common::{Failure, Tuple, file, read_slice};
use cuts::{Cut, Piece, Put};
use output::Format;
use pixels::{Layout, Levels, Pixels};
use progress::Progress;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// About how long the longer side of a tile is, in pixels.
const SIDE: usize = 300;

fn main() -> ExitCode {
    let terminal = io::stderr().is_terminal();
    let mut out = common::Tolerant(io::stdout().lock());
    ExitCode::from(run(std::env::args_os().skip(1), &mut out, &mut io::stderr().lock(), terminal))
}

/// Does what the command line asks for: results to `out`, progress and failures to `err`. Gives the
/// exit code.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    terminal: bool,
) -> u8 {
    let mut progress = Progress::new(&mut *err, terminal);
    let done = args::parse(args).and_then(|options| tour(options, out, &mut progress));
    progress.clear();
    match done {
        Ok(()) => 0,
        Err(failure) => {
            let _ = writeln!(err, "error: {failure}");
            1
        }
    }
}

/// Prints a line.
macro_rules! say {
    ($out:expr, $($words:tt)*) => {
        writeln!($out, $($words)*).map_err(|e| Failure(format!("cannot print: {e}")))
    };
}

fn tour(
    options: args::Options,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    if options.help {
        return write!(out, "{}", args::HELP).map_err(|e| Failure(format!("cannot print: {e}")));
    }
    // Whatever can be refused is refused before any work is done.
    let slice = options.slice.as_deref().map(read_slice).transpose()?;
    let picture = options.picture.as_deref();
    let wanted = match options.out {
        Some(path) => Some((output::check(&path, picture)?, path)),
        None => None,
    };
    let input = match picture {
        Some(path) => input::read(path, progress)?,
        None => input::embedded()?,
    };
    let name = picture.map_or("the embedded picture".into(), |p| p.display().to_string());
    progress.clear();
    say!(out, "{name}: shape {}, elements {}", Tuple(&input.shape), input.dtype.descr)?;
    say!(
        out,
        "Times are the best of a few runs on one thread, the copy into memory that is already \
         there.\n"
    )?;
    match slice {
        Some(spec) => {
            one((&input, picture), Cut::new("slice", spec.as_ref()), wanted, out, progress)
        }
        None if input.picture => contact_sheet((&input, picture), wanted, out, progress),
        None => describe(&input, wanted, out, progress),
    }
}

/// One slice, typed by the user, of an array and its file: describes it and writes the cut.
fn one(
    (input, picture): (&Array, Option<&Path>),
    cut: Cut,
    wanted: Option<(Format, PathBuf)>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    progress.step("cutting");
    let (plan, result) = cut.make(input)?;
    for piece in &cut.pieces {
        progress.clear();
        report::slice(out, piece.take.as_ref(), input, &plan)?;
    }
    say!(
        out,
        "    values    {}\n",
        if plan.is_empty() { "none".into() } else { result.summary() }
    )?;
    let wanted = match wanted {
        None if !input.picture => return Ok(()),
        None => (output::check(Path::new("cut.png"), picture)?, PathBuf::from("cut.png")),
        Some(wanted) => wanted,
    };
    progress.step("writing");
    match wanted {
        (Format::Npy, path) => {
            let size = file::write(&path, |to| output::npy(&result, to))?;
            progress.clear();
            say!(out, "wrote {}: shape {}, {size} bytes", path.display(), Tuple(&result.shape))
        }
        (format, path) => {
            let levels = Levels::of(input);
            let (pixels, invented) =
                Pixels::of(result, Layout::of(input, &plan), levels, format == Format::Png)?;
            if invented {
                say!(
                    out,
                    "the two channels are shown as red and green, and blue is 0; .npy keeps just \
                     the two"
                )?;
            }
            if let Some((black, white)) = levels.stretched(&input.dtype) {
                say!(
                    out,
                    "values from {black} (black) to {white} (white) are shown as 256 levels"
                )?;
            }
            save(&pixels, format, &path, out, progress)
        }
    }
}

/// The tour of a picture and its file: describes every slice and writes the sheet of all.
fn contact_sheet(
    (input, picture): (&Array, Option<&Path>),
    wanted: Option<(Format, PathBuf)>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let (format, path) = wanted.unwrap_or((Format::Png, PathBuf::from("tour.png")));
    if format == Format::Npy {
        return Err(Failure::new(
            "a contact sheet is a picture; name a .png or .jpg file, or give --slice",
        ));
    }
    output::check(&path, picture)?;
    let levels = Levels::of(input);
    let cuts = cuts::of_picture(input, picture.is_none());
    let mut tiles = Vec::new();
    for (i, cut) in cuts.iter().enumerate() {
        progress.step(&format!("tile {} of {}: {}", i + 1, cuts.len(), cut.name));
        let (plan, result) = cut.make(input)?;
        progress.clear();
        say!(out, "{}. {}", i + 1, cut.name)?;
        for Piece { take, put } in &cut.pieces {
            let plan = input
                .plan(take.as_ref())
                .map_err(|e| input::misfit(take.as_ref(), &input.shape, e))?;
            report::slice(out, take.as_ref(), input, &plan)?;
            match put {
                Put::Whole => {}
                Put::Part(place) => say!(out, "    goes to   tile[{place}]")?,
                Put::Repeated(times) => {
                    let shape = cuts::repeated_shape(plan.shape(), *times);
                    say!(out, "    repeated  to shape {}", Tuple(&shape))?;
                }
            }
        }
        say!(out, "")?;
        let shape = result.shape.clone();
        // A collage is a picture of its own.
        let layout = if result.picture { Layout::whole(&result) } else { Layout::of(input, &plan) };
        let (pixels, _) = Pixels::of(result, layout, levels, false)?;
        let fitted = Canvas::fitted(&pixels, SIDE);
        let (picture, scale) =
            fitted.map_err(|e| Failure(format!("cannot show {}: {e}", cut.name)))?;
        let code = cut.pieces.iter().map(|piece| match &piece.put {
            Put::Part(place) => format!("t[{place}] = x[{}]", piece.take),
            _ => format!("s![{}]", piece.take),
        });
        let code = code.collect();
        let note = match cut.pieces[..] {
            [Piece { put: Put::Repeated(_), .. }] => format!("{}, repeated", Tuple(plan.shape())),
            _ => format!("{} {scale}", Tuple(&shape)),
        };
        tiles.push(sheet::Tile { name: format!("{}. {}", i + 1, cut.name), code, note, picture });
    }
    progress.step("laying out the sheet");
    let remark = format!("{} slices of one picture of shape {}", cuts.len(), Tuple(&input.shape));
    let sheet = sheet::compose("pyslice", &remark, &tiles)?;
    let (rows, columns) = (sheet.rows, sheet.columns);
    let pixels = Pixels { rows, columns, channels: 3, depth: 1, bytes: sheet.rgb };
    save(&pixels, format, &path, out, progress)
}

/// The tour of an array that is not a picture: describes every slice and its values.
fn describe(
    input: &Array,
    wanted: Option<(Format, PathBuf)>,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    if wanted.is_some() {
        let shape = Tuple(&input.shape);
        return Err(Failure(format!(
            "an array of shape {shape} has no contact sheet; give --slice to write a cut"
        )));
    }
    for (i, cut) in cuts::of_array(input).iter().enumerate() {
        progress.step(cut.name);
        let (plan, result) = cut.make(input)?;
        progress.clear();
        say!(out, "{}. {}", i + 1, cut.name)?;
        for piece in &cut.pieces {
            report::slice(out, piece.take.as_ref(), input, &plan)?;
        }
        say!(
            out,
            "    values    {}\n",
            if plan.is_empty() { "none".into() } else { result.summary() }
        )?;
    }
    Ok(())
}

/// Writes a picture and says so.
fn save(
    pixels: &Pixels,
    format: Format,
    path: &Path,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    progress.step("writing");
    let size = file::write(path, |to| output::encode(pixels, format, to))?;
    progress.clear();
    say!(out, "wrote {}: {} x {} pixels, {size} bytes", path.display(), pixels.columns, pixels.rows)
}
