//! The words that have a meaning in a slice, and what names look like.

use super::substring::CharTest;

const UPPERCASE: CharTest = char::is_uppercase;
const LOWERCASE: CharTest = char::is_lowercase;

/// Primitive types and the words that begin a path.
pub(crate) fn is_type_or_root(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
        "f32", "f64", "bool", "char", "str", "Self", "self", "super", "crate", "$crate", "std",
        "core", "alloc", "pyslice", "ndarray",
    ];
    WORDS.contains(&word)
}

/// Primitive types. They are not values.
pub(crate) fn is_type(word: &str) -> bool {
    is_type_or_root(word) && !["self", "std", "core", "alloc", "pyslice", "ndarray"].contains(&word)
}

/// Primitive types, but not the words that begin a path.
pub(crate) fn is_primitive(word: &str) -> bool {
    is_type(word) && is_lower(word) && word != "super"
}

/// A primitive type, or a name like a type's that Python does not use.
pub(crate) fn is_type_name(word: &str) -> bool {
    is_type(word)
        || is_camel(word) && !["None", "True", "False", "NewAxis", "Ellipsis"].contains(&word)
}

/// Keywords that begin an expression, so a path cannot continue with them.
pub(crate) fn is_expression_keyword(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "if", "match", "unsafe", "const", "loop", "self", "while", "for", "async", "move", "await",
    ];
    WORDS.contains(&word)
}

/// Keywords that stand in front of a value.
pub(crate) fn is_before_value(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "move", "return", "break", "else", "match", "if", "while", "in", "async", "mut", "static",
        "as",
    ];
    WORDS.contains(&word)
}

/// Keywords that cannot stand in a value, or that leave the function, which is not a value either.
pub(crate) fn is_misplaced_keyword(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "abstract", "as", "become", "box", "break", "continue", "do", "dyn", "else", "enum",
        "extern", "final", "fn", "impl", "in", "let", "macro", "mod", "mut", "override", "priv",
        "pub", "ref", "return", "static", "struct", "trait", "try", "type", "typeof", "unsized",
        "use", "virtual", "where", "yield",
    ];
    WORDS.contains(&word)
}

/// Python operators that are words.
pub(crate) fn is_python_operator(word: &str) -> bool {
    ["and", "or", "not", "in", "is"].contains(&word)
}

/// A name like a type's: `Tensor`, `Vec`.
pub(crate) fn is_camel(word: &str) -> bool {
    word.starts_with(UPPERCASE) && word.contains(LOWERCASE)
}

/// A name like a variable's or a function's, unless it is `crate`.
pub(crate) fn is_lower(word: &str) -> bool {
    word.starts_with(LOWERCASE) && word != "crate"
}

/// A name like a constant's or a type parameter's: `N`, `STEP`.
pub(crate) fn is_upper(word: &str) -> bool {
    word.trim_start_matches('_').starts_with(UPPERCASE) && !word.contains(LOWERCASE)
}
