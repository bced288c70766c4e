"""Planted tensors with the structure of real data: factors, gross errors, and what an oracle needs to know of them."""
import dataclasses

import numpy as np


@dataclasses.dataclass
class Problem:
    tensor: np.ndarray
    factors: list  # the true ones, the weights in the first
    rank: int  # what the solver is asked for
    inliers: np.ndarray  # the entries that obey the model
    variance: object = 1.0  # of the noise, up to a factor: a number, or one for each entry
    unit: float = 0.0  # the norm that errors of L are divided by; 0: that of L
    note: str = ""  # what the tensor is made of, where that differs between seeds

    def low_rank(self):
        return dense(self.factors)


def dense(factors):
    first, *rest = factors
    columns = rest[0]
    for factor in rest[1:]:
        columns = (columns[:, None, :] * factor).reshape(-1, factor.shape[1])
    return (first @ columns.T).reshape([f.shape[0] for f in factors])


def of_unit_size(factors):
    """Scales the model to a root mean square of one."""
    factors[0] = factors[0] / np.sqrt(np.mean(dense(factors) ** 2))
    return factors


def gaussian(random, shape, rank):
    return of_unit_size([random.standard_normal((n, rank)) for n in shape])


def collinear(random, shape, rank, cosine):
    """Columns of unit length, each pair of which has this cosine, in all modes."""
    factors = []
    for n in shape:
        common = random.standard_normal(n)
        common /= np.linalg.norm(common)
        own = random.standard_normal((n, rank))
        own, _ = np.linalg.qr(own - np.outer(common, common @ own))
        factors.append(np.sqrt(cosine) * common[:, None] + np.sqrt(1 - cosine) * own)
    return of_unit_size(factors)


def weighted(factors, weights):
    factors = [f / np.linalg.norm(f, axis=0) for f in factors]
    factors[0] = factors[0] * np.asarray(weights)
    return of_unit_size(factors)


def peaks(random, length, rank, width):
    centre = random.uniform(0.1 * length, 0.9 * length, rank)
    return np.exp(-0.5 * ((np.arange(length)[:, None] - centre) / (width * length)) ** 2)


def with_peaks(random, width=0.03):
    """A spectroscopic tensor: amounts, and narrow peaks in two modes."""
    return of_unit_size([random.uniform(0.2, 1, (30, 4)), peaks(random, 120, 4, width), peaks(random, 80, 4, width)])


def sparse_nonnegative(random, shape, rank, share=0.3):
    return of_unit_size([np.abs(random.standard_normal((n, rank))) * (random.random((n, rank)) < share) for n in shape])


def heavy(random, shape, rank, times=100):
    """A twentieth of the rows of every factor is larger by a factor."""
    factors = [random.standard_normal((n, rank)) for n in shape]
    for factor in factors:
        factor[random.choice(len(factor), len(factor) // 20, False)] *= times
    return of_unit_size(factors)


def dead(random, shape, rank, share):
    factors = [random.standard_normal((n, rank)) for n in shape]
    for factor in factors:
        factor[random.choice(len(factor), int(share * len(factor)), False)] = 0
    return of_unit_size(factors)


def positive(random, shape, rank, mean, draw):
    """Non-negative factors whose model has this mean; `draw` gives the entries."""
    factors = [draw((n, rank)) for n in shape]
    factors[0] = factors[0] * (mean / dense(factors).mean())
    return factors


def support(random, shape, kind, density):
    if kind == "uniform":
        return random.random(shape) < density
    mask = np.zeros(shape, bool)
    for _ in range(10):
        mask[np.ix_(*[np.flatnonzero(random.random(n) < density) for n in shape])] = True
    return mask


def corrupted(random, factors, rank, noise, kind="uniform", density=0.1, signs=False, size=(0.5, 2)):
    """Adds gross errors, uniform in `size` times the rms of L, and normal noise of this deviation."""
    L = dense(factors)
    mask = support(random, L.shape, kind, density)
    values = np.sqrt(np.mean(L ** 2)) * random.uniform(*size, L.shape)
    if signs:
        values *= random.choice([-1, 1], L.shape)
    return Problem(L + mask * values + noise * random.standard_normal(L.shape), factors, rank, ~mask)
