//! What to write instead, made from the mistaken tokens where that can be done.

use super::slip::Slip;
use super::{int, ranges};
use crate::error::SliceError;
use core::fmt;

/// The advice for a slip in these tokens.
pub(super) struct Help<'t>(pub(super) Slip, pub(super) &'t str);

impl fmt::Display for Help<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A token that was cut short is no base for advice; an ellipsis of ours marks it.
        let t = if self.1.ends_with('\u{2026}') { "x" } else { self.1.trim() };
        match self.0 {
            Slip::LoneComma => write!(f, "write `:` for a whole axis, or take the comma out"),
            Slip::TooManyColons if t.chars().all(|c| c == ':') => {
                write!(f, "take one out, or write `,` where the next axis begins")
            }
            Slip::TooManyColons => write!(f, "write `,` where the next axis begins, or take `{t}` out"),
            Slip::RustRange => ranges::rust_range(f, t),
            Slip::TwoDots => write!(f, "write `...` for the remaining axes, or `:` for one"),
            Slip::Dots => write!(f, "write `...`"),
            Slip::Semicolon => semicolon(f, t),
            Slip::Float => match t.split_once('.') {
                Some((whole, rest)) if is_number(whole) && rest.trim_matches(['0', '_']).is_empty() => {
                    write!(f, "write `{whole}`")
                }
                _ => write!(f, "write an integer, or convert a value: `(x as i64)`"),
            },
            Slip::Text => match integer_in(t) {
                Some(number) => write!(f, "write `{number}`"),
                None if is_slice(quoted(t)) => write!(f, "write `{}`", quoted(t)),
                None => write!(f, "write the position of what is meant; axes have no names"),
            },
            Slip::Char => match integer_in(t) {
                Some(number) => write!(f, "write `{number}`"),
                None => write!(f, "write the position of what is meant, or convert a value: `(x as i64)`"),
            },
            Slip::Bool => {
                write!(
                    f,
                    "write `1` or `0` for a position, `None` for a new axis, `:` for a whole axis, or select with an iterator"
                )
            }
            Slip::Comparison if t.matches(['<', '>']).count() > 1 => {
                write!(f, "write a number, or select with an iterator")
            }
            Slip::Comparison => write!(f, "write a number, such as `({t}) as i64`, or select with an iterator"),
            Slip::Suffix => write!(f, "write `{}`", int::without_suffix_signed(t)),
            Slip::TooBig => too_big(f, t),
            Slip::IndexTooBig => write!(f, "write {} or less", i64::MAX - 1),
            Slip::NoDigits => write!(f, "write the digits, as in `0x10`"),
            Slip::WrongDigit { radix } => write!(f, "write a number of base {radix}, or leave its prefix out"),
            Slip::UpperPrefix { .. } => lower_prefix(f, t),
            Slip::List => list(f, t),
            Slip::NestedBrackets if t.replace("...", "").contains("..") => {
                write!(f, "write the entries without the inner brackets, and `:` for `..`")
            }
            Slip::NestedBrackets => write!(f, "write `{}`, without the inner brackets", inside(t)),
            Slip::Tuple => tuple(f, t),
            Slip::Braces => write!(
                f,
                "take the slices one by one, or write `start:stop:step` where the positions are evenly spaced"
            ),
            Slip::ParenSlice if t.contains("..") => {
                write!(f, "write the entries without the parentheses, and `:` for `..`")
            }
            Slip::ParenSlice => write!(f, "write `{}`", inside(t)),
            Slip::ArrayCall => write!(
                f,
                "take the slices one by one, or write `start:stop:step` where the positions are evenly spaced"
            ),
            Slip::Keyword => keyword(f, t),
            Slip::SliceCall | Slip::RangeCall => ranges::slice_call(f, inside(t)),
            Slip::IndexTrick => write!(f, "write `{}`", inside(t)),
            Slip::Lambda => write!(f, "write the number, or call a closure: `(|x| x)(n)`"),
            Slip::Conditional => conditional(f, t),
            Slip::PythonOperator => match t.split_whitespace().next() {
                Some("and") => write!(f, "write `&&`; but a boolean cannot stand in a slice"),
                Some("or") => write!(f, "write `||`; but a boolean cannot stand in a slice"),
                Some("not") => write!(f, "write `!`; but a boolean cannot stand in a slice"),
                _ => write!(f, "write a number, or an expression of Rust that gives one"),
            },
            Slip::Power => match t.split_once("**") {
                Some((base, power)) if is_number(base.trim()) => {
                    write!(f, "write `{}_i64.pow({})`", base.trim(), power.trim())
                }
                // A cast binds less than a method.
                Some((base, power)) if base.contains(" as ") => {
                    write!(f, "write `({}).pow({})`", base.trim(), power.trim())
                }
                Some((base, power)) => write!(f, "write `{}.pow({})`", base.trim(), power.trim()),
                None => write!(f, "write `x.pow(n)`"),
            },
            Slip::Tilde => match t.strip_prefix('~').map(str::trim) {
                Some(number) => match int::read(number, false) {
                    Ok(value) => write!(f, "write `{}`", !value),
                    Err(_) => write!(f, "write `!{number}`"),
                },
                None => write!(f, "write `!x`"),
            },
            Slip::OtherNewAxis => write!(f, "write `None` or `newaxis`"),
            Slip::Null => write!(f, "write `None` for a new axis, or leave a bound out"),
            Slip::Underscore => write!(f, "write `:` for a whole axis"),
            Slip::Signed => write!(f, "write `{}`", t.trim_start_matches(['-', '+', ' '])),
            Slip::NewAxisAsBound => {
                write!(f, "leave the bound out, or write `None` for it; write `,` after a new axis")
            }
            Slip::EllipsisAsBound => write!(f, "leave the bound out; write `,` after `...`"),
            Slip::EllipsisInside => match t.split_once("...") {
                Some((a, "")) => write!(f, "write `{}, ...`", a.trim()),
                Some((a, b)) => {
                    write!(f, "write `{}:{}` for a slice, or `{}, ..., {}`", a.trim(), b.trim(), a.trim(), b.trim())
                }
                None => write!(f, "write `,` around the ellipsis"),
            },
            Slip::NoArithmetic if t.ends_with(')') => write!(f, "write `{}`", t.split('(').next().unwrap_or(t)),
            Slip::NoArithmetic => write!(f, "write `,` between the entries"),
            Slip::Path => path(f, t),
            Slip::PathOrStep => match t.split_once("::") {
                Some((a, b)) => {
                    write!(f, "write `({t})` for the path, or `{}:None:{}` for the slice", a.trim(), b.trim())
                }
                None => path(f, t),
            },
            Slip::TypeName => match t.split_once(':') {
                Some((a, b)) => write!(
                    f,
                    "write `({}::{})` for a constant, or `({})` if that is a value",
                    a.trim(),
                    b.trim(),
                    a.trim()
                ),
                None if t.chars().next().is_some_and(char::is_uppercase) => {
                    write!(f, "write a number, or `({t})` if that is a value")
                }
                None => write!(f, "write a number, or `({t}::MAX)` for a constant of the type"),
            },
            Slip::SideBySide => side_by_side(f, t),
            Slip::Unfinished if t == "*" => write!(f, "write `:` for a whole axis, or `...` for the remaining axes"),
            Slip::Unfinished => write!(f, "write the value, or take `{t}` out"),
            Slip::IfWithoutElse => write!(f, "write `{t} else {{ .. }}`"),
            Slip::UnaryPlus => write!(f, "write `{}`", t.trim_start_matches('+').trim()),
            Slip::Reference => reference(f, t),
            Slip::Closure => write!(f, "call it, in parentheses: `(|x| x)(n)`"),
            Slip::Assignment => write!(f, "write the value alone; to compare, `==`"),
            Slip::NestedSlice => write!(f, "slice first, and write the resulting number here"),
            Slip::NegativeSubscript => match t.rsplit_once('[') {
                Some((array, _)) => write!(
                    f,
                    "write `{array}[{array}.len() - {}]`",
                    inside(&t[array.len()..]).trim_start_matches(['-', ' '])
                ),
                None => write!(f, "write `x[x.len() - 1]`"),
            },
            Slip::PythonCall => match t.split_once('(') {
                Some(("len", _)) => write!(f, "write `{}.len()`", inside(t)),
                Some(("abs", _)) => write!(f, "write `{}.abs()`", Factor(inside(t))),
                // A position that has to be looked for, and a constant: no number to convert.
                Some((name, _)) if !name.ends_with(".argmax") && !name.ends_with(".argmin") => {
                    write!(f, "write `{} as i64`", Factor(inside(t)))
                }
                _ => write!(f, "write a number, or an expression of Rust that gives one"),
            },
            Slip::AxisCall => write!(f, "write one `:` for each axis before, or `...` for all but the last ones"),
            Slip::ConstEmpty => write!(f, "write `const {{ N }}`"),
            Slip::ConstReference => write!(f, "write `const {{ *N }}`, or leave the `&` out"),
            Slip::ConstOption => write!(f, "write `const {{ N }}`, or leave the bound out"),
            Slip::ConstWithoutBraces => {
                write!(f, "write `const {{ {} }}`", t.strip_prefix("const").map_or("N", str::trim))
            }
            Slip::Misplaced => write!(f, "write a number, or an expression that gives one"),
            Slip::Stray => match (ascii_for(t), t) {
                (Some(ascii), _) => write!(f, "write `{ascii}`"),
                (None, "?") => write!(f, "write the value in front of it"),
                (None, "=>" | "->" | "<-") => write!(f, "write `:` between start, stop and step"),
                (None, "%" | "/" | "^" | "|" | "<" | ">" | "==" | "=") => write!(f, "write a value on both sides"),
                _ => write!(f, "take it out; entries are `3`, `a:b:c`, `None` and `...`"),
            },
            Slip::Unbalanced => write!(f, "close every bracket that is opened"),
            Slip::NotConst => write!(
                f,
                "write `const {{ {t} }}` if it is a constant; otherwise plan at run time: `s![..].plan(&shape)`"
            ),
            Slip::NoShape => write!(f, "write the shape and `;` before the slice: `plan!([4, 6]; 1, ::2)`"),
            Slip::CommaAfterShape => write!(f, "write `;`"),
            Slip::ShapeWithoutBrackets => {
                write!(f, "write `[{}]`", if t.contains('(') { inside(t).trim_end_matches([',', ' ']) } else { t })
            }
            Slip::NotLength => write!(f, "write an integer of 0 or more"),
            Slip::NotLiteral => write!(f, "write a number; in Rust code, `s![..]` takes variables"),
        }
    }
}

