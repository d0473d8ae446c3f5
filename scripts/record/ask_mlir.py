"""MLIR's tensor.extract_slice: what its verifier takes."""

from importlib.metadata import version

import numpy as np
from iree.compiler import ir

from common import Recorder, Undefined

CLASSES = [
    (r"out.of.bounds|out-of-bounds|offset .* out|is out|runs", "window"),
    (r"invalid tensor dimension|non-function type|non-negative", "window"),
    (r"rank|number of|expected \d+", "lengths"),
]


def tensor(shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "i64>"


def run(x, args):
    offsets, sizes, strides = (args[k] for k in ("offsets", "sizes", "strides"))
    text = f"""func.func @f(%x: {tensor(x.shape)}) -> {tensor(sizes)} {{
      %y = tensor.extract_slice %x{offsets} {sizes} {strides} : {tensor(x.shape)} to {tensor(sizes)}
      return %y : {tensor(sizes)} }}"""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        module.operation.verify()
    # The verifier says which slices there are; the op's definition says which element each
    # position has.
    index = [o + np.arange(n) * s for o, n, s in zip(offsets, sizes, strides)]
    if any(len(i) and (i.min() < 0 or i.max() >= n) for i, n in zip(index, x.shape)):
        raise Undefined("verified, and reads outside its input")
    return x[np.ix_(*index)] if index else x


r = Recorder("mlir", f"iree-base-compiler {version('iree-base-compiler')}", CLASSES, {"extract_slice": run})


def ask(shape, offsets, sizes, strides):
    r.ask("extract_slice", shape, {"offsets": offsets, "sizes": sizes, "strides": strides})


def node(shape):
    if 0 in shape:
        return None
    sizes = [r.random.randint(1, n) for n in shape]
    strides = [r.random.choice([1, 1, 2, -1]) for _ in shape]
    return "extract_slice", {"offsets": [r.random.randint(0, n - 1) for n in shape], "sizes": sizes, "strides": strides}


for case in ([1, 3, 1], [1, 4, 1], [1, 5, 1], [4, 5, -1], [4, 3, -2], [4, 4, -2], [0, 3, 2], [0, 3, 3], [5, 0, 1], [6, 0, 1], [-1, 2, 1],
             [0, 2, 0], [3, 1, 0], [3, 1, 100], [0, -1, 1], [4, 1, -3], [3, 0, -5]):
    ask([5], *[[v] for v in case])
r.ask_random(90, node, 2)
r.graphs(20, node)
r.finish()
