"""StableHLO's slice, dynamic_slice and dynamic_update_slice, run by XLA; and `jax.lax`'s own front end."""

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
r = Recorder("stablehlo", f"jaxlib {jax.lib.__version__}", CLASSES)
backend = jax.extend.backend.get_backend() if hasattr(jax, "extend") else None


def tensor(shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "i64>"


def run(text, *inputs):
    with jax_mlir.make_ir_context() as context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        module.operation.verify()
    client = jax.local_devices()[0].client
    devices = xla_client.DeviceList(tuple(jax.local_devices()[:1]))
    done = client.compile_and_load(text.encode(), devices, xla_client.CompileOptions())
    buffers = [jax.device_put(x) for x in inputs]
    return np.asarray(done.execute(buffers)[0])


jax.config.update("jax_enable_x64", True)


def iota(shape, first=0):
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape) + first


def array(values):
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


def ask_slice(shape, start, limit, strides):
    out = [max(0, -(-(l - s) // max(t, 1))) for s, l, t in zip(start, limit, strides)]
    text = f"""func.func public @main(%x: {tensor(shape)}) -> {tensor(out)} {{
      %0 = "stablehlo.slice"(%x) <{{start_indices = {array(start)}, limit_indices = {array(limit)},
        strides = {array(strides)}}}> : ({tensor(shape)}) -> {tensor(out)}
      return %0 : {tensor(out)} }}"""
    r.ask("slice", shape, {"start": start, "limit": limit, "strides": strides}, lambda: run(text, iota(shape)))


def ask_dynamic(shape, starts, sizes):
    scalars = "".join(f", %s{i}: tensor<i64>" for i in range(len(starts)))
    names = "".join(f", %s{i}" for i in range(len(starts)))
    text = f"""func.func public @main(%x: {tensor(shape)}{scalars}) -> {tensor(sizes)} {{
      %0 = "stablehlo.dynamic_slice"(%x{names}) <{{slice_sizes = {array(sizes)}}}> :
        ({tensor(shape)}{", tensor<i64>" * len(starts)}) -> {tensor(sizes)}
      return %0 : {tensor(sizes)} }}"""
    r.ask("dynamic_slice", shape, {"start": starts, "sizes": sizes},
          lambda: run(text, iota(shape), *[np.int64(s) for s in starts]))


def ask_update(shape, starts, sizes):
    scalars = "".join(f", %s{i}: tensor<i64>" for i in range(len(starts)))
    names = "".join(f", %s{i}" for i in range(len(starts)))
    text = f"""func.func public @main(%x: {tensor(shape)}, %u: {tensor(sizes)}{scalars}) -> {tensor(shape)} {{
      %0 = "stablehlo.dynamic_update_slice"(%x, %u{names}) :
        ({tensor(shape)}, {tensor(sizes)}{", tensor<i64>" * len(starts)}) -> {tensor(shape)}
      return %0 : {tensor(shape)} }}"""
    r.ask("dynamic_update_slice", shape, {"start": starts, "sizes": sizes},
          lambda: run(text, iota(shape), iota(sizes, 1000), *[np.int64(s) for s in starts]))


for start, limit, stride in [(1, 4, 1), (1, 6, 1), (-1, 4, 1), (3, 2, 1), (0, 5, 2), (0, 5, 0), (0, 5, -1), (5, 5, 1), (0, 5, 100)]:
    ask_slice([5], [start], [limit], [stride])
for _ in range(60):
    shape = r.shape()
    start = [r.random.randint(0, n) for n in shape]
    limit = [r.random.randint(s, n + (r.random.random() < 0.1)) for s, n in zip(start, shape)]
    ask_slice(shape, start, limit, [r.random.choice([1, 1, 2, 3]) for _ in shape])
for start, size in [(3, 3), (-1, 2), (100, 5), (-100, 2), (0, 6), (2, 0), (9, 0), (2**63 - 1, 2), (-2**63, 2)]:
    ask_dynamic([5], [start], [size])
    ask_update([5], [start], [size])
for ask in (ask_dynamic, ask_update):
    for _ in range(30):
        shape = r.shape(2)
        sizes = [r.random.randint(0, n) for n in shape]
        ask(shape, [r.bound(n) for n in shape], sizes)
r.finish()
