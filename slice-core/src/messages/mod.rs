//! What is wrong, and what to write instead: the words of every mistake in the grammar, and the texts
//! that a constant panics with.

pub(crate) mod advice;
pub(crate) mod const_message;
pub(crate) mod int;
pub(crate) mod keywords;
pub(crate) mod python_advice;
mod ranges;
mod snippet;
pub(crate) mod substring;
mod syntax_error;

pub use snippet::Snippet;
pub use syntax_error::SyntaxError;
