//! What the command line asks for.

use super::common::Failure;
use std::ffi::OsString;
use std::path::PathBuf;

/// The words of `--help`.
pub const HELP: &str = "\
Shows what a slice takes.

    cargo run --release --example explain -- SLICE SHAPE [-o OUT.svg] [--assign] [--color]

    SLICE          a slice as Python writes it between the brackets, such as \"1, ::2, ..., ::-1\"
    SHAPE          the lengths of the array's axes, such as 4,6,8; () for an array without axes
    -o, --out OUT  write the picture to this .svg file as well
    --assign       show x[SLICE] = v, with the values of v in their places, instead of x[SLICE]
    --strict       a range bound outside its axis is an error; without it, bounds are clamped as \
                        in Python
    --color        colours even where the output is not a terminal; --no-color: none even where it \
                        is one
    -h, --help     these words

The number in a cell is its value in x = np.arange(...).reshape(SHAPE). What is taken stands in
brackets, or has a colour: from the first of the result to the last, colours go from light to dark.
";

/// What is to be done.
#[derive(Debug, Default)]
pub struct Options {
    /// The slice.
    pub slice: String,
    /// The shape it is planned for.
    pub shape: Vec<usize>,
    /// Whether to show an assignment.
    pub assign: bool,
    /// Whether bounds outside their axis are refused.
    pub strict: bool,
    /// The file for the picture.
    pub out: Option<PathBuf>,
    /// Colours or none, if it was said.
    pub color: Option<bool>,
    /// Only the help is wanted.
    pub help: bool,
}

/// Reads the command line, without the program's name.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Options, Failure> {
    let mut options = Options::default();
    let (mut given, mut args) = (Vec::new(), args.into_iter());
    while let Some(arg) = args.next() {
        let text = arg.to_str().ok_or_else(|| wrong("an argument is not valid Unicode"))?;
        match text {
            "-h" | "--help" => options.help = true,
            "--assign" => options.assign = true,
            "--strict" => options.strict = true,
            "--color" => options.color = Some(true),
            "--no-color" => options.color = Some(false),
            "-o" | "--out" => {
                let path = args.next().ok_or_else(|| wrong("-o wants a file name after it"))?;
                options.out = Some(path.into());
            }
            // A slice may begin with a minus, but never with two.
            _ if text.starts_with("--") || text == "-" => {
                return Err(wrong(&format!("there is no option {text}")));
            }
            _ => given.push(text.to_string()),
        }
    }
    if options.help {
        return Ok(options);
    }
    let [slice, shape] = given.try_into().map_err(|_| wrong("a slice and a shape are wanted"))?;
    (options.slice, options.shape) = (slice, lengths(&shape)?);
    match &options.out {
        Some(path) if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("svg")) => {
            Err(Failure(format!("cannot write {}: its name must end in .svg", path.display())))
        }
        _ => Ok(options),
    }
}

/// `4,6,8`, `(4, 6, 8)`, `4x6x8` or `()`.
fn lengths(text: &str) -> Result<Vec<usize>, Failure> {
    let inner = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let between = if inner.contains(',') { ',' } else { 'x' };
    let parts: Vec<&str> = inner.split(between).map(str::trim).collect();
    let last = if parts.last() == Some(&"") { parts.len() - 1 } else { parts.len() };
    let one = |part: &&str| {
        part.parse().map_err(|_| {
            Failure(format!(
                "the shape `{text}` is not a list of lengths: `{part}` is not a length"
            ))
        })
    };
    parts[..last].iter().map(one).collect()
}

fn wrong(what: &str) -> Failure {
    Failure(format!("{what}; --help shows what can be given"))
}
