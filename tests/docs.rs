//! Checks the tables of the user documentation, row by row: the texts are slices that compile, the
//! encodings and shapes are right, and the values are what NumPy answered
//! (`tests/data/docs_numpy.py` recorded it).

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod support;

use pyslice::syntax::parse_text;
use pyslice::{SpecBuf, s};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::naive;
use support::recorded::{self, Answer, Record};

const README: &str = include_str!("../README.md");
const NUMPY: &str = include_str!("../docs/numpy.md");
const SHAPE: [usize; 3] = [4, 6, 8];

/// Every slice of the tables, compiled; its text without spaces is the key.
macro_rules! compiled {
    ($([$($slice:tt)*])*) => {
        BTreeMap::from([$((squeeze(stringify!($($slice)*)), s![$($slice)*].to_buf())),*])
    };
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn slices() -> BTreeMap<String, SpecBuf> {
    compiled! {
        [] [1] [-1] [0, 0] [0, 0, 0] [1, :, -2] [+2] [0x3] [-1, 2]
        [1:3] [:2] [2:] [:] [-2:] [:-1] [1:-1] [1:-1, 2:5] [1:None] [None:2] [:, 1:3]
        [::2] [1::2] [::-1] [3:1:-1] [2::-1] [:1:-1] [::-2, ::3] [-1:-4:-1] [::1] [..., ::-1]
        [...] [..., 0] [0, ...] [..., ::2] [0, ..., -1] [:, ..., :, :] [...,]
        [None] [np.newaxis, 0] [:, None] [..., None] [None, ..., None] [0, None, 1:3] [None, 0]
        [-100:100] [2:1] [4:] [:0] [1:100, ::-100] [5:2:-1] [:-100:-1] [1, 2:4, None, ..., :-3:-1]
        [::-1, ::-1, ::-1] [:, ::-1] [::-1, ::-1] [:, 2] [..., :3] [:, 1:]
    }
}

/// The rows of all tables whose heading begins so: their cells, without the back quotes around
/// them.
fn rows<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        inside = line.starts_with(heading) || (inside && line.starts_with('|'));
        if inside && line.starts_with("| `") {
            let cells = line.trim_matches('|').split(" | ").map(str::trim);
            found.push(
                cells
                    .map(|c| c.strip_prefix('`').and_then(|c| c.strip_suffix('`')).unwrap_or(c))
                    .collect(),
            );
        }
    }
    assert!(!found.is_empty(), "no table begins with {heading}");
    found
}

fn records() -> BTreeMap<String, Record> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/docs_numpy.jsonl");
    recorded::read_from(&path).into_iter().map(|r| (r.id.clone(), r)).collect()
}

/// The inside of `s![...]`, and of NumPy's `x[...]`.
fn inside<'a>(cell: &'a str, before: &str) -> &'a str {
    cell.strip_prefix(before)
        .and_then(|c| c.strip_suffix(']'))
        .unwrap_or_else(|| panic!("{cell} is not {before}...]"))
}

/// `[1, -2]`, as a cell shows it.
fn vector(cell: &str) -> Vec<i64> {
    let numbers = inside(cell, "[");
    numbers.split(',').filter(|n| !n.trim().is_empty()).map(|n| n.trim().parse().unwrap()).collect()
}

/// `(4, 6)`, as a cell shows it.
fn tuple(cell: &str) -> Vec<usize> {
    let numbers = cell.strip_prefix('(').and_then(|c| c.strip_suffix(')')).unwrap();
    numbers.split(',').filter(|n| !n.trim().is_empty()).map(|n| n.trim().parse().unwrap()).collect()
}

/// `begin 3, shrink_axis 4` as five masks, in the order of the reference.
fn masks(cell: &str) -> [u32; 5] {
    let mut masks = [0; 5];
    for mask in cell.split(", ").filter(|&m| m != "none") {
        let (name, value) = mask.split_once(' ').unwrap();
        let at = ["begin", "end", "ellipsis", "new_axis", "shrink_axis"]
            .iter()
            .position(|&n| n == name)
            .unwrap();
        masks[at] = value.parse().unwrap();
    }
    masks
}

