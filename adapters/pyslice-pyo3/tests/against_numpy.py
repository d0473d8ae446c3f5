"""Slices typed in Python, run by the extension module, against NumPy."""

import ctypes
import random
import warnings

import numpy as np
from numpy.lib.stride_tricks import as_strided
from array_slices import Array, read

RANDOM = random.Random(20)
ELLIPSIS, NEW_AXIS, WHOLE = ..., None, slice(None)


class Seven:
    """An integer by its `__index__`."""

    def __index__(self):
        return 7


class Broken:
    """Its `__index__` raises something of its own."""

    def __index__(self):
        raise KeyError("mine")


def answer(function):
    """What a function returns, or the type of exception it raises."""
    try:
        return function()
    except Exception as error:
        return error


def same(key, x, ours):
    """`ours[key]` is `x[key]`, or raises the same type of exception."""
    theirs, got = answer(lambda: x[key]), answer(lambda: ours[key])
    if isinstance(theirs, Exception):
        # Of two mistakes either may be told first, and a step of 0 is the only `ValueError`.
        items = key if isinstance(key, tuple) else (key,)
        steps = [item.step for item in items if isinstance(item, slice)]
        allowed = [type(theirs)] + [ValueError] * any(s is not None and s == 0 for s in steps)
        assert type(got) in allowed, f"{key!r} of {x.shape}: {got!r}, NumPy {theirs!r}"
        return False
    assert not isinstance(got, Exception), f"{key!r} of {x.shape}: {got!r}"
    # A scalar where NumPy has one, and otherwise a view of the same memory.
    assert type(got) is type(theirs), f"{key!r} of {x.shape}: {type(got)}"
    assert got.shape == np.shape(theirs), f"{key!r} of {x.shape}: {got.shape}"
    assert np.array_equal(got, theirs), f"{key!r} of {x.shape}"
    # Where an integer is an array, NumPy copies.
    items = key if isinstance(key, tuple) else (key,)
    if np.size(got) and np.ndim(got) and not any(isinstance(item, np.ndarray) for item in items):
        places = [(a.ctypes.data, a.strides) for a in (got, theirs)]
        assert places[0] == places[1], f"{key!r} of {x.shape}: {places}"
    copied = ours.copy(key)
    assert np.array_equal(copied, theirs), f"{key!r} of {x.shape}"
    assert not np.shares_memory(copied, x), f"{key!r} of {x.shape}"
    again = x[read(key)]
    assert np.array_equal(again, theirs) and np.shape(again) == got.shape, f"{key!r} read twice"
    return True


def like(x):
    """A copy with the same layout: the memory between the elements and around them too."""
    if not x.size or x.dtype.hasobject:
        return x.copy()
    low, high = np.lib.array_utils.byte_bounds(x)
    memory = np.frombuffer((ctypes.c_char * (high - low)).from_address(low), np.uint8).copy()
    first = x.ctypes.data - low
    return np.ndarray(x.shape, x.dtype, memory, first, x.strides)


def assigned(key, x, values):
    """`ours[key] = values` leaves what `x[key] = values` does, or raises the same exception."""
    theirs, ours = like(x), like(x)
    raised = answer(lambda: theirs.__setitem__(key, values))
    got = answer(lambda: Array(ours).__setitem__(key, values))
    case = f"{key!r} of {x.dtype}{x.shape} = {values!r}"
    assert type(got) is type(raised), f"{case}: {got!r}, NumPy {raised!r}"
    for mine, right in ((ours, theirs), (ours.base, theirs.base)):
        # The memory too: what lies between the elements is as it was. A long double has padding.
        padded = x.dtype.char in "gG"
        bits = [repr(a) if a is None or a.dtype.hasobject else a.tobytes() for a in (mine, right)]
        same = np.array_equal(ours, theirs) if padded else bits[0] == bits[1]
        assert same, f"{case}: {mine!r}, NumPy {right!r}"
    return raised is None


