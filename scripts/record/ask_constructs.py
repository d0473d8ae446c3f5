"""What one system makes of each construct of tests/data/constructs.json: a line of tests/data/systems/SYSTEM.jsonl each.

    ask_constructs.py numpy|array_api_strict|jax|mlx|torch|paddle|tensorflow|mindspore|litert|openvino|onnxruntime|tfjs

A text is given to a library's brackets, masks to an operator that has them, axes to one that takes axes. What a system has no
way to say is not asked.
"""

import json
import os
import subprocess
import sys

from common import DATA, Undefined

def entries(text):
    """The text as Python's index."""
    return eval(f"_[{text}]", {"_": type("Key", (), {"__getitem__": lambda self, key: key})()})


def encoded(case):
    """Masks, as TensorFlow's front end makes them of a text."""
    if "enc" in case:
        return case["enc"]
    key = entries(case["py"])
    begin, end, strides, masks = [], [], [], [0] * 5
    for i, e in enumerate(key if isinstance(key, tuple) else (key,)):
        if e is None or e is Ellipsis:
            masks[3 if e is None else 2] |= 1 << i
            b, n, s = 0, 0, 1
        elif isinstance(e, int):
            masks[4] |= 1 << i
            b, n, s = e, e + 1, 1
        else:
            masks[0] |= (e.start is None) << i
            masks[1] |= (e.stop is None) << i
            b, n, s = e.start or 0, e.stop or 0, 1 if e.step is None else e.step
        begin.append(b), end.append(n), strides.append(s)
    return {"begin": begin, "end": end, "strides": strides, "masks": masks}


def axes(case):
    """Starts, ends and steps of the first axes, if the case is ranges with both bounds."""
    if "py" not in case:
        return None
    key = entries(case["py"])
    key = key if isinstance(key, tuple) else (key,)
    if any(not isinstance(e, slice) or e.start is None or e.stop is None for e in key):
        return None
    return [[e.start for e in key], [e.stop for e in key], [1 if e.step is None else e.step for e in key]]


def brackets(array):
    def run(case):
        return array(case["shape"])[entries(case["py"])] if "py" in case else None
    return run


FIRST = 0  # what the input counts from


def iota(shape):
    import numpy as np
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) + FIRST


def numpy():
    import numpy as np
    return np.__version__, brackets(iota), False


def array_api_strict():
    import array_api_strict as xp
    return xp.__version__, brackets(lambda shape: xp.asarray(iota(shape))), False


def jax():
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    return jax.__version__, brackets(lambda shape: jnp.asarray(iota(shape))), False


def mlx():
    import importlib.metadata

    import mlx.core as mx
    return importlib.metadata.version("mlx"), brackets(lambda shape: mx.array(iota(shape))), True


def torch():
    import torch
    return torch.__version__.split("+")[0], brackets(lambda shape: torch.from_numpy(iota(shape))), False


def paddle():
    import paddle
    def run(case):
        x = paddle.to_tensor(iota(case["shape"]))
        vectors = case["axes"] if "axes" in case else axes(case)
        if vectors is not None and "without_axes" in case:
            return paddle.strided_slice(x, None, *vectors)
        if vectors is not None:
            return paddle.strided_slice(x, list(range(len(vectors[0]))), *vectors)
        return x[entries(case["py"])] if "py" in case else None
    return paddle.__version__, run, True


def tensorflow():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    def run(case):
        e = encoded(case)
        b, n, x, a, s = e["masks"]
        vectors = [tf.constant(e[k], tf.int64) for k in ("begin", "end", "strides")]
        return tf.raw_ops.StridedSlice(input=iota(case["shape"]), begin=vectors[0], end=vectors[1], strides=vectors[2], begin_mask=b,
                                       end_mask=n, ellipsis_mask=x, new_axis_mask=a, shrink_axis_mask=s)
    return tf.__version__, run, False


def mindspore():
    import mindspore as ms
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
    def run(case):
        e = encoded(case)
        op = ms.ops.operations.StridedSlice(*e["masks"])
        return op(ms.Tensor(iota(case["shape"])), *[tuple(e[k]) for k in ("begin", "end", "strides")]).asnumpy()
    return ms.__version__, run, True


def litert():
    import litert_model as model
    def run(case):
        e = encoded(case)
        fits = all(-2**31 <= v < 2**31 for key in ("begin", "end", "strides") for v in e[key])
        return model.strided_slice(iota(case["shape"]), e) if fits else None  # it is asked twice there
    return model.VERSION, run, True


