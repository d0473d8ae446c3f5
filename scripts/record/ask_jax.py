"""StableHLO's slice, dynamic_slice and dynamic_update_slice, run by XLA."""

import jax
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

from common import Recorder

CLASSES = [
    (r"stride must be positive", "step"),
    (r"negative start index|limit index|in range|has slice size", "window"),
]
jax.config.update("jax_enable_x64", True)


def tensor(shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "i64>"


def array(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


def run(text, *inputs):
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        module.operation.verify()
    client = jax.local_devices()[0].client
    devices = xla_client.DeviceList(tuple(jax.local_devices()[:1]))
    done = client.compile_and_load(text.encode(), devices, xla_client.CompileOptions())
    buffers = [jax.device_put(x) for x in inputs]
    return np.asarray(done.execute(buffers)[0])


def window(x, args):
    start, limit, strides = (args[k] for k in ("start", "limit", "strides"))
    out = [max(0, -(-(l - s) // max(t, 1))) for s, l, t in zip(start, limit, strides)]
    return run(f"""func.func public @main(%x: {tensor(x.shape)}) -> {tensor(out)} {{
      %0 = "stablehlo.slice"(%x) <{{start_indices = {array(start)}, limit_indices = {array(limit)},
        strides = {array(strides)}}}> : ({tensor(x.shape)}) -> {tensor(out)}
      return %0 : {tensor(out)} }}""", x)


def scalars(starts):
    return "".join(f", %s{i}: tensor<i64>" for i in range(len(starts))), "".join(f", %s{i}" for i in range(len(starts)))


def dynamic(x, args):
    sizes, (types, names) = args["sizes"], scalars(args["start"])
    return run(f"""func.func public @main(%x: {tensor(x.shape)}{types}) -> {tensor(sizes)} {{
      %0 = "stablehlo.dynamic_slice"(%x{names}) <{{slice_sizes = {array(sizes)}}}> :
        ({tensor(x.shape)}{", tensor<i64>" * len(args["start"])}) -> {tensor(sizes)}
      return %0 : {tensor(sizes)} }}""", x, *[np.int64(s) for s in args["start"]])


def update(x, args):
    sizes, (types, names) = args["sizes"], scalars(args["start"])
    values = np.arange(int(np.prod(sizes)), dtype=np.int64).reshape(sizes) + 1000
    return run(f"""func.func public @main(%x: {tensor(x.shape)}, %u: {tensor(sizes)}{types}) -> {tensor(x.shape)} {{
      %0 = "stablehlo.dynamic_update_slice"(%x, %u{names}) :
        ({tensor(x.shape)}, {tensor(sizes)}{", tensor<i64>" * len(args["start"])}) -> {tensor(x.shape)}
      return %0 : {tensor(x.shape)} }}""", x, values, *[np.int64(s) for s in args["start"]])


OPS = {"slice": window, "dynamic_slice": dynamic, "dynamic_update_slice": update}
r = Recorder("stablehlo", f"jaxlib {jax.lib.__version__}", CLASSES, OPS)


def random_window(shape):
    start = [r.random.randint(0, n) for n in shape]
    limit = [r.random.randint(s, n + (r.random.random() < 0.1)) for s, n in zip(start, shape)]
    return "slice", {"start": start, "limit": limit, "strides": [r.random.choice([1, 1, 2, 3]) for _ in shape]}


def random_dynamic(op):
    def node(shape):
        return op, {"start": [r.bound(n) for n in shape], "sizes": [r.random.randint(0, n) for n in shape]}
    return node


for start, limit, stride in [(1, 4, 1), (1, 6, 1), (-1, 4, 1), (3, 2, 1), (0, 5, 2), (0, 5, 0), (0, 5, -1), (5, 5, 1), (0, 5, 100)]:
    r.ask("slice", [5], {"start": [start], "limit": [limit], "strides": [stride]})
r.ask_random(60, random_window)
for start, size in [(3, 3), (-1, 2), (100, 5), (-100, 2), (0, 6), (2, 0), (9, 0), (2**63 - 1, 2), (-2**63, 2)]:
    for op in ("dynamic_slice", "dynamic_update_slice"):
        r.ask(op, [5], {"start": [start], "sizes": [size]})
for op in ("dynamic_slice", "dynamic_update_slice"):
    r.ask_random(30, random_dynamic(op), 2)
r.graphs(30, lambda shape: r.random.choice([random_window, random_dynamic("dynamic_slice")])(shape))
r.finish()
