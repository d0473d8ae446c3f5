"""The workloads by NumPy, and by PyTorch where it is installed: medians of nanoseconds a call, as CSV.

    python3 python.py [part of a name] > python.csv

Run it on the same machine, right before or after `cargo bench --bench workloads`, and compare columns of one workload: single
times depend on what else the machine does. Each result is checked: PyTorch's against NumPy's, and NumPy's against its own
elements taken one by one (a sample of a thousand).
"""

import itertools
import random
import statistics
import sys
import time

import numpy as np

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

LINE, SHORT, PLANE, PICTURE, BATCH = (1 << 24,), (1 << 16,), (4096, 4096), (2160, 3840, 3), (32, 64, 112, 112)
ALL, REVERSED = slice(None), slice(None, None, -1)


def step(n):
    return slice(None, None, n)


SLICES = [
    ("seed6", "f4", (5,) * 6, (1, slice(2, 4), None, Ellipsis, slice(None, -3, -1), ALL)),
    ("small2d", "f4", (8, 8), (slice(1, None), slice(1, None))),
    ("smallidx", "f4", (4, 4, 4), (2, Ellipsis, step(2))),
    *((f"stride{n}_1d", "f4", LINE, (step(n),)) for n in (2, 3, 4, 7, 16)),
    ("reverse_1d", "f4", LINE, (REVERSED,)),
    ("rev_stride2_1d", "f4", LINE, (step(-2),)),
    *((f"stride{n}_1d_l2", "f4", SHORT, (step(n),)) for n in (2, 3, 4, 7, 16)),
    ("reverse_1d_l2", "f4", SHORT, (REVERSED,)),
    ("rev_stride2_1d_l2", "f4", SHORT, (step(-2),)),
    ("crop2d", "f4", PLANE, (slice(512, 3584), slice(512, 3584))),
    ("crop_narrow", "f4", PLANE, (ALL, slice(100, 116))),
    ("column", "f4", PLANE, (ALL, 7)),
    ("colpair", "f4", PLANE, (ALL, slice(5, 7))),
    ("hwc_bgr", "u1", PICTURE, (Ellipsis, REVERSED)),
    ("hwc_hflip", "u1", PICTURE, (ALL, REVERSED, ALL)),
    ("hwc_vflip", "u1", PICTURE, (REVERSED,)),
    ("hwc_channel", "u1", PICTURE, (Ellipsis, 0)),
    ("hwc_down2", "u1", PICTURE, (step(2), step(2), ALL)),
    ("nchw_stride2", "f4", BATCH, (ALL, ALL, step(2), step(2))),
    ("nchw_rot180", "f4", BATCH, (ALL, ALL, REVERSED, REVERSED)),
    ("nchw_chan2", "f4", BATCH, (ALL, step(2))),
    ("nchw_unpad", "f4", BATCH, (ALL, ALL, slice(1, -1), slice(1, -1))),
    ("laststep", "f4", (64, 512, 1024), (ALL, -1, ALL)),
    ("manyrank4", "f4", (4,) * 8, (REVERSED,) * 8),
    ("manyrank2", "f4", (2,) * 16, (ALL, REVERSED, Ellipsis)),
    ("rows3_2", "f4", (1_000_000, 3), (ALL, slice(None, 2))),
    ("rows4_mid2", "f4", (1_000_000, 4), (ALL, slice(1, 3))),
    ("rows5_step2", "f4", (1_000_000, 5), (ALL, step(2))),
    *((f"stride2_1d_{n}", t, LINE, (step(2),)) for n, t in (("u8", "u1"), ("u16", "u2"), ("f64", "f8"), ("c128", "c16"))),
    *((f"reverse_1d_{n}", t, LINE, (REVERSED,)) for n, t in (("u8", "u1"), ("u16", "u2"), ("f64", "f8"), ("c128", "c16"))),
]
BACK = [
    ("stride2", "f4", LINE, (step(2),)),
    ("reverse", "f4", LINE, (REVERSED,)),
    ("crop2d", "f4", PLANE, (slice(512, 3584), slice(512, 3584))),
    ("channel", "u1", PICTURE, (Ellipsis, 0)),
]
GRADS = [("grad_nchw_stride2", "f4", BATCH, (ALL, ALL, step(2), step(2))), ("grad_seed6", *SLICES[0][1:])]


