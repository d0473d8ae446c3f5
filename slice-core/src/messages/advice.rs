//! What to write instead, made from the mistaken tokens.
//!
//! Each function writes the advice for one kind of mistake; `t` is the text of the mistaken tokens.

use super::ranges::between_brackets as inside;
use super::substring::is_word;
use super::substring::{consists, halves, has, trimmed_halves, without_commas, without_signs};
use super::{int, keywords, ranges};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

pub(crate) type Out<'o> = &'o mut dyn Write;

/// An axis that is named.
pub(crate) const POSITION: &str =
    "write one `:` for each axis before, or `...` for all but the last ones";

/// A type that stands for an entry: `RangeFull`, `SliceInfoElem`.
const ENTRY_TYPE: &str =
    "write `:` for a whole axis, `start:stop:step` for a part of one, a number for an index";

/// What every operand must be.
pub(crate) const EXPRESSION: &str = "write a number, or a Rust expression that gives one";

/// Tokens that were cut short, which an ellipsis of ours marks, with the brackets that are open and
/// the quote at the beginning closed again; others as they are.
pub(crate) fn closed(t: &str) -> String {
    let mut all = String::from(t);
    if t.strip_suffix('\u{2026}').is_none_or(str::is_empty) {
        return all;
    }
    let mut open = Vec::new();
    for c in t.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    all.extend(open.into_iter().rev());
    all.extend(t.chars().next().filter(|quote| matches!(quote, '"' | '\'')));
    all
}

pub(crate) fn only(f: Out<'_>, this: &str) -> fmt::Result {
    write!(f, "write `{this}`")
}

/// A list, a tuple or a slice that stands where only a number may.
pub(crate) fn one_number(f: Out<'_>, t: &str) -> fmt::Result {
    let number = without_commas(inside(t));
    if is_number(number) || number == "None" { only(f, number) } else { f.write_str(EXPRESSION) }
}

pub(crate) fn too_many_colons(f: Out<'_>, t: &str) -> fmt::Result {
    let rest = t.strip_prefix(':').unwrap_or("").trim();
    if rest.trim_start_matches(':').is_empty() {
        write!(f, "remove `{t}`")
    } else {
        write!(f, "write `, {rest}` where the next axis begins, or remove `{t}`")
    }
}

/// `1` for `1.0`.
pub(crate) fn float(f: Out<'_>, t: &str) -> fmt::Result {
    match whole(t) {
        Some(whole) => only(f, whole),
        None => f.write_str("write an integer, or convert a value: `(x as i64)`"),
    }
}

/// `2` of `2.0`
fn whole(t: &str) -> Option<&str> {
    const ZEROS: &[char] = &['0', '_'];
    let (whole, rest) = halves(t, ".")?;
    (is_number(whole) && rest.trim_start_matches(ZEROS).is_empty()).then_some(whole)
}

/// A float in a calculation, whose other values may be integers or floats.
pub(crate) fn float_term(f: Out<'_>, t: &str) -> fmt::Result {
    match whole(t) {
        Some(whole) => only(f, whole)?,
        None => f.write_str("write an integer")?,
    }
    f.write_str("; a calculation of floats is converted as a whole: `(x / 2.5) as i64`")
}

pub(crate) fn ellipsis_inside(f: Out<'_>, t: &str) -> fmt::Result {
    match trimmed_halves(t, "...") {
        Some((a, "")) => write!(f, "write `{a}, ...`"),
        Some((a, b)) => {
            write!(f, "write `{a}, ..., {b}`, or `{a}:{b}` for a slice")?;
            let one = is_number(b) && !b.starts_with('+') || consists(b, is_word);
            if one {
                write!(f, ", or `{a}:{}` to take `{b}` too", ranges::after(b))?;
                ranges::or_last(f, b)
            } else {
                Ok(())
            }
        }
        None => f.write_str("write `,` around the ellipsis"),
    }
}

pub(crate) fn entry_as_number(f: Out<'_>, t: &str) -> fmt::Result {
    let bare = without_signs(halves(t, "(").map_or(t, |(entry, _)| entry));
    if bare == "..." || consists(bare, |c| c == '.' || is_word(c)) {
        only(f, bare)
    } else {
        f.write_str("write a number for it, or a comma where the next entry begins")
    }
}

pub(crate) fn path_or_step(f: Out<'_>, t: &str) -> fmt::Result {
    match ranges::outer_halves(t, "::") {
        Some((a, b)) => write!(f, "write `({t})` for the path, or `{a}:None:{b}` for the slice"),
        None => path(f, t),
    }
}

