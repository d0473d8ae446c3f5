"""Regular hyperslabs of HDF5, read through its own library."""

import h5py
import numpy as np
from h5py import h5d, h5f, h5s, h5t

from common import Recorder

CLASSES = [
    (r"hyperslab blocks overlap|overlap", "overlap"),
    (r"out of|extent|beyond|not within|bounds", "window"),
    (r"stride.*zero|Invalid stride|invalid stride|==0", "zero_stride"),
    (r"length|rank|dims", "lengths"),
]
r = Recorder("hdf5", f"h5py {h5py.__version__}, HDF5 {h5py.version.hdf5_version}", CLASSES)
memory = h5py.File("memory.h5", "w", driver="core", backing_store=False)


def ask(shape, start, count, stride, block):
    def run():
        name = "x" + "_".join(map(str, shape))
        if name not in memory:
            memory[name] = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
        dataset = memory[name].id
        space = dataset.get_space()
        space.select_hyperslab(tuple(start), tuple(count), tuple(stride), tuple(block))
        if not space.select_valid():
            raise ValueError("the selection is not within the extent of the dataspace")
        out = [c * b for c, b in zip(count, block)]
        result = np.zeros(out, np.int64)
        if result.size:
            dataset.read(h5s.create_simple(tuple(out)), space, result)
        return result
    r.ask("hyperslab", shape, {"start": start, "count": count, "stride": stride, "block": block}, run)


for case in ([1, 3, 1, 1], [1, 4, 1, 1], [1, 5, 1, 1], [5, 0, 1, 1], [6, 0, 1, 1], [0, 2, 2, 2], [0, 2, 3, 2], [0, 2, 1, 2], [0, 1, 1, 5],
             [1, 1, 9, 4], [0, 5, 0, 1], [0, 1, 0, 1], [0, 3, 2, 1], [0, 2, 4, 1], [0, 2, 5, 1], [2, 1, 1, 0], [9, 1, 1, 0]):
    ask([5], *[[v] for v in case])
for _ in range(120):
    shape = [max(1, n) for n in r.shape(2)]
    stride = [r.random.choice([1, 1, 2, 3]) for _ in shape]
    block = [r.random.choice([1, 1, 1, 2, s]) for s in stride]
    start = [r.random.randint(0, n - 1) for n in shape]
    count = [r.random.randint(0, max(1, (n - s) // t + r.random.randint(0, 1))) for n, s, t in zip(shape, start, stride)]
    ask(shape, start, count, stride, block)
r.finish()
