"""Tensors of random make: other factors and other damage than the planted kinds, in any combination."""
import numpy as np

from problems import Problem, dense, of_unit_size
from unfamiliar_damage import draw_damage
from unfamiliar_factors import draw_factors

MOST_BAD = 0.45  # of the entries: what is more is not called fair
FEWEST = 4  # good entries in every slice, for each component,
LEAST_GOOD = 0.35  # and the share of the known ones that these have to be
LEAST_ENERGY = 0.2  # of L in the good entries: who sees the small ones alone cannot know the others
LARGEST = 250_000  # entries
SMALLEST = 3_000


def draw_shape(random, order):
    most = {2: 200, 3: 120, 4: 40, 5: 20}[order]
    least = {2: 40, 3: 12, 4: 8, 5: 8}[order]
    while True:
        shape = tuple(int(n) for n in np.round(np.exp(random.uniform(np.log(least), np.log(most), order))))
        if SMALLEST <= np.prod(shape) <= LARGEST:
            return shape


def draw_noise(random, L):
    """Returns the standard deviation of every entry, the noise, and a name."""
    level = float(np.exp(random.uniform(np.log(0.005), np.log(0.2))))
    kind = str(random.choice(["normal", "normal", "slices", "proportional", "laplace"]))
    deviation = np.full(L.shape, level)
    if kind == "slices":
        for mode, n in enumerate(L.shape):
            scale = np.exp(0.4 * random.standard_normal(n))
            deviation = deviation * scale.reshape([-1 if m == mode else 1 for m in range(L.ndim)])
    if kind == "proportional":
        deviation = level * np.sqrt(0.25 + np.square(L))
    drawn = random.laplace(0, np.sqrt(0.5), L.shape) if kind == "laplace" else random.standard_normal(L.shape)
    return deviation, deviation * drawn, f"{kind} {level:.3f}"


def is_fair(factors, good, known, rank):
    """Whether the good entries determine every row, and errors are not the rule."""
    for mode in range(good.ndim):
        others = tuple(m for m in range(good.ndim) if m != mode)
        counts = good.sum(others)
        if counts.min() < FEWEST * rank or (counts < LEAST_GOOD * known.sum(others)).any():
            return False
    norms = np.prod([np.linalg.norm(f, axis=0) for f in factors], axis=0)
    spectrum = np.linalg.svd(factors[0] @ factors[1].T, compute_uv=False) if len(factors) == 2 else norms
    return spectrum[rank - 1 if len(factors) == 2 else slice(None)].min() > 0.05 * np.sqrt(good.size)


def unfamiliar(orders, surplus=(0,)):
    """`surplus`: components that are asked for beyond those that L has."""
    def make(random):
        while True:
            order, more = int(random.choice(orders)), int(random.choice(surplus))
            shape = draw_shape(random, order)
            rank = int(random.integers(2 if more < 0 else 1, min(7, min(shape) // 3 + 1)))
            factors, families = draw_factors(random, shape, rank)
            factors = of_unit_size(factors)
            L = dense(factors)
            if not np.isfinite(L).all():
                continue
            deviation, noise, name = draw_noise(random, L)
            T, bad = L + noise, np.zeros(shape, bool)
            damages = draw_damage(random, T, bad, 1.0, more > 0)
            known = np.isfinite(T)
            good = known & ~bad
            if bad.sum() > MOST_BAD * known.sum() or not is_fair(factors, good, known, rank):
                continue
            if np.square(L[good]).sum() < LEAST_ENERGY * np.square(L).sum():
                continue
            note = f"{'x'.join(map(str, shape))} rank {rank}{more:+d}, {' '.join(families)}; {name}; {' '.join(damages)}"
            return Problem(T, factors, rank + more, good, deviation ** 2, note=note)
    return make


def unfamiliar_makers():
    """Names and makers."""
    return {"matrices": unfamiliar([2]), "order 3": unfamiliar([3]), "order 4 and 5": unfamiliar([4, 5]),
            "rank too large": unfamiliar([2, 3, 3, 4], (1, 2)), "rank too small": unfamiliar([2, 3, 3, 4], (-1,))}
