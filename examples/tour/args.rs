//! What the command line asks for.

use super::common::Failure;
use std::ffi::OsString;
use std::path::PathBuf;

/// The words of `--help`.
pub const HELP: &str = "\
Cuts a picture with Python slices.

    cargo run --release --example tour -- [PICTURE] [--slice TEXT] [-o OUT]

Without --slice it writes a contact sheet of eight slices (six of a grey picture); with it, the \
                        one cut. For each
slice it prints the text, the encoding (begin, end, strides and five masks), the plan (shape, \
                        strides, offset)
and the time.

    PICTURE        a PNG, a JPEG or a NumPy .npy array; without it, the picture that comes with \
                        the example
    --slice TEXT   a slice as Python writes it between the brackets, such as \"100:400, ::-1\"
    -o, --out OUT  where to write: a .png, .jpg or .npy file (tour.png; with --slice, cut.png)
    -h, --help     these words

Rows are axis 0, columns axis 1, channels axis 2 (a grey picture has none). An array of any other \
                        rank is cut and
described as well, and written to a .npy file if -o names one.
";

/// What is to be done.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The file to read; the embedded picture without it.
    pub picture: Option<PathBuf>,
    /// The one slice to cut with.
    pub slice: Option<String>,
    /// The file to write.
    pub out: Option<PathBuf>,
    /// Only the help is wanted.
    pub help: bool,
}

/// Reads the command line, without the program's name.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Options, Failure> {
    let mut options = Options::default();
    let (mut args, mut names_only) = (args.into_iter(), false);
    while let Some(arg) = args.next() {
        // Options are plain text; a file name need not be.
        let text = arg.to_str().filter(|_| !names_only).unwrap_or("").to_string();
        let (flag, attached) = match text.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") || flag == "-o" => {
                (flag, Some(OsString::from(value)))
            }
            _ => (text.as_str(), None),
        };
        let mut value = || {
            attached
                .clone()
                .or_else(|| args.next())
                .ok_or_else(|| wrong(&format!("{flag} wants a value after it")))
        };
        match flag {
            "-h" | "--help" => options.help = true,
            "--slice" => {
                let value =
                    value()?.into_string().map_err(|_| wrong("the slice is not valid Unicode"))?;
                once(&mut options.slice, value, "--slice")?;
            }
            "-o" | "--out" => once(&mut options.out, value()?.into(), "-o")?,
            "--" => names_only = true,
            _ if flag.starts_with('-') && flag != "-" => {
                return Err(wrong(&format!("there is no option {flag}")));
            }
            _ if options.picture.is_some() => {
                return Err(wrong("PICTURE is given twice; a slice comes after --slice"));
            }
            _ => options.picture = Some(arg.into()),
        }
    }
    Ok(options)
}

fn once<T>(slot: &mut Option<T>, value: T, name: &str) -> Result<(), Failure> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(wrong(&format!("{name} is given twice"))),
    }
}

fn wrong(what: &str) -> Failure {
    Failure(format!("{what}; --help shows what can be given"))
}
