"""Chains of ATen's slice.Tensor, select.int and unsqueeze."""

import torch

from common import Recorder

CLASSES = [
    (r"step must be greater|slice step must be positive", "step"),
    (r"Dimension out of range|cannot be applied to a 0-dim|Dimension specified as|slice\(\) cannot be applied", "axis"),
    (r"index .* out of range|select\(\): index", "index"),
]
OPS = {"slice": torch.ops.aten.slice.Tensor, "select": torch.ops.aten.select.int, "unsqueeze": torch.ops.aten.unsqueeze.default}


def run(x, args):
    x = torch.from_numpy(x)
    for op, *numbers in args["chain"]:
        x = OPS[op](x, *numbers)
    return x.numpy()


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
r.finish()
