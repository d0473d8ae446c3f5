"""Arrays of zarr-python and tensorstore for the Rust test beside this, and a look at its arrays.

    cross.py write DIR   makes arrays in DIR; DIR/reads.json has slices of them, with NumPy's
                         answers, and DIR/writes.json arrays to make and to assign to
    cross.py check DIR   compares the arrays that were made with NumPy's, through both libraries
"""

import json
import pathlib
import random
import sys

import numpy
import tensorstore
import zarr

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]
random.seed(20)


def values(dtype, shape):
    """Values of all signs that differ from their neighbours."""
    count = numpy.arange(1, 1 + int(numpy.prod(shape))).reshape(shape)
    if dtype == "bool":
        return count * count % 3 == 1
    if dtype.startswith("complex"):
        return (count - 1j * count).astype(dtype)
    return (count * 7 - 50 if dtype[0] != "u" else count).astype(dtype)


def a_slice(shape):
    """The text of a slice that fits the shape."""
    entries = []
    for n in shape[:random.choice([len(shape), len(shape), random.randint(0, len(shape))])]:
        if random.random() < 0.25:
            entries.append(str(random.randrange(-n, n)))
            continue
        bound = lambda: random.choice(["", str(random.randint(-n - 2, n + 2))])
        entries.append(f"{bound()}:{bound()}:{random.choice([1, 1, 2, 3, 7, -1, -1, -2, -5])}")
    if random.random() < 0.4:
        entries.insert(random.randint(0, len(entries)), "None")
    if len(entries) < len(shape) and random.random() < 0.3:
        entries.append("...")
    return ", ".join(entries) or "()"


def take(array, text):
    return eval("array[" + text + "]", {"array": array})


def reads(root):
    """Arrays that zarr-python and tensorstore wrote, and what NumPy selects of them."""
    cases = []

    def case(name, data):
        slices = [a_slice(data.shape) for _ in range(12)]
        answers = [take(data, text) for text in slices]
        cases.append({
            "path": name, "dtype": str(data.dtype), "slices": [
                {"text": text, "shape": list(numpy.shape(answer)), "hex": answer.tobytes().hex()}
                for text, answer in zip(slices, answers)
            ],
        })

    def of_zarr(name, dtype, shape, data=None, **how):
        data = values(dtype, shape) if data is None else data
        array = zarr.create_array(str(root / name), shape=shape, dtype=dtype, **how)
        array[...] = data
        case(name, data)

    codecs = zarr.codecs
    for dtype in DTYPES:
        of_zarr(f"zarr-{dtype}", dtype, (7, 5, 6), chunks=(3, 2, 4))
        of_zarr(f"zarr-big-{dtype}", dtype, (7, 10), chunks=(4, 3), compressors=None,
                serializer=codecs.BytesCodec(endian="big"))
        of_zarr(f"zarr-shards-{dtype}", dtype, (9, 14), chunks=(2, 3), shards=(4, 6),
                compressors=None)
    blosc = codecs.BloscCodec(cname="lz4", clevel=5, shuffle="shuffle")
    for name, compressor in [("gzip", codecs.GzipCodec()), ("zstd", codecs.ZstdCodec()),
                             ("blosc", blosc), ("crc32c", codecs.Crc32cCodec())]:
        of_zarr(f"zarr-{name}", "float32", (20, 17), chunks=(6, 5), compressors=compressor)
        of_zarr(f"zarr-shards-{name}", "int32", (20, 17), chunks=(3, 5), shards=(6, 10),
                compressors=compressor)
    of_zarr("zarr-f-order", "int16", (6, 7, 8), chunks=(4, 4, 4), compressors=None,
            filters=[codecs.TransposeCodec(order=(2, 0, 1))])
    of_zarr("zarr-v2", "float64", (11, 12), chunks=(4, 5), zarr_format=2)
    of_zarr("zarr-v2-f-big", ">i4", (11, 12), values("int32", (11, 12)), chunks=(4, 5),
            zarr_format=2, order="F", compressors=None)
    of_zarr("zarr-scalar", "int32", (), chunks=())
    # Chunks that were never written.
    holes = numpy.full((10, 10), 3, "int16")
    holes[4:6, 5:] = values("int16", (2, 5))
    array = zarr.create_array(str(root / "zarr-holes"), shape=(10, 10), dtype="int16",
                              chunks=(2, 2), shards=(4, 4), fill_value=3)
    array[4:6, 5:] = holes[4:6, 5:]
    case("zarr-holes", holes)

    for name, how in TENSORSTORE.items():
        data = values("uint16", (12, 18))
        spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(root / name)},
                "metadata": metadata((12, 18), "uint16", how)}
        tensorstore.open(spec, create=True).result().write(data).result()
        case(name, data)
    (root / "reads.json").write_text(json.dumps(cases))


LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
BLOSC = {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 5, "shuffle": "shuffle",
                                            "typesize": 2, "blocksize": 0}}
TRANSPOSE = {"name": "transpose", "configuration": {"order": [1, 0]}}


def sharded(shape, codecs, where="end"):
    return {"name": "sharding_indexed", "configuration": {
        "chunk_shape": shape, "codecs": codecs, "index_location": where,
        "index_codecs": [LITTLE, {"name": "crc32c"}],
    }}


TENSORSTORE = {
    "tensorstore-plain": [LITTLE],
    "tensorstore-big": [BIG],
    "tensorstore-gzip": [LITTLE, GZIP],
    "tensorstore-blosc": [LITTLE, BLOSC],
    "tensorstore-transposed": [TRANSPOSE, LITTLE],
    "tensorstore-shards": [sharded([2, 3], [LITTLE])],
    "tensorstore-shards-start": [sharded([2, 3], [BIG], "start")],
    "tensorstore-shards-gzip": [sharded([2, 3], [LITTLE, GZIP])],
    # zarr-python wants the chunks in a shard to divide it in the array's order of axes too.
    "tensorstore-shards-transposed": [TRANSPOSE, sharded([2, 2], [LITTLE])],
}


def metadata(shape, dtype, codecs):
    return {
        "zarr_format": 3, "node_type": "array", "shape": list(shape), "data_type": dtype,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 6]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": False if dtype == "bool" else [5.0, 0.0] if dtype[0] == "c" else 5,
        "codecs": codecs,
    }


def writes(root):
    """Arrays to make, what to assign to them, and what NumPy has then."""
    cases = []
    kinds = [(f"ours-{name.partition('-')[2]}", how, "uint16") for name, how in TENSORSTORE.items()]
    kinds += [(f"ours-{dtype}", [BIG if dtype[-2:] == "16" else LITTLE], dtype) for dtype in DTYPES]
    kinds += [(f"ours-shards-{dtype}", [sharded([2, 3], [LITTLE])], dtype) for dtype in DTYPES]
    for name, codecs, dtype in kinds:
        shape = (random.randint(5, 15), random.randint(5, 20))
        made = metadata(shape, dtype, codecs)
        data = numpy.full(shape, False if dtype == "bool" else 5, dtype)
        steps = []
        for text in ["..."] + [a_slice(shape) for _ in range(12)]:
            part = take(data, text).shape
            # What was assigned before has to be seen at the end.
            if text != "..." and numpy.prod(part) > data.size / 3:
                continue
            if text != "...":
                part = part[random.randint(0, len(part)):]
                part = tuple(random.choice([1, n]) for n in part)
            assigned = values(dtype, part)
            exec(f"data[{text}] = assigned", {"data": data, "assigned": assigned})
            steps.append({"text": text, "shape": list(part), "hex": assigned.tobytes().hex()})
        numpy.save(root / f"{name}.npy", data)
        cases.append({"path": name, "dtype": dtype, "metadata": made, "steps": steps})
    (root / "writes.json").write_text(json.dumps(cases))


def check(root):
    """Whether both libraries find in the arrays what NumPy has."""
    cases = json.loads((root / "writes.json").read_text())
    for case in cases:
        expected = numpy.load(root / f"{case['path']}.npy")
        theirs = {"zarr": zarr.open_array(str(root / case["path"]), mode="r")[...]}
        kvstore = {"driver": "file", "path": str(root / case["path"])}
        opened = tensorstore.open({"driver": "zarr3", "kvstore": kvstore}).result()
        theirs["tensorstore"] = opened.read().result()
        for library, found in theirs.items():
            if not numpy.array_equal(found, expected):
                sys.exit(f"{library} reads another array at {case['path']} than NumPy has")
    print(f"{len(cases)} arrays are NumPy's in zarr-python {zarr.__version__} and tensorstore")


if __name__ == "__main__":
    what, where = sys.argv[1], pathlib.Path(sys.argv[2])
    if what == "write":
        reads(where)
        writes(where)
    else:
        check(where)
