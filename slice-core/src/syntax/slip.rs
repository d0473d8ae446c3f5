//! Every way to get the syntax wrong, and what is said about it.

use super::help;
use super::token::Span;
use crate::error::SliceError;
use alloc::string::{String, ToString};
use core::fmt;

/// A mistake of syntax. It carries numbers only; the user's tokens are added when it is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slip {
    /// Nothing stands before a comma.
    LoneComma,
    /// `a:b:c:d`
    TooManyColons,
    /// `a..b`, `a..=b`, `a..b;c`
    RustRange,
    /// `..`
    TwoDots,
    /// `.`, `....`, `. . .`
    Dots,
    /// `;`
    Semicolon,
    /// `1.5`, `1e3`
    Float,
    /// A string.
    Text,
    /// A character or a byte.
    Char,
    /// `True`, `true`, `False`, `false`
    Bool,
    /// `i == j`
    Comparison,
    /// `1usize`
    Suffix,
    /// A value outside `i64`.
    TooBig,
    /// An index of `i64::MAX`, whose end `index + 1` is outside `i64`.
    IndexTooBig,
    /// `0x` and no more.
    NoDigits,
    /// `0b12`
    WrongDigit {
        /// 2, 8, 10 or 16.
        radix: u32,
    },
    /// `0X10`
    UpperPrefix {
        /// 2, 8 or 16.
        radix: u32,
    },
    /// `[0, 2]`
    List,
    /// `[1:2]`, one pair of brackets too many.
    NestedBrackets,
    /// `{1, 2}`, `{1: 2}`
    Braces,
    /// `(1, 2)`
    Tuple,
    /// `(1:2)`
    ParenSlice,
    /// `np.array([0, 2])`
    ArrayCall,
    /// `axis=0`
    Keyword,
    /// `slice(1, 2)`
    SliceCall,
    /// `range(1, 2)`
    RangeCall,
    /// `np.s_[1:2]`
    IndexTrick,
    /// `lambda x: x`
    Lambda,
    /// `1 if a else 2`
    Conditional,
    /// `not x`, `a and b`
    PythonOperator,
    /// `2 ** 3`
    Power,
    /// `~1`
    Tilde,
    /// `NewAxis`, `torch.newaxis`
    OtherNewAxis,
    /// `null`
    Null,
    /// `_`
    Underscore,
    /// `-None`
    Signed,
    /// `newaxis:`
    NewAxisAsBound,
    /// `...:`
    EllipsisAsBound,
    /// `1...3`
    EllipsisInside,
    /// `... + 1`
    NoArithmetic,
    /// `usize::MAX`
    Path,
    /// `config::SIZE`, which could also mean a slice from `config` in steps of `SIZE`.
    PathOrStep,
    /// `usize`
    TypeName,
    /// `1 2`
    SideBySide,
    /// `1:-`
    Unfinished,
    /// `if a { 1 }`
    IfWithoutElse,
    /// `+x`
    UnaryPlus,
    /// `&x`
    Reference,
    /// `|x| x`
    Closure,
    /// `x += 1`
    Assignment,
    /// `x[1:2]`
    NestedSlice,
    /// `x[-1]`
    NegativeSubscript,
    /// `len(x)`
    PythonCall,
    /// `Axis(0)`
    AxisCall,
    /// `const N`
    ConstWithoutBraces,
    /// `const { }`
    ConstEmpty,
    /// `const { &N }`
    ConstReference,
    /// `const { None }`
    ConstOption,
    /// A keyword of Rust that is no value.
    Misplaced,
    /// Punctuation that means nothing here.
    Stray,
    /// A bracket without its partner.
    Unbalanced,
    /// An expression in a text.
    NotLiteral,
    /// A value of run time in `plan!`.
    NotConst,
    /// `plan!` without a shape.
    NoShape,
    /// `plan!([4, 6], 1)`
    CommaAfterShape,
    /// `plan!((4, 6); 1)`
    ShapeWithoutBrackets,
    /// `plan!([4, -1]; 1)`
    NotLength,
}

