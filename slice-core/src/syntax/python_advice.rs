//! What to write instead of Python's own values: calls, operators, strings, subscripts.
//!
//! As in [`advice`](super::advice), `t` is the text of the mistaken tokens.

use super::advice::{EXPRESSION, Out, is_number};
use super::ranges::between_brackets as inside;
use super::{int, ranges};
use core::fmt;

/// A number or a slice between quotes.
pub(super) fn quoted(f: Out<'_>, t: &str) -> fmt::Result {
    let sign = if t.starts_with('-') { "-" } else { "" };
    write!(f, "write `{sign}{}`", sliced(between_quotes(t)))
}

pub(super) fn python_operator(f: Out<'_>, t: &str) -> fmt::Result {
    const NO_BOOLEAN: &str = "but a slice cannot contain a boolean";
    match t
        .split_once(char::is_whitespace)
        .map_or((t, ""), |(operator, value)| (operator, value.trim()))
    {
        ("and", _) => write!(f, "write `&&`; {NO_BOOLEAN}"),
        ("or", _) => write!(f, "write `||`; {NO_BOOLEAN}"),
        ("not", value) => write!(f, "write `!{value}`; {NO_BOOLEAN}"),
        _ => f.write_str(EXPRESSION),
    }
}

pub(super) fn power(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once("**").map(|(base, power)| (base.trim(), power.trim())) {
        Some((base, power)) if is_number(base) => write!(f, "write `{base}_i64.pow({power})`"),
        // A cast binds less tightly than a method.
        Some((base, power)) if base.contains(" as ") => write!(f, "write `({base}).pow({power})`"),
        Some((base, power)) => write!(f, "write `{base}.pow({power})`"),
        None => write!(f, "write `x.pow(n)`"),
    }
}

/// `~n` is `-n - 1`; Rust's `!n` is that too, but not for unsigned numbers.
pub(super) fn tilde(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some(number) = t.strip_prefix('~').and_then(|number| int::value(number.trim(), false)) {
        return write!(f, "write `{}`", !number);
    }
    f.write_str("write `")?;
    let (mut value, mut open) = (t, 0_usize);
    while let Some(rest) = value.strip_prefix(['~', '-', '!', '*', '&', ' ']) {
        // Two of them cancel out.
        if let Some(rest) = value.strip_prefix("~~") {
            value = rest;
            continue;
        }
        let operator = &value[..value.len().saturating_sub(rest.len())];
        if operator == "~" {
            open = open.saturating_add(1);
        }
        f.write_str(if operator == "~" { "-(" } else { operator })?;
        value = rest;
    }
    f.write_str(value)?;
    (0..open).try_for_each(|_| f.write_str(" + 1)"))?;
    f.write_str("`")
}

pub(super) fn tilde_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    match t.strip_prefix('~').and_then(|number| int::value(number.trim(), false)) {
        Some(number) => write!(f, "write `{}`", !number),
        None => write!(f, "write a number"),
    }
}

pub(super) fn keyword(f: Out<'_>, t: &str) -> fmt::Result {
    let (name, value) =
        t.split_once('=').map_or((t, ""), |(name, value)| (name.trim(), value.trim()));
    match name {
        "start" => write!(f, "write `{value}:`"),
        "stop" | "end" => write!(f, "write `:{value}`"),
        "step" | "stride" => write!(f, "write `::{value}`"),
        "axis" | "axes" | "dim" => {
            write!(
                f,
                "entries go by position; write one `:` for each axis before, or `...` for all but \
                 the last ones"
            )
        }
        _ if value.is_empty() => write!(f, "write the value"),
        _ => write!(f, "write `{value}`"),
    }
}

/// `n += 1`, `k := 1`
pub(super) fn assignment(f: Out<'_>, t: &str) -> fmt::Result {
    let Some((left, value)) = t.split_once('=').map(|(left, value)| (left.trim(), value.trim()))
    else {
        return write!(f, "write only the value");
    };
    if left.ends_with(['+', '-', '*', '/', '%', '^', '&', '|', '<', '>']) {
        write!(f, "write `{left} {value}`")
    } else {
        write!(f, "write `{value}`")
    }
}