pub(crate) fn type_name(f: Out<'_>, t: &str) -> fmt::Result {
    const COLON: &[char] = &[':', '.'];
    match t.split_once(COLON).map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, b)) if keywords::is_type(a) => write!(f, "write `({a}::{b})` for a constant"),
        Some((a, b)) => {
            write!(f, "write `({a}::{b})` for a constant, or `({a})` if that is a value")
        }
        None if t.starts_with("Range") => f.write_str(ENTRY_TYPE),
        None if keywords::is_camel(t) => write!(f, "write a number, or `({t})` if that is a value"),
        None => f.write_str("write a number; a slice does not name the types of its values"),
    }
}

pub(crate) fn without_plus(t: &str) -> &str {
    t.trim_start_matches('+').trim()
}

pub(crate) fn const_braces(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `const {{ {} }}`", t.strip_prefix("const").unwrap_or("N").trim())
}

pub(crate) fn stray(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(if t == "?" {
        "write the value in front of it"
    } else if t == "^" {
        "write `-` to count from the end"
    } else if t == "#" {
        "remove it; a comment begins with `//`"
    } else if ["=>", "->", "<-", "~"].contains(&t) {
        "write `:` between start, stop and step"
    } else if ["%", "/", "|", "<", ">", "==", "="].contains(&t) {
        "write a value on both sides"
    } else {
        "remove it; entries are `3`, `a:b:c`, `None` and `...`"
    })
}

/// The same for text, which has no comments.
pub(crate) fn stray_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    if t == "#" { f.write_str("remove it") } else { stray(f, t) }
}

pub(crate) fn ascii(t: &str) -> &str {
    t.chars().next().and_then(ascii_for).unwrap_or("the character of ASCII")
}

pub(crate) fn not_const(f: Out<'_>, t: &str) -> fmt::Result {
    if t.ends_with(".strict()") {
        return f.write_str(
            "write the slice, and `; strict` after it, as in `plan!([4, 6]; 1, :3; strict)`",
        );
    }
    if t == "strict" {
        return f.write_str("write `; strict`, with a semicolon before it");
    }
    if ["s!", "py!"].iter().any(|name| t.starts_with(name)) {
        return only(f, inside(t));
    }
    // Where `N` is unsigned, Rust does not negate it.
    match t.strip_prefix('-').map(str::trim) {
        Some(value) if consists(value, is_word) => write!(f, "write `-const {{ {value}")?,
        _ => write!(f, "write `const {{ {t}")?,
    }
    f.write_str(
        " }` if it is a constant; otherwise plan at run time, with `s!` and its `plan(&shape)`",
    )
}

pub(crate) fn shape_not_const(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str("write a constant, such as `[4, 6]`")?;
    if !has(t, "(") {
        write!(f, ", or `({t})` if that is one")?;
    }
    f.write_str("; otherwise plan at run time, with `s!` and its `plan(&shape)`")
}

/// `[4, 6]` of `(4, 6)`, `4, 6`, `vec![4, 6]`; `SHAPE` of `&SHAPE`.
pub(crate) fn not_shape(f: Out<'_>, t: &str) -> fmt::Result {
    let listed = t.starts_with("vec!") || t.starts_with('(') && t.ends_with(')');
    let lengths = if listed { without_commas(inside(t)) } else { t };
    let is_length = |length: &str| !length.is_empty() && consists(length, is_word);
    if t.starts_with('&') {
        only(f, referred(t))
    } else if lengths.split(',').all(|length| is_length(length.trim())) {
        write!(f, "write `[{lengths}]`")
    } else {
        f.write_str("write the lengths, as in `[4, 6]`, or a constant of type `[usize; N]`")
    }
}

pub(crate) fn is_number(text: &str) -> bool {
    int::value(without_signs(text), false).is_some()
}

/// The ASCII character that one of these looks like.
pub(crate) fn ascii_for(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2212}' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}'
        | '\u{ff0d}' => "-",
        '\u{ff1a}' | '\u{a789}' | '\u{2236}' => ":",
        '\u{ff0c}' | '\u{201a}' | '\u{3001}' => ",",
        '\u{2026}' | '\u{22ef}' => "...",
        '\u{ff0b}' => "+",
        '\u{ff3b}' | '\u{3010}' => "[",
        '\u{ff3d}' | '\u{3011}' => "]",
        '\u{ff08}' => "(",
        '\u{ff09}' => ")",
        _ => return None,
    })
}

