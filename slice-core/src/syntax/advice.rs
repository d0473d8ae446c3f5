//! What to write instead, made from the mistaken tokens.
//!
//! Each function writes the advice for one kind of mistake; `t` is the text of the mistaken tokens.

use super::ranges::between_brackets as inside;
use super::{int, keywords, ranges};
use core::fmt::{self, Write};

pub(super) type Out<'o> = &'o mut dyn Write;

/// What every operand must be.
pub(super) const EXPRESSION: &str = "write a number, or a Rust expression that gives one";

pub(super) fn lone_comma(f: Out<'_>, t: &str) -> fmt::Result {
    if t.matches(',').count() > 1 {
        write!(f, "write `:` before each for whole axes, or remove them")
    } else {
        write!(f, "write `:` before it for a whole axis, or remove it")
    }
}

pub(super) fn too_many_colons(f: Out<'_>, t: &str) -> fmt::Result {
    match t.strip_prefix(':').map(str::trim) {
        Some(rest) if rest.contains(|c| c != ':') => {
            write!(f, "write `, {rest}` where the next axis begins, or remove `{t}`")
        }
        _ => write!(f, "remove `{t}`"),
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

pub(super) fn comparison(f: Out<'_>, t: &str) -> fmt::Result {
    if t.matches(['<', '>']).count() > 1 {
        write!(f, "write a number, or select with an iterator")
    } else {
        write!(f, "write a number, such as `({t}) as i64`, or select with an iterator")
    }
}

pub(super) fn suffix(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", int::without_suffix(t))
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
        write!(f, "write a number for it, or a comma where the next entry begins")
    }
}

pub(super) fn path_or_step(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once("::") {
        Some((a, b)) => write!(
            f,
            "write `({t})` for the path, or `{}:None:{}` for the slice",
            a.trim(),
            b.trim()
        ),
        None => path(f, t),
    }
}

pub(super) fn type_name(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once([':', '.']).map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, b)) if keywords::is_type(a) => write!(f, "write `({a}::{b})` for a constant"),
        Some((a, b)) => {
            write!(f, "write `({a}::{b})` for a constant, or `({a})` if that is a value")
        }
        None if keywords::is_camel(t) => write!(f, "write a number, or `({t})` if that is a value"),
        None => write!(f, "write a number, or `({t}::MAX)` for a constant of the type"),
    }
}

pub(super) fn unfinished(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write the value, or remove `{t}`")
}

pub(super) fn without_plus(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{}`", t.trim_start_matches('+').trim())
}

pub(super) fn const_braces(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `const {{ {} }}`", t.strip_prefix("const").map_or("N", str::trim))
}

pub(super) fn stray(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(match t {
        "?" => "write the value in front of it",
        "=>" | "->" | "<-" => "write `:` between start, stop and step",
        "%" | "/" | "^" | "|" | "<" | ">" | "==" | "=" => "write a value on both sides",
        _ => "remove it; entries are `3`, `a:b:c`, `None` and `...`",
    })
}

pub(super) fn ascii(f: Out<'_>, t: &str) -> fmt::Result {
    let ascii = t.chars().next().and_then(ascii_for).unwrap_or("the character of ASCII");
    write!(f, "write `{ascii}`")
}

pub(super) fn not_const(f: Out<'_>, t: &str) -> fmt::Result {
    if t.ends_with(".strict()") {
        return f.write_str(
            "write the slice, and `; strict` after it, as in `plan!([4, 6]; 1, :3; strict)`",
        );
    }
    write!(
        f,
        "write `const {{ {t} }}` if it is a constant; otherwise plan at run time: \
         `s![..].plan(&shape)`"
    )
}

pub(super) fn shape_not_const(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str("write a constant, such as `[4, 6]`")?;
    if !t.contains('(') {
        write!(f, ", or `({t})` if that is one")?;
    }
    write!(f, "; otherwise plan at run time: `s![..].plan(&{t})`")
}

pub(super) fn shape_brackets(f: Out<'_>, t: &str) -> fmt::Result {
    write!(
        f,
        "write `[{}]`",
        if t.contains('(') { inside(t).trim_end_matches([',', ' ']) } else { t }
    )
}

pub(super) fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', ' ']);
    int::value(digits, false).is_some()
}

/// The ASCII character that one of these looks like.
pub(super) fn ascii_for(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2212}' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}'
        | '\u{ff0d}' => "-",
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

pub(super) fn semicolon(f: Out<'_>, t: &str) -> fmt::Result {
    let mut parts = ranges::outer_split(t, ';').map(str::trim).filter(|part| !part.is_empty());
    let (a, b, more) = (parts.next().unwrap_or(""), parts.next(), parts.next());
    match (b, more) {
        (None, _) => write!(f, "write `{a}`"),
        (Some(b), None) if b.contains(':') => write!(f, "write `{a}, {b}`"),
        (Some(b), None) => match a.matches(':').count() {
            0 => write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice"),
            1 => write!(f, "write `{a}:{b}` for a step, or `{a}, {b}` for two axes"),
            2 if a.ends_with(':') => {
                write!(f, "write `{a}{b}` for a step, or `{a}, {b}` for two axes")
            }
            _ => write!(f, "write `{a}, {b}`"),
        },
        (Some(b), Some(c)) => {
            write!(f, "write `{a}, {b}, {c}")?;
            parts.try_for_each(|part| write!(f, ", {part}"))?;
            f.write_str("`")
        }
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
    match inside(t).trim_end_matches([',', ' ']) {
        "" => write!(f, "remove it"),
        inside => write!(
            f,
            "write `{inside}` for one position on each axis, or take the slices one by one"
        ),
    }
}