/// `a if c else b`
pub(super) fn conditional(f: Out<'_>, t: &str) -> fmt::Result {
    if let Some((a, rest)) = t.split_once(" if ")
        && let Some((c, b)) = rest.split_once(" else ")
    {
        // Where one is `None`, the other is an `Option` too.
        let some = |value: &str, other: &str| value != "None" && other == "None";
        let (a, b) = (a.trim(), b.trim());
        let branch = |value: &str, other: &str| match some(value, other) {
            true => alloc::format!("Some({value})"),
            false => value.into(),
        };
        return write!(
            f,
            "write `if {} {{ {} }} else {{ {} }}`",
            c.trim(),
            branch(a, b),
            branch(b, a)
        );
    }
    write!(f, "write `if c {{ a }} else {{ b }}`")
}

/// A call of Python's own; the name may also be that of a function of Rust.
pub(super) fn python_call(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once('(') {
        Some(("len", _)) => write!(f, "write `{}.len()`", Factor(inside(t)))?,
        Some(("abs", _)) => write!(f, "write `{}.abs()`", Factor(inside(t)))?,
        // A position that has to be looked for, and a constant: no number to convert.
        Some((name, _)) if !name.ends_with(".argmax") && !name.ends_with(".argmin") => {
            write!(f, "write `{} as i64`", Factor(inside(t)))?;
        }
        _ => f.write_str(EXPRESSION)?,
    }
    or_own_function(f, t)
}

pub(super) fn slice_call(f: Out<'_>, t: &str) -> fmt::Result {
    ranges::slice_call(f, t)?;
    or_own_function(f, t)
}

pub(super) fn array_call(f: Out<'_>, t: &str) -> fmt::Result {
    f.write_str(ranges::ONE_BY_ONE)?;
    or_own_function(f, t)
}

/// What is called may be a function of the user's own, unless a module of Python stands before it.
fn or_own_function(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once('(') {
        Some((name, _)) if !name.contains(['.', '!']) => {
            write!(f, ", or `({t})` for a function of your own")
        }
        _ => Ok(()),
    }
}

/// `x[1:2]`
pub(super) fn sliced_array(f: Out<'_>, t: &str) -> fmt::Result {
    match t.split_once('[').map(|(array, _)| array.trim()) {
        Some(array)
            if !array.is_empty() && array.chars().all(|c| c == '_' || c.is_alphanumeric()) =>
        {
            write!(
                f,
                "write `{}` to slice `{array}`; otherwise slice first, and write the resulting \
                 number here",
                inside(t)
            )
        }
        _ => write!(f, "slice first, and write the resulting number here"),
    }
}

/// In a text, what stands before brackets can only be the array.
pub(super) fn sliced_in_text(f: Out<'_>, t: &str) -> fmt::Result {
    match t.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((array, inside))
            if !array.contains(['(', ' ', '.'])
                && !array.is_empty()
                && !inside.is_empty()
                && !inside.contains('[') =>
        {
            write!(f, "write `{inside}`, without `{}`", array.trim())
        }
        _ => write!(f, "write a number; in Rust code, `s![..]` takes variables"),
    }
}

/// `1:2` of `x[1:2]`; anything else as it is.
pub(super) fn sliced(t: &str) -> &str {
    match t.trim().strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((array, inside)) if array.chars().all(|c| c == '_' || c.is_alphanumeric()) => {
            inside.trim()
        }
        _ => t,
    }
}

/// What stands between the quotes.
pub(super) fn between_quotes(t: &str) -> &str {
    t.trim_start_matches(['-', '+', 'b', ' ']).trim_matches(['"', '\''])
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

pub(super) fn with_else(f: Out<'_>, t: &str) -> fmt::Result {
    write!(f, "write `{t} else {{ .. }}`")
}

/// A value next to an operator, in parentheses if it is more than a name or a number.
struct Factor<'t>(&'t str);

impl fmt::Display for Factor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let simple = self.0.chars().all(|c| c == '_' || c == '.' || c.is_alphanumeric());
        if simple { f.write_str(self.0) } else { write!(f, "({})", self.0) }
    }
}
