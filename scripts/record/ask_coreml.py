"""Core ML's slice_by_size, as coremltools infers types and values on any machine."""

import coremltools
import numpy as np
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.mil import Function

from common import Recorder, Undefined

CLASSES = [
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


r = Recorder("coreml", f"coremltools {coremltools.__version__}", CLASSES, {"slice_by_size": run})


def node(shape):
    if not shape or 0 in shape:
        return None
    begin = [r.random.randint(0, n - 1) for n in shape]
    return "slice_by_size", {"begin": begin, "size": [r.random.choice([-1, r.random.randint(1, n - b)]) for n, b in zip(shape, begin)]}


for begin, size in [(0, -1), (3, -1), (5, -1), (-2, 1), (-2, -1), (-2, 2), (-3, 5), (0, -2), (2, 4), (2, 3), (5, 0), (0, 6), (6, -1), (2, 0)]:
    r.ask("slice_by_size", [5], {"begin": [begin], "size": [size]})
r.ask_random(60, node)
r.graphs(20, node)
r.finish()
