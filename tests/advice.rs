//! Follows the advice of every error: the advised text is accepted, with the meaning that the user
//! had in mind, or is another error.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

use pyslice::syntax::{Item, Items, Mistake, Operand, Span, lex, parse};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// Texts that are not entries anywhere, and texts that are not entries in some places.
const WRONG: &[&str] = &[
    // Numbers.
    "1.5",
    "1.0",
    ".5",
    "1e3",
    "1usize",
    "0x1_u8",
    "99999999999999999999",
    "0x",
    "0b12",
    "0o8",
    "0X1F",
    "1_0L",
    "1.2.3",
    "n / 2.0",
    "0.5 * n",
    // Words of Python, NumPy and others.
    "True",
    "false",
    "null",
    "none",
    "_",
    "NewAxis",
    "torch.newaxis",
    "nd.NewAxis",
    "np.inf",
    "not n",
    "n and m",
    "n or m",
    "n in m",
    "n is None",
    "lambda x: x",
    "1 if n else 2",
    "n if n else None",
    "if n: 1 else: 2",
    "n ? 1 : 2",
    "usize.MAX",
    "0xZZ",
    "1:2; 3:4",
    "np.int64(n)",
    "np.array([0, 2])",
    "len(x)",
    "len(f(x))",
    "abs(n - 1)",
    "int(n)",
    "slice(1, 2)",
    "slice(None)",
    "slice(1, n, -1)",
    "slice(1:2)",
    "slice(:3)",
    "slice(::2)",
    "np.inf",
    "np.abs(n)",
    "np.abs(-2)",
    "np.min(n)",
    "int(-n)",
    "np.floor(n)",
    "np.mod(n, 2)",
    "np.isnan(x)",
    "math.ceil(n)",
    "(n > 1)",
    "(n > 1) & (n < 3)",
    "[i for i in x]",
    "(i for i in x)",
    "(k := 3)",
    "[0, 1], [2, 3]",
    "range(3)",
    "range(-n, 0)",
    "range(-n, m)",
    "range(n, -m, -1)",
    "np.s_[1:2]",
    "np.arange(3)",
    "list(x)",
    "tuple(x)",
    "tuple([1, 2])",
    "tuple((1, n))",
    "~n",
    "~1",
    "~x.len()",
    "~(n + 1)",
    "~~n",
    "~-n",
    "2 ** 3",
    "n**2",
    "(n)**(m)",
    "(-2)**2",
    "n ** 2 ** 3",
    "x[-1]",
    "x[i][-2]",
    "x[1:2]",
    "x[:, 0]",
    "f(x)[...]",
    "x[None]",
    "axis=0",
    "start=1",
    "step=-1",
    "x=1",
    "k := 1",
    "Axis(0)",
    // Rust.
    "0..5",
    "0_usize..n",
    "0..=5",
    "n..",
    "..n",
    "..=n",
    "(0..5)",
    "{ 0..5 }",
    "a..b;c",
    "0..5;-1",
    "..;2",
    "n..m;-1",
    "..",
    "..=",
    "usize::MAX",
    "Self::N",
    "T::LEN",
    "config::SIZE",
    "f::<A, B>()",
    "Vec::<u8>::new().len()",
    "<T as Tr>::N",
    "x.iter().sum::<usize>()",
    "std::cmp::min(n, m)",
    "i64::from(3)",
    "usize:MAX",
    "usize",
    "Vec",
    "&n",
    "&mut n",
    "&[0, 2]",
    "*",
    "**n",
    "|x| x",
    "move |x| x",
    "n = 1",
    "n += 1",
    "n <<= 1",
    "n == m",
    "n < m",
    "n && m",
    "0 < n < 3",
    "+n",
    "+ n - 1",
    "const N",
    "if n { 1 }",
    "return",
    "let",
    "fn",
    "n as",
    "n.",
    "n +",
    "n -",
    "vec![0, 2]",
    "2n",
    "12px",
    "2n + 1",
    "^1",
    "1..^2",
    "2**n",
    "usize(n)",
    "(usize) n",
    "n then m",
    "f(n m)",
    "f(n +)",
    "x.map(|v v + 1)",
    "if m == Mode::A { 1 } else { 0 }",
    "begin=1, end=3",
    "size=2",
    "0..5 step 2",
    "0..10..2",
    "std::ops::RangeFull",
    "ndarray::s![1..2]",
    "RangeFull",
    "0..10.step_by(2)",
    "(0..10).step_by(2)",
    "(n..m).rev()",
    "1..3.rev()",
    "&n..&m",
    "1usize..2usize",
    "slice(stop=n)",
    "len(x.shape)",
    "let q = n; q",
    "n ?? 0",
    "h(m::N):m::N",
    "n as config::Ix",
    "n as T::Ix",
    "if n == m::N { 1 } else { 2 }",
    "np::newaxis",
    "Entry::FULL",
    "Entry::Index(1)",
    "Entry::range(1, n, 2)",
    "-const N",
    "((0, 1))",
    "2 ** -1",
    "1..$-1",
    "$-1",
    "5 downTo 0",
    "drop=FALSE",
    "if n and m { 1 } else { 2 }",
    "1 if not n else 2",
    "1:2 # rows and columns",
    "f \"{n}\"",
    // Brackets.
    "(slice(None),) * n + (0,)",
    "[0] * n",
    "*[1, 2]",
    "(None)",
    "[-1, -2]",
    "[1:2][3]",
    "[0]",
    "[-1]",
    "[0, 2]",
    "[0, 2, 3]",
    "[]",
    "[[0, 1]]",
    "[1:2]",
    "[[1:2]]",
    "[...]",
    "(1, 2)",
    "(1,)",
    "()",
    "(1:2)",
    "((1:2))",
    "-(n,)",
    "-(1, 2)",
    "(n | 1, 2)",
    "{1, 2}",
    "{1: 2}",
    "f(1:2)",
    "(1:2).x",
    // Strings.
    "\"a\"",
    "\"1\"",
    "\"1:2\"",
    "\"x[1:2]\"",
    "-\"3\"",
    "'a'",
    "'3'",
    "b\"1\"",
    // Punctuation.
    ":::",
    "1:2:3:4",
    "::::",
    "1:2:3:",
    "n:m:i:2:3",
    ";",
    "1;2",
    "1;",
    ";1",
    "1;2;3",
    "1:2;3",
    ",",
    ",,",
    "@",
    "n @ m",
    "n # m",
    "1 => 2",
    "1 -> 2",
    "n <- m",
    "n %",
    "/ n",
    "n ? m",
    "$n",
    "\u{2212}1",
    "1\u{ff1a}2",
    "\u{2026}",
    // Entries in the wrong place.
    "....",
    ". . .",
    ".",
    "...:",
    "1:...",
    "1...3",
    "n...",
    "...1",
    "... 1",
    "... + 1",
    "-...",
    "-None",
    "+newaxis",
    "None + 1",
    "None()",
    "newaxis:",
    "1:newaxis",
    "np.newaxis:2",
    "..., ...",
    "None None",
    "1 2",
    "1 2 3",
    "n m",
    "n (1)",
    "1 to 10",
    "1:10 step 2",
    "10 step -2",
    "n f(x)",
    "1 + 2 3 * 4",
    "-1 -",
    "1:-",
    "::0",
    "1:2:-0",
    "1:2 3",
    "1 2:3",
];

