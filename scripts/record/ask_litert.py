"""TFLite's STRIDED_SLICE (with its `offset` attribute) and SLICE, on LiteRT's reference and built-in kernels."""

import litert_model as model
from common import Recorder, bits

CLASSES = [
    (r"strides? .*zero|stride value has to be non-zero|non-zero", "zero_stride"),
    (r"ellipsis", "two_ellipses"),
    (r"shrink|slice index", "index"),
    (r"Invalid begin and size|Invalid size|Invalid begin", "window"),
    (r"overflow", "far"),
    (r"input_dims|dimension|Dims|NumElements|num_input|rank|too many", "lengths"),
    (r"^$", "lengths"),  # the interpreter says nothing when an entry has no axis
]
OPS = {
    "STRIDED_SLICE": lambda x, args: model.strided_slice(x, args, args["offset"]),
    "SLICE": lambda x, args: model.run(model.slice_model(x.shape, args["begin"], args["size"]), x),
}
r = Recorder("litert", model.VERSION, CLASSES, OPS, isolate=True)
r.far = [2**31 - 1, -2**31]
NAMES = ("begin", "end", "ellipsis", "new_axis", "shrink")


def arguments(begin, end, strides, m, offset=False):
    return {"begin": begin, "end": end, "strides": strides, "masks": [bits(m[k]) for k in NAMES], "offset": offset}


def one(begin, end, stride, *names, offset=False):
    r.ask("STRIDED_SLICE", [5], arguments([begin], [end], [stride], {k: [int(k in names)] for k in NAMES}, offset))


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
one(3, -2**31, -2, offset=True)
for names in [("begin",), ("end",), ("shrink",), ("begin", "end")]:
    one(2, 2, 1, *names, offset=True)
    one(2, -2, -1, *names, offset=True)
r.ask("STRIDED_SLICE", [2, 3, 5], arguments([0, 1, 0], [0, 4, 0], [1, 1, 1], {
    "begin": [1, 0, 0], "end": [1, 0, 0], "ellipsis": [1, 0, 1], "new_axis": [0], "shrink": [0]}))
r.ask("STRIDED_SLICE", [2, 3], arguments([1, 1], [1, 0], [1, -1], {**{k: [0] for k in NAMES}, "shrink": [0, 1]}))
r.ask("STRIDED_SLICE", [5], arguments([0, 0], [1, 1], [1, 1], {k: [0] for k in NAMES}))


def inside(shape, begin, m):
    """Indices outside their axis read outside the input there, so they are not asked for."""
    takes = [i for i in range(len(begin)) if not m["new_axis"][i] and not m["ellipsis"][i]]
    spare = len(shape) - len(takes)
    axis = 0
    for i in range(len(begin)):
        if m["ellipsis"][i]:
            axis += spare
        elif not m["new_axis"][i]:
            if m["shrink"][i] and not (axis < len(shape) and -shape[axis] <= begin[i] < shape[axis]):
                return False
            axis += 1
    return True


def strided(offset):
    def node(shape):
        numbers = r.strided(shape)
        if numbers and inside(shape, numbers[0], numbers[3]) and 0 not in shape:
            return "STRIDED_SLICE", arguments(*numbers, offset)
        return None
    return node


def window(shape):
    if not shape or 0 in shape:
        return None
    begin = [r.random.randint(0, n) for n in shape]
    return "SLICE", {"begin": begin, "size": [r.random.choice([-1, r.random.randint(0, n - b)]) for n, b in zip(shape, begin)]}


r.ask_random(110, strided(False))
r.ask_random(90, strided(True))
for begin, size in [(0, -1), (3, -1), (5, -1), (-1, 1), (0, -2), (2, 4), (2, 3), (5, 0), (0, 6)]:
    r.ask("SLICE", [5], {"begin": [begin], "size": [size]})
r.ask_random(40, window)
r.graphs(40, lambda shape: r.random.choice([strided(False), strided(True), window])(shape))
r.finish()
