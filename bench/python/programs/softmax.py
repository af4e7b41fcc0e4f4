"""The softmax function along the last axis, as in attention layers."""
import numpy as np


def initialize(random, scale=1.0):
    return (random.random((int(16 * scale) + 1, 16, 128, 128)).astype("float32"),)


def run(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)
