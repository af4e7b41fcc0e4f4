"""Jacobi's method on a grid: the mean of a point and its four neighbours, again and again."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(700 * scale)
    return (int(100 * scale), random.random((n, n)), random.random((n, n)))


def run(steps, a, b):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1]
                               + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1]
                               + b[:-2, 1:-1])
    return a, b
