//! The grammar of a slice, once: tokens in, items or mistakes out.
//!
//! `s![...]` feeds it the compiler's tokens, [`SpecBuf`](crate::SpecBuf)'s `FromStr` feeds it the tokens of a text
//! ([`lex`]). Both get the same items and the same words for every mistake, because there is nothing
//! else that could give them.
//!
//! The parser never looks behind a token: positions are opaque ([`Span`]), so the macro can use
//! indices into its table of compiler spans, and the text parser byte offsets. It takes any list of
//! tokens, however broken, and answers with items or mistakes whose spans were made of the tokens'
//! own.
//!
//! # Examples
//!
//! ```
//! use slice_core::syntax::parse_text;
//!
//! let spec = parse_text("1, 2:4, None, ..., :-3:-1").unwrap();
//! assert_eq!(spec.begin(), [1, 2, 0, 0, 0]);
//!
//! let mistakes = parse_text("0..5, 1.5").unwrap_err();
//! assert_eq!(mistakes.len(), 2);
//! assert_eq!(mistakes[0].message("0..5"), "`0..5` is a range of Rust, not a slice");
//! assert_eq!(mistakes[0].help("0..5").as_deref(), Some("write `0:5`"));
//! ```

mod angle;
mod entry;
mod help;
mod int;
mod lex;
mod operand;
mod ranges;
mod shape;
mod slip;
mod text;
mod token;
mod whole;
mod words;

pub use entry::{Item, Items, Operand, parse};
pub use lex::lex;
pub use shape::{Shape, parse_plan};
pub use slip::{Fault, Mistake, Slip};
pub(crate) use text::word;
pub use text::{Snippet, parse_text};
pub use token::{Delim, Kind, Span, Token};
