"""The planted kinds of experiments/real: a name, how a problem is made from a seed, and the bar that it must clear."""
import dataclasses
import typing

import numpy as np

from problems import (Problem, collinear, corrupted, dead, dense, gaussian, heavy, positive, sparse_nonnegative,
                      support, weighted, with_peaks)
from unfamiliar_kinds import unfamiliar_makers

CUBE = (60, 60, 60)
LARGE = (100, 100, 100)
EXACT = 1e-8  # the bar for the error without noise
COUNTS_BAR = 1.3
UNFAMILIAR_BAR = 1.5


@dataclasses.dataclass
class PlantedKind:
    name: str
    make: typing.Callable  # from a random generator
    exact: bool = False  # there is no noise, so the truth can be found to rounding
    bar: float = 1.1  # how many times the oracle's error is allowed
    may_refuse: bool = False  # an outcome that is not `converged` is also right


def offset(noise):
    def make(random):
        factors = gaussian(random, CUBE, 4)
        problem = corrupted(random, factors, 5, noise, density=0.1, signs=True, size=(1, 4))
        problem.unit = np.linalg.norm(problem.low_rank())
        problem.tensor = problem.tensor + 20
        problem.factors = [np.hstack([f, np.full((len(f), 1), 20.0 if mode == 0 else 1.0)])
                           for mode, f in enumerate(factors)]
        return problem
    return make


def saturated(noise):
    def make(random):
        factors = gaussian(random, CUBE, 5)
        observed = dense(factors) + noise * random.standard_normal(CUBE)
        low, high = np.quantile(observed, [0.1, 0.9])
        return Problem(np.clip(observed, low, high), factors, 5, (observed >= low) & (observed <= high))
    return make


def dropouts(share, noise):
    def make(random):
        factors = gaussian(random, CUBE, 5)
        lost = random.random(CUBE) < share
        observed = dense(factors) + noise * random.standard_normal(CUBE)
        return Problem(np.where(lost, 0, observed), factors, 5, ~lost)
    return make


def poisson(mean):
    def make(random):
        factors = positive(random, CUBE, 5, mean, lambda size: np.abs(random.standard_normal(size)))
        L = dense(factors)
        errors = random.random(CUBE) < 0.05
        return Problem(random.poisson(L) + errors * random.integers(10, 50, CUBE) * 1.0, factors, 5, ~errors, L)
    return make


def bright_counts(share):
    def make(random):
        factors = positive(random, CUBE, 5, 20, lambda size: random.gamma(1, 1, size))
        L = dense(factors)
        errors = random.random(CUBE) < share
        return Problem(random.poisson(L) + errors * random.integers(20, 80, CUBE) * 1.0, factors, 5, ~errors, L)
    return make


def grey_levels(share):
    def make(random):
        factors = positive(random, CUBE, 5, 60, lambda size: random.gamma(1, 1, size))
        L = dense(factors)
        errors = random.random(CUBE) < share
        levels = np.clip(np.round(L + 2 * random.standard_normal(CUBE)), 0, 255)
        tensor = np.where(errors, random.integers(0, 256, CUBE), levels).astype(np.uint8)
        return Problem(tensor, factors, 5, ~errors & (L <= 250))
    return make


def other_noise(noise, density, slices=1, freedom=0, proportional=0.0):
    """Noise that differs between the slices of every mode, has heavy tails, or grows with the signal."""
    def make(random):
        factors = gaussian(random, CUBE, 5)
        L = dense(factors)
        errors = support(random, CUBE, "uniform", density)
        deviation = np.full(CUBE, noise)
        for mode in range(3):
            scale = np.exp(random.uniform(-0.5, 0.5, CUBE[mode]) * np.log(slices))
            deviation = deviation * scale.reshape([-1 if m == mode else 1 for m in range(3)])
        deviation = np.sqrt(deviation ** 2 + (proportional * L) ** 2)
        if freedom:
            drawn = random.standard_t(freedom, CUBE) / np.sqrt(freedom / (freedom - 2))
        else:
            drawn = random.standard_normal(CUBE)
        values = random.uniform(np.sqrt(5) / 2, np.sqrt(5), CUBE)
        return Problem(L + errors * values + deviation * drawn, factors, 5, ~errors, deviation ** 2)
    return make


def simple(factors, rank, noise, **errors):
    return lambda random: corrupted(random, factors(random), rank, noise, **errors)


