//! What to write for the ranges of other languages, and for lists of positions: `a..b`, ndarray's
//! `a..b;c`, Python's `slice(a, b)`, `[0, 2]`.

use super::substring;
use super::substring::is_word;
use super::{int, keywords};
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write};

/// Positions in any order cannot be one slice.
pub(crate) const LISTED: &str = "use an iterator or ndarray's `select` for a list of positions, or \
                                 write `start:stop:step` where they are evenly spaced";

/// `a..b`, `a..=b`, ndarray's `a..b;c`, and other languages' `a..b step c`; `(a..b).rev()`.
pub(crate) fn rust_range(f: &mut dyn Write, t: &str) -> fmt::Result {
    // `(0..5)`, `i in 0..5`
    let t = unwrapped(t);
    let (_, t) = substring::halves(t, " in ").unwrap_or(("", t));
    let halves = [";", " step ", " by "].iter().find_map(|at| substring::trimmed_halves(t, at));
    let called = || substring::halves(t.strip_suffix(')')?, ".step_by(");
    let reversed = || Some((t.strip_suffix(".rev()")?, "-1"));
    let (range, mut step) = halves.or_else(called).or_else(reversed).unwrap_or((t, ""));
    let Some((start, mut stop)) = substring::trimmed_halves(unwrapped(range), "..") else {
        return f.write_str("write `start:stop:step`");
    };
    // `0..10..2`
    if step.is_empty() {
        (stop, step) = substring::trimmed_halves(stop, "..").unwrap_or((stop, ""));
    }
    // `0..<5` is Swift's.
    const MARKS: &[char] = &['=', '<'];
    let inclusive = stop.starts_with('=');
    let stop = plain(stop.strip_prefix(MARKS).unwrap_or(stop).trim());
    let odd = |t: &str| t.starts_with(':') || t.ends_with(':');
    if substring::has(stop, "..") || substring::has(step, ";") || odd(start) || odd(stop) {
        return f.write_str("write `start:stop:step`");
    }
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
        if start.is_empty() && stop.is_empty() {
            return Ok(());
        }
        return f.write_str(BACKWARDS);
    }
    let end = if inclusive { after(stop) } else { Bound(stop).to_string() };
    write!(f, "write `{}:{end}", Bound(start))?;
    if !step.is_empty() && number(step) != Some(0) {
        write!(f, ":{}", Bound(step))?;
    }
    f.write_str("`")?;
    if inclusive { or_last(f, stop) } else { Ok(()) }
}

/// `1:10:2` of `1 to 10 by 2` and `1:10 step 2`, `10::2` of `10 step 2`.
pub(crate) fn word_range(f: &mut dyn Write, t: &str) -> fmt::Result {
    let range = t.replacen(" to ", ":", 1).replacen(" until ", ":", 1);
    let colon = if substring::has(&range, ":") { ":" } else { "::" };
    write!(f, "write `{}`", range.replacen(" step ", colon, 1).replacen(" by ", colon, 1))
}

/// The same for text, which has neither variables nor calculations.
pub(crate) fn rust_range_in_text(f: &mut dyn Write, t: &str) -> fmt::Result {
    let letters = t.chars().any(char::is_alphabetic);
    if letters { f.write_str("write `start:stop:step`") } else { rust_range(f, t) }
}

const BACKWARDS: &str = "; as in Python, a negative step walks from the start down to the stop";

fn write_backwards(f: &mut dyn Write) -> fmt::Result {
    f.write_str("start:stop:step`")?;
    f.write_str(BACKWARDS)
}

/// The stop of a slice that takes position `last`, too; empty if that is the last of the axis.
#[expect(clippy::arithmetic_side_effects, reason = "n is below i64::MAX")]
pub(crate) fn after(last: &str) -> String {
    match number(last) {
        Some(-1) => String::new(),
        None if last.is_empty() => String::new(),
        Some(n) if n < i64::MAX => (n + 1).to_string(),
        _ => format!("({last} + 1)"),
    }
}

