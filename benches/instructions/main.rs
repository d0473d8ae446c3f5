//! Instructions per call of the small workloads, counted by valgrind's callgrind. The number is the
//! same on every run, so a change of a few per cent is visible.
//!
//! ```text
//! cargo bench --bench instructions                compares with baseline.csv; fails where more than 5 % were added
//! OVERWRITE=1 cargo bench --bench instructions    rewrites it
//! ```
//!
//! It counts the kernels that valgrind's CPU gets (AVX2), with a release build of the installed
//! toolchain. Another compiler may change the numbers, so rewrite them with it. Copies by a plan
//! that the compiler knows must also stay within 1.2 times the loop written by hand for the same
//! shape.
#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark stops at once")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use pyslice::{FixedPlan, SpecRef, plan, s};

const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions/baseline.csv");
/// Calls between the two counts of which the difference is taken.
const CALLS: u64 = 2000;

const SMALL2D: FixedPlan<2, 2> = plan!([8, 8]; 1:, 1:);
const SMALLIDX: FixedPlan<3, 2> = plan!([4, 4, 4]; 2, ..., ::2);

// Both ways are functions of their own with one signature, so that the loops around them are the
// same.

#[inline(never)]
fn fixed_small2d(x: &[f32; 64], out: &mut [f32; 49]) -> bool {
    SMALL2D.copy_into(x, out).is_ok()
}

#[inline(never)]
fn hand_small2d(x: &[f32; 64], out: &mut [f32; 49]) -> bool {
    for i in 0..7 {
        for j in 0..7 {
            out[i * 7 + j] = x[8 * i + j + 9];
        }
    }
    true
}

/// Several plans of one type, each of which is straight code where it is used.
#[inline(never)]
fn fixed_three(x: &[f32], out: &mut [f32; 64]) -> bool {
    const TURNED: FixedPlan<2, 2> = plan!([8, 8]; :, ::-1);
    const EVEN: FixedPlan<2, 2> = plan!([8, 8]; ::2, ::2);
    const BOTH: FixedPlan<2, 2> = plan!([8, 8]; ::-1, ::2);
    TURNED.copy_into(x, &mut out[..]).is_ok()
        && EVEN.copy_into(x, &mut out[..16]).is_ok()
        && BOTH.copy_into(x, &mut out[..32]).is_ok()
}

#[inline(never)]
fn fixed_smallidx(x: &[f32; 64], out: &mut [f32; 8]) -> bool {
    SMALLIDX.copy_into(x, out).is_ok()
}

#[inline(never)]
fn hand_smallidx(x: &[f32; 64], out: &mut [f32; 8]) -> bool {
    for i in 0..4 {
        for j in 0..2 {
            out[i * 2 + j] = x[32 + 4 * i + 2 * j];
        }
    }
    true
}

// What a library does that takes any slice.

#[inline(never)]
fn passed(spec: SpecRef<'_>, shape: &[usize], x: &[f32], out: &mut [f32]) -> bool {
    spec.plan(shape).and_then(|plan| plan.copy_into(x, out)).is_ok()
}

#[inline(never)]
fn passed_new(spec: SpecRef<'_>, shape: &[usize], x: &[f32]) -> Option<Vec<f32>> {
    spec.plan(shape).and_then(|plan| plan.copy(x)).ok()
}

