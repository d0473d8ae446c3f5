#!/usr/bin/env python3
"""What a slice costs the compiler, beside ndarray's `s!`, and what pyslice costs to build.

    python3 benches/compile/measure.py [--slices 300] [--rounds 3] [--skip-clean]

Makes crates with so many distinct literal slices, a function each, and measures `cargo check`,
`cargo build` and `cargo build --release` (not incremental, one job) of only that crate. A slice is
only written, or it is used as well: its elements become a vector, each in its own place or all by
one function. The crate without any slice is subtracted. Counted is processor time of cargo and all
it starts, which on an idle machine is the wall time of one job. Contestants take turns in every
round, and the median counts, so that a busy machine hurts all alike. Needs cargo and, for ndarray,
its registry.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYSLICE = f'pyslice = {{ path = "{ROOT}" }}'
NDARRAY = 'ndarray = { version = "0.17", default-features = false }'
# The dependency, a function with a slice, and what there is once.
CONTESTANTS = {
    "pyslice, written": (PYSLICE, """
pub fn f{i}() {{ let _ = pyslice::s![{a}:{b}:{c}, ::{d}, {i}:]; }}""", ""),
    "ndarray, written": (NDARRAY, """
pub fn f{i}() {{ let _ = ndarray::s![{a}..{b};{c}, ..;{d}, {i}..]; }}""", ""),
    "pyslice, used": (PYSLICE, """
pub fn f{i}(x: &[f32], shape: &[usize; 3]) -> Vec<f32> {{
    pyslice::s![{a}:{b}:{c}, ::{d}, {i}:].plan(shape).and_then(|plan| plan.copy(x)).unwrap()
}}""", ""),
    "pyslice, used by one function": (PYSLICE, """
pub fn f{i}(x: &[f32], shape: &[usize; 3]) -> Vec<f32> {{
    take(pyslice::s![{a}:{b}:{c}, ::{d}, {i}:].as_ref(), x, shape)
}}""", """
fn take(spec: pyslice::SpecRef<'_>, x: &[f32], shape: &[usize]) -> Vec<f32> {
    spec.plan(shape).and_then(|plan| plan.copy(x)).unwrap()
}"""),
    "ndarray, used": (NDARRAY, """
pub fn f{i}(x: ndarray::ArrayView3<f32>) -> Vec<f32> {{
    x.slice(ndarray::s![{a}..{b};{c}, ..;{d}, {i}..]).iter().copied().collect()
}}""", ""),
}
COMMANDS = ["check", "build", "build --release"]


def source(function, once, slices):
    """Each slice: a range with a step, a whole axis with a step, a range to the end."""
    lines = ["#![allow(unused)]", once if slices else ""]
    for i in range(slices):
        lines.append(function.format(i=i, a=i % 97, b=i % 89 + 100, c=i % 7 + 2, d=i % 5 + 2))
    return "\n".join(lines) + "\n"


def cargo(folder, command):
    env = dict(os.environ, CARGO_INCREMENTAL="0")
    env.pop("RUSTFLAGS", None)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cargo", *command.split(), "--quiet", "-j1"], cwd=folder, env=env, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime


def crate(folder, dependency):
    (folder / "src").mkdir(parents=True, exist_ok=True)
    manifest = f'[workspace]\n[package]\nname = "cost"\nedition = "2024"\n[dependencies]\n{dependency}\n'
    (folder / "Cargo.toml").write_text(manifest)
    (folder / "src/lib.rs").write_text("")


def per_slice(folder, sizes, rounds):
    folders = {}
    for name, (dependency, *_) in CONTESTANTS.items():
        folders[name] = folder / name.replace(", ", "-").replace(" ", "-")
        crate(folders[name], dependency)
    columns = [f"{c}, {n}" for c in COMMANDS for n in sizes]
    print("| ms a slice | " + " | ".join(columns) + " |\n|---|" + "--:|" * len(columns))
    times = {}
    for command in COMMANDS:
        for place in folders.values():
            cargo(place, command)  # builds the dependency
        for _ in range(rounds):
            for n in [0, *sizes]:
                for name, (_, function, once) in CONTESTANTS.items():
                    (folders[name] / "src/lib.rs").write_text(source(function, once, n))
                    cost = cargo(folders[name], command)
                    times.setdefault((name, command, n), []).append(cost)
    for name in CONTESTANTS:
        row = []
        for command in COMMANDS:
            empty = statistics.median(times[name, command, 0])
            row += [(statistics.median(times[name, command, n]) - empty) / n * 1000 for n in sizes]
        print(f"| {name} | " + " | ".join(f"{ms:.2f}" for ms in row) + " |")


def clean(folder, rounds):
    print("\n| clean, seconds | " + " | ".join(COMMANDS) + " |\n|---|" + "--:|" * len(COMMANDS))
    for label, dependency in [("nothing", ""), ("pyslice", PYSLICE), ("ndarray", NDARRAY)]:
        row = []
        for command in COMMANDS:
            costs = []
            for i in range(rounds):
                place = folder / f"clean-{label}-{command.replace(' ', '')}-{i}"
                crate(place, dependency)
                if dependency:
                    subprocess.run(["cargo", "fetch", "--quiet"], cwd=place, check=True)
                costs.append(cargo(place, command))
            row.append(statistics.median(costs))
        print(f"| {label} | " + " | ".join(f"{cost:.2f}" for cost in row) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slices", type=int, nargs="+", default=[300])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--skip-clean", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        per_slice(folder, arguments.slices, arguments.rounds)
        if not arguments.skip_clean:
            clean(folder, arguments.rounds)


if __name__ == "__main__":
    main()
