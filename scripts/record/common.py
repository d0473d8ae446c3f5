"""What the recorders share: random numbers, classes of refusals, and the files they write.

A recorder asks one real system and writes `tests/data/import_SYSTEM.jsonl`, one case a line: the
operator, the shape of the input, the arguments as the operator carries them, and either the result
(shape and values, where the input counts 0, 1, 2, ... in row-major order) or the class of the
refusal with the system's words. A line with `graph` has several operators, each of which takes the
result of the one before.

The environment says otherwise: `SEED` gives other random numbers, `TIMES` so many times as many of
them, `INTO` another directory. `WRITTEN` names a directory with what pyslice wrote for the system;
then only that is asked, and `written_SYSTEM.jsonl` is made.
"""

import json
import os
import pathlib
import random
import re
import resource
import sys

import numpy as np

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
INTO = pathlib.Path(os.environ.get("INTO", DATA))
MOST_VALUES = 48


class Undefined(Exception):
    """The system has no answer of its own: it reads outside its input, or contradicts itself."""


class Recorder:
    def __init__(self, system, version, classes, ops, isolate=False):
        """`ops` maps the name of an operator to what runs it on an array, given its arguments."""
        self.system, self.version, self.classes, self.ops = system, version, classes, ops
        self.isolate = isolate  # a process for each case, for a system that crashes
        self.lines, self.shapes, self.seen = [], [], set()
        self.far = [2**31 - 1, -2**31, 2**63 - 1, -2**63]  # numbers that lie far outside every axis
        self.random = random.Random(int(os.environ.get("SEED", "35")))
        if "WRITTEN" in os.environ:
            self.written(pathlib.Path(os.environ["WRITTEN"]))

    def times(self, count):
        return range(count * int(os.environ.get("TIMES", "1")))

    def ask(self, op, shape, args):
        """Records one case."""
        self.record({"op": op, "shape": list(shape), "args": args}, [(op, args)])

    def ask_random(self, count, node, most=3):
        """Records random cases: `node` makes an operator and its arguments for a shape, or `None`."""
        for _ in self.times(count):
            shape = self.shape(most)
            one = node(shape)
            if one:
                self.ask(one[0], shape, one[1])

    def graphs(self, count, node):
        """Records random graphs of two or three operators; of those that refuse, the last does."""
        for _ in self.times(count):
            shape, nodes = self.shape(), []
            now = shape
            for _ in range(6):
                one = node(now) if len(nodes) < 3 else None
                if one is None:
                    continue
                result = self.answer(shape, [*nodes, one])
                if "ok" in result or len(nodes) > 0 and self.random.random() < 0.3:
                    nodes.append(one)
                if "ok" not in result:
                    break
                now = result["ok"]["shape"]
            if len(nodes) > 1:
                graph = [{"op": op, "args": args} for op, args in nodes]
                self.record({"graph": graph, "shape": shape}, nodes)

    def record(self, case, nodes):
        key = json.dumps(case, sort_keys=True)
        if key in self.seen:
            return
        self.seen.add(key)
        result = self.answer(case["shape"], nodes)
        if len(result.get("ok", {}).get("v", [])) <= MOST_VALUES:
            self.lines.append(json.dumps({**case, **result}, separators=(",", ":")))

    def ask_shape(self, op, dims, args, answer):
        """Records what the system infers: lengths as [least, most], `None` for no limit, and numbers that are `None` unknown."""
        case = {"op": op, "dims": dims, "args": args}
        try:
            case["inferred"] = answer()
        except Exception as error:  # any exception is the system's answer
            case["err"] = self.classify(" ".join(str(error).split()))
        self.shapes.append(json.dumps(case, separators=(",", ":")))

    def dims(self, shape, intervals=False):
        """The shape with some of its lengths hidden, as [least, most]."""
        def one(n):
            kind = self.random.choice(["known", "known", "unknown", "between" if intervals else "unknown"])
            return {"known": [n, n], "unknown": [0, None],
                    "between": [max(0, n - self.random.randint(0, 2)), n + self.random.randint(1, 4)]}[kind]
        return [one(n) for n in shape]

    def hidden(self, values, chance=0.3):
        return [None if self.random.random() < chance else v for v in values]

    def answer(self, shape, nodes):
        """What the system answers to one operator after the other; in a process of its own if it may crash."""
        return (self.apart if self.isolate else self.result)(shape, nodes)

    def result(self, shape, nodes):
        try:
            got = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
            for op, args in nodes:
                got = np.asarray(self.ops[op](got, args))
            values = [int(v) for v in got.reshape(-1)]
            if any(not 0 <= v < 2000 for v in values):
                raise Undefined("reads outside its input")
            return {"ok": {"shape": [int(n) for n in got.shape], "v": values}}
        except (Undefined, MemoryError) as error:
            return {"undefined": str(error)}
        except Exception as error:  # any exception is the system's answer
            return {"err": self.classify(" ".join(str(error).split()))}

    def apart(self, shape, nodes):
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            # A system may ask for the memory of a result that is garbage.
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            try:
                result = self.result(shape, nodes)
            except SystemExit as error:  # words without a class
                result = {"unknown": str(error)}
            os.write(into, json.dumps(result).encode())
            os._exit(0)
        os.close(into)
        with os.fdopen(out) as pipe:
            text = pipe.read()
        status = os.waitpid(child, 0)[1]
        result = json.loads(text) if status == 0 else {"crash": f"signal {status & 127}"}
        if "unknown" in result:
            raise SystemExit(result["unknown"])
        return result

    def classify(self, words):
        for pattern, name in self.classes:
            found = re.search(pattern, words)
            if found:
                return {"class": name, "msg": words[max(0, found.start() - 60):found.end() + 60].strip()}
        raise SystemExit(f"{self.system}: no class for: {words}")

    def written(self, directory):
        """Answers what pyslice wrote, and stops."""
        lines = [self.head()]
        for line in (directory / f"{self.system}.jsonl").read_text().splitlines():
            case = json.loads(line)
            lines.append(json.dumps({**case, **self.answer(case["shape"], [(case["op"], case["args"])])}, separators=(",", ":")))
        self.save(f"written_{self.system}.jsonl", lines)
        sys.exit()

    def finish(self):
        if self.shapes:
            self.save(f"infer_{self.system}.jsonl", [self.head(), *self.shapes])
        if self.lines:
            self.save(f"import_{self.system}.jsonl", [self.head(), *self.lines])

    def head(self):
        return json.dumps({"system": self.system, "version": self.version}, separators=(",", ":"))

    def save(self, name, lines):
        INTO.mkdir(parents=True, exist_ok=True)
        (INTO / name).write_text("\n".join(lines) + "\n")
        refused, nothing = (sum(f'"{key}"' in line for line in lines) for key in ("err", "undefined"))
        print(f"{name}: {len(lines) - 1} cases, {refused} refused, {nothing} undefined")

    def shape(self, most=3):
        return [self.random.choice([0, 1, 2, 3, 4, 5]) if self.random.random() < 0.2
                else self.random.choice([2, 3, 4, 5]) for _ in range(self.random.randint(1, most))]

    def bound(self, n, spread=3):
        if self.random.random() < 0.03:
            return self.random.choice(self.far)
        return self.random.randint(-n - spread, n + spread)

    def step(self):
        if self.random.random() < 0.02:
            return self.random.choice([0, max(self.far), -max(self.far)])
        return self.random.choice([1, 1, 2, 3, -1, -1, -2, -3])

    def strided(self, shape):
        """Random numbers of a StridedSlice: begin, end, strides, and the masks as lists of bits; or `None`."""
        entries, takes = [], 0
        ellipsis = self.random.random() < 0.3
        most = len(shape) + (self.random.random() < 0.02)
        while takes < most and self.random.random() < 0.9:
            kind = self.random.choice("rrrrrrsse" if ellipsis else "rrrrrrssn")
            if kind == "e":
                ellipsis = False
            takes += kind in "rs"
            entries.append(kind)
        if self.random.random() < 0.1:
            entries.append("n")
        if not entries:
            return None
        begin, end, strides, axis = [], [], [], 0
        masks = {m: [0] * len(entries) for m in ("begin", "end", "ellipsis", "new_axis", "shrink")}
        for i, kind in enumerate(entries):
            n = shape[min(axis, len(shape) - 1)] if shape else 1
            begin.append(self.bound(n))
            end.append(self.bound(n))
            strides.append(self.step())
            masks["begin"][i] = int(self.random.random() < 0.25)
            masks["end"][i] = int(self.random.random() < 0.25)
            if kind == "s":
                masks["shrink"][i] = 1
                masks["begin"][i] = int(self.random.random() < 0.1)
                begin[i] = self.random.randint(-n, max(n - 1, 0)) if self.random.random() < 0.9 else self.bound(n)
                strides[i] = 1 if self.random.random() < 0.9 else self.step()
                end[i] = min(begin[i] + 1, max(self.far))
            masks["ellipsis"][i] = int(kind == "e")
            masks["new_axis"][i] = int(kind == "n")
            axis += kind in "rs"
        return begin, end, strides, masks

    def axes_form(self, shape):
        """Random numbers of a slice in axes form, some vectors left out."""
        axes = self.random.sample(range(len(shape)), self.random.randint(1, len(shape)))
        steps = [self.step() for _ in axes]
        starts = [self.bound(shape[a]) for a in axes]
        ends = [self.random.choice(self.far) if self.random.random() < 0.15 else self.bound(shape[a]) for a in axes]
        if self.random.random() < 0.2:
            axes, steps = list(range(len(axes))), None
        if axes == sorted(axes) == list(range(len(axes))) and self.random.random() < 0.5:
            axes = None
        elif self.random.random() < 0.3:
            axes = [a - len(shape) for a in axes]
        return {"starts": starts, "ends": ends, "axes": axes, "steps": steps}


def bits(flags):
    return sum(flag << i for i, flag in enumerate(flags))