def structure():
    weights = [1, 0.6, 0.3, 0.15, 0.07]
    for noise in (0, 0.05):
        def kind(name, make, bar=1.1, may_refuse=False, noise=noise):
            return PlantedKind(f"{name}, noise {noise}", make, noise == 0, bar, may_refuse)
        yield kind("offset", offset(noise))
        for cosine, density in ((0.9, 0.2), (0.95, 0.3)):
            make = simple(lambda g, c=cosine: collinear(g, CUBE, 5, c), 5, noise, density=density)
            yield kind(f"collinear {cosine}", make)
        unequal = lambda g: weighted(gaussian(g, CUBE, 5), weights)
        yield kind("weights .07 uniform", simple(unequal, 5, noise, density=0.2))
        yield kind("weights .07 blocks", simple(unequal, 5, noise, kind="block", density=0.2))
        yield kind("peaks", simple(with_peaks, 4, noise, density=0.2, size=(1, 4)))
        yield kind("sparse non-negative", simple(lambda g: sparse_nonnegative(g, LARGE, 5), 5, noise, density=0.3))
        yield kind("heavy x100", simple(lambda g: heavy(g, LARGE, 5), 5, noise, density=0.3), may_refuse=True)
        for share in (0.5, 0.7):
            yield kind(f"dead {share}", simple(lambda g, p=share: dead(g, LARGE, 5, p), 5, noise, density=0.3))
        yield kind("saturation", saturated(noise), bar=1.5)
        for share in (0.3, 0.5):
            yield kind(f"dropouts {share}", dropouts(share, noise), bar=1.5)
    for rank, density in ((5, 0.3), (10, 0.2)):
        falling = lambda g, r=rank: weighted(gaussian(g, CUBE, r), np.geomspace(1, 0.01, r))
        make = simple(falling, rank, 0, density=density)
        yield PlantedKind(f"weights .01 r={rank}, noise 0", make, exact=True)
    for noise in (0.05, 0.1):
        make = simple(lambda g: gaussian(g, CUBE, 5), 7, noise, density=0.2)
        yield PlantedKind(f"rank 7 for 5, noise {noise}", make)
    make = simple(lambda g: collinear(g, CUBE, 5, 0.8), 7, 0.05, density=0.2)
    yield PlantedKind("rank 7 for 5 collinear .8, noise 0.05", make)


def noises():
    yield PlantedKind("noise hetero", other_noise(0.1, 0.2, slices=10))
    yield PlantedKind("noise proportional .1", other_noise(0.05, 0.1, proportional=0.1))
    yield PlantedKind("noise proportional .2", other_noise(0.02, 0.1, proportional=0.2))
    yield PlantedKind("noise t(3)", other_noise(0.1, 0.1, freedom=3))
    yield PlantedKind("poisson 0.2", poisson(0.2), bar=COUNTS_BAR, may_refuse=True)
    yield PlantedKind("poisson 1", poisson(1), bar=COUNTS_BAR)
    yield PlantedKind("poisson 5", poisson(5), bar=COUNTS_BAR)
    for share in (0, 0.1):
        yield PlantedKind(f"poisson 20 errors {share}", bright_counts(share))
        yield PlantedKind(f"uint8 errors {share}", grey_levels(share), bar=COUNTS_BAR)
    for signs in (False, True):
        make = simple(lambda g: gaussian(g, CUBE, 5), 5, 0.3, density=0.4, signs=signs, size=(0.8, 3.2))
        yield PlantedKind(f"strong noise .3 {'signs' if signs else 'one-sided'} .4", make)


def grid():
    """The grid of the planted benchmark under noise: errors uniform in [sqrt r / 2, sqrt r] times the rms of L."""
    size = (np.sqrt(5) / 2, np.sqrt(5))
    cells = [(60, "uniform", density, signs) for signs in (False, True) for density in (0.1, 0.3, 0.4)]
    cells += [(60, "block", 0.2, False), (60, "block", 0.3, False), (60, "block", 0.3, True)]
    cells += [(100, "uniform", 0.3, False), (100, "block", 0.3, False)]
    for side, kind, density, signs in cells:
        for noise in (0.01, 0.05, 0.1, 0.3):
            errors = {"kind": kind, "density": density, "signs": signs, "size": size}
            make = simple(lambda g, n=side: gaussian(g, (n,) * 3, 5), 5, noise, **errors)
            name = f"grid n={side} {kind} {density} {'signs' if signs else 'one-sided'}, noise {noise}"
            yield PlantedKind(name, make, bar=1.05)


def unfamiliar():
    for name, make in unfamiliar_makers().items():
        yield PlantedKind(f"unfamiliar {name}", make, bar=UNFAMILIAR_BAR, may_refuse=True)


def planted_kinds():
    return [*structure(), *noises(), *grid(), *unfamiliar()]