/// The shape in the last cell and every value are what NumPy answered, by our plan.
fn agrees(spec: &SpecBuf, row: &[&str], records: &BTreeMap<String, Record>) {
    let record =
        records.get(row[0]).unwrap_or_else(|| panic!("{}: run tests/data/docs_numpy.py", row[0]));
    let Answer::Tensor { shape, values } = &record.answer else {
        panic!("NumPy refuses {}", row[0])
    };
    let x: Vec<i64> = (0..SHAPE.iter().product::<usize>() as i64).collect();
    let plan = spec.plan(&SHAPE).unwrap();
    assert_eq!(tuple(row.last().unwrap()), *shape, "{row:?}");
    assert_eq!(plan.shape(), shape, "{row:?}");
    assert!(recorded::same_values(&plan.copy(&x).unwrap(), values), "{row:?}");
}

#[test]
fn every_slice_of_the_tables_is_what_they_say() {
    let (slices, records) = (slices(), records());
    let mut shown = BTreeSet::new();
    for row in rows(NUMPY, "| NumPy | pyslice | begin |") {
        let text = squeeze(inside(row[1], "s!["));
        let spec =
            slices.get(&text).unwrap_or_else(|| panic!("add [{text}] to the slices of this test"));
        let typed = inside(row[0], "x[");
        assert_eq!(typed.trim_matches(['(', ')']), inside(row[1], "s!["), "the two texts differ");
        assert_eq!(parse_text(inside(row[1], "s![")).as_ref(), Ok(spec), "{row:?}");
        let (begin, end, strides, masks) =
            (vector(row[2]), vector(row[3]), vector(row[4]), masks(row[5]));
        assert_eq!(
            (spec.begin(), spec.end(), spec.strides()),
            (&begin[..], &end[..], &strides[..]),
            "{row:?}"
        );
        let m = spec.masks();
        assert_eq!([m.begin, m.end, m.ellipsis, m.new_axis, m.shrink_axis], masks, "{row:?}");
        // The encoding as written means what NumPy does, by the reference that shares no code
        // with ours.
        let items = naive::from_masks(&begin, &end, &strides, masks).unwrap();
        let picked = naive::pick(&SHAPE, &items).unwrap();
        let Answer::Tensor { values, .. } = &records[row[0]].answer else {
            panic!("NumPy refuses {}", row[0])
        };
        let picked: Vec<i64> = picked.from.iter().map(|&at| at as i64).collect();
        assert!(recorded::same_values(&picked, values), "{row:?}");
        agrees(spec, &row, &records);
        shown.insert(text);
    }
    for page in [README, NUMPY] {
        assert!(page.contains("`x`") && page.contains("`(4, 6, 8)`"));
        for row in rows(page, "| NumPy | pyslice | shape |") {
            let text = squeeze(inside(row[1], "s!["));
            let spec = slices
                .get(&text)
                .unwrap_or_else(|| panic!("add [{text}] to the slices of this test"));
            agrees(spec, &row, &records);
            shown.insert(text);
        }
    }
    let listed: BTreeSet<String> = slices.into_keys().collect();
    assert_eq!(listed, shown, "the test lists slices that no table shows");
}

#[test]
fn what_is_refused_is_refused_in_these_words() {
    let records = records();
    for row in rows(NUMPY, "| NumPy | NumPy's error |") {
        // With its brackets, as a list in it would otherwise pass for them.
        let text = row[0].strip_prefix('x').unwrap();
        let words = match parse_text(text) {
            Err(mistakes) => {
                let span = mistakes[0].span;
                mistakes[0].message(&text[span.first as usize..span.last as usize])
            }
            Ok(spec) => spec.plan(&SHAPE).unwrap_err().to_string(),
        };
        assert_eq!(words, row[2], "{text}");
        match &records[row[0]].answer {
            Answer::Refused { text: theirs, .. } => {
                let kept = row[1].split_once(": ").unwrap().1.split(" ... ").next().unwrap();
                assert!(theirs.replace('`', "'").starts_with(kept), "{text}: {theirs}");
            }
            _ => assert_eq!(row[1], "none: advanced indexing", "{text}"),
        }
    }
}

