"""Reads arrays from an S3 server with zarr-python and tensorstore, and writes one with each.

`cross.py ENDPOINT COUNT`: the arrays are `/ours/0`, `/ours/1` and so on.
"""

import sys

import numpy
import tensorstore
import zarr

endpoint, count = sys.argv[1], int(sys.argv[2])
shape = (9, 14, 22)


def at(places, data_type):
    return (places * 40503 % 65521 + 1).astype(data_type)


def assigned(data_type):
    """What the Rust side assigned, in the same order, by NumPy."""
    array = at(numpy.arange(numpy.prod(shape)), data_type).reshape(shape)
    array[1:6, ::-3] = at(numpy.int64(5), data_type)
    array[-2:, 4, ::-1] = at(7 * numpy.arange(22), data_type)
    return array


def kvstore(path):
    return {
        "driver": "s3",
        "bucket": "bucket",
        "endpoint": endpoint,
        "aws_region": "us-east-1",
        "aws_credentials": {"type": "anonymous"},
        "path": path,
    }


options = {"anon": True, "endpoint_url": endpoint}
for number in range(count):
    path = f"ours/{number}/"
    array = zarr.open_array(f"s3://bucket/{path}", mode="r", storage_options=options)
    expected = assigned(array.dtype.newbyteorder("="))
    numpy.testing.assert_array_equal(array[...], expected, str(number))
    array = tensorstore.open({"driver": "zarr3", "kvstore": kvstore(path)}, open=True).result()
    numpy.testing.assert_array_equal(array.read().result(), expected, str(number))

values = at(numpy.arange(numpy.prod(shape)), "uint32").reshape(shape)
array = zarr.create_array(
    "s3://bucket/theirs/zarr",
    shape=shape,
    chunks=(2, 4, 6),
    shards=(4, 8, 12),
    dtype="uint32",
    serializer=zarr.codecs.BytesCodec(endian="big"),
    storage_options=options,
)
array[...] = values
array = tensorstore.open(
    {"driver": "zarr3", "kvstore": kvstore("theirs/tensorstore/")},
    create=True,
    dtype=tensorstore.uint32,
    shape=shape,
    chunk_layout=tensorstore.ChunkLayout(read_chunk_shape=(2, 4, 6), write_chunk_shape=(4, 8, 12)),
).result()
array.write(values).result()
print(f"{count} arrays read twice, 2 written")
