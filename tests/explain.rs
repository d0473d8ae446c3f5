//! The example `explain`, run as its `main` runs it; the cells it shows are compared with the
//! reference.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "its main is not called here")]
#[path = "../examples/explain/main.rs"]
mod explain;
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::naive;

/// Runs the example without a terminal: what it prints, or what it complains about.
fn run(args: &[&str]) -> Result<String, String> {
    let args = ["explain"].iter().chain(args).map(Into::into);
    explain::run(args, false).map_err(|e| e.to_string())
}

/// What it prints, which must work.
fn printed(args: &[&str]) -> String {
    run(args).unwrap_or_else(|complaint| panic!("{args:?}: {complaint}"))
}

/// A drawing without its line breaks.
fn drawing(svg: &Path) -> String {
    fs::read_to_string(svg).unwrap().replace('\n', "")
}

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// The cells of the input as printed, in C order: the value of each, and whether it is marked as
/// taken. The input is one panel.
fn cells(out: &str) -> Vec<(usize, bool)> {
    let input =
        out.split("\nx, shape ").nth(1).and_then(|rest| rest.split("\nthe result").next()).unwrap();
    values(input)
        .map(|cell| match cell.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(value) => (value.parse().unwrap(), true),
            None => (cell.parse().unwrap(), false),
        })
        .collect()
}

/// The values of the result as printed, which is one panel.
fn result(out: &str) -> Vec<usize> {
    values(out.split("\nthe result, shape ").nth(1).unwrap())
        .map(|value| value.parse().unwrap())
        .collect()
}

/// The cells of a single panel, without its heading and its numbers.
fn values(panel: &str) -> impl Iterator<Item = &str> {
    let rows = panel.lines().skip(3).filter(|line| !line.trim().is_empty());
    rows.flat_map(|row| row.split(" | ").last().unwrap().split_whitespace())
}

#[test]
fn the_cells_shown_are_those_the_reference_picks() {
    for (slice, shape) in [
        ("::2, ::-1", vec![4, 6]),
        ("-2, 1:-1", vec![5, 7]),
        ("..., ::-3", vec![3, 8]),
        ("None, :, 2", vec![4, 3]),
        ("3:0:-2, None, 4:", vec![4, 5]),
        (":0", vec![2, 3]),
        ("1", vec![9]),
        ("8:2:-2", vec![12]),
        ("()", vec![6]),
    ] {
        let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
        let slice = if slice == "()" { "" } else { slice };
        let out = printed(&[slice, &lengths.join(",")]);
        let picked = naive::pick(&shape, &naive::from_text(slice).unwrap_or_default()).unwrap();
        let count = shape.iter().product();
        let expected: Vec<_> = (0..count).map(|at| (at, picked.from.contains(&at))).collect();
        assert_eq!(cells(&out), expected, "{slice}\n{out}");
        if !picked.from.is_empty() && picked.shape.len() <= 2 {
            assert_eq!(result(&out), picked.from, "{slice}\n{out}");
        }
        assert!(
            out.contains(&format!(", {} of {} elements\n", picked.from.len(), expected.len())),
            "{out}"
        );
    }
}

#[test]
fn the_table_tells_what_each_entry_does() {
    let out = printed(&["-100:3, None, 2, ..., 4::-3", "(5, 3, 7)"]);
    let table = "\
entry  text    axis of x  there it is              takes    gives
0      -100:3  0, 5 long  0:3 (-100 clamped to 0)  0 1 2    axis 0, 3 long
1      None    none                                nothing  new axis 1, 1 long
2      2       1, 3 long                           2        nothing: it is dropped
3      ...     none                                nothing  nothing
4      4::-3   2, 7 long  4::-3                    4 1      axis 2, 2 long
";
    assert!(out.contains(table), "{out}");
    for line in [
        "begin     [-100, 0, 2, 0, 4]\n",
        "end       [3, 0, 3, 0, 0]\n",
        "strides   [1, 1, 1, 1, -3]\n",
        "masks     begin 0, end 16, ellipsis 8, new_axis 2, shrink_axis 4\n",
        "result    shape (3, 1, 2), 6 of 105 elements\n",
        "view      strides (21, 0, -3), offset 18\n",
    ] {
        assert!(out.contains(line), "{line:?} is not in\n{out}");
    }
    // Without `...`, the axes that are left are named as well; a stop before the front has no
    // number.
    let out = printed(&["-1:-100:-1", "6,2,2"]);
    assert!(
        out.contains("5::-1 (-100 clamped to before 0)  5 4 3 2 1 0  axis 0, 6 long\n"),
        "{out}"
    );
    assert!(out.contains("implied  ...         axes 1 to 2"), "{out}");
}

