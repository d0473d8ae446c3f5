//! The files of the grammar, and what they rest on, import each other in one direction.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

/// The files that a file of this folder, or one that they all rest on, imports from.
fn imports(file: &str) -> Vec<String> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/slice-core/src/");
    let path = if file.contains("::") { file.replace("::", "/") } else { format!("syntax/{file}") };
    let read = |name: String| std::fs::read_to_string(format!("{source}{name}"));
    // A module in a folder is all of its files, which may import each other.
    let text = read(format!("{path}.rs")).unwrap_or_else(|_| {
        let files = std::fs::read_dir(format!("{source}{path}")).expect("a module of the crate");
        let names = files.map(|file| file.expect("a file").file_name().display().to_string());
        let texts = names.map(|name| read(format!("{path}/{name}")).expect("a file"));
        texts.collect::<String>().replace("\nuse super::", "\n")
    });
    let used = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("use "));
    let names = used.flat_map(|line| {
        let (path, names) =
            line.trim_end_matches(';').split_once('{').unwrap_or((line.trim_end_matches(';'), ""));
        let path = path.trim_end_matches("::");
        let first = path.strip_prefix("super::").or(path.strip_prefix("crate::syntax::"));
        let ours = first.map(|rest| vec![rest.split("::").next().unwrap_or(rest).to_owned()]);
        let list = || names.trim_end_matches('}').split(", ").map(ToOwned::to_owned).collect();
        ours.unwrap_or_else(|| match path {
            "super" => list(),
            "crate::error::SliceError" => vec!["crate::error".to_owned()],
            _ if path.starts_with("crate::error::const_message") => {
                vec!["crate::error::const_message".to_owned()]
            }
            _ => Vec::new(),
        })
    });
    names.map(|name| name.replace("crate::", "::")).collect()
}

#[test]
fn no_file_imports_one_that_imports_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/slice-core/src/syntax");
    let files =
        std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let stems = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let stems = stems.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned());
    for start in stems.filter(|stem| stem != "mod" && stem != "tests").chain(["::error".to_owned()])
    {
        let (mut reached, mut next) = (Vec::new(), imports(&start));
        while let Some(file) = next.pop() {
            assert_ne!(file, start, "{start} imports a file that imports it: {reached:?}");
            if !reached.contains(&file) {
                next.extend(imports(&file));
                reached.push(file);
            }
        }
    }
}
