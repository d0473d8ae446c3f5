//! What to write instead of Python's own values: calls, operators, strings, subscripts.
//!
//! As in [`advice`](super::advice), `t` is the text of the mistaken tokens.

use super::advice::{EXPRESSION, Out, is_number, only};
use super::ranges::between_brackets as inside;
use super::substring::is_word;
use super::substring::{consists, halves, has, trimmed_halves, without_signs};
use super::{int, keywords, ranges};
use alloc::format;
use alloc::string::String;
use core::fmt;

const NO_MASK: &str = "indexing with a mask is not supported";

/// A number or a slice between quotes.
pub(crate) fn quoted(f: Out<'_>, t: &str) -> fmt::Result {
    let sign = if t.starts_with('-') { "-" } else { "" };
    write!(f, "write `{sign}{}`", sliced(between_quotes(t)))
}

pub(crate) fn power(f: Out<'_>, t: &str) -> fmt::Result {
    let (base, power) = trimmed_halves(t, "**").unwrap_or(("x", "n"));
    // Its power is not an integer.
    if power.starts_with('-') {
        return f.write_str(EXPRESSION);
    }
    // A cast binds less tightly than a method.
    let literal = inside(base);
    let (base, open, close) = match base {
        _ if base.starts_with('(') && is_number(literal) => (literal, "(", "_i64)"),
        _ if is_number(base) => (base, "", "_i64"),
        _ if has(base, " as ") => (base, "(", ")"),
        _ => (base, "", ""),
    };
    let cast = if is_number(power) { "" } else { " as u32" };
    write!(f, "write `{open}{base}{close}.pow({power}{cast})`")
}

/// `~n` is `-n - 1`; Rust's `!n` is that too, but not for unsigned numbers.
pub(crate) fn tilde(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some(number) = inverted(t) {
        return write!(f, "write `{number}`");
    }
    let value = t.strip_prefix('~').unwrap_or(t).trim();
    const COMPARES: &[char] = &['<', '>', '='];
    match value.strip_prefix('~') {
        _ if value.contains(COMPARES) => write!(f, "select with an iterator's `filter`; {NO_MASK}"),
        // Two of them cancel out.
        Some(value) => only(f, value),
        None => write!(f, "write `-({value} + 1)` for a number; {NO_MASK}"),
    }
}

/// `-3` of `~2`.
fn inverted(t: &str) -> Option<i64> {
    int::value(t.strip_prefix('~')?.trim(), false).map(|number| !number)
}

/// `n += 1`, `k := 1`
pub(crate) fn assignment(f: Out<'_>, t: &str) -> fmt::Result {
    const OPERATORS: &[char] = &['+', '-', '*', '/', '%', '^', '&', '|', '<', '>'];
    match trimmed_halves(t, "=") {
        Some((left, value)) if left.ends_with(OPERATORS) => write!(f, "write `{left} {value}`"),
        Some((_, value)) => only(f, value),
        None => f.write_str("write only the value"),
    }
}

/// `a if c else b`
pub(crate) fn conditional(f: Out<'_>, t: &str) -> fmt::Result {
    match halves(t, " if ").and_then(|(a, rest)| Some((a.trim(), halves(rest, " else ")?))) {
        Some((a, (c, b))) if a != "None" && b.trim() != "None" => {
            let c = c.trim();
            write!(f, "write `if {c} {{ {a} }} else {{ {} }}`", b.trim())?;
            // What Python takes for a boolean may be a number.
            if consists(c, is_word) { write!(f, ", with `{c} != 0` for a number") } else { Ok(()) }
        }
        _ => f.write_str("write `if c { a } else { b }`, with `Some(a)` and `None` for a bound"),
    }
}

/// `a ? b : c`, of which the first part is known, or `a ?? b`.
pub(crate) fn ternary(f: Out<'_>, t: &str) -> fmt::Result {
    match trimmed_halves(t, "??") {
        Some((value, other)) => only(f, &format!("{value}.unwrap_or({other})")),
        None => f.write_str("write `if a { b } else { c }`"),
    }
}

