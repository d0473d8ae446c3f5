//! A slice without run-time values is data: no instruction makes it, and `plan!` leaves only
//! numbers.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

use std::path::Path;

/// The instructions of a function, without labels and directives.
fn body<'a>(assembly: &'a str, name: &str) -> Vec<&'a str> {
    let label = [format!("{name}:"), format!("_{name}:")];
    let mut lines = assembly.lines().skip_while(|line| !label.iter().any(|l| l == line));
    assert!(lines.next().is_some(), "{name} is not in the assembly");
    let instructions =
        lines.take_while(|line| !line.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    instructions
        .map(str::trim)
        .filter(|line| {
            !line.is_empty() && !line.starts_with(['.', '#', '/', ';']) && !line.ends_with(':')
        })
        .collect()
}

#[test]
fn a_literal_slice_costs_no_instruction() {
    let arguments = [
        "rustc",
        "--quiet",
        "--release",
        "-p",
        "codegen",
        "--lib",
        "--",
        "--emit=asm",
        "-Ccodegen-units=1",
    ];
    let output = outside::cargo(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside/release/deps");
    let newest = std::fs::read_dir(folder)
        .expect("the folder of the build")
        .filter_map(Result::ok)
        .filter(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            name.starts_with("codegen-") && name.ends_with(".s")
        })
        .max_by_key(|file| file.metadata().and_then(|m| m.modified()).ok());
    let assembly =
        std::fs::read_to_string(newest.expect("an assembly file").path()).expect("its text");

    // They load a number or an address, and return.
    for name in ["spec_begin", "spec_const_block", "spec_table", "plan_offset", "plan_len"] {
        let body = body(&assembly, name);
        assert!(body.len() <= 3, "{name}: {body:#?}");
        assert!(body.last().is_some_and(|last| last.starts_with("ret")), "{name}: {body:#?}");
    }
    // With a run-time value, that value is all there is.
    let run_time = body(&assembly, "spec_run_time");
    assert!(run_time.len() <= 3, "{run_time:#?}");
    // A copy, an assignment or a fill whose shape the compiler knows becomes the same moves as a loop
    // written by hand, without a call.
    for shape in ["small2d", "smallidx", "assigned", "filled"] {
        let (fixed, hand) =
            (body(&assembly, &format!("fixed_{shape}")), body(&assembly, &format!("hand_{shape}")));
        assert!(5 * fixed.len() <= 6 * hand.len(), "{shape}: {fixed:#?}\nby hand: {hand:#?}");
        assert!(
            !fixed.iter().any(|line| line.starts_with("call") || line.starts_with("bl\t")),
            "{shape}: {fixed:#?}"
        );
    }
    // The encodings of the table are bytes of the program, and its numbers can be read in the code.
    #[cfg(target_arch = "x86_64")]
    for (name, number) in [
        ("spec_begin", "$2"),
        ("spec_const_block", "$42"),
        ("plan_offset", "$52"),
        ("plan_len", "$15"),
    ] {
        assert!(
            body(&assembly, name).iter().any(|line| line.contains(number)),
            "{name}: {:#?}",
            body(&assembly, name)
        );
    }
}
