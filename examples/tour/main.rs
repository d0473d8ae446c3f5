//! Cuts a picture with Python slices and shows what each of them is: text, encoding, plan, time.
//!
//! `cargo run --release --example tour` writes a contact sheet; `-- --help` says what else can be
//! given.
#![allow(
    unreachable_pub,
    reason = "pub says what a module is for; nothing outside the example sees it"
)]

mod array;
#[path = "../common/mod.rs"]
mod common;
mod sheet;

use array::Array;
use clap::Parser;
use common::{Result, Tuple, encoding, read_slice};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat};
use pyslice::{Plan, SpecBuf, s};
use std::ffi::OsString;
use std::fs;
use std::hint::black_box;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Cuts a picture with Python slices.
///
/// Without --slice it writes a contact sheet of eight slices (six of a grey picture); with it, the
/// one cut. For each slice it prints the text, the encoding (begin, end, strides and five masks),
/// the plan (shape, strides, offset) and the time.
///
/// Rows are axis 0, columns axis 1, channels axis 2 (a grey picture has none). Any other array is
/// cut and described as well, and written to a .npy file if --out names one.
#[derive(Parser)]
#[command(name = "tour")]
struct Options {
    /// A PNG, a JPEG or a NumPy .npy array; without it, the picture that comes with the example
    picture: Option<PathBuf>,
    /// A slice as Python writes it between the brackets, such as "100:400, ::-1"
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    slice: Option<String>,
    /// Where to write: a .png, .jpg or .npy file (tour.png; with --slice, cut.png)
    #[arg(short, long)]
    out: Option<PathBuf>,
}

/// The picture that the tour cuts unless it is given another.
const EMBEDDED: &[u8] = include_bytes!("../assets/grace_hopper.jpg");

/// How long the longer side of a tile is at most, in pixels.
const SIDE: u32 = 300;

fn main() -> ExitCode {
    common::finish(run(std::env::args_os()))
}

/// Does what the command line asks for, and gives the words about it.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Result<String> {
    let Options { picture, slice, out } = Options::try_parse_from(args)?;
    let spec = slice.as_deref().map(read_slice).transpose()?;
    let (name, file) = match &picture {
        Some(path) => (path.display().to_string(), fs::read(path)),
        None => ("the embedded picture".into(), Ok(EMBEDDED.to_vec())),
    };
    let unread = |e: &dyn std::fmt::Display| format!("cannot read {name}: {e}");
    let input = Array::read(&file.map_err(|e| unread(&e))?).map_err(|e| unread(&e))?;
    let real = |path: &Option<PathBuf>| path.as_ref().and_then(|path| fs::canonicalize(path).ok());
    let same = real(&out).is_some() && real(&out) == real(&picture);
    if let Some(out) = out.as_ref().filter(|_| same) {
        let out = out.display();
        return Err(format!("{out} is the picture itself; name another file with --out").into());
    }
    let mut text = format!(
        "{name}: shape {}, elements {}\nTimes are the best of a few runs on one thread, the copy \
         into memory that is already there.\n\n",
        Tuple(&input.shape),
        input.dtype.descr()
    );
    let wrote = match spec {
        None if input.picture => {
            let sheet = contact_sheet(&input, picture.is_none(), &mut text)?;
            save_picture(&sheet, &out.unwrap_or("tour.png".into()))?
        }
        None if out.is_some() => {
            let shape = Tuple(&input.shape);
            return Err(format!(
                "an array of shape {shape} has no contact sheet; give --slice, and \
                                a .npy file"
            )
            .into());
        }
        spec => {
            let spec = spec.unwrap_or_else(|| s![...].to_buf());
            let (plan, cut) = cut(&input, &spec, &mut text)?;
            text += &format!("    values    {}\n\n", cut.summary());
            match out {
                None if !input.picture => return Ok(text),
                Some(path) if path.extension().is_some_and(|end| end == "npy") => {
                    save(&path, &cut.to_npy()?, format!("shape {}", Tuple(&cut.shape)))?
                }
                out => save_picture(&cut.pixels(&plan)?, &out.unwrap_or("cut.png".into()))?,
            }
        }
    };
    Ok(text + &wrote)
}

