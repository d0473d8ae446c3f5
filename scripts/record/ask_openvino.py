"""OpenVINO's StridedSlice, Slice-8 on its CPU plugin."""

import numpy as np
import openvino
from openvino import opset14 as op

from common import Recorder, strided

CLASSES = [
    (r"begin >= -\(int64_t|out of bounds", "index"),
    (r"[Ss]tride must be non-zero|step.*non-zero|'step' value.*zero|non-zero value", "zero_stride"),
    (r"At most one ellipsis", "two_ellipses"),
    (r"Input rank plus number of new axis", "too_many"),
    (r"same number of values|must have the same size", "lengths"),
    (r"unique|duplicate", "repeated_axis"),
    (r"axis.*out of|out of the tensor rank range|out of range", "axis"),
    (r"should be less or equal to|must be|size", "lengths"),
]
r = Recorder("openvino", openvino.__version__.split("-")[0], CLASSES)
core = openvino.Core()


def run(shape, node):
    x = op.parameter(list(shape), np.int64)
    model = openvino.Model([node(x)], [x])
    count = int(np.prod(shape))
    return core.compile_model(model, "CPU")([np.arange(count, dtype=np.int64).reshape(shape)])[0].copy()


def const(values):
    return op.constant(np.array(values, np.int64))


def ask(shape, begin, end, strides, m):
    if any(new and s < 0 for new, s in zip(m["new_axis"], strides)):
        return  # it reads outside its input
    masks = [m["begin"], m["end"], m["new_axis"], m["shrink"], m["ellipsis"]]
    args = {"begin": begin, "end": end, "strides": strides, "masks": m}
    r.ask("StridedSlice", shape, args, lambda: run(
        shape, lambda x: op.strided_slice(x, const(begin), const(end), const(strides), *masks)))


def one(begin, end, stride, *bits, shape=(5,)):
    m = {name: [int(name in bits)] for name in ("begin", "end", "ellipsis", "new_axis", "shrink")}
    ask(list(shape), [begin], [end], [stride], m)


for begin, end, stride in [(4, 0, -1), (9, 0, -1), (4, -6, -1), (-9, -10, -1), (4, 2**63 - 1, -1), (4, 2**31 - 1, -1),
                           (1, 2**31 - 1, 1), (0, 4, 0), (-2**63, 2**63 - 1, 2)]:
    one(begin, end, stride)
one(3, 4, 1, "shrink")
one(7, 8, 1, "shrink")
one(-1, 0, 1, "shrink")
one(3, 4, 1, "shrink", "begin", "end")
one(3, 4, -1, "shrink")
one(3, 0, 2, "shrink")
one(0, 0, 0, "new_axis")
one(0, 0, 0, "ellipsis")
one(3, 1, 1, "new_axis", "shrink")
ask([2, 3, 5], [0, 1, 0], [0, 4, 0], [1, 1, 1],
    {"begin": [1, 0, 0], "end": [1, 0, 0], "ellipsis": [1, 0, 1], "new_axis": [], "shrink": []})
ask([5], [0, 0], [4, 4], [1, 1], {k: [] for k in ("begin", "end", "ellipsis", "new_axis", "shrink")})
ask([5, 4], [1, 1], [3, 3], [1, 1], {"begin": [1], "end": [], "ellipsis": [], "new_axis": [], "shrink": []})
ask([5, 4], [1, 1], [3, 3], [1, 1], {"begin": [1], "end": [1, 1], "ellipsis": [], "new_axis": [], "shrink": []})
ask([5, 4], [1], [3, 3], [1, 1], {k: [] for k in ("begin", "end", "ellipsis", "new_axis", "shrink")})
strided(r, ask)


def ask_shape(shape, begin, end, strides, m):
    dims = r.dims(shape, intervals=True)
    masks = [m["begin"], m["end"], m["new_axis"], m["shrink"], m["ellipsis"]]
    known = r.random.random() < 0.6, r.random.random() < 0.6

    def inferred():
        x = op.parameter(openvino.PartialShape([openvino.Dimension(a, -1 if b is None else b) for a, b in dims]), np.int64)
        ends = [const(v) if k else op.parameter([len(v)], np.int64) for v, k in zip((begin, end), known)]
        node = op.strided_slice(x, *ends, const(strides), *masks)
        return [[d.min_length, None if d.max_length < 0 else d.max_length] for d in node.get_output_partial_shape(0)]
    args = {"begin": begin if known[0] else [None] * len(begin), "end": end if known[1] else [None] * len(end), "strides": strides, "masks": m}
    r.ask_shape("StridedSlice", dims, args, inferred)


strided(r, ask_shape, 150)
r.finish()
