"""A neural network of three dense layers."""
import numpy as np


def initialize(random, scale=1.0):
    sizes = [3, int(3000 * scale), int(3000 * scale), int(1000 * scale)]
    x = random.random((64, sizes[0])).astype("float32")
    layers = []
    for rows, columns in zip(sizes[:-1], sizes[1:]):
        layers += [random.random((rows, columns)).astype("float32") / rows,
                   random.random((columns,)).astype("float32")]
    return (x, *layers)


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def run(x, w1, b1, w2, b2, w3, b3):
    x = relu(x @ w1 + b1)
    x = relu(x @ w2 + b2)
    return softmax(x @ w3 + b3)
