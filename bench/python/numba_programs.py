"""The programs for Numba: their own source, compiled in parallel mode, where Numba knows what they
use; else written as the loops that Numba is made for."""

import math
import pathlib

import numba
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
# The arrays of the last one are too small for threads.
SAME_SOURCE = {"jacobi_2d": True, "heat_3d": True, "hdiff": True, "cavity_flow": False}


def compiled(name, parallel):
    """run() of a program, with all functions of its module compiled."""
    source = (FOLDER / f"{name}.py").read_text()
    space = {"__name__": name}
    exec(compile(source.replace("\ndef ", f"\n@numba.njit(parallel={parallel})\ndef ")
                 .replace("import numpy as np", "import numba\nimport numpy as np"),
                 f"{name}.py", "exec"), space)
    return space["run"]


PROGRAMS = {name: compiled(name, parallel) for name, parallel in SAME_SOURCE.items()}


def program(function):
    PROGRAMS[function.__name__] = numba.njit(parallel=True)(function)
    return PROGRAMS[function.__name__]


@program
def arc_distance(theta_1, phi_1, theta_2, phi_2):
    result = np.empty_like(theta_1)
    for i in numba.prange(theta_1.size):
        x = (math.sin((theta_2[i] - theta_1[i]) / 2) ** 2
             + math.cos(theta_1[i]) * math.cos(theta_2[i])
             * math.sin((phi_2[i] - phi_1[i]) / 2) ** 2)
        result[i] = 2 * math.atan2(math.sqrt(x), math.sqrt(1 - x))
    return result


@program
def compute(a, b, x, y, z):
    result = np.empty_like(a)
    for i in numba.prange(a.shape[0]):
        for j in range(a.shape[1]):
            result[i, j] = min(max(a[i, j], 2), 10) * x + b[i, j] * y + z
    return result


@program
def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    result = np.empty_like(rows)
    for i in numba.prange(rows.shape[0]):
        largest = np.max(rows[i])
        total = np.float32(0)
        for j in range(rows.shape[1]):
            result[i, j] = math.exp(rows[i, j] - largest)
            total += result[i, j]
        for j in range(rows.shape[1]):
            result[i, j] /= total
    return result.reshape(x.shape)


@numba.njit(parallel=True)
def dense(x, w, b):
    result = x @ w
    for i in numba.prange(result.shape[0]):
        for j in range(result.shape[1]):
            result[i, j] = max(result[i, j] + b[j], np.float32(0))
    return result


@program
def mlp(x, w1, b1, w2, b2, w3, b3):
    x = dense(dense(x, w1, b1), w2, b2) @ w3 + b3
    for i in numba.prange(x.shape[0]):
        row = np.exp(x[i] - np.max(x[i]))
        x[i] = row / np.sum(row)
    return x


@numba.njit(parallel=True)
def acceleration(pos, mass, softening):
    result = np.empty_like(pos)
    for i in numba.prange(pos.shape[0]):
        x = y = z = 0.0
        for j in range(pos.shape[0]):
            dx, dy, dz = pos[j, 0] - pos[i, 0], pos[j, 1] - pos[i, 1], pos[j, 2] - pos[i, 2]
            inverse = (dx ** 2 + dy ** 2 + dz ** 2 + softening ** 2) ** (-1.5) * mass
            x += dx * inverse
            y += dy * inverse
            z += dz * inverse
        result[i, 0], result[i, 1], result[i, 2] = x, y, z
    return result


@numba.njit(parallel=True)
def potential_of(pos, mass):
    total = 0.0
    for i in numba.prange(pos.shape[0]):
        for j in range(i + 1, pos.shape[0]):
            d = math.sqrt((pos[j, 0] - pos[i, 0]) ** 2 + (pos[j, 1] - pos[i, 1]) ** 2
                          + (pos[j, 2] - pos[i, 2]) ** 2)
            if d > 0:
                total -= mass * mass / d
    return total


@program
def nbody(n, steps, dt, pos, vel):
    mass = 20.0 / n
    mean = np.array([np.mean(vel[:, 0]), np.mean(vel[:, 1]), np.mean(vel[:, 2])])
    vel = vel - mean
    acc = acceleration(pos, mass, 0.1)
    kinetic, potential = np.empty(steps), np.empty(steps)
    for step in range(steps):
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(pos, mass, 0.1)
        vel = vel + acc * dt / 2.0
        kinetic[step] = 0.5 * mass * np.sum(vel ** 2)
        potential[step] = potential_of(pos, mass)
    return pos, vel, kinetic, potential


@program
def mandelbrot(x_min, x_max, y_min, y_max, nx, ny, iterations):
    count = np.zeros((ny, nx), dtype=np.int64)
    for row in numba.prange(ny):
        y = y_min + row * ((y_max - y_min) / (ny - 1))
        for column in range(nx):
            x = x_min + column * ((x_max - x_min) / (nx - 1))
            a = b = 0.0
            for k in range(iterations):
                if not a * a + b * b < 4.0:
                    break
                count[row, column] = k
                a, b = a * a - b * b + x, 2.0 * a * b + y
    return count


@program
def azimint(data, radius, rings):
    largest = np.max(radius)
    result = np.empty(rings)
    for i in numba.prange(rings):
        inner, outer = largest * i / rings, largest * (i + 1) / rings
        total, count = 0.0, 0
        for k in range(data.size):
            if inner <= radius[k] < outer:
                total += data[k]
                count += 1
        result[i] = total / count
    return result


@program
def floyd_warshall(path):
    n = path.shape[0]
    for k in range(n):
        for i in numba.prange(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])
    return path


@program
def conv2d(images, weights, bias):
    size, _, channels, outputs = weights.shape
    count, height, width, _ = images.shape
    result = np.empty((count, height - size + 1, width - size + 1, outputs), dtype=np.float32)
    for work in numba.prange(count * result.shape[1]):
        n, i = work // result.shape[1], work % result.shape[1]
        for j in range(result.shape[2]):
            line = bias.copy()
            for a in range(size):
                for b in range(size):
                    for c in range(channels):
                        for o in range(outputs):
                            line[o] += images[n, i + a, j + b, c] * weights[a, b, c, o]
            result[n, i, j] = line
    return result


@program
def vadv(utens_stage, wcon, u_stage, u_pos, utens):
    rows, columns, levels = u_stage.shape
    dtr = 3.0 / 20.0
    for i in numba.prange(rows):
        cs, ds = np.empty(levels), np.empty(levels)
        for j in range(columns):
            for k in range(levels):
                gav = -0.25 * (wcon[i + 1, j, k] + wcon[i, j, k]) if k > 0 else 0.0
                gcv = 0.25 * (wcon[i + 1, j, k + 1] + wcon[i, j, k + 1]) if k + 1 < levels else 0.0
                a, c = gav * 0.5, gcv * 0.5
                below = u_stage[i, j, k - 1] - u_stage[i, j, k] if k > 0 else 0.0
                above = u_stage[i, j, k + 1] - u_stage[i, j, k] if k + 1 < levels else 0.0
                d = (dtr * u_pos[i, j, k] + utens[i, j, k] + utens_stage[i, j, k]
                     - gav * 0.5 * below - gcv * 0.5 * above)
                divided = 1.0 / (dtr - a - c - (cs[k - 1] * a if k > 0 else 0.0))
                cs[k] = c * divided
                ds[k] = (d - (ds[k - 1] * a if k > 0 else 0.0)) * divided
            data = 0.0
            for k in range(levels - 1, -1, -1):
                data = ds[k] - cs[k] * data
                utens_stage[i, j, k] = dtr * (data - u_pos[i, j, k])
    return utens_stage
