"""TFLite's STRIDED_SLICE (with its `offset` attribute) and SLICE, on LiteRT's reference and built-in kernels."""

import litert_model as model
from common import Recorder, bits, strided

CLASSES = [
    (r"strides? .*zero|stride value has to be non-zero|non-zero", "zero_stride"),
    (r"ellipsis", "two_ellipses"),
    (r"shrink|slice index", "index"),
    (r"Invalid begin and size|Invalid size|Invalid begin", "window"),
    (r"input_dims|dimension|Dims|NumElements|num_input|rank|too many", "lengths"),
    (r"^$", "lengths"),  # the interpreter says nothing when an entry has no axis
]
r = Recorder("litert", model.VERSION, CLASSES, isolate=True)
def ask(shape, begin, end, strides, m, offset=False):
    masks = [bits(m[k]) for k in ("begin", "end", "ellipsis", "new_axis", "shrink")]
    args = {"begin": begin, "end": end, "strides": strides, "masks": masks, "offset": offset}
    r.ask("STRIDED_SLICE", shape, args, lambda: model.strided_slice(shape, args, offset))


def ask_slice(shape, begin, size):
    r.ask("SLICE", shape, {"begin": begin, "size": size}, lambda: model.run(model.slice_model(shape, begin, size), shape))


def one(begin, end, stride, *names, offset=False):
    ask([5], [begin], [end], [stride], {k: [int(k in names)] for k in ("begin", "end", "ellipsis", "new_axis", "shrink")}, offset)


BIG = 2**31 - 1
for begin, end, stride in [(4, 0, -1), (9, 0, -1), (4, -6, -1), (-9, -10, -1), (4, BIG, -1), (1, BIG, 1), (0, 4, 0), (0, 5, BIG)]:
    one(begin, end, stride)
for names in [("shrink",), ("shrink", "begin"), ("shrink", "end")]:
    one(3, 4, 1, *names)
one(-1, 0, 1, "shrink")
one(3, 0, 2, "shrink")
one(3, 4, -1, "shrink")
one(0, 0, 0, "new_axis")
one(0, 0, 0, "ellipsis")
one(3, 1, 1, "new_axis", "shrink")
for begin, size, stride in [(1, 3, 1), (-4, 3, 1), (-9, 3, 1), (9, 3, 1), (1, 9, 1), (1, -1, 1), (4, -3, -1), (9, -3, -1), (3, 3, 2), (4, 3, -1),
                            (-9, -3, -1), (1, 0, 1), (2, -2, -1), (0, -6, -1), (4, -9, -1)]:
    one(begin, size, stride, offset=True)
for names in [("begin",), ("end",), ("shrink",), ("begin", "end")]:
    one(2, 2, 1, *names, offset=True)
    one(2, -2, -1, *names, offset=True)
ask([2, 3, 5], [0, 1, 0], [0, 4, 0], [1, 1, 1],
    {"begin": [1, 0, 0], "end": [1, 0, 0], "ellipsis": [1, 0, 1], "new_axis": [0], "shrink": [0]})


def inside(shape, begin, m):
    """Indices outside their axis read outside the input there, so they are not asked for."""
    takes = [i for i in range(len(begin)) if not m["new_axis"][i] and not m["ellipsis"][i]]
    spare = len(shape) - len(takes)
    axis = 0
    for i in range(len(begin)):
        if m["ellipsis"][i]:
            axis += spare
        elif not m["new_axis"][i]:
            if m["shrink"][i] and not -shape[axis] <= begin[i] < shape[axis]:
                return False
            axis += 1
    return True


def guarded(offset):
    def ask_it(shape, begin, end, strides, m):
        if inside(shape, begin, m) and 0 not in shape:
            ask(shape, begin, end, strides, m, offset)
    return ask_it


strided(r, guarded(False), 110)
strided(r, guarded(True), 90)
for begin, size in [(0, -1), (3, -1), (5, -1), (-1, 1), (0, -2), (2, 4), (2, 3), (5, 0), (0, 6)]:
    ask_slice([5], [begin], [size])
for _ in range(40):
    shape = [max(n, 1) for n in r.shape()]
    begin = [r.random.randint(0, n) for n in shape]
    ask_slice(shape, begin, [r.random.choice([-1, r.random.randint(0, n - b)]) for n, b in zip(shape, begin)])
r.finish()
