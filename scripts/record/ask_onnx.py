"""ONNX's Slice: ONNX Runtime's values, and the shapes that onnx infers where lengths are symbols."""

import onnx
import onnxruntime
from onnx import TensorProto, helper

from common import Recorder

CLASSES = [
    (r"[Ss]tep.*(zero|0)", "zero_stride"),
    (r"has already been|duplicate|Duplicate|more than once", "repeated_axis"),
    (r"[Aa]xis|axes|rank", "axis"),
    (r"same length|size|length", "lengths"),
    (r".", "refused"),
]
onnxruntime.set_default_logger_severity(4)


def model(dims, args, kind, given=()):
    """A model of one Slice, whose vectors are inputs if they are in `given` and constants otherwise."""
    vectors = {name: args[name] for name in ("starts", "ends", "axes", "steps")}
    names = ["x"] + [name if v is not None else "" for name, v in vectors.items()]
    while not names[-1]:
        names.pop()
    constants = [helper.make_tensor(name, TensorProto.INT64, [len(v)], v)
                 for name, v in vectors.items() if v is not None and name not in given]
    inputs = [helper.make_tensor_value_info("x", kind, [b if b is not None else f"n{i}" for i, b in enumerate(dims)])]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, [len(vectors[name])]) for name in given]
    node = helper.make_node("Slice", names, ["y"])
    y = helper.make_tensor_value_info("y", kind, None)
    graph = helper.make_graph([node], "g", inputs, [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def run(x, args):
    session = onnxruntime.InferenceSession(
        model(x.shape, args, TensorProto.INT64).SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


r = Recorder("onnx", f"onnx {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}", CLASSES, {"onnx.Slice": run})


def node(shape):
    return ("onnx.Slice", r.axes_form(shape)) if shape else None


r.ask_random(60, node)
r.graphs(30, node)
for _ in r.times(160):
    shape = r.shape()
    args = r.axes_form(shape)
    dims = r.dims(shape)
    given = [name for name in ("starts", "ends") if r.random.random() < 0.2]

    def inferred():
        made = model([b for _, b in dims], args, TensorProto.INT64, given)
        shape = onnx.shape_inference.infer_shapes(made, strict_mode=True, data_prop=True).graph.output[0].type.tensor_type
        if not shape.HasField("shape"):
            return None
        return [[d.dim_value] * 2 if d.HasField("dim_value") else [0, None] for d in shape.shape.dim]
    shown = {**args, **{name: [None] * len(args[name]) for name in given}}
    r.ask_shape("onnx.Slice", dims, shown, inferred)
r.finish()
