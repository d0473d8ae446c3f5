#!/usr/bin/env python3
"""Every workload at two commits, in turn, in one run.

    python3 benches/two.py OLD [NEW] [--only hwc,stride2] [--rounds 5]

OLD and NEW are commits, or `.` for the files as they are now, which is what NEW is if it is left
out. Both are built with the workloads of today, so the slices are the same. In each round either
program measures all workloads; what is printed is the median of the ratios within a round, the
slowest first, and the median of those. Single times depend on what else the machine does.
"""

import argparse
import csv
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / "target" / "two"


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, check=True, text=True, stdout=subprocess.PIPE).stdout


def build(commit):
    """The program that measures a commit."""
    if commit == ".":
        tree, name = ROOT, "now"
    else:
        name = run("git", "rev-parse", "--short", commit).strip()
        tree = WORK / name
        if not tree.exists():
            tree.mkdir(parents=True)
            archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", tree], stdin=archive.stdout, check=True)
        shutil.rmtree(tree / "benches" / "workloads", ignore_errors=True)
        shutil.copytree(ROOT / "benches" / "workloads", tree / "benches" / "workloads")
    said = run("cargo", "bench", "--bench", "workloads", "--no-run", "--message-format", "json",
               "--target-dir", str(WORK / f"target-{name}"), cwd=tree)
    made = [json.loads(line) for line in said.splitlines()]
    return next(it["executable"] for it in made
                if it.get("target", {}).get("name") == "workloads" and it.get("executable"))


def measure(program, only):
    """Nanoseconds of each workload."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.csv"
        names = [only] if only else []
        run(program, "--ours", "--rounds", "1", "--csv", str(path), *names)
        with path.open() as file:
            return {(row["workload"], row["mode"]): float(row["ns"]) for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default=".")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    programs = [build(asked.old), build(asked.new)]
    ratios = {}
    for _ in range(asked.rounds):
        old, new = (measure(program, asked.only) for program in programs)
        for workload in old.keys() & new.keys():
            ratios.setdefault(workload, []).append(new[workload] / old[workload])
    medians = {workload: statistics.median(found) for workload, found in ratios.items()}
    for (name, mode), ratio in sorted(medians.items(), key=lambda it: -it[1]):
        print(f"{name:20} {mode:5} {ratio:.2f}")
    if medians:
        print(f"median of new / old: {statistics.median(medians.values()):.3f}")


if __name__ == "__main__":
    main()
