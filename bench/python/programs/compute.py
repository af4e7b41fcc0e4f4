"""A chain of element-wise operations on integers, with limits."""
import numpy as np


def initialize(random, scale=1.0):
    shape = (int(2000 * scale), 2000)
    return (random.integers(0, 1000, shape), random.integers(0, 1000, shape), 4, 3, 9)


def run(a, b, x, y, z):
    return np.clip(a, 2, 10) * x + b * y + z
