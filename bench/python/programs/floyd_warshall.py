"""The lengths of all shortest paths of a graph."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(300 * scale)
    weights = random.integers(1, 20, (n, n))
    weights[random.random((n, n)) < 0.9] = 999
    return (weights,)


def run(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k][:, None] + path[k, :][None, :])
    return path
