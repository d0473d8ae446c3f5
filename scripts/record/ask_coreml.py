"""Core ML's slice_by_size and slice_by_index, as coremltools infers types and values on any machine."""

import coremltools
import numpy as np
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.mil import Function

from common import Recorder, Undefined

CLASSES = [
    (r"unsupported values", "refused"),
    (r"step cannot be zero|division by zero|divide by zero", "zero_stride"),
    (r"cannot select an axis to squeeze", "index"),
    (r"out of|bound|exceed|[Ii]nvalid|smaller|must be|negative", "window"),
    (r"rank|length|shape", "lengths"),
]


def run(x, args):
    begin, size = (np.array(args[k], np.int32) for k in ("begin", "size"))
    with Function({"x": mb.placeholder(shape=(1,))}):
        y = mb.slice_by_size(x=mb.const(val=x.astype(np.int32)), begin=mb.const(val=begin), size=mb.const(val=size))
        if y.val is None:
            raise ValueError("no value inferred")
        if tuple(y.shape) != np.asarray(y.val).shape:
            raise Undefined(f"type inference says {tuple(y.shape)}, value inference {np.asarray(y.val).shape}")
        return np.asarray(y.val)


MASKS = ("begin_mask", "end_mask", "squeeze_mask")


def index(x, args):
    vectors = {k: mb.const(val=np.array(args[k], np.int32)) for k in ("begin", "end", "stride")}
    masks = {k: mb.const(val=np.array(args[k], bool)) for k in MASKS}
    y = mb.slice_by_index(x=mb.const(val=x.astype(np.int32)), **vectors, **masks)
    if y.val is None:
        raise ValueError("no value inferred")
    if tuple(y.shape) != np.asarray(y.val).shape:
        raise Undefined(f"type inference says {tuple(y.shape)}, value inference {np.asarray(y.val).shape}")
    return np.asarray(y.val)


def run_index(x, args):
    with Function({"x": mb.placeholder(shape=(1,))}):
        return index(x, args)


r = Recorder("coreml", f"coremltools {coremltools.__version__}", CLASSES, {"slice_by_size": run, "slice_by_index": run_index})


def node(shape):
    if not shape or 0 in shape:
        return None
    begin = [r.random.randint(0, n - 1) for n in shape]
    return "slice_by_size", {"begin": begin, "size": [r.random.choice([-1, r.random.randint(1, n - b)]) for n, b in zip(shape, begin)]}


for begin, size in [(0, -1), (3, -1), (5, -1), (-2, 1), (-2, -1), (-2, 2), (-3, 5), (0, -2), (2, 4), (2, 3), (5, 0), (0, 6), (6, -1), (2, 0)]:
    r.ask("slice_by_size", [5], {"begin": [begin], "size": [size]})
r.ask_random(60, node)
r.graphs(20, node)
r.far = [2**31 - 1, -2**31 + 1]


def by_index(shape):
    if not shape or 0 in shape:
        return None
    args = {k: [] for k in ("begin", "end", "stride", *MASKS)}
    for n in shape:
        squeeze = r.random.random() < 0.15
        numbers = [r.bound(n), r.bound(n), r.step()]
        if squeeze and r.random.random() < 0.8:
            numbers[0] = r.random.randint(-n, n - 1)
        flags = [int(r.random.random() < p) for p in (0.25, 0.25)]
        for key, value in zip(args, [*numbers, *flags, int(squeeze)]):
            args[key].append(value)
    return "slice_by_index", args


def one(n, begin, end, stride, *masks):
    r.ask("slice_by_index", [n], {"begin": [begin], "end": [end], "stride": [stride], **{m: [int(m in masks)] for m in MASKS}})


for n in (1, 5):
    for begin, end, stride in [(0, 5, 1), (1, 4, 2), (4, 0, -1), (-1, -6, -1), (-1, -9, -1), (-9, -10, -1), (-9, 3, 1), (7, 8, 1), (3, 1, 1), (-4, -1, -1),
                               (0, 5, 0), (4, -6, -1), (2, 2, 1), (9, 2, -2), (9, 12, 1), (0, 9, 3)]:
        for masks in ((), ("begin_mask",), ("end_mask",), ("begin_mask", "end_mask"), ("squeeze_mask",), ("squeeze_mask", "begin_mask")):
            one(n, begin, end, stride, *masks)
r.ask_random(120, by_index)
r.graphs(20, by_index)
r.finish()
