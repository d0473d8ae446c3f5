//! The grammar of a slice: it turns tokens into items or mistakes.
//!
//! `s![...]` passes it the compiler's tokens, and [`SpecBuf`](crate::SpecBuf)'s `FromStr` passes it
//! the tokens of a text ([`lex`]). Both get the same items, and the same message for every mistake,
//! because both use this code.
//!
//! The parser does not interpret positions ([`Span`]), so the macro can use indices into its table
//! of compiler spans, and the text parser byte offsets. It takes any list of tokens, however
//! broken, and returns items or mistakes. Their spans are made of the tokens' spans.
//!
//! # Examples
//!
//! ```
//! use pyslice::syntax::parse_text;
//!
//! let spec = parse_text("1, 2:4, None, ..., :-3:-1").unwrap();
//! assert_eq!(spec.begin(), [1, 2, 0, 0, 0]);
//!
//! let mistakes = parse_text("0..5, 1.5").unwrap_err();
//! assert_eq!(mistakes.len(), 2);
//! assert_eq!(mistakes[0].message("0..5"), "`0..5` is a Rust range, not a slice");
//! assert_eq!(mistakes[0].help("0..5").as_deref(), Some("write `0:5`"));
//! ```

mod expression;
mod foreign;
mod item;
mod lex;
mod mistake;
mod number;
mod operand;
mod operand_end;
mod parse;
mod shape;
#[cfg(test)]
mod tests;
mod text;
mod token;
mod tokens;

pub use crate::messages::{Snippet, SyntaxError};
pub use item::{Item, Items, Operand};
pub use lex::lex;
pub use mistake::Mistake;
pub use parse::parse;
pub use shape::{PlanCall, Shape, parse_plan};
pub use text::parse_text;
pub use token::{Delim, Kind, Span, Token};