/// Where the wrong part stands.
const AROUND: &[(&str, &str)] =
    &[("", ""), ("0, ", ", ::2"), ("", ":"), ("1:", ""), ("1:2:", ""), ("n - ", "")];

/// The mistakes of a slice as `s![...]` or a text reads it, and what each says and advises.
fn mistakes(text: &str, in_text: bool) -> Result<Items, Vec<Mistake>> {
    parse(&lex(text), in_text)
}

fn range(span: Span) -> Range<usize> {
    span.first as usize..span.last as usize
}

/// What the advice spells out: each text between back quotes that stands after "write" or "or", and
/// whether it goes before the mistaken tokens. Tokens to be taken out are replaced by nothing.
fn spelled(advice: &str, tokens: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (before, rest) in
        advice.match_indices('`').step_by(2).filter_map(|(at, _)| advice.split_at_checked(at))
    {
        let Some((inside, after)) = rest[1..].split_once('`') else { continue };
        if before.ends_with("write ") || before.ends_with("or ") || before.ends_with("as in ") {
            if after.starts_with(" before it") || after.starts_with(" before each") {
                found.push(tokens.replace(',', &format!("{inside},")));
            } else {
                found.push(inside.to_owned());
            }
        } else if before.ends_with("remove ") {
            found.push(tokens.replacen(inside, "", 1));
        }
    }
    if advice.contains("remove it")
        || advice.contains("remove them")
        || advice.contains("leave the bound out")
    {
        found.push(String::new());
    }
    found
}

