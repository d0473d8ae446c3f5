"""OpenVINO's StridedSlice and Slice on its CPU plugin, and the shapes that it infers."""

import numpy as np
import openvino
from openvino import opset14 as op

from common import Recorder, Undefined

CLASSES = [
    (r"is_axis_valid", "axis"),
    (r"axes_map.is_valid", "repeated_axis"),
    (r"step != 0", "zero_stride"),
    (r"start_shape.compatible|compatible\(start_shape\)", "lengths"),
    (r"shape\[0\].get_min_length\(\)\) <= input_rank", "too_many"),
    (r"begin >= -\(int64_t|out of bounds", "index"),
    (r"[Ss]tride must be non-zero|step.*non-zero|'step' value.*zero|non-zero value", "zero_stride"),
    (r"At most one ellipsis", "two_ellipses"),
    (r"Input rank plus number of new axis|out-of-range dimension|num_real_axes <= input_shape", "too_many"),
    (r"same number of values|must have the same size", "lengths"),
    (r"unique|duplicate", "repeated_axis"),
    (r"axis.*out of|out of the tensor rank range|out of range", "axis"),
    (r"should be less or equal to|must be|size", "lengths"),
]
NAMES = ("begin", "end", "ellipsis", "new_axis", "shrink")
core = openvino.Core()


def const(values):
    return op.constant(np.array(values, np.int64))


def masks_of(m):
    return [m["begin"], m["end"], m["new_axis"], m["shrink"], m["ellipsis"]]


def run(x, args):
    parameter = op.parameter(list(x.shape), np.int64)
    node = op.strided_slice(parameter, *[const(args[k]) for k in ("begin", "end", "strides")], *masks_of(args["masks"]))
    model = core.compile_model(openvino.Model([node], [parameter]), "CPU")
    first, second = (model([x + by])[0].copy() for by in (700, 0))
    if (first != second + 700).any():
        raise Undefined("values that do not come from its input")
    return second


def slice8(x, args, constant=const):
    return op.slice(x, *[constant(args[k]) for k in ("starts", "ends", "steps", "axes") if args[k] is not None])


def run_slice(x, args):
    parameter = op.parameter(list(x.shape), np.int64)
    model = core.compile_model(openvino.Model([slice8(parameter, args)], [parameter]), "CPU")
    first, second = (model([x + by])[0].copy() for by in (700, 0))
    if (first != second + 700).any():
        raise Undefined("values that do not come from its input")
    return second


r = Recorder("openvino", openvino.__version__.split("-")[0], CLASSES, {"StridedSlice": run, "openvino.Slice": run_slice})

# Numbers that it may crash on come first, each in a process of its own: threads do not survive a fork.
r.isolate = True
far = [2**31 - 1, 2**31, 2**32 + 3, 2**33, 2**63 - 2, 2**63 - 1]
far += [-v for v in far] + [-2**63]
for n in (5, 1, 0):
    for start, stop, step in [(4, 0, -1), (9, 0, -1), (4, -6, -1), (-9, -10, -1), (-9, 3, 1), (-2, -4, -1), (0, 5, 0), (3, 1, 1), (-1, -9, -2)]:
        r.ask("openvino.Slice", [n], {"starts": [start], "ends": [stop], "axes": None, "steps": [step]})
for v in far:
    for start, stop, step in [(v, 0, 1), (v, 0, -1), (v, -9, -1), (0, v, 1), (4, v, -1), (0, 5, v), (4, -9, v)]:
        r.ask("openvino.Slice", [5], {"starts": [start], "ends": [stop], "axes": None, "steps": [step]})
for axes, n in [([1, 0], 2), ([-1, -3], 2), ([0, 0], 2), ([0, -3], 2), ([3], 1), ([-4], 1), ([0, 1], 1), (None, 4)]:
    r.ask("openvino.Slice", [2, 3, 4], {"starts": [1] * n, "ends": [3] * n, "axes": axes, "steps": [1] * n})
r.isolate, alone, r.lines = False, r.lines, []


def ask(shape, begin, end, strides, m):
    r.ask("StridedSlice", shape, {"begin": begin, "end": end, "strides": strides, "masks": m})


def one(begin, end, stride, *bits):
    ask([5], [begin], [end], [stride], {name: [int(name in bits)] for name in NAMES})


