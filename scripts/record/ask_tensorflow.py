"""TensorFlow's Slice (offset and size) and StridedSlice, and the shapes that it infers for Slice."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

from common import Recorder, bits

CLASSES = [
    (r"Expected (begin|size)\[\d+\] (in|==)", "window"),
    (r"same size|Expected begin and size arguments to be 1-D tensors of size|must be equal rank", "lengths"),
    (r"strides\[\d+\] must be non-zero", "zero_stride"),
    (r"only stride 1 allowed", "step"),
    (r"slice index .* out of bounds", "index"),
    (r"Index out of range using input dim|slice scalar input", "too_many"),
    (r"Multiple ellipses", "two_ellipses"),
]


def window(x, args):
    # Either width, and the same one each time.
    kind = (np.int64, np.int32)[sum(args["begin"]) % 2 if all(abs(v) < 2**31 for v in args["begin"] + args["size"]) else 0]
    return tf.raw_ops.Slice(input=x, begin=np.array(args["begin"], kind), size=np.array(args["size"], kind)).numpy()


def strided(x, args):
    vectors = {k: np.array(args[k], np.int64) for k in ("begin", "end", "strides")}
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return tf.raw_ops.StridedSlice(input=x, **vectors, **dict(zip(names, args["masks"]))).numpy()


r = Recorder("tensorflow", tf.__version__, CLASSES, {"Slice": window, "strided_slice": strided})


def random_window(shape):
    begin = [r.random.randint(-1 if r.random.random() < 0.1 else 0, n) for n in shape]
    size = [r.random.choice([-1, r.random.randint(0, max(n - b, 0)), r.random.randint(0, n + 1)]) for n, b in zip(shape, begin)]
    return "Slice", {"begin": begin, "size": size}


def random_strided(shape):
    numbers = r.strided(shape)
    if numbers is None:
        return None
    begin, end, strides, m = numbers
    masks = [bits(m[k]) for k in ("begin", "end", "ellipsis", "new_axis", "shrink")]
    return "strided_slice", {"begin": begin, "end": end, "strides": strides, "masks": masks}


for begin, size in [([0], [-1]), ([3], [-1]), ([5], [-1]), ([6], [-1]), ([-1], [1]), ([0], [-2]), ([2], [4]), ([2], [3]),
                    ([5], [0]), ([0], [6]), ([1, 0], [1, 1]), ([2**62], [2**62]), ([0], [2**63 - 1])]:
    r.ask("Slice", [5], {"begin": begin, "size": size})
r.ask_random(110, random_window)
r.ask_random(20, random_strided)
r.graphs(40, lambda shape: r.random.choice([random_window, random_strided, random_strided])(shape))
for _ in r.times(120):
    shape = r.shape()
    dims = r.dims(shape)
    begin = r.hidden([r.random.randint(0, n) for n in shape])
    size = r.hidden([r.random.choice([-1, r.random.randint(0, n)]) for n in shape])

    def inferred():
        scalars = [v for v in begin + size if v is None]

        @tf.function(input_signature=[tf.TensorSpec([b for _, b in dims], tf.int64)] + [tf.TensorSpec([], tf.int64)] * len(scalars))
        def f(x, *given):
            given = list(given)
            packed = [[given.pop() if v is None else tf.constant(v, tf.int64) for v in values] for values in (begin, size)]
            return tf.raw_ops.Slice(input=x, begin=tf.stack(packed[0]), size=tf.stack(packed[1]))
        return [[n, n] if n is not None else [0, None] for n in f.get_concrete_function().output_shapes]
    r.ask_shape("Slice", dims, {"begin": begin, "size": size}, inferred)
for _ in r.times(60):
    shape = r.shape()
    one = random_strided(shape)
    if one is None:
        continue
    dims, args = r.dims(shape), one[1]
    known = r.random.random() < 0.6, r.random.random() < 0.6

    def inferred():
        signature = [tf.TensorSpec([b for _, b in dims], tf.int64)] + [tf.TensorSpec([len(args["begin"])], tf.int64)] * 2

        @tf.function(input_signature=signature)
        def f(x, *given):
            begin, end = (tf.constant(args[k], tf.int64) if k_known else v for k, k_known, v in zip(("begin", "end"), known, given))
            names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
            return tf.raw_ops.StridedSlice(input=x, begin=begin, end=end, strides=tf.constant(args["strides"], tf.int64),
                                           **dict(zip(names, args["masks"])))
        return [[n, n] if n is not None else [0, None] for n in f.get_concrete_function().output_shapes]
    unknown = [None] * len(args["begin"])
    shown = {**args, "begin": args["begin"] if known[0] else unknown, "end": args["end"] if known[1] else unknown}
    r.ask_shape("strided_slice", dims, shown, inferred)
r.finish()
