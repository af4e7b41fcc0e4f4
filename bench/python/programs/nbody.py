"""Bodies that attract each other, moved by leapfrog steps; the energies after each."""
import numpy as np


def initialize(random, scale=1.0):
    n = int(500 * scale)
    return (n, int(20 * scale), 0.01, random.random((n, 3)), random.random((n, 3)))


def acceleration(pos, mass, softening):
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = (dx ** 2 + dy ** 2 + dz ** 2 + softening ** 2) ** (-1.5)
    return np.concat([(dx * inverse) @ mass, (dy * inverse) @ mass, (dz * inverse) @ mass], axis=1)


def energies(pos, vel, mass):
    kinetic = 0.5 * np.sum(mass * vel ** 2)
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    distance = np.sqrt(dx ** 2 + dy ** 2 + dz ** 2)
    inverse = np.where(distance > 0, 1.0 / np.where(distance > 0, distance, 1.0), 0.0)
    return kinetic, np.sum(np.triu(-(mass * mass.T) * inverse, k=1))


def run(n, steps, dt, pos, vel):
    mass = 20.0 * np.ones((n, 1)) / n
    vel = vel - np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, 0.1)
    kinetic, potential = [], []
    for _ in range(steps):
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(pos, mass, 0.1)
        vel = vel + acc * dt / 2.0
        k, p = energies(pos, vel, mass)
        kinetic.append(k)
        potential.append(p)
    return pos, vel, np.stack(kinetic), np.stack(potential)
