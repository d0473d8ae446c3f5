//! What the macros become, held as text that was read by a person.
//!
//! `expand/expansions.txt` has each call and, indented, its expansion as somebody would write it. White
//! space and commas before a closing bracket are the compiler's to choose, so they do not count.

/// A call and the text of its expansion.
macro_rules! expansions {
    ($($name:ident![$($tokens:tt)*];)*) => {
        [$((concat!(stringify!($name), "!"), stringify!($($tokens)*), pyslice::__private::text_impl!([pyslice] $name $($tokens)*))),*]
    };
}

fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.replace(",]", "]").replace(",)", ")").replace(",}", "}")
}

#[test]
fn expansions_are_as_reviewed() {
    let expansions = expansions! {
        s![];
        s![1, 2:4, None, ..., :-3:-1, :];
        s![const { N }:];
        s![::const { N }, 3];
        s![i];
        s![n - 1:, (usize::MAX), { k }:2, None];
        s![-i, -x.len():(-k):-n - 1];
        s![i, const { N }];
        s![0..2, 1.5];
        plan![[4, 6]; 1];
        plan![[N, 6]; const { I }, None];
        plan![SHAPE; ::2];
    };
    let reviewed = include_str!("expand/expansions.txt");
    let mut blocks = reviewed.split("\n\n").filter(|block| !block.trim_start().starts_with('#'));
    for (name, tokens, text) in expansions {
        let block = blocks.next().unwrap_or_default();
        let (call, expansion) = block.split_once('\n').unwrap_or((block, ""));
        assert_eq!(bare(call), bare(&format!("{name}[{tokens}]")), "the calls of the file and of the test differ");
        assert_eq!(bare(expansion), bare(text), "{call} becomes\n{text}");
    }
    assert_eq!(blocks.next(), None, "the file has more calls than the test");
}
