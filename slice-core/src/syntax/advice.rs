//! What to write instead, made from the mistaken tokens.
//!
//! Each function writes the advice for one kind of mistake; `t` is the text of the mistaken tokens.

use super::ranges::between_brackets as inside;
use super::{int, keywords, ranges};
use crate::error::substring::{halves, has, trimmed_halves, without_commas, without_signs};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

pub(super) type Out<'o> = &'o mut dyn Write;

/// What every operand must be.
pub(super) const EXPRESSION: &str = "write a number, or a Rust expression that gives one";

/// Tokens that were cut short, which an ellipsis of ours marks, with the brackets that are open and
/// the quote at the beginning closed again; others as they are.
pub(super) fn closed(t: &str) -> String {
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

pub(super) fn only(f: Out<'_>, this: &str) -> fmt::Result {
    write!(f, "write `{this}`")
}

pub(super) fn lone_comma(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(if t.find(',') == t.rfind(',') {
        "write `:` before it for a whole axis, or remove it"
    } else {
        "write `:` before each for whole axes, or remove them"
    })
}

/// A list, a tuple or a slice that stands where only a number may.
pub(super) fn one_number(f: Out<'_>, t: &str) -> fmt::Result {
    let number = without_commas(inside(t));
    if is_number(number) { only(f, number) } else { f.write_str(EXPRESSION) }
}

pub(super) fn too_many_colons(f: Out<'_>, t: &str) -> fmt::Result {
    let rest = t.strip_prefix(':').unwrap_or("").trim();
    if rest.trim_start_matches(':').is_empty() {
        write!(f, "remove `{t}`")
    } else {
        write!(f, "write `, {rest}` where the next axis begins, or remove `{t}`")
    }
}

pub(super) fn float(f: Out<'_>, t: &str) -> fmt::Result {
    whole_number(f, t, "write an integer, or convert a value: `(x as i64)`")
}

pub(super) fn float_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    whole_number(f, t, "write an integer")
}

/// `1` for `1.0`.
fn whole_number(f: Out<'_>, t: &str, otherwise: &str) -> fmt::Result {
    const ZEROS: &[char] = &['0', '_'];
    match halves(t, ".") {
        Some((whole, rest)) if is_number(whole) && rest.trim_start_matches(ZEROS).is_empty() => {
            only(f, whole)
        }
        _ => f.write_str(otherwise),
    }
}

pub(super) fn comparison(f: Out<'_>, t: &str) -> fmt::Result {
    const ANGLES: &[char] = &['<', '>'];
    if t.find(ANGLES) == t.rfind(ANGLES) {
        write!(f, "select with an iterator's `filter`, or write a number, such as `({t}) as i64`")
    } else {
        f.write_str("select with an iterator's `filter`, or write a number")
    }
}

pub(super) fn nested_brackets(f: Out<'_>, t: &str) -> fmt::Result {
    let range = inside(t);
    if has(range, "..") && !has(range, "...") && !has(range, ",") {
        return ranges::rust_range(f, range);
    }
    nested_brackets_in_text(f, t)
}

pub(super) fn nested_brackets_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    let (mut rest, mut range) = (t, false);
    while let Some((before, after)) = halves(rest, "...") {
        range |= has(before, "..");
        rest = after;
    }
    if range || has(rest, "..") {
        f.write_str("write the entries without the inner brackets, and `:` for `..`")
    } else {
        write!(f, "write `{}`, without the inner brackets", inside(t))
    }
}

pub(super) fn paren_slice(f: Out<'_>, t: &str) -> fmt::Result {
    if has(t, "..") {
        f.write_str("write the entries without the parentheses, and `:` for `..`")
    } else {
        only(f, inside(t))
    }
}

pub(super) fn ellipsis_inside(f: Out<'_>, t: &str) -> fmt::Result {
    match trimmed_halves(t, "...") {
        Some((a, "")) => write!(f, "write `{a}, ...`"),
        Some((a, b)) => write!(f, "write `{a}:{b}` for a slice, or `{a}, ..., {b}`"),
        None => f.write_str("write `,` around the ellipsis"),
    }
}