def number(kinds=(int, int, np.int64, np.int8, np.intp)):
    return RANDOM.choice(kinds)(RANDOM.randint(-6, 6))


def bound():
    huge = (2**63, -(2**63) - 1, 10**30, -(10**30), 2**63 - 1, -(2**63), np.uint64(2**63 + 5))
    return RANDOM.choices((None, number(), RANDOM.choice(huge)), (3, 6, 1))[0]


def entry():
    step = RANDOM.choice((None, 1, 2, -1, -2, 3, np.int16(-3), 0, bound()))
    ranged = slice(bound(), bound(), step)
    return RANDOM.choices((number(), ranged, WHOLE, NEW_AXIS, ELLIPSIS), (4, 8, 2, 2, 1))[0]


indices = refused = 0
for _ in range(800):
    shape = [RANDOM.randint(0, 6) for _ in range(RANDOM.randint(0, 4))]
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    # Other layouts: reversed, transposed, and with gaps.
    gaps = np.repeat(x, 2, -1)[..., ::2] if shape else x
    x = RANDOM.choice((x, x[(slice(None, None, -1),) * x.ndim + (...,)], x.T, gaps))
    key = tuple(entry() for _ in range(RANDOM.randint(0, x.ndim + 1)))
    if len(key) == 1 and RANDOM.random() < 0.5:
        (key,) = key
    taken = same(key, x, Array(x))
    indices, refused = indices + 1, refused + (not taken)

    # Assignment: the same values in, from a number, a row and a whole array.
    if taken:
        for values in (-1.5, np.array(x[key]) + 100, np.full(np.shape(x[key])[-1:], 7.0)):
            assigned(key, x, values)

# By hand, and what the user reads.
x = np.arange(24.0).reshape(2, 3, 4)
ours = Array(x)
for key in (
    (1, slice(None, None, -2), None), np.array(1), np.array([[1]])[0, 0], (), ..., None, Ellipsis,
    slice(True, 2), -1, (1, 2, 3), (slice(10**40, None, -1),),
    # Refused by both, with the same type of exception.
    2, -3, (0, 0, 0, 0), (..., ...), 1.0, "a", (0, 1j), slice(1.0), slice("a", 2),
    slice(None, None, 0), slice(0, np.array([1, 2])), Seven(), slice(Seven(), None, Seven()),
    slice(Broken()), object(), {1: 2},
):
    taken = same(key, x, ours)
    indices, refused = indices + 1, refused + (not taken)


def words(key):
    error = answer(lambda: ours[key])
    return f"{type(error).__name__}: {error}"


# slice-core's own words, which may change, with the numbers.
for key, kind, numbers in (
    ((0, 7), "IndexError", ("7", "axis 1", "length 3", "-3 to 2")),
    ((0, slice(None, None, 0)), "ValueError", ("0", "entry 1")),
    ((0,) * 32, "IndexError", ("32", "31")),
):
    text = words(key)
    assert text.startswith(kind + ": ") and all(n in text for n in numbers), text
assert words((0, 1.5)).startswith("IndexError: entry 1 of the slice is of type float; use ")
assert words((0, slice("a"))) == (
    "TypeError: the stop at entry 1 of the slice is of type str; use an integer or `None`"
)
assert words(2**63) == (
    "IndexError: the index at entry 0 does not fit in 64 bits; no axis is that long"
)
# As a list says. NumPy has an `OverflowError`.
for key in (2**63, -(2**70)):
    assert type(answer(lambda: [][key])) is IndexError and words(key) == words(2**63)
for container in ([], ours):
    assert repr(answer(lambda: container[Broken()])) == "KeyError('mine')"
assert isinstance(answer(lambda: ours[0, 1.5]).__cause__, TypeError)

# What NumPy takes and we do not: lists, arrays and masks.
for key in ([0, 1], (0, [1]), np.array([0, 1]), True, (0, False), np.bool_(True), x > 3):
    assert words(key).startswith("IndexError: entry "), key