/// What to write where a rule is broken, if the sentence itself does not show it.
pub(super) const fn rule(error: SliceError) -> Option<&'static str> {
    match error {
        SliceError::ZeroStep { .. } => Some("write `1`, or leave the step out; `-1` goes backwards"),
        SliceError::SecondEllipsis { .. } => Some("write `:`"),
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', ' ']);
    int::read(digits, false).is_ok()
}

/// What stands in the brackets that end the text.
#[expect(clippy::arithmetic_side_effects, reason = "a position inside the text")]
fn inside(t: &str) -> &str {
    let open = t.find(['(', '[']).map_or(0, |i| i + 1);
    let close = t.rfind([')', ']']).unwrap_or(t.len());
    t.get(open..close).unwrap_or(t).trim()
}

/// The integer in a quoted text.
fn integer_in(t: &str) -> Option<&str> {
    Some(quoted(t)).filter(|t| is_number(t))
}

/// What stands between the quotes.
fn quoted(t: &str) -> &str {
    t.trim_start_matches(['-', '+', 'b', ' ']).trim_matches(['"', '\''])
}

fn is_slice(t: &str) -> bool {
    !t.trim().is_empty() && super::parse_text(t).is_ok()
}

/// The ASCII character that one of these looks like.
pub(super) fn ascii_for(t: &str) -> Option<&'static str> {
    Some(match t {
        "\u{2212}" | "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}" | "\u{ff0d}" => "-",
        "\u{ff1a}" | "\u{a789}" | "\u{2236}" => ":",
        "\u{ff0c}" | "\u{201a}" | "\u{3001}" => ",",
        "\u{2026}" => "...",
        "\u{ff0b}" => "+",
        "\u{ff3b}" | "\u{3010}" => "[",
        "\u{ff3d}" | "\u{3011}" => "]",
        "\u{ff08}" => "(",
        "\u{ff09}" => ")",
        _ => return None,
    })
}

