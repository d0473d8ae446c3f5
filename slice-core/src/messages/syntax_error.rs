//! Every syntax mistake, one row each: its message, and what to write instead.

use super::const_message::{Value, fill};
use super::{advice, int, python_advice, ranges};
use core::fmt::{self, Write};

/// What to write instead of the mistaken tokens.
enum Advice {
    /// The same for all of them.
    Fixed(&'static str),
    /// A text with a blank for a part of the tokens.
    Part(&'static str, fn(&str) -> &str),
    /// Made from the tokens.
    Made(fn(&mut dyn Write, &str) -> fmt::Result),
}
use Advice::{Fixed, Made, Part};

/// One row for each mistake: its name; what is wrong, where `{}` is the mistaken tokens; what to
/// write instead.
///
/// If that advice is Rust code, a third part replaces it for text, which cannot contain Rust code.
macro_rules! syntax_errors {
    ($($(#[$doc:meta])* $name:ident: $what:literal, $advice:expr $(, $in_text:expr)?;)*) => {
        /// What is wrong with the syntax of a slice.
        ///
        /// [`Mistake`](crate::syntax::Mistake) and [`SliceError::Syntax`](crate::SliceError::Syntax) write
        /// the message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum SyntaxError {
            $($(#[$doc])* $name,)*
        }

        impl SyntaxError {
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// What is wrong, and what to write: in Rust, and in a text.
            const fn row(self) -> &'static (&'static str, Advice, Option<Advice>) {
                match self {
                    $(Self::$name => &($what, $advice, syntax_errors!(@ $($in_text)?)),)*
                }
            }
        }
    };
    (@) => { None };
    (@ $in_text:expr) => { Some($in_text) };
}

const LISTED: Advice = Fixed(ranges::LISTED);
const MASK: Advice = Fixed(
    "write `1` or `0` for a position, `None` for a new axis, `:` for a whole axis, or select with \
     an iterator",
);
const NUMBER: Advice = Fixed("write a number; in Rust code, `s![..]` takes variables");

syntax_errors! {
    /// Nothing stands before a comma.
    LoneComma: "an entry is missing before this `,`",
        Fixed("write `:` before it for a whole axis, or remove it");
    /// `a:b:c:d`
    TooManyColons: "one colon too many at `{}`; a slice is `start:stop:step`",
        Made(advice::too_many_colons);
    /// `a..b`, `a..=b`
    RustRange: "`{}` is a Rust range, not a slice",
        Made(ranges::rust_range), Made(ranges::rust_range_in_text);
    /// `a..b;c`
    NdarrayRange: "`{}` is ndarray's slice syntax, not Python's",
        Made(ranges::rust_range), Made(ranges::rust_range_in_text);
    /// `..`
    TwoDots: "`{}` is Rust's full range, not an entry of a slice",
        Fixed("write `...` for the remaining axes, or `:` for one axis");
    /// `.`, `....`, `. . .`
    Dots: "`{}` is not an ellipsis, which is three dots without a space", Fixed("write `...`");
    /// `;`
    LoneSemicolon: "`{}` has no meaning here",
        Fixed("write `:` for a whole axis, or remove it");
    /// `a;b`
    Semicolon: "`{}` contains `;`, which has no meaning in a slice", Made(advice::semicolon);
    /// `1.5`, `1e3`
    Float: "`{}` is a float; a slice takes integers",
        Made(advice::float), Fixed("write an integer");
    /// The `2.0` of `n / 2.0`
    FloatTerm: "`{}` is a float; a slice takes integers",
        Made(advice::float_term), Fixed("write an integer");
    /// A string, a character or a byte.
    Text: "`{}` is text; a slice takes integers",
        Fixed("write the position as a number; axes have no names");
    /// `"1:2"`, `"1"`
    QuotedSlice: "`{}` is text; a slice takes integers", Made(python_advice::quoted);
    /// `'1'`
    QuotedDigit: "`{}` is in quotes; a slice takes integers", Made(python_advice::quoted);
    /// `True`, `true`, `False`, `false`
    Bool: "`{}` is a boolean; indexing with a mask is not supported", MASK;
    /// `i == j`
    Comparison: "`{}` is a boolean; indexing with a mask is not supported",
        Fixed("select with an iterator's `filter`, or write a number, such as `(i > j) as i64`"),
        NUMBER;
    /// `1usize`
    Suffix: "`{}` has a type suffix; numbers in a slice have none",
        Part("write `{}`", int::without_suffix);
    /// `2n`, `12px`
    NotNumber: "`{}` is not a number", Made(advice::product), NUMBER;
    /// A value outside `i64`.
    TooBig: "`{}` does not fit in an i64", Made(advice::too_big);
    /// An index of `i64::MAX`, whose end `index + 1` is outside `i64`.
    IndexTooBig: "index `{}` is too big; the position after it does not fit in an i64",
        Fixed("write 9223372036854775806 or less");
    /// `0x`, `0b12`, `0X10`
    BadPrefix: "`{}` does not have the digits of its base",
        Fixed("write decimal digits; other bases look like `0x10`, `0o17` and `0b11`");
    /// `[0, 2]`
    List: "`{}` is a list; indexing with lists (advanced indexing) is not supported",
        Made(ranges::list);
    /// `[0, 1], [2, 3]`
    Lists: "`{}` is one of several lists; indexing with lists (advanced indexing) is not supported",
        Fixed(
            "take one element after the other, as NumPy pairs the positions of several lists; for \
             the positions of one axis, use an iterator or ndarray's `select`"
        );
    /// `{1, 2}`, `{1: 2}`
    Braces: "`{}` is a Python set or dictionary, not a number", LISTED;
    /// `(1, 2)`
    Tuple: "`{}` is a tuple, not an entry of a slice",
        Made(advice::tuple);
    /// `(slice(None),) * n + (0,)`, `*[1, 2]`
    Joined: "`{}` is a list or a tuple in a calculation, as in Python",
        Fixed(
            "write one entry for each axis; `s![0].on_axis(axis)` is for an axis known at run time"
        ),
        NUMBER;
    /// `1:[2]`, `n - (1:2)`, `-slice(1, 2)`: not the whole entry.
    NotOneNumber: "`{}` is not a number, and nothing else may stand here",
        Made(advice::one_number), NUMBER;
    /// `(1:2)`, `[1:2]`
    BracketedSlice: "`{}` has brackets around a slice",
        Part("write `{}`", ranges::between_brackets);
    /// `np.array([0, 2])`
    ArrayCall: "`{}` is an array; indexing with arrays (advanced indexing) is not supported",
        LISTED;
    /// `[i for i in x]`, `(i for i in x)`
    Comprehension: "`{}` is a comprehension of Python; indexing with lists (advanced indexing) is \
                    not supported",
        LISTED;
    /// `axis=0`
    Keyword: "`{}` has names, as in a call; the values of a slice have none",
        Made(ranges::keyword);
    /// `slice(1, 2)`
    SliceCall: "`{}` is a Python slice object",
        Made(ranges::slice_call);
    /// `range(1, 2)`
    RangeCall: "`{}` is a Python range object, not a slice",
        Made(ranges::range_call);
    /// `np.s_[1:2]`
    IndexTrick: "`{}` is a NumPy index object, which `s!` replaces",
        Part("write `{}`", ranges::between_brackets);
    /// `1 if a else 2`
    Conditional: "`{}` is a conditional expression in Python's syntax, not Rust's",
        Made(python_advice::conditional), NUMBER;
    /// `a ? b : c`
    Ternary: "`{}` is the start of a conditional expression in C's syntax, not Rust's",
        Made(python_advice::ternary), NUMBER;
    /// `not x`, `a and b`
    PythonOperator: "`{}` is not an operator of Rust",
        Fixed(
            "write a number, or a Rust expression that gives one; a condition has `&&`, `||` and \
             `!`, a range `start:stop:step`"
        ),
        NUMBER;
    /// `2 ** 3`
    Power: "`{}` has the operator `**`, which is not supported",
        Made(python_advice::power), NUMBER;
    /// `~1`
    Tilde: "`{}` has the operator `~`, which is not supported",
        Made(python_advice::tilde), NUMBER;
    /// `NewAxis`, `torch.newaxis`
    OtherNewAxis: "`{}` is not how a new axis is written here", Fixed("write `None` or `newaxis`");
    /// `_`, `*`
    Wildcard: "`{}` is not an entry of a slice",
        Fixed("write `:` for a whole axis, or `...` for the remaining axes");
    /// `...:`, `newaxis:`
    EntryAsBound: "`{}` is a whole entry, not a bound or a step",
        Part("leave the bound out; `{}` stands between commas", |t| t);
    /// `1...3`
    EllipsisInside: "`{}` has an ellipsis that is not an entry of its own",
        Made(advice::ellipsis_inside);
    /// `... + 1`, `-None`, `None()`
    EntryAsNumber: "`{}` treats an entry as a number",
        Made(advice::entry_as_number);
    /// `usize::MAX`
    Path: "`{}` has a `::`, but here every `:` separates start, stop and step",
        Made(advice::path), NUMBER;
    /// `config::SIZE`, which could also mean a slice from `config` in steps of `SIZE`.
    PathOrStep: "`{}` could be a path or a slice with a step", Made(advice::path_or_step), NUMBER;
    /// `usize`
    TypeName: "`{}` looks like a type, not a number", Made(advice::type_name), NUMBER;
    /// `1 2`
    SideBySide: "`{}` is two values with nothing between them", Made(advice::side_by_side);
    /// `1 to 10 by 2`
    WordRange: "`{}` is a range in another language's words", Made(ranges::word_range);
    /// `1:-`, `n as`
    Unfinished: "`{}` is unfinished", Part("write what is missing, or remove `{}`", |t| t);
    /// `if a { 1 }`
    IfWithoutElse: "`{}` has no value where the condition is false",
        Part("write `{} else { .. }`", |t| t), NUMBER;
    /// `+x`
    UnaryPlus: "`{}` has a plus sign, which Rust only has between two values",
        Part("write `{}`", advice::without_plus);
    /// `&x`
    Reference: "`{}` is a reference; a slice takes integers by value",
        Part(
            "write `{}`; for an array of positions, use an iterator, or ndarray's `select`; for a \
             mask, `filter`",
            advice::referred
        ),
        NUMBER;
    /// `|x| x`, `lambda x: x`
    Closure: "`{}` is a function, not a number",
        Fixed("write the number, or call a closure, in parentheses: `(|x| x)(n)`"), NUMBER;
    /// `x += 1`
    Assignment: "`{}` is an assignment, not a number", Made(python_advice::assignment), NUMBER;
    /// `x[1:2]`
    SlicedArray: "`{}` has a Python slice inside a value",
        Made(python_advice::sliced_array), Made(python_advice::sliced_in_text);
    /// `n - x[1:2]`
    NestedSlice: "`{}` has a Python slice inside a value",
        Fixed("slice first, and write the resulting number here"), NUMBER;
    /// `f(a b)`, `f(.)`
    NotRust: "`{}` cannot stand here in Rust",
        Fixed("write what is missing before it, or remove it"), NUMBER;
    /// `len(x)`
    PythonCall: "`{}` calls a function of Python", Made(python_advice::python_call), NUMBER;
    /// `np.inf`
    PythonFloat: "`{}` is a float of Python; a slice takes integers",
        Fixed("write an integer, or leave the bound out");
    /// `Axis(0)`
    AxisCall: "`{}` names an axis, but entries go by position", Fixed(advice::POSITION);
    /// `const N`
    ConstWithoutBraces: "`{}` lacks the braces of a `const` block",
        Made(advice::const_braces), NUMBER;
    /// A Rust keyword that is not a value.
    Misplaced: "`{}` is a keyword, not a number",
        Fixed("write a number, or an expression that gives one"), NUMBER;
    /// A character that looks like another one, such as a long dash.
    Lookalike: "`{}` only looks like ASCII", Part("write `{}`", advice::ascii);
    /// Punctuation that means nothing here.
    Stray: "`{}` has no meaning here", Made(advice::stray), Made(advice::stray_in_text);
    /// A bracket without its partner.
    Unbalanced: "`{}` has no partner", Fixed("close every bracket that is opened");
    /// An expression in a text.
    NotLiteral: "`{}` is not a literal; a slice read from text has no variables or calculations",
        Made(python_advice::sliced_in_text);
    /// A value known at run time in `plan!`.
    NotConst: "`{}` may be known only at run time, but `plan!` runs at compile time",
        Made(advice::not_const);
    /// `plan!(x.shape(); 1)`, `plan!([4, n]; 1)`
    ShapeNotConst: "`{}` is known only at run time, but `plan!` runs at compile time",
        Made(advice::shape_not_const);
    /// `plan!({4, 6}; 1)`, `plan!(vec![4, 6]; 1)`
    NotShape: "`{}` is not a shape", Made(advice::not_shape);
    /// `plan!` without a shape.
    NoShape: "`plan!` needs the shape of the array first",
        Fixed("write the shape and `;` before the slice: `plan!([4, 6]; 1, ::2)`");
    /// `plan!(1; [4, 6])`
    ShapeLast: "`{}` stands behind the slice, but the shape stands first",
        Part("write `{};`, and then the slice", |t| t);
    /// `plan!([4, 6] 1)`
    NoSemicolon: "`;` is missing after the shape `{}`", Part("write `{};`", |t| t);
    /// `plan!([4, 6]; 1; Strict)`
    NotStrict: "`{}` stands after the slice, where only `strict` may",
        Fixed("write `strict`, or end with the slice, without a `;`");
    /// `plan!([4, 6], 1)`
    CommaAfterShape: "`{}` stands where the shape ends", Fixed("write `;`");
    /// `plan!([4, -1]; 1)`
    NotLength: "`{}` is not the length of an axis",
        Fixed("write an integer of 0 or more, or a constant of type `usize`");
}

impl SyntaxError {
    /// Writes what is wrong with `tokens`, the text of the mistaken tokens.
    pub(crate) fn message(self, out: &mut dyn Write, tokens: &str) -> fmt::Result {
        let (what, ..) = self.row();
        fill(out, what, &[Value::Text(tokens)])
    }

    /// Writes what should stand instead of `tokens`, in Rust or in a text.
    pub(crate) fn help(self, out: &mut dyn Write, tokens: &str, in_text: bool) -> fmt::Result {
        let (_, advice, text) = self.row();
        let whole = advice::closed(tokens.trim());
        let tokens = whole.as_str();
        match if in_text { text.as_ref().unwrap_or(advice) } else { advice } {
            Fixed(words) => out.write_str(words),
            Part(words, part) => fill(out, words, &[Value::Text(part(tokens))]),
            Made(make) => make(out, tokens),
        }?;
        let called = [Self::ArrayCall, Self::PythonCall, Self::RangeCall, Self::SliceCall];
        let own = called.contains(&self) && !in_text && python_advice::may_be_own(tokens);
        if own { write!(out, ", or `({tokens})` for a function of your own") } else { Ok(()) }
    }
}
