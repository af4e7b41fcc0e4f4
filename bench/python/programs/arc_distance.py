"""Distances on a sphere between two sets of points, by the haversine formula."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(2_000_000 * scale)
    return tuple(random.random(n) for _ in range(4))


def run(theta_1, phi_1, theta_2, phi_2):
    x = (np.sin((theta_2 - theta_1) / 2) ** 2
         + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2)
    return 2 * np.atan2(np.sqrt(x), np.sqrt(1 - x))