/// A value that something binds to, in parentheses if it is more than a name or a number.
struct Factor<'t>(&'t str);

impl fmt::Display for Factor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let simple = self.0.chars().all(|c| c == '_' || c == '.' || c.is_alphanumeric());
        if simple { f.write_str(self.0) } else { write!(f, "({})", self.0) }
    }
}

fn semicolon(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    match t.split_once(';') {
        Some((a, b)) if !a.trim().is_empty() && !b.trim().is_empty() && !b.contains(';') => {
            let (a, b) = (a.trim(), b.trim());
            if a.matches(':').count() > 1 && a.ends_with(':') {
                write!(f, "write `{a}{b}` for a step, or `{a}, {b}` for two axes")
            } else if a.contains(':') {
                write!(f, "write `{a}:{b}` for a step, or `{a}, {b}` for two axes")
            } else {
                write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice")
            }
        }
        _ => write!(f, "write `,` between axes and `:` between start, stop and step"),
    }
}

fn too_big(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    if t.starts_with('-') {
        write!(f, "write {} or more, or leave the bound out", i64::MIN)
    } else {
        write!(f, "write {} or less, or leave the bound out", i64::MAX)
    }
}

fn lower_prefix(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    f.write_str("write `")?;
    for c in t.chars() {
        match c {
            'X' | 'O' | 'B' => write!(f, "{}", c.to_ascii_lowercase())?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("`")
}

fn list(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    let inside = inside(t);
    if is_number(inside) {
        return write!(f, "write `{inside}` for the element, or `{inside}:{}` to keep the axis", next(inside));
    }
    evenly_spaced(f, inside)
}

/// The position after this one, as a stop; nothing after -1.
fn next(number: &str) -> Next {
    let (negative, digits) = number.strip_prefix('-').map_or((false, number), |digits| (true, digits));
    Next(int::read(digits.trim(), negative).ok())
}

struct Next(Option<i64>);

impl fmt::Display for Next {
    #[expect(clippy::arithmetic_side_effects, reason = "n is below i64::MAX")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(n) if n != -1 && n < i64::MAX => write!(f, "{}", n + 1),
            _ => Ok(()),
        }
    }
}

