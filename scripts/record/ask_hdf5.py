"""Regular hyperslabs of HDF5, read through its own library."""

import h5py
import numpy as np
from h5py import h5s

from common import Recorder

CLASSES = [
    (r"hyperslab blocks overlap|overlap", "overlap"),
    (r"out of|extent|beyond|not within|bounds", "window"),
    (r"stride.*zero|Invalid stride|invalid stride|==0", "zero_stride"),
    (r"length|rank|dims|scalar|[Dd]imensionality", "lengths"),
]
memory = h5py.File("memory.h5", "w", driver="core", backing_store=False)


def run(x, args):
    if "x" in memory:
        del memory["x"]
    memory["x"] = x
    dataset = memory["x"].id
    space = dataset.get_space()
    start, count, stride, block = (tuple(args[k]) for k in ("start", "count", "stride", "block"))
    space.select_hyperslab(start, count, stride, block)
    if not space.select_valid():
        raise ValueError("the selection is not within the extent of the dataspace")
    out = [c * b for c, b in zip(count, block)]
    result = np.zeros(out, np.int64)
    if result.size:
        dataset.read(h5s.create_simple(tuple(out)), space, result)
    return result


r = Recorder("hdf5", f"h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}", CLASSES, {"hyperslab": run})


def ask(shape, start, count, stride, block):
    r.ask("hyperslab", shape, {"start": start, "count": count, "stride": stride, "block": block})


def node(shape):
    if not shape or 0 in shape:
        return None
    stride = [r.random.choice([1, 1, 2, 3]) for _ in shape]
    block = [r.random.choice([1, 1, 1, 2, s]) for s in stride]
    start = [r.random.randint(0, n - 1) for n in shape]
    count = [r.random.randint(0, max(1, (n - s) // t + r.random.randint(0, 1))) for n, s, t in zip(shape, start, stride)]
    return "hyperslab", {"start": start, "count": count, "stride": stride, "block": block}


for case in ([1, 3, 1, 1], [1, 4, 1, 1], [1, 5, 1, 1], [5, 0, 1, 1], [6, 0, 1, 1], [0, 2, 2, 2], [0, 2, 3, 2], [0, 2, 1, 2], [0, 1, 1, 5],
             [1, 1, 9, 4], [0, 5, 0, 1], [0, 1, 0, 1], [0, 3, 2, 1], [0, 2, 4, 1], [0, 2, 5, 1], [2, 1, 1, 0], [9, 1, 1, 0]):
    ask([5], *[[v] for v in case])
r.ask_random(120, node, 2)
r.graphs(20, node)
r.finish()
