"""Azimuthal integration: the mean of the data in each ring around a centre."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(400_000 * scale)
    return random.random(n), random.random(n), int(100 * scale)


def run(data, radius, rings):
    largest = np.max(radius)
    result = np.zeros(rings)
    for i in range(rings):
        inner, outer = largest * i / rings, largest * (i + 1) / rings
        result[i] = np.mean(data[(inner <= radius) & (radius < outer)])
    return result
