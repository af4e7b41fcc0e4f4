"""Iterations until each point of the plane escapes, as whole arrays; the number is fixed."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(500 * scale)
    return (-2.0, 0.5, -1.25, 1.25, n, n, int(100 * scale))


def run(x_min, x_max, y_min, y_max, nx, ny, iterations):
    x = np.linspace(x_min, x_max, nx)[None, :]
    y = np.linspace(y_min, y_max, ny)[:, None]
    real, imaginary = np.zeros((ny, nx)), np.zeros((ny, nx))
    count = np.zeros((ny, nx), dtype=np.int64)
    for k in range(iterations):
        inside = real * real + imaginary * imaginary < 4.0
        count[inside] = k
        real, imaginary = (np.where(inside, real * real - imaginary * imaginary + x, real),
                           np.where(inside, 2.0 * real * imaginary + y, imaginary))
    return count