def openvino():
    import numpy as np
    import openvino as ov
    from openvino import opset14 as op
    core = ov.Core()
    def run(case):
        e = encoded(case)
        masks = [[m >> i & 1 for i in range(len(e["begin"]))] for m in e["masks"]]
        x = op.parameter(case["shape"], np.int64)
        node = op.strided_slice(x, *[op.constant(np.array(e[k], np.int64)) for k in ("begin", "end", "strides")],
                                masks[0], masks[1], masks[3], masks[4], masks[2])
        return core.compile_model(ov.Model([node], [x]), "CPU")([iota(case["shape"])])[0]
    return ov.__version__.split("-")[0], run, False


def onnxruntime():
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper
    def run(case):
        vectors = axes(case)
        if vectors is None:
            return None
        names = ["x", "starts", "ends", "axes", "steps"]
        given = dict(zip(names[1:], [vectors[0], vectors[1], list(range(len(vectors[0]))), vectors[2]]))
        inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, None) for n in names]
        graph = helper.make_graph([helper.make_node("Slice", names, ["y"])], "g", inputs, [helper.make_tensor_value_info("y", TensorProto.INT64, None)])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, {"x": iota(case["shape"]), **{k: np.array(v, np.int64) for k, v in given.items()}})[0]
    return onnxruntime.__version__, run, False


def tfjs():
    import numpy as np
    script = """
      const tf = require('@tensorflow/tfjs'); const c = JSON.parse(process.argv[1]);
      const e = c.enc, n = c.shape.reduce((a, b) => a * b, 1);
      const x = tf.tensor(Array.from({length: n}, (_, i) => i + c.first), c.shape, 'int32');
      const y = tf.stridedSlice(x, e.begin, e.end, e.strides, ...e.masks);
      console.log(JSON.stringify({shape: y.shape, v: Array.from(y.dataSync())}));"""
    def run(case):
        text = json.dumps({"shape": case["shape"], "enc": encoded(case), "first": FIRST})
        done = subprocess.run(["node", "-e", script, text], capture_output=True, text=True, timeout=60)
        if done.returncode:
            # The message only: the stack behind it names folders of the machine.
            raise ValueError(done.stderr[done.stderr.rfind("Error: "):].split("\n    at ")[0])
        got = json.loads(done.stdout.splitlines()[-1])
        if len(got["v"]) != np.prod(got["shape"]):
            raise Undefined("as many values as its shape does not have")
        return np.array(got["v"], np.int64).reshape(got["shape"])
    version = subprocess.run(["node", "-p", "require('@tensorflow/tfjs/package.json').version"], capture_output=True, text=True)
    return version.stdout.strip(), run, False


def answer(run, case):
    import numpy as np
    global FIRST
    try:
        FIRST = 700
        other = run(case)
        FIRST = 0
        got = run(case)
        if got is not None and not np.array_equal(np.asarray(got) + 700, np.asarray(other)):
            raise Undefined("values that do not come from its input")
    except Undefined as error:
        return {"undefined": str(error)}
    except BaseException as error:  # any exception is the system's answer
        return {"err": " ".join(str(error).split())[:120]}
    if got is None:
        return None
    got = np.asarray(got)
    values = [int(v) for v in got.reshape(-1)]
    return {"ok": {"shape": list(got.shape), "v": values[:12], "sum": sum((i + 1) * v for i, v in enumerate(values))}}


def apart(run, case):
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(into, json.dumps(answer(run, case)).encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return json.loads(text) if status == 0 else {"crash": f"signal {status & 127}"}


name = sys.argv[1]
version, run, crashes = globals()[name]()
lines = [json.dumps({"system": name, "version": version})]
for case in json.loads((DATA / "constructs.json").read_text()):
    result = (apart if crashes else answer)(run, case)
    if result is not None:
        lines.append(json.dumps({"construct": case["name"], **result}))
for case in json.loads((DATA / "pages.json").read_text()):
    if case["system"] == name:
        result = (apart if crashes else answer)(run, case)
        lines.append(json.dumps({"page": case["id"], **result}))
path = DATA / "systems" / f"{name}.jsonl"
path.parent.mkdir(exist_ok=True)
path.write_text("\n".join(lines) + "\n")
print(f"{path.name}: {len(lines) - 1} answers")
