"""TensorFlow's Slice (offset and size)."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf

from common import Recorder

CLASSES = [
    (r"Expected (begin|size)\[\d+\] (in|==)", "window"),
    (r"same size|Expected begin and size arguments to be 1-D tensors of size|must be equal rank", "lengths"),
]
r = Recorder("tensorflow", tf.__version__, CLASSES)


def ask(shape, begin, size, wide=True):
    x = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    kind = np.int64 if wide else np.int32
    r.ask("Slice", shape, {"begin": begin, "size": size}, lambda: tf.raw_ops.Slice(
        input=x, begin=np.array(begin, kind), size=np.array(size, kind)).numpy())


for begin, size in [([0], [-1]), ([3], [-1]), ([5], [-1]), ([6], [-1]), ([-1], [1]), ([0], [-2]), ([2], [4]), ([2], [3]),
                    ([5], [0]), ([0], [6]), ([1, 0], [1, 1]), ([2**62], [2**62]), ([0], [2**63 - 1])]:
    ask([5], begin, size)
for _ in range(110):
    shape = r.shape()
    begin = [r.random.randint(-1 if r.random.random() < 0.1 else 0, n) for n in shape]
    size = [r.random.choice([-1, r.random.randint(0, max(n - b, 0)), r.random.randint(0, n + 1)]) for n, b in zip(shape, begin)]
    ask(shape, begin, size, r.random.random() < 0.5)
for _ in range(120):
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
r.finish()