/// If the numbers are evenly spaced, one slice does it.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the numbers are below 2^32, and there are fewer than bytes in the text"
)]
fn evenly_spaced(f: &mut fmt::Formatter<'_>, numbers: &str) -> fmt::Result {
    let parse = |t: &str| t.trim().parse::<i64>().ok();
    let (mut first, mut last, mut step, mut count) = (0, 0, None, 0_usize);
    let mut even = true;
    for text in numbers.trim_end_matches(',').split(',') {
        let Some(n) = parse(text).filter(|n| (0..1 << 32).contains(n)) else {
            even = false;
            break;
        };
        if count == 0 {
            first = n;
        } else {
            even &= n != last && *step.get_or_insert(n - last) == n - last;
        }
        last = n;
        count += 1;
    }
    match step {
        Some(step) if even && count >= 2 => {
            write!(f, "write `{first}:")?;
            let stop = if step > 0 { last + 1 } else { last - 1 };
            if stop >= 0 {
                write!(f, "{stop}")?;
            }
            if step != 1 {
                write!(f, ":{step}")?;
            }
            write!(f, "`, which takes the same positions, or take the slices one by one")
        }
        _ => write!(f, "take the slices one by one, or write `start:stop:step` where the positions are evenly spaced"),
    }
}

fn tuple(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    let inside = inside(t);
    if inside.is_empty() {
        write!(f, "write `s![]` for the whole array")
    } else {
        write!(
            f,
            "write `{}` for one position on each axis, or take the slices one by one",
            inside.trim_end_matches(',')
        )
    }
}