pub(super) fn path(f: Out<'_>, t: &str) -> fmt::Result {
    match t.rsplit("::").next().map(str::trim) {
        Some("NewAxis" | "newaxis" | "None") => write!(f, "write `None` or `newaxis`"),
        _ if t.starts_with("None") => write!(f, "write `None`"),
        _ if t.starts_with("Slice::")
            || t.starts_with("SliceInfoElem::")
            || t.starts_with("Range") =>
        {
            write!(f, "write `start:stop:step`")
        }
        _ => write!(f, "write `({t})`"),
    }
}

pub(super) fn side_by_side(f: Out<'_>, t: &str) -> fmt::Result {
    match two_values(t) {
        _ if with_word(t).is_some() => side_by_side_in_range(f, t),
        Some((a, b)) if !is_entry(a) && !is_entry(b) => {
            write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice")
        }
        _ => side_by_side_in_range(f, t),
    }
}

/// A colon is not an option here: the second value would be a step, or one part too many.
pub(super) fn side_by_side_in_range(f: Out<'_>, t: &str) -> fmt::Result {
    match (with_word(t), two_values(t)) {
        (Some((from, to)), _) => write!(f, "write `{from}:{to}`"),
        (None, Some((a, b))) if is_entry(a) || is_entry(b) => write!(f, "write `{a}, {b}`"),
        (None, Some((a, b))) => write!(f, "write `{a}, {b}` for two axes"),
        (None, None) => write!(f, "write `,` or `:` between them"),
    }
}

/// `1 to 10`, `1:10 step 2`
fn with_word(t: &str) -> Option<(&str, &str)> {
    [" to ", " until ", " step ", " by "].into_iter().find_map(|word| t.split_once(word))
}

/// The two values, the second of which is one token or in brackets.
fn two_values(t: &str) -> Option<(&str, &str)> {
    if let Some(rest) = t.strip_prefix("...") {
        return Some(("...", rest.trim()));
    }
    let mut depth = 0_usize;
    let begin = t.char_indices().rev().find(|&(_, c)| {
        match c {
            ')' | ']' | '}' => depth = depth.saturating_add(1),
            '(' | '[' | '{' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c.is_whitespace() || matches!(c, '(' | '[' | '{'))
    });
    let (a, b) = t.split_at(begin?.0);
    Some((a.trim(), b.trim())).filter(|(a, b)| !a.is_empty() && !b.is_empty())
}

/// Text that is an entry by itself, and not a bound.
fn is_entry(t: &str) -> bool {
    matches!(t, "..." | "None" | "newaxis" | "Ellipsis")
}

pub(super) fn referred(f: Out<'_>, t: &str) -> fmt::Result {
    let value = t.trim_start_matches(['&', ' ']);
    let value = value.strip_prefix("mut ").unwrap_or(value).trim();
    write!(f, "write `{value}`; for an array of positions or a mask, take the slices one by one")
}
