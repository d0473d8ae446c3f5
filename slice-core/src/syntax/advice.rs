//! What to write instead, made from the mistaken tokens.
//!
//! Each function writes the advice for one kind of mistake; `t` is the text of the mistaken tokens.

use super::int;
use super::ranges::between_brackets as inside;
use core::fmt::{self, Write};

type Out<'o> = &'o mut dyn Write;

/// What an operand needs whatever it was meant to be.
const EXPRESSION: &str = "write a number, or an expression of Rust that gives one";

pub(super) fn too_many_colons(f: Out<'_>, t: &str) -> fmt::Result {
    if t.chars().all(|c| c == ':') {
        write!(f, "take one out, or write `,` where the next axis begins")
    } else {
        write!(f, "write `,` where the next axis begins, or take `{t}` out")
    }
}

pub(super) fn float(f: Out<'_>, t: &str) -> fmt::Result {
    match whole_number(t) {
        Some(number) => write!(f, "write `{number}`"),
        None => write!(f, "write an integer, or convert a value: `(x as i64)`"),
    }
}

pub(super) fn float_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    match whole_number(t) {
        Some(number) => write!(f, "write `{number}`"),
        None => write!(f, "write an integer"),
    }
}

/// `1` of `1.0`.
fn whole_number(t: &str) -> Option<&str> {
    let (whole, rest) = t.split_once('.')?;
    (is_number(whole) && rest.trim_matches(['0', '_']).is_empty()).then_some(whole)
}

/// A number or a slice between quotes.
pub(super) fn quoted(f: Out<'_>, t: &str) -> fmt::Result {
    let sign = if t.starts_with('-') { "-" } else { "" };
    write!(f, "write `{sign}{}`", between_quotes(t))
}

pub(super) fn comparison(f: Out<'_>, t: &str) -> fmt::Result {
    if t.matches(['<', '>']).count() > 1 {
        write!(f, "write a number, or select with an iterator")
    } else {
        write!(f, "write a number, such as `({t}) as i64`, or select with an iterator")
    }
}

pub(super) fn suffix(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", int::without_suffix_signed(t))
}

pub(super) fn nested_brackets(f: Out<'_>, t: &str) -> fmt::Result {
    if t.replace("...", "").contains("..") {
        write!(f, "write the entries without the inner brackets, and `:` for `..`")
    } else {
        write!(f, "write `{}`, without the inner brackets", inside(t))
    }
}

pub(super) fn paren_slice(f: Out<'_>, t: &str) -> fmt::Result {
    if t.contains("..") {
        write!(f, "write the entries without the parentheses, and `:` for `..`")
    } else {
        inner(f, t)
    }
}

/// What stands in the brackets.
pub(super) fn inner(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", inside(t))
}

pub(super) fn python_operator(f: Out<'_>, t: &str) -> fmt::Result {
    let operator = match t.split_whitespace().next() {
        Some("and") => "&&",
        Some("or") => "||",
        Some("not") => "!",
        _ => return f.write_str(EXPRESSION),
    };
    write!(f, "write `{operator}`; but a boolean cannot stand in a slice")
}

pub(super) fn power(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once("**").map(|(base, power)| (base.trim(), power.trim())) {
        Some((base, power)) if is_number(base) => write!(f, "write `{base}_i64.pow({power})`"),
        // A cast binds less than a method.
        Some((base, power)) if base.contains(" as ") => write!(f, "write `({base}).pow({power})`"),
        Some((base, power)) => write!(f, "write `{base}.pow({power})`"),
        None => write!(f, "write `x.pow(n)`"),
    }
}

pub(super) fn tilde(f: Out<'_>, t: &str) -> fmt::Result {
    match t.strip_prefix('~').map(str::trim) {
        Some(number) => match int::value(number, false) {
            Some(value) => write!(f, "write `{}`", !value),
            None => write!(f, "write `!{number}`"),
        },
        None => write!(f, "write `!x`"),
    }
}

pub(super) fn unsigned(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", t.trim_start_matches(['-', '+', ' ']))
}

pub(super) fn ellipsis_inside(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once("...").map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, "")) => write!(f, "write `{a}, ...`"),
        Some((a, b)) => write!(f, "write `{a}:{b}` for a slice, or `{a}, ..., {b}`"),
        None => write!(f, "write `,` around the ellipsis"),
    }
}

pub(super) fn no_arithmetic(f: Out<'_>, t: &str) -> fmt::Result {
    if t.ends_with(')') {
        write!(f, "write `{}`", t.split('(').next().unwrap_or(t))
    } else {
        write!(f, "write `,` between the entries")
    }
}

pub(super) fn path_or_step(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once("::") {
        Some((a, b)) => write!(f, "write `({t})` for the path, or `{}:None:{}` for the slice", a.trim(), b.trim()),
        None => path(f, t),
    }
}

pub(super) fn type_name(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once(':').map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, b)) => write!(f, "write `({a}::{b})` for a constant, or `({a})` if that is a value"),
        None if t.starts_with(char::is_uppercase) => write!(f, "write a number, or `({t})` if that is a value"),
        None => write!(f, "write a number, or `({t}::MAX)` for a constant of the type"),
    }
}