/// What to do about [`after`] where `last` is known only at run time.
pub(crate) fn or_last(f: &mut dyn Write, last: &str) -> fmt::Result {
    if last.is_empty() || number(last).is_some() {
        return Ok(());
    }
    write!(f, "; leave the stop out where `{last}` is -1")
}

/// The value of a literal that may have a minus sign.
fn number(t: &str) -> Option<i64> {
    int::value(t.strip_prefix('-').unwrap_or(t).trim(), t.starts_with('-'))
}

/// `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
pub(crate) fn slice_call(f: &mut dyn Write, t: &str) -> fmt::Result {
    // `slice(1:2)`
    let inside = between_brackets(t);
    if outer_split(inside, ':').count() > 1 {
        return write!(f, "write `{inside}`");
    }
    if outer_split(inside, ',').all(|part| substring::has(part, "=")) {
        return keyword(f, inside);
    }
    write_slice(f, called_with(t))
}

/// `start=1, stop=4`: the parts of one slice.
pub(crate) fn keyword(f: &mut dyn Write, t: &str) -> fmt::Result {
    const NAMES: [&[&str]; 3] =
        [&["start", "begin", "first"], &["stop", "end"], &["step", "stride"]];
    let mut parts = [""; 3];
    for argument in outer_split(t, ',') {
        let (name, value) = substring::trimmed_halves(argument, "=").unwrap_or((argument, ""));
        let known =
            |names: &&[&str]| names.iter().any(|known| name.trim_end_matches('s') == *known);
        let place = NAMES.iter().position(known).and_then(|place| parts.get_mut(place));
        match place
            .filter(|part| part.is_empty() && !value.is_empty() && !substring::has(value, "["))
        {
            Some(part) => *part = value,
            None => {
                return f.write_str(
                    "write `start:stop:step` without names, or remove it; entries go by position, \
                     one for each axis: `:` stands for an axis before, `...` for all but the last \
                     ones",
                );
            }
        }
    }
    write_slice(f, Some(parts.map(|part| if part == "None" { "" } else { part })))
}

/// `range(3, -1, -1)`, in which a negative number does not count from the end.
pub(crate) fn range_call(f: &mut dyn Write, t: &str) -> fmt::Result {
    let Some([start, stop, step]) = called_with(t) else { return write_slice(f, None) };
    let below = |t: &str| number(t).map_or(t.starts_with('-'), |n| n < 0);
    let ends = if step.starts_with('-') {
        // It runs down to element 0.
        number(stop) == Some(-1) && !below(start)
    } else {
        // It runs up to the last element.
        number(stop) == Some(0) && below(start)
    };
    let same_side = ends || below(start) == below(stop);
    write_slice(f, same_side.then_some([start, if ends { "" } else { stop }, step]))
}

/// The start, the stop and the step that a call names; empty where one is left out.
fn called_with(t: &str) -> Option<[&str; 3]> {
    let inside = between_brackets(t);
    // `slice(*args)`, `slice(1, stop=3)`
    if inside.starts_with('*') || outer_split(inside, '=').count() > 1 {
        return None;
    }
    let (mut parts, mut count) = ([""; 3], 0_usize);
    for text in outer_split(substring::without_commas(inside), ',') {
        if let Some(part) = parts.get_mut(count) {
            *part = text.trim();
            if *part == "None" {
                *part = "";
            }
        }
        count = count.saturating_add(1);
    }
    let [a, b, step] = parts;
    match count {
        1 => Some(["", a, ""]),
        2 | 3 => Some([a, b, step]),
        _ => None,
    }
}

pub(crate) fn write_slice(f: &mut dyn Write, parts: Option<[&str; 3]>) -> fmt::Result {
    let Some([start, stop, step]) = parts else { return f.write_str("write `start:stop:step`") };
    write!(f, "write `{}:{}", Bound(start), Bound(stop))?;
    if !step.is_empty() {
        write!(f, ":{}", Bound(step))?;
    }
    f.write_str("`")
}