/// The array that a slice takes, and its plan. Describes both.
fn cut(input: &Array, spec: &SpecBuf, text: &mut String) -> Result<(Plan, Array)> {
    let shape = &input.shape;
    let plan = spec
        .plan(shape)
        .map_err(|e| format!("the slice `{spec}` does not fit shape {}: {e}", Tuple(shape)))?;
    let cut = input.cut(&plan)?;

    let planning = best_of(8, || {
        for _ in 0..256 {
            black_box(black_box(spec).plan(black_box(shape))).ok();
        }
    }) / 256;
    let mut to = vec![0; cut.bytes.len()];
    let view = plan.bytes(input.size).on(&input.bytes)?;
    let copying = best_of(8, || {
        view.copy_into(black_box(&mut to[..])).ok();
    });
    let rate = to.len() as f64 / copying.as_secs_f64().max(1e-9) / 1e9;
    *text += &format!(
        "    slice     s![{}]\n{}    plan      shape {}, strides {}, offset {}\n    \
         time      plan {planning:.1?}, copy {copying:.1?} ({rate:.1} GB/s)\n",
        if spec.is_empty() { String::new() } else { spec.to_string() },
        encoding(spec, "    "),
        Tuple(plan.shape()),
        Tuple(plan.strides()),
        plan.offset()
    );
    Ok((plan, cut))
}

fn best_of(times: usize, mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..times).map(run).min().unwrap_or_default()
}

/// What becomes of a part that a slice takes.
enum Put {
    /// It is the tile.
    Whole,
    /// It is assigned to this part of a tile of the picture's size.
    Part(SpecBuf),
    /// Axes 1 and 3, which are new and of length 1, are repeated so often.
    Repeated(usize),
}

/// The slices of the tour, tile by tile.
fn tiles(input: &Array, embedded: bool) -> Vec<(&'static str, Vec<(SpecBuf, Put)>)> {
    let (rows, columns) = (input.shape[0], input.shape[1]);
    // Numbers known only now stand in the slice like any other. A picture of fewer than four rows
    // has no margin: `None` stops at the end, where `-0` would stop at the start.
    let (top, left) = (rows / 4, columns / 4);
    let before = |margin: usize| (margin > 0).then(|| -(margin as i64));
    let middle = s![top:before(top), left:before(left)].to_buf();
    let crop = if embedded { s![40:-260, 136:-120].to_buf() } else { middle };
    // About 75 squares along the longer side.
    let k = (rows.max(columns) / 75).max(2);
    let whole = |spec: SpecBuf| vec![(spec, Put::Whole)];
    let mut all = vec![
        ("original", whole(s![...].to_buf())),
        ("crop", whole(crop)),
        ("flip", whole(s![:, ::-1].to_buf())),
        ("half turn", whole(s![::-1, ::-1].to_buf())),
        ("new axes, repeated", vec![(s![::k, None, ::k, None].to_buf(), Put::Repeated(k))]),
    ];
    let channels = input.shape.get(2).copied().unwrap_or(1);
    if channels >= 2 {
        all.push(("one channel", whole(s![..., 0].to_buf())));
    }
    match channels {
        3 => all.push(("RGB to BGR", whole(s![..., ::-1].to_buf()))),
        4 => all.push(("RGBA to BGR", whole(s![..., 2::-1].to_buf()))),
        _ => {}
    }
    // Four times every second pixel, mirrored so that the seams meet.
    let (y, x) = (rows.div_ceil(2), columns.div_ceil(2));
    let quarters = vec![
        (s![::2, ::2].to_buf(), Put::Part(s![:y, :x].to_buf())),
        (s![::2, ::-2].to_buf(), Put::Part(s![:y, x:].to_buf())),
        (s![::-2, ::2].to_buf(), Put::Part(s![y:, :x].to_buf())),
        (s![::-2, ::-2].to_buf(), Put::Part(s![y:, x:].to_buf())),
    ];
    all.push(("assigned in quarters", quarters));
    all
}