/// A call of a Python function; a Rust function may have the same name.
pub(crate) fn python_call(f: Out<'_>, t: &str) -> fmt::Result {
    const QUOTES: &[char] = &['"', '\''];
    let value = inside(t);
    match halves(t, "(") {
        Some(("len", _)) if value.ends_with(".shape") => {
            only(f, &format!("{}.ndim()", value.trim_end_matches(".shape")))
        }
        Some(("len", _)) => {
            let value = in_parentheses(value);
            write!(
                f,
                "write `{value}.shape()[0]` for an array, whose `len()` counts all elements, or \
                 `{value}.len()` for a vector"
            )
        }
        Some((name, _)) if name.ends_with("abs") && is_number(value) => {
            only(f, without_signs(value))
        }
        Some((name, _)) if name.ends_with("abs") => match trimmed_halves(value, "-") {
            // Rust gives unsigned numbers no `abs`.
            Some((a, b)) if is_name(a) && (is_name(b) || is_number(b)) => {
                write!(f, "write `{a}.abs_diff({b})`")
            }
            _ => write!(f, "write `{}.abs()`", in_parentheses(value)),
        },
        Some((_, _)) if is_number(value) => only(f, value),
        // What is calculated or looked for is not a conversion.
        Some((name, _)) if !value.ends_with(QUOTES) && converts(name) => {
            // A sign or a method may stand around a cast.
            let integer = keywords::is_type(name) && name.starts_with(['i', 'u']);
            let into = if integer { name } else { "i64" };
            // Rust does not negate unsigned numbers.
            match value.strip_prefix('-').filter(|value| is_name(value)) {
                Some(value) => write!(f, "write `-({value} as {into})`"),
                None => write!(f, "write `({} as {into})`", in_parentheses(value)),
            }
        }
        _ => f.write_str(EXPRESSION),
    }
}

/// Whether a function makes an integer of its argument: `int`, `u8`, `np.int64`.
fn converts(name: &str) -> bool {
    let name = name.rsplit_once('.').map_or(name, |(_, name)| name);
    name.starts_with("int")
        || name.starts_with("uint")
        || keywords::is_type(name)
        || name == "float"
}

/// A value that something may follow.
fn in_parentheses(value: &str) -> String {
    if is_name(value) { String::from(value) } else { format!("({value})") }
}

/// Whether it is a variable, or a field of one.
fn is_name(value: &str) -> bool {
    consists(value, |c| c == '.' || is_word(c))
}

/// Whether what is called may be a function of the user's own, or a method of a variable.
pub(crate) fn may_be_own(t: &str) -> bool {
    // A path has two colons, but not behind a bracket.
    let sliced = has(t, "(::") || has(&t.replace("::", ""), ":");
    // A variable called `np` may be a number, which has these methods.
    let method = |t: &str| ["min(", "max(", "abs("].iter().any(|name| t.starts_with(name));
    let numpy = t.strip_prefix("np.").or_else(|| t.strip_prefix("numpy."));
    !sliced && !has(t, "!") && has(t, "(") && numpy.is_none_or(method)
}

/// `x[1:2]`
pub(crate) fn sliced_array(f: Out<'_>, t: &str) -> fmt::Result {
    let array = halves(t, "[").map_or("", |(array, _)| array.trim());
    if array.is_empty() || !consists(array, is_word) || has(inside(t), "[") {
        return f.write_str("slice first, and write the resulting number here");
    }
    write!(
        f,
        "write `{}` to slice `{array}`; otherwise slice first, and write the resulting number here",
        inside(t)
    )
}

/// In a text, what stands before brackets can only be the array.
pub(crate) fn sliced_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    const CALCULATED: &[char] = &['(', ' ', '.'];
    match t.strip_suffix(']').and_then(|t| halves(t, "[")) {
        Some((array, inside))
            if !array.contains(CALCULATED)
                && !array.is_empty()
                && !inside.is_empty()
                && !has(inside, "[")
                && !has(inside, "..") =>
        {
            write!(f, "write `{inside}`, without `{}`", array.trim())
        }
        _ if is_number(ranges::unwrapped(t)) => only(f, ranges::unwrapped(t)),
        _ if t.eq_ignore_ascii_case("none") || t == "NULL" => f.write_str("write `None`"),
        _ => f.write_str("write a number; in Rust code, `s![..]` takes variables"),
    }
}

/// `1:2` of `x[1:2]`; anything else as it is.
pub(crate) fn sliced(t: &str) -> &str {
    match t.trim().strip_suffix(']').and_then(|t| halves(t, "[")) {
        Some((array, inside)) if consists(array, is_word) => inside.trim(),
        _ => t,
    }
}

/// What stands between the quotes.
pub(crate) fn between_quotes(t: &str) -> &str {
    const BEFORE: &[char] = &['-', '+', ' ', 'b', 'c', 'f', 'r', 'u'];
    const QUOTES: &[char] = &['"', '\''];
    t.trim_start_matches(BEFORE).trim_matches(QUOTES)
}
