"""Slices of arrays that zarr-python wrote, through the module, against NumPy."""

import random
import sys

import numpy
import zarr

import zarr_slices

folder = sys.argv[1]
random.seed(7)
codecs = {
    "raw": dict(compressors=None),
    "zstd": dict(compressors=zarr.codecs.ZstdCodec(level=1)),
    "shards": dict(shards=(8, 8, 6), compressors=None),
    "v2": dict(zarr_format=2, order="F"),
}


def entry(n):
    bound = lambda: random.choice([None, random.randint(-n - 2, n + 2)])
    step = random.choice([None, 1, -1, 2, -2, -3, 5])
    kinds = [random.randint(-n - 1, n), slice(bound(), bound(), step), slice(None), None, ...]
    return random.choices(kinds, [2, 5, 2, 1, 1])[0]


def result(x, key):
    try:
        got = x[key]
        return type(got).__name__.replace(got.dtype.name, "ndarray"), got.dtype, got.shape, got.tobytes()
    except Exception as error:
        return type(error).__name__


tried = 0
for name, how in codecs.items():
    for dtype in ["bool", "int16", "uint8", "float32", "float64", "complex128"]:
        data = (numpy.arange(15 * 11 * 7).reshape(15, 11, 7) % 251).astype(dtype)
        path = f"{name}-{dtype}"
        zarr.create_array(folder, name=path, data=data, chunks=(4, 4, 3), **how)
        array = zarr_slices.ZarrArray(folder, "/" + path)
        assert array.shape == data.shape
        for _ in range(100):
            key = tuple(entry(n) for n in data.shape[: random.randint(0, 3)])
            expected, found = result(data, key), result(array, key)
            if expected[0] == dtype:  # one element is a scalar for NumPy, and an array here
                expected = ("ndarray", *expected[1:])
            assert expected == found, (path, key, expected, found)
            tried += 1

# What zarr-python refuses.
key = (slice(None, None, -1), 5, slice(None, None, -3))
assert (array[key] == data[key]).all()
try:
    zarr.open_array(folder, path=path, mode="r")[key]
except Exception as error:
    print("zarr-python:", type(error).__name__)
print(tried, "slices are NumPy's")
