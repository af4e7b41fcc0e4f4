"""A convolution of images with several channels, pixel by pixel of the result."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(32 * scale)
    return (random.random((8, n, n, 3)).astype("float32"),
            random.random((5, 5, 3, 16)).astype("float32"), random.random(16).astype("float32"))


def run(images, weights, bias):
    size = weights.shape[0]
    count, height, width, _ = images.shape
    result = np.zeros((count, height - size + 1, width - size + 1, weights.shape[3]),
                      dtype=np.float32)
    for i in range(height - size + 1):
        for j in range(width - size + 1):
            result[:, i, j, :] = np.sum(
                images[:, i:i + size, j:j + size, :, None] * weights[None, :, :, :],
                axis=(1, 2, 3))
    return result + bias
