//! Prints the public items of the crate that a rustdoc JSON file describes, one a line.

use std::collections::BTreeSet;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("give the JSON file that rustdoc wrote");
        return ExitCode::FAILURE;
    };
    let listed = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build();
    match listed {
        Ok(api) => {
            // That a type implements these is a line of its own, which says all.
            let known = ["clone", "cmp", "default", "eq", "fmt", "hash", "partial_cmp"]
                .map(|method| format!("::{method}("));
            let known =
                [&known[..], &["::hash<__H".into(), "StructuralPartialEq for".into()]].concat();
            let derived = |item: &String| known.iter().any(|method| item.contains(method));
            // The block of source in which a method stands does not matter, nor does its place
            // there.
            let block = |item: &String| item.starts_with("impl") && !item.contains(" for ");
            let items = api.items().map(ToString::to_string);
            let listed: BTreeSet<String> =
                items.filter(|item| !derived(item) && !block(item)).collect();
            for item in listed {
                println!("{item}");
            }
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