/// Describes every slice of the tour, and draws the sheet of all.
fn contact_sheet(input: &Array, embedded: bool, text: &mut String) -> Result<DynamicImage> {
    let mut shown = Vec::new();
    for (i, (name, pieces)) in tiles(input, embedded).into_iter().enumerate() {
        let name = format!("{}. {name}", i + 1);
        *text += &format!("{name}\n");
        // For quarters, the tile is as large as the picture, or a row and a column larger.
        let even: Vec<_> = input.shape.iter().take(2).map(|n| n.next_multiple_of(2)).collect();
        let mut quarters = input.zeros(&[&even, &input.shape[2..]].concat());
        let (mut code, mut note, mut picture) = (Vec::new(), String::new(), None);
        for (take, put) in &pieces {
            let (plan, part) = cut(input, take, text)?;
            note = Tuple(&part.shape).to_string();
            code.push(format!("s![{take}]"));
            match put {
                Put::Whole => picture = Some(part.pixels(&plan)?),
                Put::Part(place) => {
                    *text += &format!("    goes to   tile[{place}]\n");
                    code.pop();
                    code.push(format!("t[{place}] = x[{take}]"));
                    note = Tuple(&quarters.shape).to_string();
                    quarters.assign(&place.plan(&quarters.shape)?, &part)?;
                }
                Put::Repeated(times) => {
                    let mut tile = input.zeros(&repeated(&part.shape, *times));
                    *text += &format!("    repeated  to shape {}\n", Tuple(&tile.shape));
                    note += ", repeated";
                    tile.assign(&s![].plan(&tile.shape)?, &part)?;
                    // Rows beside their repetitions are rows, and so are columns.
                    let sides = [tile.shape[0] * times, tile.shape[2] * times];
                    tile.shape = [&sides, &tile.shape[4..]].concat();
                    picture = Some(tile.whole()?);
                }
            }
        }
        *text += "\n";
        let picture = picture.map_or_else(|| quarters.whole(), Ok)?;
        let small = picture.width().max(picture.height()) <= SIDE;
        let picture = if small { picture } else { picture.thumbnail(SIDE, SIDE) };
        shown.push(sheet::Tile { name, code, note, picture: picture.into_rgba8() });
    }
    let remark = format!("{} slices of one picture of shape {}", shown.len(), Tuple(&input.shape));
    Ok(DynamicImage::from(sheet::compose("pyslice", &remark, &shown)?).into_rgb8().into())
}

/// The shape of a part after its new axes 1 and 3 are repeated.
fn repeated(part: &[usize], times: usize) -> Vec<usize> {
    part.iter().enumerate().map(|(i, &n)| if i == 1 || i == 3 { times } else { n }).collect()
}

/// Encodes a picture as its name asks, and writes it.
fn save_picture(picture: &DynamicImage, path: &Path) -> Result<String> {
    let mut file = Vec::new();
    match ImageFormat::from_path(path) {
        Ok(ImageFormat::Png) => picture.write_to(&mut Cursor::new(&mut file), ImageFormat::Png)?,
        Ok(ImageFormat::Jpeg) => {
            picture.write_with_encoder(JpegEncoder::new_with_quality(&mut file, 92))?;
        }
        _ => {
            let path = path.display();
            return Err(format!(
                "cannot write a picture to {path}; use .png, .jpg or, with \
                                --slice, .npy"
            )
            .into());
        }
    }
    save(path, &file, format!("{} x {} pixels", picture.width(), picture.height()))
}

/// Writes a file once all of its bytes are there, and says so.
fn save(path: &Path, file: &[u8], what: String) -> Result<String> {
    fs::write(path, file).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    Ok(format!("wrote {}: {what}, {} bytes\n", path.display(), file.len()))
}
