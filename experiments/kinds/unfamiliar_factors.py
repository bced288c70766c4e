"""Columns of factors such as measured data have, which the solver was not made for. Each family returns n x rank."""
import numpy as np


def normal(random, n, rank):
    return random.standard_normal((n, rank))


def smooth(random, n, rank):
    """A few low frequencies."""
    time = np.linspace(0, 1, n)[:, None]
    return sum(random.standard_normal(rank) / k * np.cos(np.pi * k * time + random.uniform(0, np.pi, rank))
               for k in range(1, 6))


def decays(random, n, rank):
    return np.exp(-np.linspace(0, 1, n)[:, None] / np.geomspace(0.05, 1.5, rank) / random.uniform(0.8, 1.25, rank))


def sinusoids(random, n, rank):
    time = np.linspace(0, 1, n)[:, None]
    return np.sin(2 * np.pi * random.uniform(0.5, min(n / 5, 12), rank) * time + random.uniform(0, 2 * np.pi, rank))


def shares(random, n, rank):
    """Every row sums to one."""
    return random.dirichlet(np.full(rank, 0.7), n)


def log_normal(random, n, rank):
    return np.exp(random.uniform(0.4, 1.0) * random.standard_normal((n, rank)))


def binary(random, n, rank):
    return (random.random((n, rank)) < random.uniform(0.3, 0.7)).astype(float)


def steps(random, n, rank):
    """Constant on a few pieces."""
    column = lambda: np.repeat(*pieces(random, n, int(random.integers(3, 8))))
    return np.stack([column() for _ in range(rank)], 1)


def pieces(random, n, count):
    count = min(count, n)
    ends = np.sort(random.choice(np.arange(1, n), count - 1, replace=False))
    return random.standard_normal(count), np.diff(np.concatenate([[0], ends, [n]]))


def chirps(random, n, rank):
    time = np.linspace(0, 1, n)[:, None]
    return np.cos(2 * np.pi * (random.uniform(0, 3, rank) * time + random.uniform(0.5, min(n / 10, 8), rank) * time ** 2))


def walks(random, n, rank):
    return np.cumsum(random.standard_normal((n, rank)), 0) / np.sqrt(n)


def bumps(random, n, rank):
    """One to three peaks for each column, on a floor."""
    at = np.arange(n)[:, None]
    columns = np.full((n, rank), random.uniform(0, 0.1))
    for _ in range(random.integers(1, 4)):
        width = random.uniform(0.04, 0.15, rank) * n
        columns += random.uniform(0.3, 1, rank) * np.exp(-0.5 * ((at - random.uniform(0, n, rank)) / width) ** 2)
    return columns


def similar(random, n, rank):
    """Positive columns that resemble each other."""
    return 1 + random.uniform(0.3, 1) * random.standard_normal((n, 1)) + 0.5 * random.standard_normal((n, rank))


def blocks(random, n, rank):
    """Disjoint groups of rows, as clusters have."""
    groups = random.integers(0, rank, n)
    return (groups[:, None] == np.arange(rank)) * random.uniform(0.5, 1.5, (n, rank))


FAMILIES = [normal, smooth, decays, sinusoids, shares, log_normal, binary, steps, chirps, walks, bumps, similar, blocks]


def draw_factors(random, shape, rank):
    """Each mode has a family of its own; returns the factors, of length 1 a column but for the first, and the names."""
    chosen = [FAMILIES[i] for i in random.integers(0, len(FAMILIES), len(shape))]
    factors = []
    for family, n in zip(chosen, shape):
        factor = family(random, n, rank)
        factors.append(factor / np.maximum(np.linalg.norm(factor, axis=0), 1e-9))
    if random.random() < 0.4:
        factors[0] = factors[0] * random.uniform(0.25, 1, rank)
    return factors, [family.__name__ for family in chosen]
