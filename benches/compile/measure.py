#!/usr/bin/env python3
"""What a slice costs the compiler, beside ndarray's `s!`, and what pyslice costs to build.

    python3 benches/compile/measure.py [--slices 1000 5000] [--rounds 3] [--skip-clean]

Makes crates with so many distinct literal slices, a function each, and measures
`cargo check` and `cargo build` (debug, not incremental, one job) of only that crate. The crate
without any slice is subtracted. Counted is processor time of cargo and all it starts, which on an idle
machine is the wall time of one job. Contestants take turns in every round, and the median counts, so
that a busy machine hurts all alike. Needs cargo and, for ndarray, its registry.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTESTANTS = {
    "pyslice s!": (f'pyslice = {{ path = "{ROOT}" }}', "pyslice::s!"),
    "ndarray s!": ('ndarray = { version = "0.17", default-features = false }', "ndarray::s!"),
}


def text(contestant, i):
    """Slice number i: a range with a step, a whole axis with a step, a range to the end."""
    a, b, c, d = i % 97, i % 89 + 100, i % 7 + 2, i % 5 + 2
    if contestant.startswith("pyslice"):
        return f"{a}:{b}:{c}, ::{d}, {i}:"
    return f"{a}..{b};{c}, ..;{d}, {i}.."


def source(contestant, macro, slices):
    lines = ["#![allow(unused)]"]
    lines += [f"pub fn f{i}() {{ let _ = {macro}[{text(contestant, i)}]; }}" for i in range(slices)]
    return "\n".join(lines) + "\n"


def cargo(folder, command):
    env = dict(os.environ, CARGO_INCREMENTAL="0")
    env.pop("RUSTFLAGS", None)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cargo", command, "--quiet", "-j1"], cwd=folder, env=env, check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime


def crate(folder, dependency):
    (folder / "src").mkdir(parents=True, exist_ok=True)
    manifest = f'[workspace]\n[package]\nname = "cost"\nedition = "2024"\n[dependencies]\n{dependency}\n'
    (folder / "Cargo.toml").write_text(manifest)
    (folder / "src/lib.rs").write_text("")


def per_slice(folder, sizes, rounds):
    folders = {}
    for name, (dependency, _) in CONTESTANTS.items():
        folders[name] = folder / name.split()[0]
        crate(folders[name], dependency)
    print("| ms a slice | " + " | ".join(f"{c}, {n}" for c in ("check", "debug build") for n in sizes) + " |")
    print("|---|" + "--:|" * (2 * len(sizes)))
    times = {}
    for command in ("check", "build"):
        for place in folders.values():
            cargo(place, command)  # builds the dependency
        for _ in range(rounds):
            for n in [0, *sizes]:
                for name, (_, macro) in CONTESTANTS.items():
                    (folders[name] / "src/lib.rs").write_text(source(name, macro, n))
                    cost = cargo(folders[name], command)
                    times.setdefault((name, command, n), []).append(cost)
    for name in CONTESTANTS:
        row = []
        for command in ("check", "build"):
            empty = statistics.median(times[name, command, 0])
            row += [(statistics.median(times[name, command, n]) - empty) / n * 1000 for n in sizes]
        print(f"| {name} | " + " | ".join(f"{ms:.2f}" for ms in row) + " |")


def clean(folder, rounds):
    print("\n| clean | seconds |\n|---|--:|")
    for label, dependency in [("nothing", ""), *((n, d) for n, (d, _) in CONTESTANTS.items())]:
        for command in ("check", "build"):
            costs = []
            for i in range(rounds):
                place = folder / f"clean-{label.split()[0]}-{command}-{i}"
                crate(place, dependency)
                if dependency:
                    subprocess.run(["cargo", "fetch", "--quiet"], cwd=place, check=True)
                costs.append(cargo(place, command))
            print(f"| {label}, {command} | {statistics.median(costs):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slices", type=int, nargs="+", default=[1000, 5000])
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
