"""Vertical advection of a weather model: tridiagonal systems along the levels."""
import numpy as np


def initialize(random, scale=1.0):
    i, j, k = int(96 * scale), int(96 * scale), int(60 * scale)
    return (random.random((i, j, k)), random.random((i + 1, j, k)), random.random((i, j, k)),
            random.random((i, j, k)), random.random((i, j, k)))


def run(utens_stage, wcon, u_stage, u_pos, utens):
    i, j, levels = u_stage.shape
    dtr = 3.0 / 20.0
    c_column, d_column = np.zeros((i, j, levels)), np.zeros((i, j, levels))
    for k in range(levels):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = (0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1]) if k + 1 < levels
               else np.zeros((i, j)))
        gav = gav if k > 0 else np.zeros((i, j))
        a, c = gav * 0.5, gcv * 0.5
        b = dtr - a - c
        below = u_stage[:, :, k - 1] - u_stage[:, :, k] if k > 0 else np.zeros((i, j))
        above = u_stage[:, :, k + 1] - u_stage[:, :, k] if k + 1 < levels else np.zeros((i, j))
        d = (dtr * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k]
             - gav * 0.5 * below - gcv * 0.5 * above)
        before = c_column[:, :, k - 1] if k > 0 else np.zeros((i, j))
        divided = 1.0 / (b - before * a)
        c_column[:, :, k] = c * divided
        d_column[:, :, k] = (d - (d_column[:, :, k - 1] * a if k > 0 else 0.0)) * divided
    data = np.zeros((i, j))
    for k in range(levels - 1, -1, -1):
        data = d_column[:, :, k] - c_column[:, :, k] * data
        utens_stage[:, :, k] = dtr * (data - u_pos[:, :, k])
    return utens_stage
