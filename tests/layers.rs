//! The modules of slice-core, and the files in each, import each other in one direction.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The names behind a path such as `crate::` in the code of a text, in lists as well.
fn names(code: &str, path: &str) -> BTreeSet<String> {
    let word = |rest: &str| {
        rest.split(|c: char| c != '_' && !c.is_alphanumeric()).next().map(str::to_owned)
    };
    let after = code.match_indices(path).map(|(at, path)| &code[at + path.len()..]);
    let lists = after.flat_map(|rest| match rest.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or(list).split(',').map(str::trim).collect(),
        None => vec![rest],
    });
    lists.filter_map(word).collect()
}

/// The code of a file, without comments and without its tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("a source file");
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The files of a folder and of those in it, with the name of the module that each belongs to; no
/// tests.
fn files(folder: &Path) -> Vec<(String, Vec<std::path::PathBuf>)> {
    let mut modules = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            modules.push((name, files(&path).into_iter().flat_map(|(_, files)| files).collect()));
        } else if path.extension().is_some_and(|e| e == "rs") && !name.ends_with("tests") {
            modules.push((name, vec![path]));
        }
    }
    modules.retain(|(name, _)| name != "tests");
    modules
}

/// Which module of a folder names which others, where `path` stands before their names.
fn arrows(folder: &Path, path: &str) -> Arrows {
    let modules = files(folder);
    let known: BTreeSet<String> = modules.iter().map(|(name, _)| name.clone()).collect();
    let mut arrows = Arrows::new();
    for (name, files) in modules {
        let all = files.iter().flat_map(|file| names(&code(file), path));
        let others = all.filter(|other| *other != name && known.contains(other));
        arrows.insert(name.clone(), others.collect());
    }
    // What a folder's own file says is above or below all others.
    for root in ["lib", "mod"] {
        arrows.remove(root);
        arrows.values_mut().for_each(|others| _ = others.remove(root));
    }
    arrows
}

/// Takes away whoever names nobody who is left, again and again. What stays goes round in circles.
fn circles(mut arrows: Arrows) -> Arrows {
    while let Some(ground) =
        arrows.iter().find(|(_, to)| to.is_empty()).map(|(name, _)| name.clone())
    {
        arrows.remove(&ground);
        arrows.values_mut().for_each(|to| _ = to.remove(&ground));
    }
    arrows
}

#[test]
fn modules_import_in_one_direction() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("slice-core/src");
    let modules = arrows(&source, "crate::");
    assert!(modules["syntax"].contains("messages"), "the grammar takes its words from there");
    assert_eq!(circles(modules), Arrows::new());
    for entry in fs::read_dir(&source).expect("the sources") {
        let folder = entry.expect("a folder").path();
        if folder.is_dir() {
            assert_eq!(circles(arrows(&folder, "super::")), Arrows::new(), "{}", folder.display());
        }
    }
}

#[test]
fn circles_are_found() {
    let of = |pairs: &[(&str, &[&str])]| -> Arrows {
        let names = |to: &[&str]| to.iter().map(|name| (*name).to_owned()).collect();
        pairs.iter().map(|(from, to)| ((*from).to_owned(), names(to))).collect()
    };
    assert_eq!(circles(of(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), Arrows::new());
    let round = of(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"])]);
    assert_eq!(circles(round.clone()), round);
    let found = names("use crate::{a, b::C};\nlet x = crate::d::e();", "crate::");
    assert_eq!(found, ["a", "b", "d"].map(str::to_owned).into());
}