for begin, end, stride in [(4, 0, -1), (9, 0, -1), (4, -6, -1), (-9, -10, -1), (4, 2**63 - 1, -1), (4, 2**31 - 1, -1),
                           (1, 2**31 - 1, 1), (0, 4, 0), (-2**63, 2**63 - 1, 2)]:
    one(begin, end, stride)
one(3, 4, 1, "shrink")
one(7, 8, 1, "shrink")
one(-1, 0, 1, "shrink")
one(3, 4, 1, "shrink", "begin", "end")
one(3, 4, -1, "shrink")
one(3, 0, 2, "shrink")
one(3, 4, 0, "shrink")
one(0, 0, 0, "new_axis")
one(0, 0, 0, "ellipsis")
one(3, 1, 1, "new_axis", "shrink")
ask([2, 3, 5], [0, 1, 0], [0, 4, 0], [1, 1, 1],
    {"begin": [1, 0, 0], "end": [1, 0, 0], "ellipsis": [1, 0, 1], "new_axis": [], "shrink": []})
ask([5], [0, 0], [4, 4], [1, 1], {k: [] for k in NAMES})
ask([5, 4], [1, 1], [3, 3], [1, 1], {"begin": [1], "end": [], "ellipsis": [], "new_axis": [], "shrink": []})
ask([5, 4], [1, 1], [3, 3], [1, 1], {"begin": [1], "end": [1, 1], "ellipsis": [], "new_axis": [], "shrink": []})
ask([5, 4], [1], [3, 3], [1, 1], {k: [] for k in NAMES})


ask([2, 4, 2], [0, -1], [0, 0], [1, 1], {"begin": [0, 0], "end": [0, 0], "ellipsis": [0, 0], "new_axis": [1, 0], "shrink": [0, 1]})
one(7, 8, 1, "shrink", "begin")


def node(shape):
    numbers = r.strided(shape)
    if numbers is None:
        return None
    begin, end, strides, m = numbers
    if any(new and s < 0 for new, s in zip(m["new_axis"], strides)):
        return None  # it reads outside its input
    if min(strides) < -2**62:
        return None  # it ends its process
    return "StridedSlice", {"begin": begin, "end": end, "strides": strides, "masks": m}


r.ask_random(150, node)
r.graphs(40, node)


def sliced(shape):
    args = r.axes_form(shape)
    args["steps"] = args["steps"] or [1] * len(args["starts"])
    return None if min(args["steps"]) < -2**31 else ("openvino.Slice", args)


for _ in r.times(150):
    shape = r.shape()
    numbers = r.strided(shape)
    if numbers is None or 0 in numbers[2] or min(numbers[2]) < -2**62:
        continue  # it ends its process: a division by 0, for 0 where a length is not known
    dims = r.dims(shape, intervals=True)
    begin, end, strides, m = numbers
    known = r.random.random() < 0.6, r.random.random() < 0.6

    def inferred():
        x = op.parameter(openvino.PartialShape([openvino.Dimension(a, -1 if b is None else b) for a, b in dims]), np.int64)
        ends = [const(v) if k else op.parameter([len(v)], np.int64) for v, k in zip((begin, end), known)]
        one = op.strided_slice(x, *ends, const(strides), *masks_of(m))
        return [[d.min_length, None if d.max_length < 0 else d.max_length] for d in one.get_output_partial_shape(0)]
    args = {"begin": begin if known[0] else [None] * len(begin), "end": end if known[1] else [None] * len(end), "strides": strides, "masks": m}
    r.ask_shape("StridedSlice", dims, args, inferred)
r.lines += alone
r.ask_random(150, sliced)
r.graphs(30, sliced)
for _ in r.times(120):
    shape = r.shape()
    case = sliced(shape)
    if case is None or 0 in case[1]["steps"]:
        continue
    dims, full = r.dims(shape, intervals=True), case[1]
    hidden = {k for k in ("starts", "ends", "steps") if r.random.random() < 0.25}
    args = {k: [None] * len(v) if k in hidden else v for k, v in full.items()}

    def inferred_slice():
        x = op.parameter(openvino.PartialShape([openvino.Dimension(a, -1 if b is None else b) for a, b in dims]), np.int64)
        one = slice8(x, args, lambda v: op.parameter([len(v)], np.int64) if None in v else const(v))
        return [[d.min_length, None if d.max_length < 0 else d.max_length] for d in one.get_output_partial_shape(0)]
    r.ask_shape("openvino.Slice", dims, args, inferred_slice)
r.finish()
