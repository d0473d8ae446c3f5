"""Chains of ATen's slice.Tensor, select.int and unsqueeze, and the lengths that symbolic shapes give them."""

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext, StrictMinMaxConstraint
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.value_ranges import ValueRanges

from common import Recorder

CLASSES = [
    (r"step must be greater|slice step must be positive", "step"),
    (r"Dimension out of range|cannot be applied to a 0-dim|Dimension specified as|slice\(\) cannot be applied", "axis"),
    (r"index .* out of range|select\(\): index", "index"),
]
OPS = {"slice": torch.ops.aten.slice.Tensor, "select": torch.ops.aten.select.int, "unsqueeze": torch.ops.aten.unsqueeze.default}


def apply(x, args):
    for op, *numbers in args["chain"]:
        x = OPS[op](x, *numbers)
    return x


def run(x, args):
    return apply(torch.from_numpy(x), args).numpy()


r = Recorder("aten", torch.__version__.split("+")[0], CLASSES, {"chain": run})
MAX = 2**63 - 1
for chain in ([["slice", 0, 1, MAX, 1]], [["slice", 0, -2, MAX, 1]], [["slice", 0, None, None, 2]], [["slice", 0, 3, 1, 1]],
              [["slice", 0, 0, 5, 0]], [["slice", 0, 0, 5, -1]], [["select", 0, -1]], [["select", 0, 5]], [["slice", 1, 0, 1, 1]],
              [["unsqueeze", -1]], [["unsqueeze", 2]], [["select", 0, 0], ["select", 0, 0]], [["select", 0, 0], ["slice", 0, 0, 1, 1]],
              [["select", 0, 0], ["unsqueeze", -1]], [["unsqueeze", 0], ["select", 0, 0]], [["unsqueeze", 0], ["select", 0, 1]],
              [["unsqueeze", 0], ["slice", 0, 0, MAX, 1]], [["unsqueeze", 0], ["slice", 0, 1, MAX, 1]], [["slice", 0, -MAX - 1, MAX, 3]],
              [["slice", 0, 1, 4, 2], ["slice", 0, 1, 9, 1]]):
    r.ask("chain", [5], {"chain": chain})


def node(shape):
    chain, rank = [], len(shape)
    for _ in range(r.random.randint(1, 4)):
        op = r.random.choice(["slice", "slice", "select", "unsqueeze"])
        if op == "unsqueeze":
            chain.append([op, r.random.randint(-rank - 1, rank)])
            rank += 1
        elif rank:
            dim = r.random.randint(-rank, rank - 1)
            if op == "select":
                chain.append([op, dim, r.random.choice([0, 0, -1, 1, 2])])
                rank -= 1
            else:
                start, end = r.random.choice([None, r.random.randint(-6, 6)]), r.random.choice([None, MAX, r.random.randint(-6, 6)])
                chain.append([op, dim, start, end, r.random.choice([1, 1, 2, 3])])
    return "chain", {"chain": chain}


r.ask_random(150, node)
for _ in r.times(200):
    shape = r.shape()
    # Symbolic lengths are 2 or more.
    dims = [[max(2, a), b] if a != b else [a, b] for a, b in r.dims(shape, intervals=True)]
    args = node(shape)[1]
    symbols = ShapeEnv()
    kinds = [DimDynamic.STATIC if a == b else DimDynamic.DYNAMIC for a, b in dims]
    limits = [None if a == b else StrictMinMaxConstraint(warn_only=False, vr=ValueRanges(a, int_oo if b is None else b)) for a, b in dims]
    example = torch.zeros([a if a == b else a + 1 for a, b in dims])
    mode = FakeTensorMode(shape_env=symbols)
    x = mode.from_tensor(example, source=ConstantSource("x"), symbolic_context=StatelessSymbolicContext(dynamic_sizes=kinds, constraint_sizes=limits))
    try:
        with mode:
            lengths = apply(x, args).shape
    except (IndexError, RuntimeError):
        continue  # refusals are asked for above
    if symbols.guards:
        continue  # it is known of the lengths that the example has
    ranges = [symbols.bound_sympy(n.node.expr) if isinstance(n, torch.SymInt) else ValueRanges(n, n) for n in lengths]
    inferred = [[int(v.lower), None if v.upper == int_oo else int(v.upper)] for v in ranges]
    r.ask_shape("chain", dims, args, lambda: inferred)
r.finish()
