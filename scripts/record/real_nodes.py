"""Slicing nodes of real models: what exporters write, and the shapes that the files say.

    python real_nodes.py nmp.onnx saved_model nmp.mlpackage ... >> tests/data/real_nodes.jsonl

Models for OpenVINO (ONNX, TensorFlow, its own) are converted by it, and the nodes of the conversion
are listed; a Core ML package is read as it is. A line has the operator, the lengths of its input as
[least, most], its numbers (null where the graph computes them), and the lengths of its output. No
element is recorded. The lines of ONNX and TFLite were made the same way, from values that ONNX
Runtime passed to the nodes, and from the files of TFLite.
"""

import json
import sys

import numpy as np

NAMES = {"begin_mask": "begin", "end_mask": "end", "new_axis_mask": "new_axis", "shrink_axis_mask": "shrink", "ellipsis_mask": "ellipsis"}


def openvino_nodes(path):
    import openvino

    def lengths(shape):
        return [[d.min_length, None if d.max_length < 0 else d.max_length] for d in shape]

    def numbers(port):
        node = port.get_source_output().get_node()
        if node.get_type_name() == "Constant":
            return [int(v) for v in np.asarray(node.data).reshape(-1)]
        shape = port.get_partial_shape()
        return [None] * shape[0].get_length() if shape.rank.is_static and shape[0].is_static else None

    for node in openvino.convert_model(path).get_ops():
        kind = node.get_type_name()
        if kind not in ("Slice", "StridedSlice") or node.input(0).get_partial_shape().rank.is_dynamic:
            continue
        vectors = [numbers(node.input(i)) for i in range(1, node.get_input_size())]
        if None in vectors:
            continue
        if kind == "Slice":
            args = dict(zip(("starts", "ends", "steps", "axes"), vectors + [None]))
        else:
            masks = {ours: [int(v) for v in node.get_attributes()[theirs]] for theirs, ours in NAMES.items()}
            args = dict(zip(("begin", "end", "strides"), vectors + [[1] * len(vectors[0])]), masks=masks)
        yield {"op": "openvino.Slice" if kind == "Slice" else kind, "dims": lengths(node.input(0).get_partial_shape()),
               "args": args, "inferred": lengths(node.output(0).get_partial_shape())}


def coreml_nodes(path):
    import coremltools

    spec = coremltools.models.MLModel(path, skip_model_load=True).get_spec()
    for function in spec.mlProgram.functions.values():
        for block in function.block_specializations.values():
            types = {i.name: i.type for i in function.inputs}
            values = {}
            for op in block.operations:
                types.update({o.name: o.type for o in op.outputs})
                if op.type == "const":
                    values[op.outputs[0].name] = op.attributes["val"].immediateValue.tensor
                if op.type not in ("slice_by_index", "slice_by_size"):
                    continue

                def lengths(name):
                    dims = types[name].tensorType.dimensions
                    return [[d.constant.size] * 2 if d.WhichOneof("dimension") == "constant" else [0, None] for d in dims]

                def numbers(key):
                    if key not in op.inputs:
                        return None
                    of = op.inputs[key].arguments[0]
                    tensor = of.value.immediateValue.tensor if of.WhichOneof("binding") == "value" else values[of.name]
                    return [int(v) for v in (tensor.bools.values if key.endswith("mask") else tensor.ints.values)]

                x = op.inputs["x"].arguments[0].name
                rank = len(lengths(x))
                args = {k: numbers(k) or default for k, default in
                        [("begin", None), ("end", None), ("stride", [1] * rank)]
                        + [(mask, [0] * rank) for mask in ("begin_mask", "end_mask", "squeeze_mask")]}
                if op.type == "slice_by_size":
                    args = {k: numbers(k) for k in ("begin", "size")}
                yield {"op": op.type, "dims": lengths(x), "args": args, "inferred": lengths(op.outputs[0].name)}


seen = set()
for path in sys.argv[1:]:
    nodes = coreml_nodes if path.rstrip("/").endswith(".mlpackage") else openvino_nodes
    for case in nodes(path):
        line = json.dumps(case, separators=(",", ":"))
        if line not in seen:
            seen.add(line)
            print(line)
