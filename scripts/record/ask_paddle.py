"""Paddle's strided_slice, and the shapes that its static graphs infer."""

import os

os.environ["FLAGS_logging_pir_py_code_dir"] = ""
import numpy as np
import paddle

from common import Recorder

CLASSES = [
    (r"stride.*(zero|0)|[Ss]trides? must not be", "zero_stride"),
    (r"axis|axes|dimension", "axis"),
    (r"meta is invalid", "far"),
    (r"size|length", "lengths"),
]


def run(x, args):
    vectors = [args[k] for k in ("axes", "starts", "ends", "steps")]
    return paddle.strided_slice(paddle.to_tensor(x), *vectors).numpy()


r = Recorder("paddle", paddle.__version__, CLASSES, {"paddle.strided_slice": run})


def node(shape):
    if not shape or 0 in shape:
        return None
    args = r.axes_form(shape)
    args["axes"] = args["axes"] or list(range(len(args["starts"])))
    args["steps"] = args["steps"] or [1] * len(args["axes"])
    return "paddle.strided_slice", args


for start, end, step in [(6, -7, -2**63 + 1), (0, 5, 2**63 - 1)]:
    r.ask("paddle.strided_slice", [5], {"starts": [start], "ends": [end], "axes": [0], "steps": [step]})
r.ask_random(60, node)
r.graphs(20, node)
paddle.enable_static()
for _ in r.times(100):
    shape = [max(n, 1) for n in r.shape()]
    args, dims = node(shape)[1], r.dims(shape)

    def inferred():
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [-1 if b is None else b for _, b in dims], "int64")
            y = paddle.strided_slice(x, args["axes"], args["starts"], args["ends"], args["steps"])
            return [[n, n] if n >= 0 else [0, None] for n in y.shape]
    r.ask_shape("paddle.strided_slice", dims, args, inferred)
r.finish()