#[test]
fn what_numpy_alone_takes_is_refused_in_these_words() {
    let (slices, records) = (slices(), records());
    for row in rows(NUMPY, "| NumPy takes |") {
        let text = row[0].strip_prefix('x').unwrap();
        let mistakes = parse_text(text).unwrap_err();
        let span = mistakes[0].span;
        let words = mistakes[0].message(&text[span.first as usize..span.last as usize]);
        assert_eq!(words, row[1], "{text}");
        let written = squeeze(inside(row[2], "s!["));
        let spec =
            slices.get(&written).unwrap_or_else(|| panic!("[{written}] is in no other table"));
        agrees(spec, &row, &records);
    }
}

#[test]
fn the_commands_of_the_readme_are_run_by_ci() {
    let ci = include_str!("../.ci/run");
    let block = README.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let commands: Vec<&str> =
        block.lines().map(|line| line.split(" #").next().unwrap().trim()).collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        assert!(
            ci.lines().any(|line| line.ends_with(&format!(" {command}"))),
            "{command} is not in .ci/run"
        );
    }
}

/// The targets of a page's links and pictures, without the part after `#`.
fn links(page: &str) -> Vec<&str> {
    let inline = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let named = page
        .lines()
        .filter(|line| line.starts_with('['))
        .filter_map(|line| line.split_once("]: "))
        .filter_map(|(_, target)| target.split('#').next());
    inline.chain(named).filter(|target| !target.is_empty()).collect()
}

/// The path in this repository that an address leads to.
fn in_repository(address: &str) -> Option<&str> {
    let manifest = include_str!("../Cargo.toml");
    let home = manifest.lines().find_map(|line| line.strip_prefix("repository = ")).unwrap();
    let name = home.trim_matches('"').strip_prefix("https://github.com/").unwrap();
    let (text, picture) = (
        format!("https://github.com/{name}/blob/main/"),
        format!("https://raw.githubusercontent.com/{name}/main/"),
    );
    address.strip_prefix(&text).or_else(|| address.strip_prefix(&picture))
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [".", "docs", "slice-core", "slice-macros"].map(|name| root.join(name));
    let pages: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    assert!(pages.len() >= 11, "{pages:?}");
    let readme = links(README);
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{page:?}: {e}"));
        let folder = page.parent().unwrap();
        let name = page.file_name().unwrap().to_str().unwrap();
        if folder == root.join("docs") {
            let path = format!("docs/{name}");
            assert!(
                readme.iter().any(|link| in_repository(link) == Some(&path)),
                "README.md does not link {path}"
            );
        }
        // Registries and docs.rs show these, where a relative link leads nowhere.
        let shown_elsewhere = name == "README.md" || name == "library-authors.md";
        for target in links(&text) {
            let place = match in_repository(target) {
                Some(path) => root.join(path),
                None if target.contains("://") => continue,
                None => {
                    assert!(!shown_elsewhere, "{page:?}: the link to {target} is not absolute");
                    folder.join(target)
                }
            };
            assert!(place.exists(), "{page:?} points to {target}, which does not exist");
        }
    }
}

#[test]
fn the_index_of_the_tests_has_every_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut listed: Vec<String> = include_str!("README.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut there: Vec<String> = files
        .filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    there.sort();

    listed.sort();
    assert_eq!(listed, there, "tests/README.md has one line for each file and folder");
}

#[test]
fn every_published_crate_says_which_rust_it_needs() {
    let manifest = include_str!("../Cargo.toml");
    let version = manifest.lines().find_map(|l| l.strip_prefix("rust-version = ")).unwrap();
    let sentence = format!("Rust {} or later", version.trim_matches('"'));
    for (name, page) in [
        ("README.md", README),
        ("CHANGELOG.md", include_str!("../CHANGELOG.md")),
        ("src/lib.rs", include_str!("../src/lib.rs")),
        ("slice-core/README.md", include_str!("../slice-core/README.md")),
    ] {
        assert!(page.contains(&sentence), "{name} does not say: {sentence}");
    }
}