def data(dtype, shape):
    return (np.arange(np.prod(shape)) % 251).astype(dtype).reshape(shape)


def sampled(x, index, out):
    """Whether `out` is `x[index]`, by the positions that NumPy's own ranges name, for a sample of them."""
    flat = np.arange(x.size).reshape(x.shape)[index].reshape(-1)
    at = random.Random(1).sample(range(out.size), min(1000, out.size))
    return all(x.reshape(-1)[flat[i]] == out.reshape(-1)[i] for i in at)


def torch_slice(x, index):
    """PyTorch refuses negative steps: what its users write there is a flip."""
    turned = [i.step is not None and i.step < 0 if isinstance(i, slice) else False for i in index]
    if not any(turned):
        return x[index].contiguous()
    flips, positive, axis = [], [], 0
    for entry in index:
        if entry is Ellipsis:
            used = sum(e is not None and e is not Ellipsis for e in index)
            positive += [ALL] * (x.dim() - used)
            axis += x.dim() - used
        elif isinstance(entry, slice) and entry.step is not None and entry.step < 0:
            places = range(*entry.indices(x.shape[axis]))
            low, high = (places[-1], places[0] + 1) if len(places) else (0, 0)
            positive.append(slice(low, high, -entry.step))
            # Axes of the result so far: indices take one away, new ones add one.
            flips.append(sum(not isinstance(e, int) for e in positive) - 1)
            axis += 1
        else:
            positive.append(entry)
            axis += entry is not None
    return x[tuple(positive)].flip(flips)


def nanoseconds(call):
    start = time.perf_counter_ns()
    call()
    one = max(time.perf_counter_ns() - start, 1)
    calls = max(1, 2_000_000 // one)
    rounds = []
    for _ in range(7):
        start = time.perf_counter_ns()
        for _ in itertools.repeat(None, calls):
            call()
        rounds.append((time.perf_counter_ns() - start) / calls)
    return statistics.median(rounds)


def row(name, mode, peer, call):
    print(f"{name},{mode},{peer},{nanoseconds(call):.1f}", flush=True)


def main():
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    print("workload,mode,peer,ns")
    for name, dtype, shape, index in SLICES:
        if wanted not in name:
            continue
        x = data(dtype, shape)
        out = np.ascontiguousarray(x[index])
        assert sampled(x, index, out), name
        row(name, "alloc", "numpy", lambda: x[index].copy())
        row(name, "into", "numpy", lambda: np.copyto(out, x[index]))
        if torch and dtype != "u2":
            t = torch.from_numpy(x)
            assert (torch_slice(t, index).numpy() == out).all(), name
            row(name, "alloc", "torch", lambda: torch_slice(t, index))
    for name, dtype, shape, index in BACK:
        for kind in ("assign", "fill"):
            if wanted not in f"{kind}_{name}":
                continue
            x = data(dtype, shape)
            values = np.ascontiguousarray(x[index]) + 1 if kind == "assign" else 7

            def put():
                x[index] = values

            put()
            assert (x[index] == values).all(), name
            row(f"{kind}_{name}", "into", "numpy", put)
    for name, dtype, shape, index in GRADS:
        if wanted not in name:
            continue
        dx = data(dtype, shape)
        dy = np.ascontiguousarray(dx[index])

        def grad():
            dx.fill(0)
            dx[index] = dy

        grad()
        assert (dx[index] == dy).all(), name
        row(name, "into", "numpy", grad)


main()
