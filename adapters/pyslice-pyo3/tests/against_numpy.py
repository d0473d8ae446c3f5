"""Slices typed in Python, run by the extension module, against NumPy."""

import random

import numpy as np
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
    assert got.shape == np.shape(theirs), f"{key!r} of {x.shape}: {got.shape}"
    assert np.array_equal(got, theirs), f"{key!r} of {x.shape}"
    again = x[read(key)]
    assert np.array_equal(again, theirs) and np.shape(again) == got.shape, f"{key!r} read twice"
    return True


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
            theirs, ours = x.copy(), x.copy()
            theirs[key] = values
            Array(ours)[key] = values
            assert np.array_equal(ours, theirs), f"{key!r} of {x.shape} = {values!r}"

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

# The array is the one that was given; broadcasting that does not fit writes nothing.
view = np.zeros((4, 6))
Array(view[::2, ::-1])[0, 1:3] = [1.0, 2.0]
assert view[0].tolist() == [0, 0, 0, 2, 1, 0] and not view[1:].any()
before = view.copy()
error = answer(lambda: Array(view).__setitem__(slice(None), np.ones(5)))
assert type(error) is ValueError and "broadcast" in str(error), error
assert np.array_equal(view, before)
# A value that is a view of the array itself is refused, not read while it is written.
error = answer(lambda: Array(view).__setitem__(slice(1, None), view[:-1]))
assert type(error).__name__ == "BorrowError" or "borrow" in str(error), repr(error)
# So is an array that is not to be written.
view.flags.writeable = False
assert isinstance(answer(lambda: Array(view).__setitem__(0, 1.0)), Exception)
assert np.array_equal(view, before)