impl Slip {
    /// Says what is wrong with `tokens`, the text of the mistaken tokens.
    pub(super) fn what(self, f: &mut fmt::Formatter<'_>, tokens: &str) -> fmt::Result {
        let t = tokens;
        match self {
            Self::LoneComma => write!(f, "nothing stands before this `,`"),
            Self::TooManyColons => write!(f, "one colon too many at `{t}`; a slice is `start:stop:step`"),
            Self::RustRange if t.contains(';') => write!(f, "`{t}` is a slice of ndarray, not of Python"),
            Self::RustRange => write!(f, "`{t}` is a range of Rust, not a slice"),
            Self::TwoDots => write!(f, "`..` is the full range of Rust, not an entry of a slice"),
            Self::Dots => write!(f, "`{t}` is not an ellipsis, which is three dots without a space"),
            Self::Semicolon if t.chars().all(|c| c == ';') => write!(f, "`{t}` has no place in a slice"),
            Self::Semicolon => write!(f, "`;` has no place in a slice, but stands in `{t}`"),
            Self::Float => write!(f, "`{t}` is a float; a slice takes integers"),
            Self::Text => write!(f, "`{t}` is a string; a slice takes integers"),
            Self::Char => write!(f, "`{t}` is a character; a slice takes integers"),
            Self::Bool => write!(f, "`{t}` is a boolean; indexing with a mask is not supported"),
            Self::Comparison => write!(f, "`{t}` is a boolean; indexing with a mask is not supported"),
            Self::Suffix => write!(f, "`{t}` has a suffix; a slice has numbers without a type"),
            Self::TooBig => write!(f, "`{t}` does not fit in an i64"),
            Self::IndexTooBig => write!(f, "index `{t}` is too big; the position after it does not fit in an i64"),
            Self::NoDigits => write!(f, "`{t}` is a number without digits"),
            Self::WrongDigit { radix } => write!(f, "`{t}` has a digit that base {radix} does not have"),
            Self::UpperPrefix { .. } => write!(f, "`{t}` begins with a capital letter, where Rust has a small one"),
            Self::List => write!(f, "`{t}` is a list; indexing with lists (advanced indexing) is not supported"),
            Self::NestedBrackets => write!(f, "`{t}` is a slice inside a slice"),
            Self::Braces => write!(f, "`{t}` is a set or a dictionary of Python, not a number"),
            Self::Tuple => write!(f, "`{t}` is a tuple; indexing with tuples (advanced indexing) is not supported"),
            Self::ParenSlice => write!(f, "`{t}` has parentheses around a slice"),
            Self::ArrayCall => {
                write!(f, "`{t}` is an array; indexing with arrays (advanced indexing) is not supported")
            }
            Self::Keyword => write!(f, "`{t}` is a keyword argument, which a slice does not have"),
            Self::SliceCall => write!(f, "`{t}` is a slice object of Python"),
            Self::RangeCall => write!(f, "`{t}` is a range object of Python, not a slice"),
            Self::IndexTrick => write!(f, "`{t}` is an index object of NumPy; `s!` is that already"),
            Self::Lambda => write!(f, "`{t}` is a function of Python, not a number"),
            Self::Conditional => write!(f, "`{t}` is a conditional expression of Python, not of Rust"),
            Self::PythonOperator => write!(f, "`{t}` is an operator of Python, not of Rust"),
            Self::Power => write!(f, "`{t}` has the operator `**`, which Rust does not have"),
            Self::Tilde => write!(f, "`{t}` has the operator `~`, which Rust does not have"),
            Self::OtherNewAxis => write!(f, "`{t}` is not how a new axis is written here"),
            Self::Null => write!(f, "`{t}` is not a word of Rust or Python"),
            Self::Underscore => write!(f, "`_` is not an entry of a slice"),
            Self::Signed => write!(f, "`{t}` has a sign, but is not a number"),
            Self::NewAxisAsBound => write!(f, "`{t}` is a new axis, not a bound or a step"),
            Self::EllipsisAsBound => write!(f, "`{t}` is an ellipsis, not a bound or a step"),
            Self::EllipsisInside => write!(f, "`{t}` has an ellipsis that is not an entry of its own"),
            Self::NoArithmetic => write!(f, "`{t}` calculates with something that is not a number"),
            Self::Path => write!(f, "`{t}` is a path, and every `:` here is a colon of the slice"),
            Self::PathOrStep => write!(f, "`{t}` could be a path or a slice with a step"),
            Self::TypeName => write!(f, "`{t}` looks like a type, not a number"),
            Self::SideBySide => write!(f, "`{t}` is two values with nothing between them"),
            Self::Unfinished => write!(f, "`{t}` is unfinished; a value is missing"),
            Self::IfWithoutElse => write!(f, "`{t}` has no value where the condition is false"),
            Self::UnaryPlus => write!(f, "`{t}` has a plus sign, which Rust only has between two values"),
            Self::Reference => write!(f, "`{t}` is a reference; a slice takes integers by value"),
            Self::Closure => write!(f, "`{t}` is a closure, not a number"),
            Self::Assignment => write!(f, "`{t}` is an assignment, not a number"),
            Self::NestedSlice => write!(f, "`{t}` has a slice of Python inside a value"),
            Self::NegativeSubscript => write!(f, "`{t}` counts from the end, which Rust's own indexing does not"),
            Self::PythonCall => write!(f, "`{t}` is Python's, not Rust's"),
            Self::AxisCall => write!(f, "`{t}` names an axis, but entries go by position"),
            Self::ConstEmpty => write!(f, "`{t}` has no value"),
            Self::ConstReference => write!(f, "`{t}` is a reference; a slice takes integers by value"),
            Self::ConstOption => write!(f, "`{t}` is an `Option`; a constant is a number or left out"),
            Self::ConstWithoutBraces => write!(f, "`{t}` lacks the braces of a `const` block"),
            Self::Misplaced => write!(f, "`{t}` is a keyword, not a number"),
            Self::Stray if help::ascii_for(t).is_some() => write!(f, "`{t}` only looks like ASCII"),
            Self::Stray => write!(f, "`{t}` has no place in a slice"),
            Self::Unbalanced => write!(f, "`{t}` has no partner"),
            Self::NotLiteral => write!(f, "`{t}` is not a literal; a slice read from text has no variables"),
            Self::NotConst => write!(f, "`{t}` is known only at run time, but `plan!` is worked out by the compiler"),
            Self::NoShape => write!(f, "`plan!` needs the shape of the array first"),
            Self::CommaAfterShape => write!(f, "`,` stands where the shape ends"),
            Self::ShapeWithoutBrackets => write!(f, "`{t}` is a shape without square brackets"),
            Self::NotLength => write!(f, "`{t}` is not the length of an axis"),
        }
    }
}