/// A panel is folded if nothing of it is taken: not if what is taken of it is in rows that are not
/// shown, and not if it lies beyond the panels that would be shown.
#[test]
fn panels_without_a_cell_are_folded() {
    for (slice, shape, there, not) in [
        ("1, ::2", "4,6,8", vec!["[0]: nothing", " [1]\n", "[2] to [3]: nothing"], "[1]:"),
        ("::2, 1", "3,2,2", vec![" [0]", "[1]: nothing", " [2]"], "[2]:"),
        (":, 1, 2", "2,3,4,5", vec!["[0, 0]: nothing", "[0, 2] to [1, 0]: nothing"], "[0, 1]:"),
        ("1, 20", "3,40,4", vec!["[0]: nothing", " [1]\n", "[2]: nothing"], "[1]:"),
        ("50", "100,2,2", vec!["[0] to [49]: nothing", " [50]\n", "[200]"], "part"),
        ("1:1", "2,2,2", vec![" [0] ", " [1]"], "nothing taken"),
        ("..., 1", "2,2,2", vec![" [0] ", " [1]"], "nothing taken"),
    ] {
        let svg = place("folded.svg");
        let out = printed(&[slice, shape, "-o", svg.to_str().unwrap()]);
        let cells = out.split("\nx, shape").nth(1).unwrap();
        for words in there {
            assert!(cells.contains(words), "{words:?} is not in\n{cells}");
        }
        assert!(!cells.contains(not), "{not:?} is in\n{cells}");
        let drawn = drawing(&svg);
        assert_eq!(drawn.matches("nothing taken").count(), cells.matches("nothing taken").count());
    }
}

/// `x[slice] = v`: each value is in the place from which the reference would read it.
#[test]
fn an_assignment_shows_its_values_in_their_places() {
    let svg = place("assigned.svg");
    for (slice, shape, base) in [("1:3, ::-2", vec![4, 7], 100), ("..., -1", vec![60, 4], 1000)] {
        let shown: Vec<String> = shape.iter().map(usize::to_string).collect();
        let out = printed(&[slice, &shown.join(","), "--assign", "-o", svg.to_str().unwrap()]);
        let picked = naive::pick(&shape, &naive::from_text(slice).unwrap()).unwrap();
        let drawn = drawing(&svg);
        assert!(drawn.contains(&format!(">v = {base} + np.arange(")), "{drawn}");
        if shape[0] > 14 {
            continue; // Only a part is shown.
        }
        let x = out.split("\nx afterwards, shape ").nth(1).unwrap();
        let count = shape.iter().product();
        let mut expected: Vec<String> = (0..count).map(|at: usize| at.to_string()).collect();
        for (place, &at) in picked.from.iter().enumerate() {
            expected[at] = format!("[{}]", base + place);
        }
        assert_eq!(values(x).take(count).collect::<Vec<_>>(), expected, "{out}");
        for value in base..base + picked.from.len() {
            assert_eq!(drawn.matches(&format!(">{value}<")).count(), 2, "{value}");
        }
    }
}

#[test]
fn pictures_say_what_is_clamped_and_count_from_the_end() {
    let svg = place("bounds.svg");
    for (slice, shape, clamped, from_end) in [
        ("5:100", "8", "100 clamped to 8", false),
        ("-9:, :7:-1", "4,6", "-9 clamped to 0; 7 clamped to 5", false),
        ("-5:-2", "8", "", true),
        ("-1, 1:3", "4,6", "", false),
        ("-1, ..., -2", "4,6", "", true),
    ] {
        printed(&[slice, shape, "-o", svg.to_str().unwrap()]);
        let drawn = drawing(&svg);
        let words = drawn.contains(&format!(">{clamped}</text>"));
        assert_eq!((words, drawn.contains("clamped")), (!clamped.is_empty(), !clamped.is_empty()));
        assert_eq!(drawn.contains(">-1</text>"), from_end, "{slice}");
    }
}

/// Every colour that stands on the page itself has another for dark pages.
#[test]
fn pictures_have_colours_for_dark_pages() {
    let svg = place("dark.svg");
    printed(&["1", "2,3,4", "-o", svg.to_str().unwrap()]);
    let drawn = drawing(&svg);
    let (light, rest) = drawn.split_once("@media (prefers-color-scheme: dark) {").unwrap();
    let dark = rest.split("</style>").next().unwrap();
    for class in ["text {", ".code", ".faint, .number {", ".left", ".page"] {
        assert!(light.contains(class) && dark.contains(class), "{class}");
    }
    let body = drawn.split("</style>").nth(1).unwrap();
    let cells = body.matches("fill=\"#").count();
    assert_eq!((cells, body.matches("class=\"left\"").count()), (2 * 12, 0));
}

