"""The heat equation in three dimensions, with fixed borders."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(120 * scale)
    return (int(25 * scale), random.random((n, n, n)), random.random((n, n, n)))


def step(a):
    inner = a[1:-1, 1:-1, 1:-1]
    return (0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * inner + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * inner + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * inner + a[1:-1, 1:-1, :-2]) + inner)


def run(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = step(a)
        a[1:-1, 1:-1, 1:-1] = step(b)
    return a, b