# Tuples come back, with the bounds that do not fit in 64 bits clamped.
assert read((1, slice(2, 4), None, ..., slice(None, -3, -1))) == (
    1, slice(2, 4), None, ..., slice(None, -3, -1)
)
assert read(np.int8(-1)) == (-1,) and read(()) == ()
assert read(slice(-(10**30), 10**30)) == (slice(-(2**63), 2**63 - 1),)

# Arrays that do not lie in memory as Rust's do, of every kind of element.
def floats(*shape):
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


record = np.zeros((3, 4), dtype=[("a", "u1"), ("b", "f8"), ("c", "i2", (2,))])
record["a"], record["b"], record["c"] = 7, floats(3, 4), 9
unaligned = np.frombuffer(bytes(range(97)), np.uint8).copy()[1:].view("f8")
layouts = {
    "a field": record["b"],
    "a field with an axis of its own": record["c"],
    "records": record,
    "steps of one and a half elements": as_strided(floats(9), (2, 3), (36, 12)),
    "unaligned": unaligned.reshape(3, 4),
    "unaligned, backwards": unaligned[::-2],
    "foreign byte order": floats(3, 4).astype(">f8"),
    "an axis of length 0 between": floats(3, 0, 4),
    "more than 32 axes": floats(*[1] * 37, 2, 3),
    "64 axes, backwards": floats(2, *[1] * 62, 3)[::-1, ..., ::-1],
    "booleans": floats(3, 4) > 5,
    "text": np.array([["a", "bcd"], ["", "ef"]]),
    "bytes": np.array([[b"a", b"bcd"], [b"", b"ef"]]),
    "dates": np.array([["2020-02-29", "NaT"]], "M8[D]"),
    "differences": np.array([[1, 2], [3, 4]], "m8[s]"),
    "objects": np.array([[1, "two"], [None, [4]]], object),
    "empty elements": np.zeros((2, 3), "V0"),
} | {f"{dtype}": floats(3, 4).astype(dtype) for dtype in "bBhHiIlLqQefdgFDG"}
if hasattr(np.dtypes, "StringDType"):
    layouts["long text"] = np.array([["a", "b" * 100], ["", "ef"]], np.dtypes.StringDType())
moved = 0
for name, x in layouts.items():
    keys = [
        ..., slice(None, None, -1), (..., 0), (slice(1, None), ..., slice(None, None, -2)), 0, -1,
        (None, ..., slice(0, 1), None), (0,) * x.ndim, (0,) * min(x.ndim, 31) + (...,),
    ]
    for key in keys:
        theirs, got = answer(lambda: x[key]), answer(lambda: Array(x)[key])
        where = f"{name}: {key!r} of {x.dtype}{x.shape}: {got!r}, NumPy {theirs!r}"
        if isinstance(theirs, Exception) or len(key if isinstance(key, tuple) else ()) > 31:
            assert isinstance(got, Exception) and not isinstance(got, SystemError), where
            assert type(got).__name__ != "PanicException", where
            continue
        assert type(got) is type(theirs), where
        copied = Array(x).copy(key)
        # As an array, which keeps the order of its bytes; a scalar does not.
        items = key if isinstance(key, tuple) else (key,)
        array = x[items if ... in items else (*items, ...)]
        for one in (got, copied) if isinstance(got, np.ndarray) else (copied,):
            assert one.dtype == array.dtype and one.shape == array.shape, where
            values = [a.tolist() if a.dtype.kind == "T" else a.tobytes() for a in (one, array)]
            assert values[0] == values[1], where
        assert copied.flags.c_contiguous and copied.flags.writeable, where
        moved += 1
        if x.dtype.hasobject or x.dtype.kind == "T":
            # There is no memory to compare.
            ours, right = x.copy(), x.copy()
            Array(ours)[key] = right[key] = x[key]
            assert ours.tolist() == right.tolist(), where
        elif x.size:
            column, python = np.atleast_1d(x[key])[..., :1], np.array(x[key]).tolist()
            for values in (x[key], column, x.ravel()[0], python):
                assigned(key, x, values)