pub(crate) fn semicolon(f: Out<'_>, t: &str) -> fmt::Result {
    let before = t.strip_suffix("strict").and_then(|t| t.trim_end().strip_suffix(';'));
    if let Some(slice) = before.map(str::trim_end) {
        return write!(f, "write `{slice}`, and call `strict()` on the slice");
    }
    if t.starts_with("let ") {
        let value = ranges::outer_split(t, ';').last().unwrap_or_default();
        let rest = value.find(':').map_or("", |at| &value[at..]);
        let block = t.strip_suffix(rest).unwrap_or(t);
        return write!(f, "write `{{ {block} }}{rest}`");
    }
    let mut parts = ranges::outer_split(t, ';').map(str::trim).filter(|part| !part.is_empty());
    write!(f, "write `{}", parts.next().unwrap_or_default())?;
    for part in parts {
        write!(f, ", {part}")?;
    }
    f.write_str("`, one entry for each axis; colons separate start, stop and step")
}

/// `2 * n` of `2n`.
pub(crate) fn product(f: Out<'_>, t: &str) -> fmt::Result {
    let (_, _, rest) = int::parts(t);
    let digits = t.strip_suffix(rest).unwrap_or(t).trim_end_matches('_');
    write!(f, "write `{digits} * {rest}` for a product")
}

pub(crate) fn too_big(f: Out<'_>, t: &str) -> fmt::Result {
    let (last, more) = if t.starts_with('-') { (i64::MIN, "more") } else { (i64::MAX, "less") };
    write!(f, "write {last} or {more}, or leave the bound out")
}

pub(crate) fn tuple(f: Out<'_>, t: &str) -> fmt::Result {
    let values = without_commas(inside(t));
    match if values == "()" { values } else { ranges::unwrapped(values) } {
        "" => f.write_str("remove it"),
        values if t.starts_with("tuple") && !inside(t).starts_with(['(', '[']) => write!(
            f,
            "slice by `SpecBuf::from_entries({values})?`, where `{values}` is an array or a vector \
             of entries"
        ),
        inside => write!(
            f,
            "write `{inside}` for one entry on each axis; for a list of positions, use an iterator \
             or ndarray's `select`"
        ),
    }
}

pub(crate) fn path(f: Out<'_>, t: &str) -> fmt::Result {
    let name = t.rsplit_once("::").map_or(t, |(_, name)| name).trim();
    if ["NewAxis", "newaxis", "None"].contains(&name) {
        f.write_str("write `None` or `newaxis`")
    } else if t.starts_with("None") {
        f.write_str("write `None`")
    } else if let Some(("" | "pyslice::", entry)) = halves(t, "Entry::") {
        own_entry(f, t, entry)
    } else if name.starts_with("s![") {
        only(f, inside(name))
    } else if name.starts_with("Axis(") {
        f.write_str(POSITION)
    } else if ["Slice::", "SliceInfoElem::"].iter().any(|part| has(t, part)) || has(t, "::Range") {
        f.write_str(ENTRY_TYPE)
    } else {
        write!(f, "write `({t})`")
    }
}

/// The entry that `Entry::FULL`, `Entry::Index(1)` or `Entry::range(1, 2, 1)` make.
fn own_entry(f: Out<'_>, t: &str, entry: &str) -> fmt::Result {
    match halves(entry, "(") {
        Some(("from", _)) if has(entry, "..") => ranges::rust_range(f, inside(entry)),
        Some(("Index" | "from", _)) => only(f, inside(entry)),
        Some(("range", _)) => ranges::slice_call(f, entry),
        None if entry == "FULL" => only(f, ":"),
        None if entry == "Ellipsis" => only(f, "..."),
        None if entry.starts_with("Range") => f.write_str(ENTRY_TYPE),
        _ => write!(f, "write `({t})`"),
    }
}

pub(crate) fn side_by_side(f: Out<'_>, t: &str) -> fmt::Result {
    const JOINED: &[char] = &['(', '[', '{', ':'];
    // `(i64) n`, `(int) n`, `n usize`
    match (t.strip_prefix('(').and_then(|t| trimmed_halves(t, ")")), t.rsplit_once(' ')) {
        (Some(("int" | "long", n)), _) => write!(f, "write `({n} as i64)`"),
        (Some((into, n)), _) if keywords::is_type(into) => write!(f, "write `({n} as {into})`"),
        (_, Some((n, into))) if keywords::is_type(into) => write!(f, "write `({n} as {into})`"),
        _ if t.starts_with("...") => write!(f, "write `..., {}`", t.trim_start_matches(['.', ' '])),
        (_, Some((a, b))) if keywords::is_type(a) => write!(f, "write `({b} as {a})`"),
        (_, Some((a, b))) if !t.contains(JOINED) && a.trim().ends_with(is_word) => {
            write!(f, "write `{}, {b}`", a.trim())
        }
        _ => f.write_str("put `,` between them"),
    }
}

/// `x` of `&mut x`.
pub(crate) fn referred(t: &str) -> &str {
    const REFERENCES: &[char] = &['&', ' '];
    let value = t.trim_start_matches(REFERENCES);
    value.strip_prefix("mut ").unwrap_or(value).trim()
}