pub(super) fn no_arithmetic(f: Out<'_>, t: &str) -> fmt::Result {
    if t.ends_with(')') {
        only(f, halves(t, "(").map_or(t, |(entry, _)| entry))
    } else {
        f.write_str("write a number for it, or a comma where the next entry begins")
    }
}

pub(super) fn path_or_step(f: Out<'_>, t: &str) -> fmt::Result {
    match trimmed_halves(t, "::") {
        Some((a, b)) => write!(f, "write `({t})` for the path, or `{a}:None:{b}` for the slice"),
        None => path(f, t),
    }
}

pub(super) fn type_name(f: Out<'_>, t: &str) -> fmt::Result {
    const COLON: &[char] = &[':', '.'];
    match t.split_once(COLON).map(|(a, b)| (a.trim(), b.trim())) {
        Some((a, b)) if keywords::is_type(a) => write!(f, "write `({a}::{b})` for a constant"),
        Some((a, b)) => {
            write!(f, "write `({a}::{b})` for a constant, or `({a})` if that is a value")
        }
        None if keywords::is_camel(t) => write!(f, "write a number, or `({t})` if that is a value"),
        None => write!(f, "write a number, or `({t}::MAX)` for a constant of the type"),
    }
}

pub(super) fn without_plus(t: &str) -> &str {
    t.trim_start_matches('+').trim()
}

pub(super) fn without_plus_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    let value = without_plus(t);
    if is_number(value) { only(f, value) } else { f.write_str("write a number") }
}

pub(super) fn const_braces(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `const {{ {} }}`", t.strip_prefix("const").unwrap_or("N").trim())
}

pub(super) fn stray(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(if t == "?" {
        "write the value in front of it"
    } else if ["=>", "->", "<-"].contains(&t) {
        "write `:` between start, stop and step"
    } else if ["%", "/", "^", "|", "<", ">", "==", "="].contains(&t) {
        "write a value on both sides"
    } else {
        "remove it; entries are `3`, `a:b:c`, `None` and `...`"
    })
}

pub(super) fn ascii(t: &str) -> &str {
    t.chars().next().and_then(ascii_for).unwrap_or("the character of ASCII")
}

pub(super) fn not_const(f: Out<'_>, t: &str) -> fmt::Result {
    if t.ends_with(".strict()") {
        return f.write_str(
            "write the slice, and `; strict` after it, as in `plan!([4, 6]; 1, :3; strict)`",
        );
    }
    if t.eq_ignore_ascii_case("strict") {
        return f.write_str("write `; strict`, with a semicolon before it");
    }
    if ["s!", "py!"].iter().any(|name| t.starts_with(name)) {
        return only(f, inside(t));
    }
    write!(
        f,
        "write `const {{ {t} }}` if it is a constant; otherwise plan at run time, with `s!` and \
         its `plan(&shape)`"
    )
}

pub(super) fn shape_not_const(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str("write a constant, such as `[4, 6]`")?;
    if !has(t, "(") {
        write!(f, ", or `({t})` if that is one")?;
    }
    write!(f, "; otherwise plan at run time, with `s!` and its `plan(&{t})`")
}

