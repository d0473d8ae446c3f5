"""Small graphs, each made by its own system, and what that system computes of them: tests/data/graphs.

    make_graphs.py tensorflow|onnx|openvino|stablehlo|litert|aten
"""

import json
import os
import sys

from common import DATA

HOME = DATA / "graphs"


def iota(shape):
    import numpy as np
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)


def answer(shape, got):
    import numpy as np
    got = np.asarray(got)
    return {"input": list(shape), "shape": list(got.shape), "values": [int(v) for v in got.reshape(-1)]}


def tensorflow():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    shape = [3, 4, 5]

    @tf.function(input_signature=[tf.TensorSpec([None, 4, 5], tf.int64)])
    def f(x):
        y = x[1:, tf.newaxis, ..., ::-2]
        return tf.slice(y[:, 0], [0, 1, 0], [-1, 2, 2])
    frozen = convert_variables_to_constants_v2(f.get_concrete_function())
    (HOME / "tensorflow.pb").write_bytes(frozen.graph.as_graph_def().SerializeToString())
    return answer(shape, f(iota(shape)))


def onnx():
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    shape = [3, 4, 5]
    vectors = {"s1": [-1, 1], "e1": [-2**63, 2**31 - 1], "a1": [2, 0], "t1": [-2, 1], "s2": [0], "e2": [3], "s3": [-1], "e3": [2**63 - 1], "t3": [-1], "a3": [1]}
    nodes = [helper.make_node("Slice", ["x", "s1", "e1", "a1", "t1"], ["u"]), helper.make_node("Slice", ["u", "s2", "e2"], ["v"]),
             helper.make_node("Slice", ["v", "s3", "e3", "a3", "t3"], ["y"])]
    graph = helper.make_graph(nodes, "slices", [helper.make_tensor_value_info("x", TensorProto.INT64, ["batch", 4, 5])],
                              [helper.make_tensor_value_info("y", TensorProto.INT64, None)],
                              [numpy_helper.from_array(np.array(v, np.int64), k) for k, v in vectors.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, HOME / "onnx.onnx")
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return answer(shape, session.run(None, {"x": iota(shape)})[0])


def openvino():
    import numpy as np
    import openvino as ov
    from openvino import opset14 as op
    shape = [3, 4, 5]
    x = op.parameter(shape, np.int64)
    c = lambda v: op.constant(np.array(v, np.int64))
    y = op.strided_slice(x, c([0, -9, 1]), c([0, -12, 3]), c([1, -1, 1]), [1, 0], [1, 0], [], [], [])
    y = op.strided_slice(y, c([0, 0, 1]), c([0, 1, 0]), c([1, 1, 1]), [0, 0, 0], [0, 0, 0], [], [0, 0, 1], [1, 0, 0])
    y = op.strided_slice(y, c([1, 0]), c([0, 0]), c([1, 1]), [0, 1], [1, 1], [0, 1], [], [])
    ov.save_model(ov.Model([y], [x]), HOME / "openvino.xml", compress_to_fp16=False)
    return answer(shape, ov.Core().compile_model(str(HOME / "openvino.xml"), "CPU")([iota(shape)])[0])


def stablehlo():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    shape = [3, 4, 5]

    def f(x):
        y = jax.lax.slice(x, (0, 1, 0), (3, 4, 5), (2, 1, 2))
        return jax.lax.dynamic_slice(jax.lax.slice(y, (0, 0, 1), (2, 3, 3)), (jnp.int64(1), jnp.int64(2), jnp.int64(0)), (1, 2, 2))
    (HOME / "stablehlo.mlir").write_text(jax.jit(f).lower(jax.ShapeDtypeStruct(shape, jnp.int64)).as_text())
    return answer(shape, f(jnp.asarray(iota(shape))))


def litert():
    import numpy as np
    import tensorflow as tf
    shape = [3, 4, 5]

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float32)])
    def f(x):
        y = x[1:, 3, ::-2]
        return tf.slice(y, [0, 1], [-1, 2])
    model = tf.lite.TFLiteConverter.from_concrete_functions([f.get_concrete_function()]).convert()
    (HOME / "litert.tflite").write_bytes(model)
    from ai_edge_litert.interpreter import Interpreter
    it = Interpreter(model_content=model)
    it.allocate_tensors()
    it.set_tensor(it.get_input_details()[0]["index"], iota(shape).astype(np.float32))
    it.invoke()
    return answer(shape, it.get_tensor(it.get_output_details()[0]["index"]))


def aten():
    import torch
    shape = [3, 4, 5]

    class F(torch.nn.Module):
        def forward(self, x):
            return x[1:, 1, None, -4:, ][..., 0, ::2]
    program = torch.export.export(F(), (torch.zeros(shape, dtype=torch.int64),))
    nodes = [[str(n.target), [a for a in n.args[1:]]] for n in program.graph.nodes if n.op == "call_function"]
    (HOME / "aten.json").write_text(json.dumps(nodes))
    return answer(shape, F()(torch.from_numpy(iota(shape))))


HOME.mkdir(exist_ok=True)
path = HOME / "answers.json"
answers = json.loads(path.read_text()) if path.exists() else {}
answers[sys.argv[1]] = globals()[sys.argv[1]]()
path.write_text("{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in sorted(answers.items())) + "\n}\n")
print(sys.argv[1], answers[sys.argv[1]]["shape"])