pub(super) fn unfinished(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write the value, or take `{t}` out")
}

pub(super) fn with_else(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{t} else {{ .. }}`")
}

pub(super) fn without_plus(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", t.trim_start_matches('+').trim())
}

pub(super) fn from_the_end(f: Out<'_>, t: &str) -> fmt::Result {
    match t.rsplit_once('[') {
        Some((array, _)) => {
            let back = inside(&t[array.len()..]).trim_start_matches(['-', ' ']);
            write!(f, "write `{array}[{array}.len() - {back}]`")
        }
        None => write!(f, "write `x[x.len() - 1]`"),
    }
}

pub(super) fn python_call(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once('(') {
        Some(("len", _)) => write!(f, "write `{}.len()`", inside(t)),
        Some(("abs", _)) => write!(f, "write `{}.abs()`", Factor(inside(t))),
        // A position that has to be looked for, and a constant: no number to convert.
        Some((name, _)) if !name.ends_with(".argmax") && !name.ends_with(".argmin") => {
            write!(f, "write `{} as i64`", Factor(inside(t)))
        }
        _ => f.write_str(EXPRESSION),
    }
}

pub(super) fn const_braces(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `const {{ {} }}`", t.strip_prefix("const").map_or("N", str::trim))
}

pub(super) fn stray(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(match t {
        "?" => "write the value in front of it",
        "=>" | "->" | "<-" => "write `:` between start, stop and step",
        "%" | "/" | "^" | "|" | "<" | ">" | "==" | "=" => "write a value on both sides",
        _ => "take it out; entries are `3`, `a:b:c`, `None` and `...`",
    })
}

pub(super) fn ascii(f: Out<'_>, t: &str) -> fmt::Result {
    let ascii = t.chars().next().and_then(ascii_for).unwrap_or("the character of ASCII");
    write!(f, "write `{ascii}`")
}

pub(super) fn not_const(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `const {{ {t} }}` if it is a constant; otherwise plan at run time: `s![..].plan(&shape)`")
}

pub(super) fn shape_brackets(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `[{}]`", if t.contains('(') { inside(t).trim_end_matches([',', ' ']) } else { t })
}

pub(super) fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', ' ']);
    int::value(digits, false).is_some()
}

/// What stands between the quotes.
pub(super) fn between_quotes(t: &str) -> &str {
    t.trim_start_matches(['-', '+', 'b', ' ']).trim_matches(['"', '\''])
}

/// The ASCII character that one of these looks like.
pub(super) fn ascii_for(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2212}' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{ff0d}' => "-",
        '\u{ff1a}' | '\u{a789}' | '\u{2236}' => ":",
        '\u{ff0c}' | '\u{201a}' | '\u{3001}' => ",",
        '\u{2026}' => "...",
        '\u{ff0b}' => "+",
        '\u{ff3b}' | '\u{3010}' => "[",
        '\u{ff3d}' | '\u{3011}' => "]",
        '\u{ff08}' => "(",
        '\u{ff09}' => ")",
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

pub(super) fn semicolon(f: Out<'_>, t: &str) -> fmt::Result {
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

pub(super) fn too_big(f: Out<'_>, t: &str) -> fmt::Result {
    if t.starts_with('-') {
        write!(f, "write {} or more, or leave the bound out", i64::MIN)
    } else {
        write!(f, "write {} or less, or leave the bound out", i64::MAX)
    }
}

pub(super) fn lower_prefix(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str("write `")?;
    for c in t.chars() {
        match c {
            'X' | 'O' | 'B' => write!(f, "{}", c.to_ascii_lowercase())?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("`")
}

pub(super) fn tuple(f: Out<'_>, t: &str) -> fmt::Result {
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

pub(super) fn keyword(f: Out<'_>, t: &str) -> fmt::Result {
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
pub(super) fn conditional(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some((a, rest)) = t.split_once(" if ")
        && let Some((c, b)) = rest.split_once(" else ")
    {
        return write!(f, "write `if {} {{ {} }} else {{ {} }}`", c.trim(), a.trim(), b.trim());
    }
    write!(f, "write `if c {{ a }} else {{ b }}`")
}

pub(super) fn path(f: Out<'_>, t: &str) -> fmt::Result {
    match t.rsplit("::").next().map(str::trim) {
        Some("NewAxis" | "newaxis" | "None") => write!(f, "write `None` or `newaxis`"),
        _ if t.starts_with("None") => write!(f, "write `None`"),
        _ if t.starts_with("Slice::") || t.starts_with("SliceInfoElem::") || t.starts_with("Range") => {
            write!(f, "write `start:stop:step`")
        }
        _ => write!(f, "write `({t})`"),
    }
}

pub(super) fn side_by_side(f: Out<'_>, t: &str) -> fmt::Result {
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

pub(super) fn referred(f: Out<'_>, t: &str) -> fmt::Result {
    let value = t.trim_start_matches(['&', ' ']);
    let value = value.strip_prefix("mut ").unwrap_or(value).trim();
    write!(f, "write `{value}`")
}
