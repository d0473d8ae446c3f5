//! What to write for the ranges of other languages, and for lists of positions: `a..b`, ndarray's
//! `a..b;c`, Python's `slice(a, b)`, `[0, 2]`.

use super::{int, pieces};
use core::fmt::{self, Write};

/// Parts of an array that are far apart cannot be one slice.
pub(super) const ONE_BY_ONE: &str =
    "take the slices one by one, or write `start:stop:step` where the positions are evenly spaced";

/// `a..b`, `a..=b` and ndarray's `a..b;c`.
#[expect(clippy::arithmetic_side_effects, reason = "n is below i64::MAX")]
pub(super) fn rust_range(f: &mut dyn Write, t: &str) -> fmt::Result {
    // `(0..5)`, `i in 0..5`
    let t = unwrapped(t);
    let t = pieces::halves(t, " in ").map_or(t, |(_, range)| range);
    let (range, step) =
        t.split_once(';').map_or((t, ""), |(range, step)| (range.trim(), step.trim()));
    let Some((start, stop)) = pieces::trimmed_halves(range, "..") else {
        return write!(f, "write `start:stop:step`");
    };
    let (stop, inclusive) =
        stop.strip_prefix('=').map_or((stop, false), |stop| (stop.trim(), true));
    let odd = |t: &str| t.starts_with(':') || t.ends_with(':');
    if pieces::has(stop, "..") || pieces::has(step, ";") || odd(start) || odd(stop) {
        return write!(f, "write `start:stop:step`");
    }
    let number = |t: &str| {
        let (sign, digits) = t.strip_prefix('-').map_or((false, t), |digits| (true, digits.trim()));
        int::value(digits, sign)
    };
    // ndarray takes `start..stop` first and then walks it from its end; Python starts at `start`.
    if step.starts_with('-') {
        let first =
            if inclusive { number(stop) } else { number(stop).and_then(|n| n.checked_sub(1)) };
        let same_sign = |n: i64, of: &str| (n < 0) == of.starts_with('-');
        let last = number(start).and_then(|n| n.checked_sub(1));
        f.write_str("write `")?;
        match (stop.is_empty(), first) {
            (true, _) => {}
            (false, Some(n)) if same_sign(n, stop) => write!(f, "{n}")?,
            (false, _) => return write_backwards(f),
        }
        match (start.is_empty() || number(start) == Some(0), last) {
            (true, _) => write!(f, "::{step}`")?,
            (false, Some(n)) => write!(f, ":{n}:{step}`")?,
            (false, None) => return write_backwards(f),
        }
        return write!(f, "; as in Python, a negative step begins at the start");
    }
    write!(f, "write `{}:", Bound(start))?;
    match (inclusive, number(stop)) {
        (true, Some(-1)) => {}
        (true, None) if stop.is_empty() => {}
        (true, Some(n)) if n < i64::MAX => write!(f, "{}", n + 1)?,
        (true, _) => write!(f, "({stop} + 1)")?,
        (false, _) => write!(f, "{}", Bound(stop))?,
    }
    if !step.is_empty() && number(step) != Some(0) {
        write!(f, ":{}", Bound(step))?;
    }
    f.write_str("`")
}

/// The same for text, which has neither variables nor calculations.
pub(super) fn rust_range_in_text(f: &mut dyn Write, t: &str) -> fmt::Result {
    if t.contains(char::is_alphabetic) {
        write!(f, "write `start:stop:step`")
    } else {
        rust_range(f, t)
    }
}

fn write_backwards(f: &mut dyn Write) -> fmt::Result {
    write!(
        f,
        "start:stop:step`; as in Python, a negative step walks from the start down to the stop"
    )
}

/// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
pub(super) fn slice_call(f: &mut dyn Write, t: &str) -> fmt::Result {
    let inside = between_brackets(t);
    let (mut parts, mut count) = ([""; 3], 0_usize);
    for text in outer_split(pieces::without_commas(inside), ',') {
        if let Some(part) = parts.get_mut(count) {
            *part = text.trim();
        }
        count = count.saturating_add(1);
    }
    for part in &mut parts {
        if *part == "None" {
            *part = "";
        }
    }
    let [a, b, c] = parts;
    match count {
        1 => write!(f, "write `:{}`", Bound(a)),
        2 => write!(f, "write `{}:{}`", Bound(a), Bound(b)),
        3 if c.is_empty() => write!(f, "write `{}:{}`", Bound(a), Bound(b)),
        3 => write!(f, "write `{}:{}:{}`", Bound(a), Bound(b), Bound(c)),
        _ => write!(f, "write `start:stop:step`"),
    }
}

/// A bound, in parentheses if it is more than one token.
struct Bound<'t>(&'t str);

impl fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if pieces::has(self.0, "::") { write!(f, "({})", self.0) } else { f.write_str(self.0) }
    }
}

/// The text without the brackets that enclose all of it: `(0..5)`, but not `(a)..(b)`.
fn unwrapped(t: &str) -> &str {
    let is_open = |c| matches!(c, '(' | '[' | '{');
    let is_close = |c| matches!(c, ')' | ']' | '}');
    let inner = t.trim_start_matches(|c: char| is_open(c) || c.is_whitespace());
    let inner = inner.trim_end_matches(|c: char| is_close(c) || c.is_whitespace());
    // The brackets that are not closed before the end enclose all of it.
    let mut open =
        t.chars().take_while(|&c| is_open(c) || c.is_whitespace()).filter(|&c| is_open(c)).count();
    let mut enclosing = open;
    for c in inner.chars() {
        if is_open(c) {
            open = open.saturating_add(1);
        } else if is_close(c) {
            open = open.saturating_sub(1);
            enclosing = enclosing.min(open);
        }
    }
    let mut t = t.trim();
    for _ in 0..enclosing {
        match t.strip_prefix(['(', '{']).and_then(|t| t.strip_suffix([')', '}'])) {
            Some(inner) => t = inner.trim(),
            None => break,
        }
    }
    t
}

/// `[0, 2]`: positions that one slice may take.
pub(super) fn list(f: &mut dyn Write, t: &str) -> fmt::Result {
    let inside = between_brackets(t);
    if int::value(pieces::without_signs(inside), false).is_some() {
        return write!(
            f,
            "write `{inside}` for the element, or `{inside}:{}` to keep the axis",
            next(inside)
        );
    }
    evenly_spaced(f, inside)
}

/// The position after this one, as a stop; nothing after -1.
fn next(number: &str) -> Next {
    let (negative, digits) =
        number.strip_prefix('-').map_or((false, number), |digits| (true, digits));
    Next(int::value(digits.trim(), negative))
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
fn evenly_spaced(f: &mut dyn Write, numbers: &str) -> fmt::Result {
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
        _ => f.write_str(ONE_BY_ONE),
    }
}

/// What stands in the brackets that end the text.
#[expect(clippy::arithmetic_side_effects, reason = "a position inside the text")]
pub(super) fn between_brackets(t: &str) -> &str {
    let open = t.find(['(', '[']).map_or(0, |i| i + 1);
    let close = t.rfind([')', ']']).unwrap_or(t.len());
    t.get(open..close).unwrap_or(t).trim()
}

/// The parts of a text between the places where this character stands outside of brackets.
pub(super) fn outer_split(t: &str, at: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    t.split(move |c| {
        match c {
            '(' | '[' | '{' => depth = depth.saturating_add(1),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == at
    })
}