assert moved > 250, moved

# What is cast, as NumPy does it: with its warnings, and refused where it refuses.
values = (
    1, -1, 300, 2**70, 1.5, float("nan"), 1j, True, "2", "x", b"3", None, [1], [[1], [2]], [1.5, 2],
    (1, 2), np.float32(2.5), np.int64(300), np.float64(1e300), np.array(3), np.array([4]),
    np.array([[5, 6]]), np.ones((1, 1, 2), "f4"), np.ones((2, 1), "i1"), np.array(["7", "8"]),
    np.array([1, 2], object), np.array([1 + 2j, 3]), np.array([True, False]), np.ones(5), [], {},
    np.array([1, 2], ">i4"), np.ma.masked_array([1, 2], [True, False]), range(2), object(),
)
with np.errstate(all="ignore"), warnings.catch_warnings():
    warnings.simplefilter("ignore")
    taken = [
        assigned(key, np.zeros((2, 2), dtype), value)
        for dtype in ("u1", "i8", "f4", "f8", "c8", "?", "U2", "S2", ">f8", "O")
        for key in (..., 0, (0, 1), (slice(None), 0), (..., 1, 1), slice(2, None))
        for value in values
    ]
assert sum(taken) > 900 and sum(not one for one in taken) > 300, (sum(taken), len(taken))

# What an array is to Python.
x = floats(2, 3)
ours = Array(x)
assert ours.shape == (2, 3) and ours.dtype == x.dtype and len(ours) == 2
assert type(ours[1, 2]) is np.float64 and ours[1, 2] == 6
assert np.asarray(ours) is x and np.shares_memory(np.asarray(ours), x)
assert np.asarray(ours, "f4").dtype == "f4" and np.array(ours) is not x
assert [row.tolist() for row in ours] == x.tolist() and np.add(ours, 1).tolist() == (x + 1).tolist()
assert type(answer(lambda: len(Array(np.array(1))))) is TypeError
ours[0][1] = 9
assert x[0, 1] == 9
squares = Array.squares(5)
assert squares[::-2].tolist() == [16, 4, 0] and squares.dtype == "f8"
masked = answer(lambda: Array(np.ma.masked_array([1, 2], [True, False]))[0])
assert type(masked) is TypeError and "MaskedArray" in str(masked), masked

# The view keeps the memory.
row = Array(np.arange(10.0) + 5)[2:4]
assert row.tolist() == [7, 8]

# The array is the one that was given; broadcasting that does not fit writes nothing.
view = np.zeros((4, 6))
Array(view[::2, ::-1])[0, 1:3] = [1.0, 2.0]
assert view[0].tolist() == [0, 0, 0, 2, 1, 0] and not view[1:].any()
before = view.copy()
error = answer(lambda: Array(view).__setitem__(slice(None), np.ones(5)))
assert type(error) is ValueError and "broadcast" in str(error), error
assert np.array_equal(view, before)
# Values that overlap are read before anything is written.
for to, of in ((slice(1, None), slice(None, -1)), (slice(None), slice(None, None, -1))):
    ours, theirs = floats(5, 3), floats(5, 3)
    Array(ours)[to] = ours[of]
    theirs[to] = theirs[of].copy()
    assert np.array_equal(ours, theirs), (to, of)
# An array that is not to be written is not, nor are its views.
view.flags.writeable = False
for target in (Array(view), Array(view)[1:], Array(np.broadcast_to(1.0, (3, 2)))):
    target = target if isinstance(target, Array) else Array(target)
    for key in (0, ..., (0, 0)):
        error = answer(lambda: target.__setitem__(key, 1.0))
        assert type(error) is ValueError and "read-only" in str(error), repr(error)
assert np.array_equal(view, before)