/// What was accepted has to be Rust, where it is neither a number nor punctuation of ours.
fn check_rust(text: &str, items: &Items, wrong: &mut Vec<String>) {
    for (item, _) in items {
        let operands = match *item {
            Item::Index(index) => vec![index],
            Item::Range { start, stop, step } => vec![start, stop, step],
            Item::NewAxis | Item::Ellipsis => vec![],
        };
        for operand in operands {
            if let Operand::Value(span)
            | Operand::Const(span)
            | Operand::Signed(span)
            | Operand::Sum(span) = operand
            {
                let code = &text[range(span)];
                if syn::parse_str::<syn::Expr>(code).is_err() {
                    wrong.push(format!("`{text}`: `{code}` is not an expression"));
                }
            }
        }
    }
}

/// Follows every advice for three steps.
fn follow(
    text: &str,
    in_text: bool,
    trail: &mut Vec<(String, String)>,
    ends: &mut BTreeSet<String>,
    wrong: &mut Vec<String>,
) {
    let mistakes = match mistakes(text, in_text) {
        Ok(items) => {
            if !trail.is_empty() {
                check_rust(text, &items, wrong);
            }
            ends.insert(text.to_owned());
            return;
        }
        Err(mistakes) => mistakes,
    };
    let at = range(mistakes[0].span);
    let tokens = &text[at.clone()];
    let message = mistakes[0].message(tokens);
    let said = trail.iter().any(|(earlier, words)| earlier == text || *words == message);
    if said {
        wrong.push(format!("`{text}` says again: {message}, after {trail:?}"));
        return;
    }
    let Some(advice) = mistakes[0].help(tokens) else { return };
    let code = ["x as i64", "const {", "(", ".len()", "|x|", "&&", "!", "=="];
    if in_text
        && code
            .iter()
            .any(|code| !tokens.contains(code) && advice.replace("s![..]", "").contains(code))
    {
        wrong.push(format!("a text cannot hold what is advised for `{text}`: {advice}"));
    }
    if trail.len() == 3 {
        return;
    }
    trail.push((text.to_owned(), message));
    for instead in spelled(&advice, tokens) {
        follow(
            &[&text[..at.start], &instead, &text[at.end..]].concat(),
            in_text,
            trail,
            ends,
            wrong,
        );
    }
    trail.pop();
}

#[test]
fn advice_leads_somewhere() {
    let (mut slices, mut ends, mut nowhere) = (0, BTreeSet::new(), Vec::new());
    for wrong in WRONG {
        for (before, after) in AROUND {
            for in_text in [false, true] {
                follow(
                    &format!("{before}{wrong}{after}"),
                    in_text,
                    &mut Vec::new(),
                    &mut ends,
                    &mut nowhere,
                );
            }
            slices += 1;
        }
    }
    assert!(nowhere.is_empty(), "{} of {slices}:\n{}", nowhere.len(), nowhere.join("\n"));
    assert!(slices >= 1000 && ends.len() >= 700, "{slices} slices, {} ways to end", ends.len());
}