fn keyword(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    let (name, value) = t.split_once('=').map_or((t, ""), |(name, value)| (name.trim(), value.trim()));
    match name {
        "start" => write!(f, "write `{value}:`"),
        "stop" | "end" => write!(f, "write `:{value}`"),
        "step" | "stride" => write!(f, "write `::{value}`"),
        "axis" | "axes" | "dim" => {
            write!(f, "entries go by position; write one `:` for each axis before, or `...` for all but the last ones")
        }
        _ if is_number(value) || value.chars().all(|c| c == '_' || c.is_alphanumeric()) && !value.is_empty() => {
            write!(f, "write `{value}`")
        }
        _ => write!(f, "write the value alone"),
    }
}

/// `a if c else b`
fn conditional(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    if let Some((a, rest)) = t.split_once(" if ")
        && let Some((c, b)) = rest.split_once(" else ")
    {
        return write!(f, "write `if {} {{ {} }} else {{ {} }}`", c.trim(), a.trim(), b.trim());
    }
    write!(f, "write `if c {{ a }} else {{ b }}`")
}

fn path(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    match t.rsplit("::").next().map(str::trim) {
        Some("NewAxis" | "newaxis" | "None") => write!(f, "write `None` or `newaxis`"),
        _ if t.starts_with("None") => write!(f, "write `None`"),
        _ if t.starts_with("Slice::") || t.starts_with("SliceInfoElem::") || t.starts_with("Range") => {
            write!(f, "write `start:stop:step`")
        }
        _ => write!(f, "write `({t})`"),
    }
}

fn side_by_side(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    let (a, b) = match t.strip_prefix("...") {
        Some(rest) => ("...", rest.trim()),
        None => match t.split_once(char::is_whitespace) {
            Some((a, b)) => (a.trim(), b.trim()),
            None => return write!(f, "write `,` or `:` between them"),
        },
    };
    // `1 to 10`, `1:10 step 2`
    for word in [" to ", " until ", " step ", " by "] {
        if let Some((from, to)) = a_b(t, word) {
            return write!(f, "write `{from}:{to}`");
        }
    }
    let entry = |t: &str| matches!(t, "..." | "None" | "newaxis" | "Ellipsis");
    if b.contains(char::is_whitespace) || b.is_empty() {
        write!(f, "write `,` or `:` between them")
    } else if entry(a) || entry(b) {
        write!(f, "write `{a}, {b}`")
    } else {
        write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice")
    }
}

/// What stands before and after a word, if that is one token each.
fn a_b<'t>(t: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    t.split_once(word).filter(|(a, b)| !a.contains(char::is_whitespace) && !b.contains(char::is_whitespace))
}

fn reference(f: &mut fmt::Formatter<'_>, t: &str) -> fmt::Result {
    let value = t.trim_start_matches(['&', ' ']);
    let value = value.strip_prefix("mut ").unwrap_or(value).trim();
    write!(f, "write `{value}`")
}