pub(super) fn shape_brackets(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `[{}]`", if has(t, "(") { without_commas(inside(t)) } else { t })
}

pub(super) fn is_number(text: &str) -> bool {
    int::value(without_signs(text), false).is_some()
}

/// The ASCII character that one of these looks like.
pub(super) fn ascii_for(c: char) -> Option<&'static str> {
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

pub(super) fn semicolon(f: Out<'_>, t: &str) -> fmt::Result {
    let mut parts = Vec::new();
    for part in ranges::outer_split(t, ';') {
        if !part.trim().is_empty() {
            parts.push(part.trim());
        }
    }
    if let [_, .., last] = *parts
        && last.eq_ignore_ascii_case("strict")
    {
        return f.write_str("write `; strict` in `plan!`, or `.strict()` after `s![..]`");
    }
    if let [a, b] = *parts
        && !has(b, ":")
    {
        match a.matches(':').count() {
            0 => return write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice"),
            1 => return write!(f, "write `{a}:{b}` for a step, or `{a}, {b}` for two axes"),
            2 if a.ends_with(':') => {
                return write!(f, "write `{a}{b}` for a step, or `{a}, {b}` for two axes");
            }
            _ => {}
        }
    }
    f.write_str("write `")?;
    for (i, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
    }
    f.write_str("`")
}

pub(super) fn too_big(f: Out<'_>, t: &str) -> fmt::Result {
    let (last, more) = if t.starts_with('-') { (i64::MIN, "more") } else { (i64::MAX, "less") };
    write!(f, "write {last} or {more}, or leave the bound out")
}

pub(super) fn lower_prefix(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str("write `")?;
    for c in t.chars() {
        f.write_char(if matches!(c, 'X' | 'O' | 'B') { c.to_ascii_lowercase() } else { c })?;
    }
    f.write_str("`")
}

pub(super) fn tuple(f: Out<'_>, t: &str) -> fmt::Result {
    match without_commas(inside(t)) {
        "" => f.write_str("remove it"),
        inside if has(inside, ":") => f.write_str("write the entries without the parentheses"),
        inside => write!(
            f,
            "write `{inside}` for one position on each axis; for a list of positions, use an \
             iterator or ndarray's `select`"
        ),
    }
}

pub(super) fn path(f: Out<'_>, t: &str) -> fmt::Result {
    let name = t.rsplit_once(':').map_or(t, |(_, name)| name).trim();
    if ["NewAxis", "newaxis", "None"].contains(&name) {
        f.write_str("write `None` or `newaxis`")
    } else if t.starts_with("None") {
        f.write_str("write `None`")
    } else if ["Slice::", "SliceInfoElem::", "Range"].iter().any(|begin| t.starts_with(begin)) {
        f.write_str("write `start:stop:step`")
    } else {
        write!(f, "write `({t})`")
    }
}

pub(super) fn side_by_side(f: Out<'_>, t: &str) -> fmt::Result {
    match two_values(t) {
        // `(i64) n`, `(int) n`
        Some((a, b)) if a.starts_with('(') && keywords::is_type_name(inside(a)) => {
            write!(f, "write `{b} as {}`", inside(a))
        }
        Some(("(int)" | "(long)", b)) => write!(f, "write `{b} as i64`"),
        Some((a, b)) if with_word(t).is_none() && !is_entry(a) && !is_entry(b) => {
            write!(f, "write `{a}, {b}` for two axes, or `{a}:{b}` for a slice")
        }
        _ => side_by_side_in_range(f, t),
    }
}

/// A colon is not an option here: the second value would be a step, or one part too many.
pub(super) fn side_by_side_in_range(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some(range) = with_word(t) {
        return only(f, &range);
    }
    let Some((a, b)) = two_values(t) else {
        return f.write_str("write `,` or `:` between them");
    };
    write!(f, "write `{a}, {b}`")?;
    f.write_str(if is_entry(a) || is_entry(b) { "" } else { " for two axes" })
}

/// `1:10` of `1 to 10`, `10:2` of `10 step 2`.
fn with_word(t: &str) -> Option<String> {
    let words = [" to ", " until ", " step ", " by "];
    let range = words.iter().fold(String::from(t), |range, word| range.replacen(word, ":", 1));
    (range != t).then_some(range)
}

/// The two values, the second of which is one token or in brackets.
fn two_values(t: &str) -> Option<(&str, &str)> {
    if let Some(rest) = t.strip_prefix("...") {
        return Some(("...", rest.trim()));
    }
    let mut depth = 0_usize;
    for (i, c) in t.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth = depth.saturating_add(1),
            '(' | '[' | '{' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c.is_whitespace() || matches!(c, '(' | '[' | '{')) {
            let (a, b) = (t[..i].trim(), t[i..].trim());
            return (!a.is_empty() && !b.is_empty()).then_some((a, b));
        }
    }
    None
}

/// Text that is an entry by itself, and not a bound.
fn is_entry(t: &str) -> bool {
    ["...", "None", "newaxis", "Ellipsis"].contains(&t)
}

/// `x` of `&mut x`.
pub(super) fn referred(t: &str) -> &str {
    const REFERENCES: &[char] = &['&', ' '];
    let value = t.trim_start_matches(REFERENCES);
    value.strip_prefix("mut ").unwrap_or(value).trim()
}