/// What was typed, and what was meant, in other words than the advice: any of the slices between
/// `|`.
const MEANT: &[(&str, &str)] = &[
    ("1.0", "1"),
    ("n / 2.0", "n / 2"),
    ("tuple([1, n])", "1, n"),
    ("1usize", "1"),
    ("1_0L", "10"),
    ("2n", "n + n"),
    ("1:2n", "1:n + n"),
    ("2n + 1:", "n + n + 1:"),
    ("NewAxis", "newaxis"),
    ("torch.newaxis", "newaxis"),
    ("-None", "newaxis"),
    ("None()", "newaxis"),
    ("newaxis:", "::"),
    ("len(x)", "3"),
    ("abs(n - 5)", "2"),
    ("abs(-2)", "2"),
    ("int(n)", "n"),
    ("usize(n)", "n"),
    ("(i64) n", "n"),
    ("(usize) n:", "n:"),
    ("n usize", "n"),
    ("np.int64(n)", "n"),
    ("slice(None)", "::"),
    ("slice(5)", "0:5"),
    ("slice(1:2)", "1:2"),
    ("slice(:3)", "0:3"),
    ("slice(::2)", "0::2"),
    ("np.abs(n - 5)", "2"),
    ("np.int32(n)", "n"),
    ("(k := 3)", "3"),
    ("1..=n", "1:n + 1"),
    ("slice(1, 2)", "1:2:1"),
    ("slice(1, n, 2)", "1:3:2"),
    ("range(3)", "0:3"),
    ("range(3, -1, -1)", "3::-1"),
    ("range(-3, 0)", "9:"),
    ("np.s_[1:2]", "1:2:1"),
    ("~1", "10"),
    ("~n", "-n - 1"),
    ("~~n", "n"),
    ("2 ** 3", "8"),
    ("n**2", "n * n"),
    ("2**n", "8"),
    ("n ** i", "n"),
    ("x[1:2]", "1:2:1"),
    ("x[None]", "newaxis"),
    ("x[:, 0]", "::, 0"),
    ("start=1", "1:None"),
    ("stop=3", "0:3"),
    ("end=3, 2", "0:3, 2"),
    ("step=-1", "None:None:-1"),
    ("begin=1", "1:None"),
    ("starts=1", "1:None"),
    ("ends=3", "0:3"),
    ("strides=2", "0::2"),
    ("start=1, stop=4, step=2", "1:4:2"),
    ("0, step=2, begin=1", "0, 1::2"),
    ("begin=1, end=3", "1:3"),
    ("k := 1", "1"),
    ("n += 1", "n + 1"),
    ("0..5", ":5"),
    ("0..=5", ":6"),
    ("n..", "n:None"),
    ("..n", "0:n"),
    ("..=n", "0:n + 1"),
    ("2..=-1", "2:None"),
    ("(0..5)", ":5"),
    ("{ 0..5 }", ":5"),
    ("0..<5", ":5"),
    ("0..5 step 2", ":5:2"),
    ("0..10..2", ":10:2"),
    ("0..5;2", ":5:2"),
    ("..;2", "0::2"),
    // ndarray takes 0, 1, 2, 3, 4 and walks it from its end.
    ("0..5;-1", "4:None:-1"),
    ("2..8;-2", "7:1:-2"),
    ("..", "... | :"),
    ("^1", "11"),
    ("^1:", "11:"),
    ("1..^2", "1:10"),
    ("usize::MAX:", "12:"),
    (":usize.MAX", ":12"),
    ("i64::from(3)", "3"),
    ("std::cmp::min(n, 5)", "3"),
    ("x.iter().sum::<usize>()", "10"),
    ("if mode == Mode::Train { 1 } else { 0 }", "1"),
    ("1 if n > 2 else 2", "1"),
    ("&n", "n"),
    ("+n", "n"),
    ("n - 1:+n", "2:n"),
    ("const N", "4"),
    ("[0]", "0 | :1"),
    ("[-1]", "11 | 11:"),
    ("[n]", "n | n:4"),
    ("[0, 2]", "0:3:2"),
    ("[2, 1, 0]", "2:None:-1"),
    ("[-1, -2]", "11:9:-1"),
    ("[1:2]", "1:2:1"),
    ("[1..=2]", "1:3"),
    ("[...]", "..."),
    ("(1, 2)", "1, 2"),
    ("(1:2)", "1:2:1"),
    ("(slice(1, 2), 0)", "1:2:1, 0"),
    ("\"1\"", "1"),
    ("\"1:2\"", "1:2:1"),
    ("r\"1:2\"", "1:2:1"),
    ("-\"3\"", "9"),
    ("'3'", "3"),
    ("\"x[1:2]\"", "1:2:1"),
    ("1:2:3:4", "1:2:3 | 1:2:3, 4"),
    (":::", "::"),
    ("1;2", "1, 2 | 1:2"),
    ("1:3;2", "1:3:2 | 1:3, 2"),
    ("1:2; 3:4", "1:2, 3:4"),
    ("1,,2", "1, :, 2 | 1, 2"),
    ("\u{2212}1", "11"),
    ("1\u{ff1a}2", "1:2:1"),
    ("....", "..."),
    (". . .", "..."),
    ("1:...", "1:None"),
    ("1...3", "1:3 | 1:4 | 1, ..., 3"),
    ("1...n", "1:3 | 1:4 | 1, ..., n"),
    ("n...", "n, ..."),
    ("...::-1", "..., None:None:-1"),
    ("... 1", "..., 1"),
    ("-...", "..."),
    ("..., ...", "..., :"),
    ("1 2", "1, 2 | 1:2"),
    ("n m", "n, m | n:m"),
    ("1:2 3", "1:2, 3"),
    ("1 to 10", "1:10:1"),
    ("1:10 step 2", "1:10:2"),
    ("0 to 5 by 2", ":5:2"),
    ("10 step -2", "10:None:-2"),
    ("::0", "::"),
    ("f\"{n}\"", ""),
    ("n: usize", ""),
    ("start=1, start=2", ""),
    ("size=2", ""),
    ("axis=0", ""),
    ("1..5 downTo 2", ""),
    ("5 downTo 1 step 2", ""),
    ("newaxis + 1", ""),
    ("n # m", "n, m"),
    ("Ellipsis:", ""),
    ("[1,]", "1 | 1:2"),
    ("((1, 2))", "1, 2"),
    ("(())", "()"),
    ("x[n][1:2]", ""),
    ("0x1G", ""),
    ("str(n)", "n"),
    ("f64(n)", "n"),
    ("i64 n", "n"),
    ("u8 n:", "n:"),
    ("n: usize = 3", ""),
    ("~(n > m)", ""),
    ("1.., ..2", "1:None, :2"),
    ("^2..", "10:"),
    ("n..=m-1", "n:m"),
    ("...2", "..., 2"),
    ("2 ...", "2, ..."),
    ("_:_", "None:None"),
    ("[:, None]", ":, newaxis"),
    ("range(n - 1, -1, -1)", "2::-1"),
    ("start=n, stop=m", "3:5"),
    ("stop=2, step=-1", ":2:-1"),
    ("np.s_[..., 1:3]", "..., 1:3"),
    ("-len(x)", "9"),
    ("RangeFull", ":"),
    ("std::ops::RangeFull", ":"),
    ("0..10.step_by(2)", "0:10:2"),
    ("(0..10).step_by(2)", "0:10:2"),
    ("(1..4).rev()", "3:0:-1"),
    ("(0..4).rev()", "3::-1"),
    ("1u8..&n", "1:n"),
    ("slice(stop=n)", "0:n"),
    ("slice(start=1, step=2)", "1::2"),
    ("let q = n; q:", "n:"),
    ("np::newaxis", "newaxis"),
    ("nd::NewAxis", "newaxis"),
    ("Entry::FULL", "::"),
    ("Entry::Index(1)", "1"),
    ("Entry::range(1, n, 2)", "1:n:2"),
    ("((0, 1))", "0, 1"),
    ("1..$", "1:None"),
    ("1..$-1", "1:11"),
    ("$-1", "11"),
    ("1~5", "1:5"),
    ("1:$", "1:None"),
    ("drop=FALSE", ""),
    ("0, drop=FALSE", "0"),
    ("5 downTo 0", ""),
    ("not n", ""),
    ("(slice(None),) * n + (0,)", ""),
    ("[0] * n", ""),
    ("1 if n > 2 and m > 2 else 2", ""),
];