#[test]
fn mistakes_are_underlined_where_they_stand() {
    for (args, words) in [
        (["0, 2..4, 1.5", "4,6"], "    0, 2..4, 1.5\n       ^^^^\n  `2..4` is a Rust range"),
        (["0, 2..4, 1.5", "4,6"], "    0, 2..4, 1.5\n             ^^^\n  `1.5` is a float"),
        (
            ["None, ...,  -7", "4,6"],
            "    None, ...,  -7\n                ^^\n  index -7 is outside axis 1 of length 6",
        ),
        (["[0, 9]", "4,6"], "    [0, 9]\n        ^\n  index 9 is outside axis 1"),
        (["1, None, 2, :", "4"], "    1, None, 2, :\n             ^^^^\n  the slice needs 3 axes"),
        ([":", "4,six"], "`six` is not a length"),
        ([":", "99999999999999999999"], "is not a length"),
        ([":", "2147483647,2147483647,2147483647"], "more elements than isize::MAX"),
        ([":", "--what"], "unexpected argument '--what'"),
    ] {
        let complaint = run(&args).expect_err(words);
        assert!(complaint.contains(words), "{args:?}: {complaint}");
    }
    let complaint = run(&[":, 2:9", "4,6", "--strict"]).unwrap_err();
    let words = "    :, 2:9\n       ^^^\n  bound 9 is outside axis 1 of length 6";
    assert!(complaint.contains(words) && !complaint.contains("Bounds"), "{complaint}");
    assert!(complaint.ends_with("or leave out `--strict`, and it is clamped"), "{complaint}");
    let gone = place("missing/x.svg");
    let complaint = run(&[":", "4", "-o", gone.to_str().unwrap()]).unwrap_err();
    assert!(complaint.contains("cannot write ") && !gone.exists(), "{complaint}");
}

#[test]
fn arrays_of_every_size_have_a_picture() {
    let (svg, longest) = (place("any.svg"), isize::MAX.to_string());
    for (slice, shape) in [
        ("...", "()"),
        (":", "0"),
        ("5:2", "3,0,4"),
        ("::-1", "1000000000"),
        ("0, ..., ::2", "2,3,4,5,6"),
        ("...", "1,1,1,1,1,1,1,1,1,1"),
        ("7::1000003", longest.as_str()),
        ("None, None, None", "2"),
    ] {
        let out = printed(&[slice, shape, "-o", svg.to_str().unwrap()]);
        assert!(out.ends_with(&format!("wrote {}\n", svg.display())), "{out}");
        let drawn = drawing(&svg);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>"));
        assert_eq!(drawn.matches("<text").count(), drawn.matches("</text>").count());
        assert!(drawn.len() < 1 << 20 && out.len() < 1 << 18, "{slice} on {shape} draws too much");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!printed(&["::2", "5"]).contains('\x1b'));
    let coloured = printed(&["::2", "5", "--color"]);
    // First and last element: the ends of the scale.
    assert!(
        coloured.contains("\x1b[30;48;5;222m 0  \x1b[0m") && coloured.contains("m 4  \x1b[0m"),
        "{coloured:?}"
    );
}

#[test]
fn pictures_of_the_pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/img");
    let script = fs::read_to_string(folder.join("draw")).unwrap();
    let mut drawn = 0;
    for line in script.lines().filter(|line| line.starts_with("explain \"")) {
        let (slice, rest) = line["explain \"".len()..].split_once('"').unwrap();
        let (options, name) = rest.trim().rsplit_once(' ').unwrap();
        let now = place(name);
        let options = [slice].into_iter().chain(options.split(' '));
        printed(&options.chain(["-o", now.to_str().unwrap()]).collect::<Vec<_>>());
        let (now, then) = (
            fs::read_to_string(now).unwrap(),
            fs::read_to_string(folder.join(name)).unwrap_or_default(),
        );
        assert!(now == then, "docs/img/{name} is out of date: run docs/img/draw");
        drawn += 1;
    }
    assert_eq!(
        drawn,
        fs::read_dir(folder)
            .unwrap()
            .filter(|e| e.as_ref().unwrap().path().extension() == Some("svg".as_ref()))
            .count()
    );
}