/// Runs a workload `calls` times; false if there is none of that name.
fn run(name: &str, calls: u64) -> bool {
    let cube: Vec<f32> = (0..15_625).map(|i| i as f32).collect();
    let mut dx = cube.clone();
    let (mut out, mut seven, mut eight) = ([0f32; 500], [0f32; 49], [0f32; 8]);
    let mut all = [0f32; 64];
    macro_rules! repeat {
        ($call:expr) => {
            for _ in 0..calls {
                let _ = black_box($call);
            }
        };
    }
    let (x, shape) = (black_box(&cube[..]), black_box([5usize; 6]));
    let small: &[f32; 64] = black_box(x[..64].try_into().expect("64 elements are there"));
    match name {
        "plan_seed6" => repeat!(s![1, 2:4, None, ..., :-3:-1, :].plan(black_box(&shape))),
        "plan_small2d" => repeat!(s![1:, 1:].plan(black_box(&[8, 8]))),
        "plan_smallidx" => repeat!(s![2, ..., ::2].plan(black_box(&[4, 4, 4]))),
        "copy_seed6" => {
            let plan = s![1, 2:4, None, ..., :-3:-1, :].plan(&shape).expect("a right slice");
            repeat!(black_box(&plan).copy_into(x, &mut out));
        }
        "call_seed6" => repeat!(
            s![1, 2:4, None, ..., :-3:-1, :].plan(black_box(&shape)).and_then(|p| p.copy(x))
        ),
        "call_small2d" => {
            repeat!(s![1:, 1:].plan(black_box(&[8, 8])).and_then(|p| p.copy(&x[..64])))
        }
        "call_smallidx" => {
            repeat!(s![2, ..., ::2].plan(black_box(&[4, 4, 4])).and_then(|p| p.copy(&x[..64])))
        }
        "into_small2d" => {
            repeat!(
                s![1:, 1:]
                    .plan(black_box(&[8, 8]))
                    .and_then(|p| p.copy_into(&x[..64], &mut out[..49]))
            );
        }
        "into_smallidx" => {
            repeat!(
                s![2, ..., ::2]
                    .plan(black_box(&[4, 4, 4]))
                    .and_then(|p| p.copy_into(&x[..64], &mut out[..8]))
            );
        }
        "passed_small2d" => {
            repeat!(passed(s![1:, 1:].as_ref(), black_box(&[8, 8]), &x[..64], &mut out[..49]))
        }
        "passed_smallidx" => repeat!(passed(
            s![2, ..., ::2].as_ref(),
            black_box(&[4, 4, 4]),
            &x[..64],
            &mut out[..8]
        )),
        "passed_new_small2d" => {
            repeat!(passed_new(s![1:, 1:].as_ref(), black_box(&[8, 8]), &x[..64]))
        }
        "grad_seed6" => {
            let plan = s![1, 2:4, None, ..., :-3:-1, :].plan(&shape).expect("a right slice");
            repeat!(black_box(&plan).grad_into(&x[..500], &mut dx));
        }
        "fixed_small2d" => repeat!(fixed_small2d(black_box(small), &mut seven)),
        "hand_small2d" => repeat!(hand_small2d(black_box(small), &mut seven)),
        "fixed_smallidx" => repeat!(fixed_smallidx(black_box(small), &mut eight)),
        "fixed_three" => repeat!(fixed_three(black_box(small), &mut all)),
        "hand_smallidx" => repeat!(hand_smallidx(black_box(small), &mut eight)),
        _ => return false,
    }
    black_box((&dx, &out, &seven, &eight, &all));
    true
}

const NAMES: [&str; 16] = [
    "plan_seed6",
    "plan_small2d",
    "plan_smallidx",
    "copy_seed6",
    "call_seed6",
    "call_small2d",
    "call_smallidx",
    "into_small2d",
    "into_smallidx",
    "passed_small2d",
    "passed_smallidx",
    "passed_new_small2d",
    "grad_seed6",
    "fixed_small2d",
    "fixed_smallidx",
    "fixed_three",
];

/// Instructions of the whole program with so many calls.
fn collected(name: &str, calls: u64) -> Result<u64, String> {
    let me = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(me)
        .args(["--run", name, &calls.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    line.and_then(|(_, count)| count.trim().parse().ok())
        .ok_or_else(|| format!("{name}: no count in:\n{text}"))
}

/// Instructions per call.
fn count(name: &str) -> Result<f64, String> {
    let (few, many) = (collected(name, CALLS)?, collected(name, 2 * CALLS)?);
    Ok((many - few) as f64 / CALLS as f64)
}

fn compare(write: bool) -> Result<bool, String> {
    let text = std::fs::read_to_string(BASELINE).unwrap_or_default();
    let before: BTreeMap<&str, f64> = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .filter_map(|(n, c)| Some((n, c.parse().ok()?)))
        .collect();
    let mut lines = vec!["workload,instructions".to_owned()];
    let mut good = true;
    for name in NAMES {
        let now = count(name)?;
        lines.push(format!("{name},{now:.1}"));
        let limit = before.get(name).map(|before| before * 1.05 + 1.0);
        let more = !write && limit.is_none_or(|limit| now > limit);
        let was = before.get(name).map_or("none".to_owned(), |before| format!("{before:.1}"));
        println!("{name:20} {now:10.1}  baseline {was}{}", if more { "  TOO MANY" } else { "" });
        good &= !more;
    }
    for shape in ["small2d", "smallidx"] {
        let (fixed, hand) = (count(&format!("fixed_{shape}"))?, count(&format!("hand_{shape}"))?);
        let more = fixed > 1.2 * hand;
        println!(
            "fixed_{shape} / hand_{shape}  {:.2}{}",
            fixed / hand,
            if more { "  TOO MANY" } else { "" }
        );
        good &= !more;
    }
    if write {
        std::fs::write(BASELINE, lines.join("\n") + "\n").map_err(|error| error.to_string())?;
    }
    Ok(good)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--run") {
        let calls = arguments.get(at + 2).and_then(|calls| calls.parse().ok());
        let known = arguments.get(at + 1).zip(calls).is_some_and(|(name, calls)| run(name, calls));
        return if known { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match compare(std::env::var_os("OVERWRITE").is_some_and(|value| value == "1")) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
