//! Parts of a text.
//!
//! Each is looked for in one way, because the compiler makes a copy of the standard library's
//! search for every type of pattern; that for a text, which `contains` of a character uses too, is
//! a long one.

/// What a character must be. A test of this type is one pattern for the compiler, whichever it is.
pub(crate) type CharTest = fn(char) -> bool;

/// The text before and after the first place of `at`.
pub(crate) fn halves<'t>(t: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    for (i, _) in t.char_indices() {
        if let Some(after) = t[i..].strip_prefix(at) {
            return Some((&t[..i], after));
        }
    }
    None
}

/// The same without the spaces around each.
pub(crate) fn trimmed_halves<'t>(t: &'t str, at: &str) -> Option<(&'t str, &'t str)> {
    let (before, after) = halves(t, at)?;
    Some((before.trim(), after.trim()))
}

/// Whether it contains `part`.
pub(crate) fn has(t: &str, part: &str) -> bool {
    halves(t, part).is_some()
}

/// Whether all characters are such.
pub(crate) fn consists(t: &str, of: CharTest) -> bool {
    t.chars().all(of)
}

/// The text after the signs at its beginning.
pub(crate) fn without_signs(t: &str) -> &str {
    const SIGNS: &[char] = &['-', '+', ' '];
    t.trim_start_matches(SIGNS)
}

/// The text before the commas at its end.
pub(crate) fn without_commas(t: &str) -> &str {
    const COMMAS: &[char] = &[',', ' '];
    t.trim_end_matches(COMMAS)
}

pub(crate) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
