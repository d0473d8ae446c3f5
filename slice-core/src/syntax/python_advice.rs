//! What to write instead of Python's own values: calls, operators, strings, subscripts.
//!
//! As in [`advice`](super::advice), `t` is the text of the mistaken tokens.

use super::advice::{EXPRESSION, Out, is_number, only};
use super::lex::is_word;
use super::ranges::between_brackets as inside;
use super::{int, ranges};
use crate::error::substring::{CharTest, consists, halves, has, trimmed_halves};
use alloc::format;
use alloc::string::String;
use core::fmt;

/// A number or a slice between quotes.
pub(super) fn quoted(f: Out<'_>, t: &str) -> fmt::Result {
    let sign = if t.starts_with('-') { "-" } else { "" };
    write!(f, "write `{sign}{}`", sliced(between_quotes(t)))
}

pub(super) fn python_operator(f: Out<'_>, t: &str) -> fmt::Result {
    const SPACE: CharTest = char::is_whitespace;
    let (operator, value) = t.split_once(SPACE).unwrap_or((t, ""));
    let (operator, value) = match operator {
        "and" => ("&&", ""),
        "or" => ("||", ""),
        "not" => ("!", value.trim()),
        _ => return f.write_str(EXPRESSION),
    };
    write!(f, "write `{operator}{value}`; but a slice cannot contain a boolean")
}

pub(super) fn power(f: Out<'_>, t: &str) -> fmt::Result {
    let (base, power) = trimmed_halves(t, "**").unwrap_or(("x", "n"));
    // A cast binds less tightly than a method.
    let (open, close) = match base {
        _ if is_number(base) => ("", "_i64"),
        _ if has(base, " as ") => ("(", ")"),
        _ => ("", ""),
    };
    write!(f, "write `{open}{base}{close}.pow({power})`")
}

/// `~n` is `-n - 1`; Rust's `!n` is that too, but not for unsigned numbers.
pub(super) fn tilde(f: Out<'_>, t: &str) -> fmt::Result {
    const OPERATORS: &[char] = &['-', '!', '*', '&', ' '];
    if let Some(number) = inverted(t) {
        return write!(f, "write `{number}`");
    }
    f.write_str("write `")?;
    let (mut value, mut open) = (t, 0_usize);
    loop {
        // Two of them cancel out.
        if let Some(rest) = value.strip_prefix("~~") {
            value = rest;
        } else if let Some(rest) = value.strip_prefix('~') {
            f.write_str("-(")?;
            open = open.saturating_add(1);
            value = rest;
        } else if value.starts_with(OPERATORS) {
            f.write_str(&value[..1])?;
            value = &value[1..];
        } else {
            break;
        }
    }
    write!(f, "{value}{}`", " + 1)".repeat(open))
}

pub(super) fn tilde_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    match inverted(t) {
        Some(number) => write!(f, "write `{number}`"),
        None => f.write_str("write a number"),
    }
}

/// `-3` of `~2`.
fn inverted(t: &str) -> Option<i64> {
    int::value(t.strip_prefix('~')?.trim(), false).map(|number| !number)
}

pub(super) fn keyword(f: Out<'_>, t: &str) -> fmt::Result {
    let (name, value) = trimmed_halves(t, "=").unwrap_or((t, ""));
    let (before, after) = match name {
        "start" => ("", ":"),
        "stop" | "end" => (":", ""),
        "step" | "stride" => ("::", ""),
        "axis" | "axes" | "dim" => {
            return f.write_str(
                "entries go by position; write one `:` for each axis before, or `...` for all but \
                 the last ones",
            );
        }
        _ if value.is_empty() => return f.write_str("write the value"),
        _ => ("", ""),
    };
    write!(f, "write `{before}{value}{after}`")
}

/// `n += 1`, `k := 1`
pub(super) fn assignment(f: Out<'_>, t: &str) -> fmt::Result {
    const OPERATORS: &[char] = &['+', '-', '*', '/', '%', '^', '&', '|', '<', '>'];
    match trimmed_halves(t, "=") {
        Some((left, value)) if left.ends_with(OPERATORS) => write!(f, "write `{left} {value}`"),
        Some((_, value)) => only(f, value),
        None => f.write_str("write only the value"),
    }
}

/// `a if c else b`, `-n or None`
pub(super) fn conditional(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some((value, "None")) = trimmed_halves(t, " or ") {
        return match value.strip_prefix('-') {
            Some(n) if consists(n, is_word) => {
                write!(f, "for a bound, write `({n} != 0).then_some(-({n} as i64))`")
            }
            _ => write!(f, "for a bound, write `Some({value}).filter(|&n| n != 0)`"),
        };
    }
    let parts = halves(t, " if ").and_then(|(a, rest)| Some((a, halves(rest, " else ")?)));
    let Some((a, (c, b))) = parts else {
        return f.write_str("write `if c { a } else { b }`");
    };
    let (a, b, c) = (a.trim(), b.trim(), c.trim());
    // Where one is `None`, the other is an `Option` too.
    match (a, b) {
        ("None", "None") => return only(f, "None"),
        ("None", b) => write!(f, "for a bound, write `if {c} {{ None }} else {{ Some({b}) }}`")?,
        (a, "None") => write!(f, "for a bound, write `if {c} {{ Some({a}) }} else {{ None }}`")?,
        (a, b) => write!(f, "write `if {c} {{ {a} }} else {{ {b} }}`")?,
    }
    // Any number is a condition in Python.
    if consists(c, is_word) { write!(f, ", or `if {c} != 0` for a number") } else { Ok(()) }
}

