"""The programs for JAX: compiled as a whole by jax.jit, with functional updates and its own loops,
as its users write them."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

PROGRAMS = {}


def program(*static):
    """Compiles run() of a program; some arguments are numbers that are known when it is compiled."""
    def register(function):
        PROGRAMS[function.__name__] = jax.jit(function, static_argnums=static)
        return function
    return register


@program()
def arc_distance(theta_1, phi_1, theta_2, phi_2):
    x = (jnp.sin((theta_2 - theta_1) / 2) ** 2
         + jnp.cos(theta_1) * jnp.cos(theta_2) * jnp.sin((phi_2 - phi_1) / 2) ** 2)
    return 2 * jnp.arctan2(jnp.sqrt(x), jnp.sqrt(1 - x))


@program()
def compute(a, b, x, y, z):
    return jnp.clip(a, 2, 10) * x + b * y + z


@program()
def softmax(x):
    shifted = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
    return shifted / jnp.sum(shifted, axis=-1, keepdims=True)


@program()
def mlp(x, w1, b1, w2, b2, w3, b3):
    x = jnp.maximum(x @ w1 + b1, 0)
    x = jnp.maximum(x @ w2 + b2, 0)
    return softmax(x @ w3 + b3)


def smoothed(a):
    return 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])


@program(0)
def jacobi_2d(steps, a, b):
    def step(_, state):
        a, b = state
        b = b.at[1:-1, 1:-1].set(smoothed(a))
        return a.at[1:-1, 1:-1].set(smoothed(b)), b
    return lax.fori_loop(0, steps, step, (a, b))


def heated(a):
    inner = a[1:-1, 1:-1, 1:-1]
    return (0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * inner + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * inner + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * inner + a[1:-1, 1:-1, :-2]) + inner)


@program(0)
def heat_3d(steps, a, b):
    def step(_, state):
        a, b = state
        b = b.at[1:-1, 1:-1, 1:-1].set(heated(a))
        return a.at[1:-1, 1:-1, 1:-1].set(heated(b)), b
    return lax.fori_loop(0, steps, step, (a, b))


@program()
def hdiff(field, coefficient):
    i, j, _ = coefficient.shape
    lap = (4.0 * field[1:i + 3, 1:j + 3, :]
           - (field[2:i + 4, 1:j + 3, :] + field[0:i + 2, 1:j + 3, :]
              + field[1:i + 3, 2:j + 4, :] + field[1:i + 3, 0:j + 2, :]))
    change = lap[1:, 1:j + 1, :] - lap[:-1, 1:j + 1, :]
    slope = field[2:i + 3, 2:j + 2, :] - field[1:i + 2, 2:j + 2, :]
    flux_x = jnp.where(change * slope > 0, 0.0, change)
    change = lap[1:i + 1, 1:, :] - lap[1:i + 1, :-1, :]
    slope = field[2:i + 2, 2:j + 3, :] - field[2:i + 2, 1:j + 2, :]
    flux_y = jnp.where(change * slope > 0, 0.0, change)
    return field[2:i + 2, 2:j + 2, :] - coefficient * (
        flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :])


@program(0, 1, 2, 3)
def cavity_flow(steps, iterations, ny, nx):
    dx, dy, dt, rho, nu = 2 / (nx - 1), 2 / (ny - 1), 0.0001, 1.0, 0.1

    def iterate(source, _, q):
        p = q.at[1:-1, 1:-1].set(
            ((q[1:-1, 2:] + q[1:-1, :-2]) * dy ** 2 + (q[2:, 1:-1] + q[:-2, 1:-1]) * dx ** 2)
            / (2 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * source)
        p = p.at[:, -1].set(p[:, -2])
        p = p.at[0, :].set(p[1, :])
        p = p.at[:, 0].set(p[:, 1])
        return p.at[-1, :].set(0)

    def step(_, state):
        u, v, p = state
        u_x = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
        v_y = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
        u_y = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
        v_x = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
        source = rho * (1 / dt * (u_x + v_y) - u_x ** 2 - 2 * (u_y * v_x) - v_y ** 2)
        p = lax.fori_loop(0, iterations, functools.partial(iterate, source), p)
        inner, other = u[1:-1, 1:-1], v[1:-1, 1:-1]
        u_1 = u.at[1:-1, 1:-1].set(
            inner - inner * dt / dx * (inner - u[1:-1, :-2])
            - other * dt / dy * (inner - u[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * (dt / dx ** 2 * (u[1:-1, 2:] - 2 * inner + u[1:-1, :-2])
                    + dt / dy ** 2 * (u[2:, 1:-1] - 2 * inner + u[:-2, 1:-1])))
        v_1 = v.at[1:-1, 1:-1].set(
            other - inner * dt / dx * (other - v[1:-1, :-2])
            - other * dt / dy * (other - v[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * (dt / dx ** 2 * (v[1:-1, 2:] - 2 * other + v[1:-1, :-2])
                    + dt / dy ** 2 * (v[2:, 1:-1] - 2 * other + v[:-2, 1:-1])))
        u_1 = u_1.at[0, :].set(0).at[:, 0].set(0).at[:, -1].set(0).at[-1, :].set(1)
        v_1 = v_1.at[0, :].set(0).at[-1, :].set(0).at[:, 0].set(0).at[:, -1].set(0)
        return u_1, v_1, p

    zeros = jnp.zeros((ny, nx))
    return lax.fori_loop(0, steps, step, (zeros, zeros, zeros))


def acceleration(pos, mass, softening):
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = (dx ** 2 + dy ** 2 + dz ** 2 + softening ** 2) ** (-1.5)
    return jnp.concatenate([(dx * inverse) @ mass, (dy * inverse) @ mass, (dz * inverse) @ mass],
                           axis=1)


def energies(pos, vel, mass):
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    distance = jnp.sqrt(dx ** 2 + dy ** 2 + dz ** 2)
    inverse = jnp.where(distance > 0, 1.0 / jnp.where(distance > 0, distance, 1.0), 0.0)
    return (0.5 * jnp.sum(mass * vel ** 2), jnp.sum(jnp.triu(-(mass * mass.T) * inverse, k=1)))


@program(0, 1)
def nbody(n, steps, dt, pos, vel):
    mass = 20.0 * jnp.ones((n, 1)) / n
    vel = vel - jnp.mean(mass * vel, axis=0) / jnp.mean(mass)

    def step(state, _):
        pos, vel, acc = state
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(pos, mass, 0.1)
        vel = vel + acc * dt / 2.0
        return (pos, vel, acc), energies(pos, vel, mass)

    state, (kinetic, potential) = lax.scan(step, (pos, vel, acceleration(pos, mass, 0.1)),
                                           length=steps)
    return state[0], state[1], kinetic, potential


@program(4, 5, 6)
def mandelbrot(x_min, x_max, y_min, y_max, nx, ny, iterations):
    x = jnp.linspace(x_min, x_max, nx)[None, :]
    y = jnp.linspace(y_min, y_max, ny)[:, None]

    def step(k, state):
        real, imaginary, count = state
        inside = real * real + imaginary * imaginary < 4.0
        return (jnp.where(inside, real * real - imaginary * imaginary + x, real),
                jnp.where(inside, 2.0 * real * imaginary + y, imaginary),
                jnp.where(inside, k, count))

    zeros = jnp.zeros((ny, nx))
    return lax.fori_loop(0, iterations, step, (zeros, zeros, zeros.astype("int64")))[2]


@program(2)
def azimint(data, radius, rings):
    largest = jnp.max(radius)

    def ring(i):
        inside = (largest * i / rings <= radius) & (radius < largest * (i + 1) / rings)
        return jnp.sum(jnp.where(inside, data, 0.0)) / jnp.sum(inside)

    return lax.map(ring, jnp.arange(rings))


@program()
def floyd_warshall(path):
    def step(k, path):
        return jnp.minimum(path, path[:, k][:, None] + path[k, :][None, :])
    return lax.fori_loop(0, path.shape[0], step, path)


@program()
def conv2d(images, weights, bias):
    return bias + lax.conv_general_dilated(images, weights, (1, 1), "VALID",
                                           dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program()
def vadv(utens_stage, wcon, u_stage, u_pos, utens):
    i, j, levels = u_stage.shape
    dtr = 3.0 / 20.0
    sums = 0.25 * (wcon[1:] + wcon[:-1])
    zeros = jnp.zeros((i, j, 1))
    gav = jnp.concatenate([zeros, -sums[:, :, 1:]], axis=2)
    gcv = jnp.concatenate([sums[:, :, 1:], zeros], axis=2)
    steps = u_stage[:, :, 1:] - u_stage[:, :, :-1]
    below = jnp.concatenate([zeros, -steps], axis=2)
    above = jnp.concatenate([steps, zeros], axis=2)
    a, c = gav * 0.5, gcv * 0.5
    b = dtr - a - c
    d = dtr * u_pos + utens + utens_stage - gav * 0.5 * below - gcv * 0.5 * above
    front = functools.partial(jnp.moveaxis, source=2, destination=0)

    def forward(state, level):
        c_before, d_before = state
        a, b, c, d = level
        divided = 1.0 / (b - c_before * a)
        state = (c * divided, (d - d_before * a) * divided)
        return state, state

    flat = jnp.zeros((i, j))
    _, (cs, ds) = lax.scan(forward, (flat, flat), (front(a), front(b), front(c), front(d)))

    def backward(data, level):
        c, d, u = level
        data = d - c * data
        return data, dtr * (data - u)

    _, result = lax.scan(backward, flat, (cs, ds, front(u_pos)), reverse=True)
    return jnp.moveaxis(result, 0, 2)
