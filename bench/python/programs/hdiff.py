"""Horizontal diffusion of a weather model, with limited fluxes."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(256 * scale)
    return random.random((n + 4, n + 4, 64)), random.random((n, n, 64))


def run(field, coefficient):
    i, j, _ = coefficient.shape
    lap = (4.0 * field[1:i + 3, 1:j + 3, :]
           - (field[2:i + 4, 1:j + 3, :] + field[0:i + 2, 1:j + 3, :]
              + field[1:i + 3, 2:j + 4, :] + field[1:i + 3, 0:j + 2, :]))
    change = lap[1:, 1:j + 1, :] - lap[:-1, 1:j + 1, :]
    slope = field[2:i + 3, 2:j + 2, :] - field[1:i + 2, 2:j + 2, :]
    flux_x = np.where(change * slope > 0, 0.0, change)
    change = lap[1:i + 1, 1:, :] - lap[1:i + 1, :-1, :]
    slope = field[2:i + 2, 2:j + 3, :] - field[2:i + 2, 1:j + 2, :]
    flux_y = np.where(change * slope > 0, 0.0, change)
    return field[2:i + 2, 2:j + 2, :] - coefficient * (
        flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :])
