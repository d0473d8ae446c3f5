#!/usr/bin/env python3
"""What a slice that is used costs the compiler, beside ndarray's, and what pyslice costs to build.

    python3 benches/compile/measure.py [--uses 40] [--rounds 2] [--opt-level 3] [--clean]

Makes programs with so many slices, and with twice as many, all used in one function, where a price
that grows with the square shows. Measures `cargo build --release` (not incremental, one job) of only
the program. The program without any slice is subtracted. Counted is processor time of cargo and all
it starts. Contestants take turns in every round, and the least counts, so that a busy machine hurts
all alike. Ends with 1 if a slice costs more than its limit, as a ratio to ndarray's, or if the
price grows faster than their number, and still does after as many rounds again, twice. Needs cargo
and, for ndarray, its registry.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYSLICE = f'pyslice = {{ path = "{ROOT}" }}\n'
WITH_NDARRAY = f'pyslice = {{ path = "{ROOT}", features = ["ndarray"] }}\n'
NDARRAY = 'ndarray = { version = "0.17", default-features = false, features = ["std"] }\n'
PLAIN = """use pyslice::{Shaped, s};
    let (mut x, row) = (vec![0.5f32; n * 64 * 64], vec![1f32; 64]);
    let shape = [n * 64, 64];"""
ARRAY = "let x = ndarray::Array{rank}::<f32>::zeros({shape});"
ARRAYS = {
    rank: ARRAY.format(rank=rank, shape=shape)
    for rank, shape in [("2", "(n * 64, 64)"), ("3", "(n * 64, 64, 8)"), ("D", "vec![n * 64, 64, 8]")]
}
OURS = {rank: "use pyslice::{s, PySlice};\n    " + array for rank, array in ARRAYS.items()}
THEIRS = {rank: "use ndarray::s;\n    " + array for rank, array in ARRAYS.items()}
Y = "\n    let (mut x, y) = (x, ndarray::Array2::<f32>::ones((1, 1)));"
THEIRS_2, OURS_2 = THEIRS["2"] + Y, OURS["2"] + Y
# What there is once, and a use of slice `i`.
CONTESTANTS = {
    "ndarray, copied": (THEIRS["2"], "t += x.slice(s![{a}..{b};{c}, ..;{d}]).to_owned()[[0, 0]];"),
    "plan, copied": (PLAIN, "t += s![{a}:{b}:{c}, ::{d}].plan(&shape).unwrap().copy(&x).unwrap()[0];"),
    "plan, assigned": (PLAIN, "s![{i}, :].plan(&shape).unwrap().assign(&mut x, &row).unwrap(); t += x[0];"),
    "view, copied": (OURS["2"], "t += x.pyslice(s![{a}:{b}:{c}, ::{d}]).to_owned()[[0, 0]];"),
    "ndarray, mapped": (THEIRS_2, "x.slice_mut(s![{a}..{b};{c}, ..;{d}]).map_inplace(|a| *a *= {i}.5); t += x[[0, 0]];"),
    "plan, for_each": (PLAIN, "s![{a}:{b}:{c}, ::{d}].plan(&shape).unwrap().on_mut(&mut x).unwrap().for_each(|a| *a *= {i}.5); t += x[0];"),
    "ndarray, zipped": (THEIRS_2, "x.slice_mut(s![{a}..{b};{c}, ..;{d}]).zip_mut_with(&y, |a, &b| *a += b * {i}.5); t += x[[0, 0]];"),
    "plan, zipped": (PLAIN, "s![{a}:{b}:{c}, ::{d}].plan(&shape).unwrap().on_mut(&mut x).unwrap().zip(Shaped(&row[..1], &[1]), |a, &b: &f32| *a += b * {i}.5).unwrap(); t += x[0];"),
    "array, zipped": (OURS_2, "x.pyslice_zip_mut_with(s![{a}:{b}:{c}, ::{d}], &y, |a, &b: &f32| *a += b * {i}.5); t += x[[0, 0]];"),
    "one element": (OURS["2"], "t += x.pyslice_get(s![{i}, {d}]);"),
    "ndarray, Array3": (THEIRS["3"], "t += x.slice(s![{a}..{b};{c}, ..;{d}, ..]).sum();"),
    "view of Array3": (OURS["3"], "t += x.pyslice(s![{a}:{b}:{c}, ::{d}]).sum();"),
    "ndarray, ArrayD": (THEIRS["D"], "t += x.slice(s![{a}..{b};{c}, ..;{d}, ..]).sum();"),
    "view of ArrayD": (OURS["D"], "t += x.pyslice(s![{a}:{b}:{c}, ::{d}]).sum();"),
}
# What each is compared with, and how often as much it may cost: twice what is aimed at, and more,
# since one round on a busy machine varies. Code that is inlined at each call costs 20 and more.
LIMITS = {
    "plan, copied": ("ndarray, copied", 4),
    "plan, assigned": ("ndarray, copied", 4),
    "view, copied": ("ndarray, copied", 4),
    "plan, for_each": ("ndarray, mapped", 5),
    "plan, zipped": ("ndarray, zipped", 3),
    "array, zipped": ("ndarray, zipped", 3),
    "one element": ("ndarray, copied", 4),
    "view of Array3": ("ndarray, Array3", 8),
    "view of ArrayD": ("ndarray, ArrayD", 8),
}
# How often as much twice as many may cost, halfway between a line (2) and a square (4), where they
# cost enough seconds to be measured: one round of an even price gave 2.5.
GROWTH, MEASURABLE = 3, 0.5
# A busy moment can make one of three numbers of a ratio too large. More rounds mend that, but not a
# price that is too high.
ATTEMPTS = 3


def source(once, use, uses):
    """Each slice is another one, and each use adds to one number."""
    lines = ["#![allow(unused)]\nfn main() {\n    let (n, mut t) = (std::env::args().count(), 0f32);", once]
    for i in range(uses):
        lines.append(use.format(i=i, a=i % 23, b=i % 19 + 30, c=i % 3 + 1, d=i % 5 + 1))
    return "\n    ".join(lines) + '\n    println!("{t}");\n}\n'


def cargo(folder, command):
    env = dict(os.environ, CARGO_INCREMENTAL="0")
    env.pop("RUSTFLAGS", None)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cargo", *command.split(), "--quiet", "-j1"], cwd=folder, env=env, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime


def crate(folder, dependencies, main, opt_level="3"):
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(
        '[workspace]\n[package]\nname = "cost"\nedition = "2024"\n'
        f"[profile.release]\nopt-level = {opt_level}\n[dependencies]\n{dependencies}"
    )
    (folder / f"src/{'main' if main else 'lib'}.rs").write_text(source("", "", 0) if main else "")


def per_use(folder, uses, rounds, times):
    """The seconds that so many uses of each contestant take, and twice as many: the least of
    `times`, which get those of more rounds."""
    for _ in range(rounds):
        for n in [0, uses, 2 * uses]:
            for name, (once, use) in CONTESTANTS.items():
                (folder / "src/main.rs").write_text(source(once, use, n))
                times.setdefault((name, n), []).append(cargo(folder, "build --release"))
    least = {key: min(costs) for key, costs in times.items()}
    return {
        name: [least[name, n] - least[name, 0] for n in [uses, 2 * uses]] for name in CONTESTANTS
    }


def judge(costs, uses):
    """Prints the table; returns what is over its limit."""
    wrong = []
    print("| used in one function, ms each | | beside ndarray | limit | twice as many |")
    print("|---|--:|--:|--:|--:|")
    for name, (once, twice) in costs.items():
        row, other = "| |", LIMITS.get(name)
        if other:
            # Twice as many are measured better.
            ratio = twice / max(costs[other[0]][1], 0.001)
            row = f"| {ratio:.2f} | {other[1]} |"
            if ratio > other[1]:
                wrong.append(f"{name}: {ratio:.2f} times {other[0]}, limit {other[1]}")
        grown = twice / max(once, 0.001)
        if other and twice > MEASURABLE and grown > GROWTH:
            wrong.append(f"{name}: {2 * uses} cost {grown:.2f} times {uses}, limit {GROWTH}")
        print(f"| {name} | {twice / uses * 500:.2f} {row} {grown:.2f} |")
    return wrong


def clean(folder, rounds):
    commands = ["check", "build", "build --release"]
    print("\n| clean, seconds | " + " | ".join(commands) + " |\n|---|" + "--:|" * len(commands))
    for label, dependency in [
        ("nothing", ""),
        ("pyslice", PYSLICE),
        ("ndarray", NDARRAY),
        ("both", WITH_NDARRAY + NDARRAY),
    ]:
        row = []
        for command in commands:
            costs = []
            for i in range(rounds):
                place = folder / f"clean-{label}-{command.replace(' ', '')}-{i}"
                crate(place, dependency, False)
                if dependency:
                    subprocess.run(["cargo", "fetch", "--quiet"], cwd=place, check=True)
                costs.append(cargo(place, command))
            row.append(statistics.median(costs))
        print(f"| {label} | " + " | ".join(f"{cost:.2f}" for cost in row) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uses", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--opt-level", default="3")
    parser.add_argument("--clean", action="store_true", help="also measure clean builds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        crate(folder / "uses", WITH_NDARRAY + NDARRAY, True, arguments.opt_level)
        cargo(folder / "uses", "build --release")  # builds the dependencies
        times = {}
        for _ in range(ATTEMPTS):
            costs = per_use(folder / "uses", arguments.uses, arguments.rounds, times)
            wrong = judge(costs, arguments.uses)
            if not wrong:
                break
        if arguments.clean:
            clean(folder, arguments.rounds)
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
