"""What the recorders share: random numbers, classes of refusals, and the files they write.

A recorder asks one real system and writes `tests/data/import_SYSTEM.jsonl`, one case a line:
the operator, the shape of the input, the arguments as the operator carries them, and either the
result (shape and values, where the input counts 0, 1, 2, ... in row-major order) or the class of
the refusal with the system's words.
"""

import json
import os
import pathlib
import random
import re

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
MOST_VALUES = 48


class Undefined(Exception):
    """The system has no answer of its own: it reads outside its input, or contradicts itself."""


class Recorder:
    def __init__(self, system, version, classes, isolate=False):
        self.system, self.version, self.classes = system, version, classes
        self.isolate = isolate  # a process for each case, for a system that crashes
        self.lines, self.shapes, self.seen = [], [], set()
        self.random = random.Random(35)

    def ask(self, op, shape, args, answer):
        """Records one case; `answer` runs it and returns an array, or raises."""
        case = {"op": op, "shape": list(shape), "args": args}
        key = json.dumps(case, sort_keys=True)
        if key in self.seen:
            return
        self.seen.add(key)
        result = (self.apart if self.isolate else self.result)(answer)
        if result is not None:
            self.lines.append(json.dumps({**case, **result}, separators=(",", ":")))

    def ask_shape(self, op, dims, args, answer):
        """Records what the system infers: lengths as [least, most], `None` for no limit, and numbers that are `None` unknown."""
        case = {"op": op, "dims": dims, "args": args}
        try:
            case["inferred"] = answer()
        except Exception as error:  # whatever a system raises is its answer
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

    def result(self, answer):
        try:
            got = answer()
            values = [int(v) for v in got.reshape(-1)]
            if len(values) > MOST_VALUES:
                return None
            if any(not 0 <= v < 2000 for v in values):
                raise Undefined("reads outside its input")
            return {"ok": {"shape": [int(n) for n in got.shape], "v": values}}
        except Undefined as error:
            return {"undefined": str(error)}
        except Exception as error:  # whatever a system raises is its answer
            return {"err": self.classify(" ".join(str(error).split()))}

    def apart(self, answer):
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(into, json.dumps(self.result(answer)).encode())
            os._exit(0)
        os.close(into)
        with os.fdopen(out) as pipe:
            text = pipe.read()
        status = os.waitpid(child, 0)[1]
        return json.loads(text) if status == 0 else {"crash": f"signal {status & 127}"}

    def classify(self, words):
        for pattern, name in self.classes:
            found = re.search(pattern, words)
            if found:
                return {"class": name, "msg": words[max(0, found.start() - 60):found.end() + 60].strip()}
        raise SystemExit(f"{self.system}: no class for: {words}")

    def finish(self):
        head = json.dumps({"system": self.system, "version": self.version}, separators=(",", ":"))
        path = DATA / f"import_{self.system}.jsonl"
        if self.shapes:
            (DATA / f"infer_{self.system}.jsonl").write_text("\n".join([head, *self.shapes]) + "\n")
        if not self.lines:
            return
        path.write_text("\n".join([head, *self.lines]) + "\n")
        refused = sum('"err"' in line for line in self.lines)
        print(f"{path.name}: {len(self.lines)} cases, {refused} refused, {path.stat().st_size} bytes")

    def shape(self, most=3):
        return [self.random.choice([0, 1, 2, 3, 4, 5]) if self.random.random() < 0.2
                else self.random.choice([2, 3, 4, 5]) for _ in range(self.random.randint(1, most))]

    def bound(self, n, spread=3):
        return self.random.randint(-n - spread, n + spread)

    def step(self):
        return self.random.choice([1, 1, 2, 3, -1, -1, -2, -3])


def strided(r, ask, count=150):
    """Random StridedSlice cases: `ask(shape, begin, end, strides, masks)`, masks as lists of bits."""
    for _ in range(count):
        shape = r.shape()
        entries, takes = [], 0
        ellipsis = r.random.random() < 0.3
        while takes < len(shape) and r.random.random() < 0.9:
            kind = r.random.choice("rrrrrrsse" if ellipsis else "rrrrrrssn")
            if kind == "e":
                ellipsis = False
            takes += kind in "rs"
            entries.append(kind)
        if not entries:
            continue
        begin, end, strides, axis = [], [], [], 0
        masks = {m: [0] * len(entries) for m in ("begin", "end", "ellipsis", "new_axis", "shrink")}
        for i, kind in enumerate(entries):
            n = shape[min(axis, len(shape) - 1)]
            begin.append(r.bound(n))
            end.append(r.bound(n))
            strides.append(r.step())
            masks["begin"][i] = int(r.random.random() < 0.25)
            masks["end"][i] = int(r.random.random() < 0.25)
            if kind == "s":
                masks["shrink"][i] = 1
                masks["begin"][i] = int(r.random.random() < 0.1)
                begin[i] = r.random.randint(-n, max(n - 1, 0)) if r.random.random() < 0.9 else r.bound(n)
                strides[i] = 1 if r.random.random() < 0.9 else r.step()
                end[i] = begin[i] + 1
            masks["ellipsis"][i] = int(kind == "e")
            masks["new_axis"][i] = int(kind == "n")
            axis += kind in "rs"
        ask(shape, begin, end, strides, masks)


def bits(flags):
    return sum(flag << i for i, flag in enumerate(flags))