/// A bound without `&` and without a type: `1` of `1usize`.
fn plain(t: &str) -> &str {
    let t = t.trim_start_matches('&');
    let bare = int::without_suffix(t);
    let suffix = t.strip_prefix(bare).filter(|_| !bare.is_empty()).unwrap_or_default();
    if keywords::is_primitive(suffix.trim_start_matches('_')) { bare } else { t }
}

/// A bound, in parentheses if it is more than one token.
struct Bound<'t>(&'t str);

impl fmt::Display for Bound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // C# counts from the end with `^`, and D with `$`.
        let t = plain(self.0);
        match (t.strip_prefix('^'), t.strip_prefix('$')) {
            (Some(from_the_end), _) => write!(f, "-{from_the_end}"),
            (_, Some(from_the_end)) => f.write_str(from_the_end),
            _ if substring::has(t, "::") => write!(f, "({t})"),
            _ => f.write_str(t),
        }
    }
}

/// The text without the brackets that enclose all of it: `(0..5)`, but not `(a)..(b)`.
pub(crate) fn unwrapped(t: &str) -> &str {
    let inner = t.strip_prefix(['(', '[', '{']).and_then(|t| t.strip_suffix([')', ']', '}']));
    let mut depth = 0_i32;
    let encloses = |inner: &&str| {
        inner.chars().all(|c| {
            depth = depth.saturating_add(match c {
                '(' | '[' | '{' => 1,
                ')' | ']' | '}' => -1,
                _ => 0,
            });
            depth >= 0
        })
    };
    inner.filter(encloses).map_or(t, str::trim)
}

/// `[0, 2]`: positions that one slice may take.
pub(crate) fn list(f: &mut dyn Write, t: &str) -> fmt::Result {
    let inside = substring::without_commas(between_brackets(t));
    let name = !inside.is_empty() && substring::consists(inside, is_word);
    if number(inside).is_none() && !name {
        return evenly_spaced(f, inside);
    }
    let stop = after(inside);
    write!(f, "write `{inside}` for the element, or `{inside}:{stop}` to keep the axis")?;
    or_last(f, inside)
}

/// If the numbers are evenly spaced, one slice does it.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the numbers are below 2^32, and there are fewer than bytes in the text"
)]
fn evenly_spaced(f: &mut dyn Write, numbers: &str) -> fmt::Result {
    let (mut first, mut last, mut step, mut count) = (0_i64, 0_i64, 0_i64, 0_usize);
    for text in numbers.trim_end_matches(',').split(',') {
        let Ok(n @ -0xffff_ffff..=0xffff_ffff) = text.trim().parse() else {
            return f.write_str(LISTED);
        };
        match count {
            0 => first = n,
            1 => step = n - last,
            _ if n - last != step => return f.write_str(LISTED),
            _ => {}
        }
        last = n;
        count += 1;
    }
    if step == 0 || (first < 0) != (last < 0) {
        return f.write_str(LISTED);
    }
    write!(f, "write `{first}:")?;
    let stop = last + step.signum();
    if (stop < 0) == (last < 0) {
        write!(f, "{stop}")?;
    }
    if step != 1 {
        write!(f, ":{step}")?;
    }
    f.write_str("`, which takes the same positions of this axis, where it has them")
}

/// What stands in the brackets that end the text.
#[expect(clippy::arithmetic_side_effects, reason = "a position inside the text")]
pub(crate) fn between_brackets(t: &str) -> &str {
    const OPEN: &[char] = &['(', '['];
    const CLOSE: &[char] = &[')', ']'];
    let open = t.find(OPEN).map_or(0, |i| i + 1);
    let close = t.rfind(CLOSE).unwrap_or(t.len());
    t.get(open..close).unwrap_or(t).trim()
}

/// The text before and after the first place of `at` outside of brackets, without the spaces around
/// each.
pub(crate) fn outer_halves<'t>(t: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    let first = outer_split(t, at.chars().next()?).next()?;
    let after = t.get(first.len()..)?.strip_prefix(at)?;
    Some((first.trim(), after.trim()))
}

/// The parts of a text between the places where this character stands outside of brackets.
pub(crate) fn outer_split(t: &str, at: char) -> impl Iterator<Item = &str> {
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