/// What a mistake is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The syntax.
    Slip(Slip),
    /// A rule that holds for every slice, wherever it comes from.
    Rule(SliceError),
}

/// A mistake and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mistake {
    /// What it is about.
    pub fault: Fault,
    /// The mistaken tokens.
    pub span: Span,
}

impl Mistake {
    pub(super) const fn slip(slip: Slip, span: Span) -> Self {
        Self { fault: Fault::Slip(slip), span }
    }

    pub(super) const fn rule(error: SliceError, span: Span) -> Self {
        Self { fault: Fault::Rule(error), span }
    }

    /// What is wrong, given the text of the mistaken tokens.
    #[must_use]
    pub fn message(&self, tokens: &str) -> String {
        match self.fault {
            Fault::Slip(slip) => What(slip, tokens).to_string(),
            Fault::Rule(error) => error.to_string(),
        }
    }

    /// What to write instead, given the text of the mistaken tokens, where the message does not show it.
    #[must_use]
    pub fn help(&self, tokens: &str) -> Option<String> {
        match self.fault {
            Fault::Slip(slip) => Some(help::Help(slip, tokens).to_string()),
            Fault::Rule(error) => help::rule(error).map(Into::into),
        }
    }
}

/// A slip and the tokens that it is about, in words.
pub(super) struct What<'t>(pub(super) Slip, pub(super) &'t str);

impl fmt::Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.what(f, self.1)
    }
}
