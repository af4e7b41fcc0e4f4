"""Flow in a cavity whose lid moves: the Navier-Stokes equations by finite differences."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(160 * scale) + 1
    return (int(40 * scale), int(25 * scale), n, n)


def source_of(u, v, dt, dx, dy, rho):
    u_x = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    v_y = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    u_y = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    v_x = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    return rho * (1 / dt * (u_x + v_y) - u_x ** 2 - 2 * (u_y * v_x) - v_y ** 2)


def pressure(iterations, p, source, dx, dy):
    for _ in range(iterations):
        q = p.copy()
        p[1:-1, 1:-1] = (((q[1:-1, 2:] + q[1:-1, :-2]) * dy ** 2
                          + (q[2:, 1:-1] + q[:-2, 1:-1]) * dx ** 2) / (2 * (dx ** 2 + dy ** 2))
                         - dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * source)
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def run(steps, iterations, ny, nx):
    dx, dy, dt, rho, nu = 2 / (nx - 1), 2 / (ny - 1), 0.0001, 1.0, 0.1
    u, v, p = np.zeros((ny, nx)), np.zeros((ny, nx)), np.zeros((ny, nx))
    for _ in range(steps):
        u_0, v_0 = u.copy(), v.copy()
        pressure(iterations, p, source_of(u, v, dt, dx, dy, rho), dx, dy)
        inner = u_0[1:-1, 1:-1]
        u[1:-1, 1:-1] = (
            inner - inner * dt / dx * (inner - u_0[1:-1, :-2])
            - v_0[1:-1, 1:-1] * dt / dy * (inner - u_0[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * (dt / dx ** 2 * (u_0[1:-1, 2:] - 2 * inner + u_0[1:-1, :-2])
                    + dt / dy ** 2 * (u_0[2:, 1:-1] - 2 * inner + u_0[:-2, 1:-1])))
        other = v_0[1:-1, 1:-1]
        v[1:-1, 1:-1] = (
            other - inner * dt / dx * (other - v_0[1:-1, :-2])
            - other * dt / dy * (other - v_0[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * (dt / dx ** 2 * (v_0[1:-1, 2:] - 2 * other + v_0[1:-1, :-2])
                    + dt / dy ** 2 * (v_0[2:, 1:-1] - 2 * other + v_0[:-2, 1:-1])))
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0
    return u, v, p
