"""Core ML's slice_by_size and slice_by_index, as coremltools infers types and values on any machine."""

import coremltools
import numpy as np
from coremltools.converters.mil import Builder as mb
from coremltools.converters.mil.mil import Function, Program, types

from common import Recorder, Undefined

CLASSES = [
    (r"out of|bound|exceed|[Ii]nvalid|smaller|must be|negative", "window"),
    (r"rank|length|shape", "lengths"),
]
r = Recorder("coreml", f"coremltools {coremltools.__version__}", CLASSES)


def ask(shape, begin, size):
    def run():
        x = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
        with Function({"x": mb.placeholder(shape=(1,))}):
            y = mb.slice_by_size(x=mb.const(val=x), begin=mb.const(val=np.array(begin, np.int32)), size=mb.const(val=np.array(size, np.int32)))
            if y.val is None:
                raise ValueError("no value inferred")
            if tuple(y.shape) != np.asarray(y.val).shape:
                raise Undefined(f"type inference says {tuple(y.shape)}, value inference {np.asarray(y.val).shape}")
            return np.asarray(y.val)
    r.ask("slice_by_size", shape, {"begin": begin, "size": size}, run)


for begin, size in [(0, -1), (3, -1), (5, -1), (-2, 1), (-2, -1), (-2, 2), (-3, 5), (0, -2), (2, 4), (2, 3), (5, 0), (0, 6), (6, -1), (2, 0)]:
    ask([5], [begin], [size])
for _ in range(60):
    shape = [max(1, n) for n in r.shape()]
    begin = [r.random.randint(0, n - 1) for n in shape]
    ask(shape, begin, [r.random.choice([-1, r.random.randint(1, n - b)]) for n, b in zip(shape, begin)])
r.finish()