/// A call of Python's own; the name may also be that of a function of Rust.
pub(super) fn python_call(f: Out<'_>, t: &str) -> fmt::Result {
    const QUOTES: &[char] = &['"', '\''];
    let value = inside(t);
    let conversion = match halves(t, "(") {
        Some(("len", _)) => ".len()",
        Some(("abs", _)) => ".abs()",
        Some((name, _))
            if !value.ends_with(QUOTES)
                && !name.ends_with(".argmax")
                && !name.ends_with(".argmin") =>
        {
            " as i64"
        }
        // A position that has to be looked for, or a constant: no number to convert.
        _ => "",
    };
    if conversion.is_empty() {
        f.write_str(EXPRESSION)?;
    } else if conversion == " as i64" && is_number(value) {
        only(f, value)?;
    } else {
        let name = consists(value, |c| c == '.' || is_word(c));
        let value = if name { String::from(value) } else { format!("({value})") };
        // A sign or a method may stand around a cast.
        let cast = conversion == " as i64";
        let (open, close) = if cast { ("(", ")") } else { ("", "") };
        write!(f, "write `{open}{value}{conversion}{close}`")?;
    }
    if conversion == ".len()" {
        f.write_str(", or `.shape()[0]` for the first axis of an array")?;
    }
    or_own_function(f, t)
}

pub(super) fn slice_call(f: Out<'_>, t: &str) -> fmt::Result {
    ranges::slice_call(f, t)?;
    or_own_function(f, t)
}

pub(super) fn range_call(f: Out<'_>, t: &str) -> fmt::Result {
    ranges::range_call(f, t)?;
    or_own_function(f, t)
}

pub(super) fn array_call(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(ranges::LISTED)?;
    or_own_function(f, t)
}

/// What is called may be a function of the user's own, unless a module of Python stands before it.
fn or_own_function(f: Out<'_>, t: &str) -> fmt::Result {
    const NOT_OWN: &[char] = &['.', '!'];
    match halves(t, "(") {
        Some((name, _)) if !name.contains(NOT_OWN) => {
            write!(f, ", or `({t})` for a function of your own")
        }
        _ => Ok(()),
    }
}

/// `x[1:2]`
pub(super) fn sliced_array(f: Out<'_>, t: &str) -> fmt::Result {
    let array = halves(t, "[").map_or("", |(array, _)| array.trim());
    if array.is_empty() || !consists(array, is_word) {
        return f.write_str("slice first, and write the resulting number here");
    }
    write!(
        f,
        "write `{}` to slice `{array}`; otherwise slice first, and write the resulting number here",
        inside(t)
    )
}

/// In a text, what stands before brackets can only be the array.
pub(super) fn sliced_in_text(f: Out<'_>, t: &str) -> fmt::Result {
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
        _ if t.eq_ignore_ascii_case("none") || t == "NULL" => f.write_str("write `None`"),
        _ => f.write_str("write a number; in Rust code, `s![..]` takes variables"),
    }
}

/// `1:2` of `x[1:2]`; anything else as it is.
pub(super) fn sliced(t: &str) -> &str {
    match t.trim().strip_suffix(']').and_then(|t| halves(t, "[")) {
        Some((array, inside)) if consists(array, is_word) => inside.trim(),
        _ => t,
    }
}

/// What stands between the quotes.
pub(super) fn between_quotes(t: &str) -> &str {
    const BEFORE: &[char] = &['-', '+', 'b', ' '];
    const QUOTES: &[char] = &['"', '\''];
    t.trim_start_matches(BEFORE).trim_matches(QUOTES)
}

pub(super) fn from_the_end(f: Out<'_>, t: &str) -> fmt::Result {
    const MINUS: &[char] = &['-', ' '];
    match t.rsplit_once('[') {
        Some((array, _)) => {
            let back = inside(&t[array.len()..]).trim_start_matches(MINUS);
            write!(f, "write `{array}[{array}.len() - {back}]`")?;
            match array.strip_suffix(".shape") {
                Some(x) => {
                    write!(f, ", or `{x}.shape()[{x}.ndim() - {back}]` for ndarray's arrays")
                }
                None => Ok(()),
            }
        }
        None => f.write_str("write `x[x.len() - 1]`"),
    }
}
