"""Models of one TFLite operator, and LiteRT running them."""

import ai_edge_litert
import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

from common import Undefined

VERSION = ai_edge_litert.__version__
INT32, INT64 = 2, 4


def model(code, options_type, options, shape, vectors):
    """A model of one operator on an int64 tensor, its other inputs being constant int32 vectors."""
    m, graph = schema.ModelT(), schema.SubGraphT()
    m.version, m.subgraphs = 3, [graph]
    buffers, graph.tensors = [schema.BufferT()], []

    def tensor(dims, kind, data=None):
        t = schema.TensorT()
        t.shape, t.type, t.name = dims, kind, f"t{len(graph.tensors)}".encode()
        if data is not None:
            b = schema.BufferT()
            b.data = np.frombuffer(data.tobytes(), np.uint8)
            buffers.append(b)
            t.buffer = len(buffers) - 1
        graph.tensors.append(t)

    tensor(list(shape), INT64)
    for v in vectors:
        tensor([len(v)], INT32, np.array(v, np.int32))
    tensor([], INT64)
    operator, opcode = schema.OperatorT(), schema.OperatorCodeT()
    operator.inputs, operator.outputs = list(range(1 + len(vectors))), [1 + len(vectors)]
    operator.builtinOptionsType, operator.builtinOptions = options_type, options
    opcode.builtinCode = opcode.deprecatedBuiltinCode = code
    opcode.version = 8 if code == 45 else 2
    m.operatorCodes, graph.operators, m.buffers = [opcode], [operator], buffers
    graph.inputs, graph.outputs = [0], [1 + len(vectors)]
    builder = flatbuffers.Builder(1024)
    builder.Finish(m.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def run(content, x):
    it = Interpreter(model_content=content)
    it.allocate_tensors()
    results = []
    for first in (700, 0):
        it.set_tensor(it.get_input_details()[0]["index"], x + first)
        it.invoke()
        results.append(it.get_tensor(it.get_output_details()[0]["index"]).copy())
    if (results[0] != results[1] + 700).any():
        raise Undefined("values that do not come from its input")
    return results[1]


def strided_slice(x, e, offset=False):
    """STRIDED_SLICE with the vectors and masks of `e`."""
    return run(strided_slice_model(x.shape, e, offset), x)


def strided_slice_model(shape, e, offset=False):
    o = schema.StridedSliceOptionsT()
    o.beginMask, o.endMask, o.ellipsisMask, o.newAxisMask, o.shrinkAxisMask = e["masks"]
    o.offset = offset
    vectors = [e["begin"], e["end"], e["strides"]]
    return model(45, schema.BuiltinOptions.StridedSliceOptions, o, shape, vectors)


def slice_model(shape, begin, size):
    return model(65, schema.BuiltinOptions.SliceOptions, schema.SliceOptionsT(), shape, [begin, size])