/// The slices that the advice leads to, unless it is about something else of the user's.
fn led_to(text: &str, depth: usize, ends: &mut BTreeSet<String>) {
    let Err(mistakes) = mistakes(text, false) else {
        ends.insert(text.to_owned());
        return;
    };
    let at = range(mistakes[0].span);
    let tokens = &text[at.clone()];
    let advice = mistakes[0].help(tokens).unwrap_or_default();
    let own = advice.split(", or `").filter(|part| part.ends_with(" for a function of your own"));
    let advice = own.fold(advice.clone(), |rest, part| rest.replace(&format!(", or `{part}"), ""));
    for instead in spelled(&advice, tokens).into_iter().filter(|_| depth < 3) {
        led_to(&[&text[..at.start], &instead, &text[at.end..]].concat(), depth + 1, ends);
    }
}

/// A program of the slices that the advice leads to, each with what was meant. It prints those that
/// select something else.
#[test]
fn advice_selects_what_was_meant() {
    let mut program = String::from(
        "#![allow(unused, clippy::all)]\nuse pyslice::*;\n\
         #[derive(PartialEq)] enum Mode { Train }\nconst N: usize = 4;\n\
         trait Shape { fn shape(&self) -> [usize; 1]; }\n\
         impl Shape for [usize; 3] { fn shape(&self) -> [usize; 1] { [3] } }\n\
         fn see(spec: SpecBuf) -> (Vec<usize>, Vec<isize>, usize) {\n    \
             let plan = spec.plan(&[12; 4]).unwrap();\n    \
             (plan.shape().to_vec(), plan.strides().to_vec(), plan.offset())\n}\n\
         fn main() {\n    let (n, m, i, x, mode) = (3_i64, 5, 1, &[2_usize, 7, 1], Mode::Train);\n",
    );
    let mut count = 0;
    for (typed, meant) in MEANT {
        let mut ends = BTreeSet::new();
        led_to(typed, 0, &mut ends);
        // Placeholders, and what is left when a whole entry is taken out.
        ends.retain(|end| !end.contains("start:stop:step") && !end.trim().is_empty());
        assert_eq!(ends.is_empty(), meant.is_empty(), "`{typed}` leads to {ends:?}");
        let meant: Vec<String> =
            meant.split(" | ").map(|meant| format!("see(s![{meant}].to_buf())")).collect();
        for end in ends {
            writeln!(
                program,
                "    if ![{}].contains(&see(s![{end}].to_buf())) {{ println!({:?}); }}",
                meant.join(", "),
                format!("`{typed}` becomes `{end}`").replace('{', "{{").replace('}', "}}"),
            )
            .unwrap();
            count += 1;
        }
    }
    program.push_str("}\n");
    assert!(count > 120, "only {count} slices");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advice");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"advice\"\nedition = \"2024\"\n[workspace]\n[dependencies]\npyslice = \
         {{ path = {root:?} }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), &program).unwrap();
    // The versions that this workspace has already fetched.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let output = outside::cargo_in(&folder, &["run", "--quiet", "--offline"]);
    let said =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(output.status.success() && said[0].is_empty(), "{}\n{}", said[0], said[1]);
}
