"""ONNX's Slice: the shapes that onnx infers where lengths are symbols, and ONNX Runtime's values for the same numbers."""

import onnx
from onnx import TensorProto, helper

from common import Recorder

CLASSES = [
    (r"[Ss]tep.*(zero|0)", "zero_stride"),
    (r"[Aa]xis|axes|rank", "axis"),
    (r".", "refused"),
]
r = Recorder("onnx", f"onnx {onnx.__version__}", CLASSES)
BIG = [2**31 - 1, 2**63 - 1]


def ask(dims, starts, ends, axes, steps):
    def inferred():
        names = ["x", "starts", "ends", "axes" if axes is not None else "", "steps" if steps is not None else ""]
        constants = [helper.make_tensor(name, TensorProto.INT64, [len(v)], v)
                     for name, v in zip(names[1:], (starts, ends, axes, steps)) if v is not None and None not in v]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [b if a == b else f"d{i}" for i, (a, b) in enumerate(dims)])]
        inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, [len(v)])
                   for name, v in zip(names[1:], (starts, ends, axes, steps)) if v is not None and None in v]
        node = helper.make_node("Slice", names, ["y"])
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        model = helper.make_model(helper.make_graph([node], "g", inputs, [y], constants), opset_imports=[helper.make_opsetid("", 13)])
        shape = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph.output[0].type.tensor_type
        if not shape.HasField("shape"):
            return None
        return [[d.dim_value] * 2 if d.HasField("dim_value") else [0, None] for d in shape.shape.dim]
    args = {"starts": starts, "ends": ends, "axes": axes, "steps": steps}
    r.ask_shape("onnx.Slice", dims, args, inferred)


for _ in range(160):
    shape = r.shape()
    axes = r.random.sample(range(len(shape)), r.random.randint(1, len(shape)))
    steps = [r.random.choice([1, 1, 1, 2, -1, -2]) for _ in axes]
    starts = [r.bound(shape[a]) for a in axes]
    ends = [r.random.choice([r.bound(shape[a]), r.random.choice(BIG), -2**63]) for a in axes]
    if r.random.random() < 0.4:
        axes, steps = sorted(axes), None
        if axes == list(range(len(axes))) and r.random.random() < 0.5:
            axes = None
    hide = lambda v: [None] * len(v) if r.random.random() < 0.2 else v
    ask(r.dims(shape), hide(starts), hide(ends), axes, steps)
r.finish()
