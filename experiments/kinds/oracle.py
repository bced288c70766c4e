"""The oracle: weighted least squares on the true inliers, started from the true factors."""
import itertools

import numpy as np

from problems import dense

DAMPING = 1e-9  # of every diagonal entry: the scales of a component's columns are free
FEWER_STEPS = 12  # where components are left out, the others have to adapt


def rows_of(factors):
    """The rows of the product of these factors' columns, one for each combination of their rows."""
    rows = np.ones((1, factors[0].shape[1] if factors else 1))
    for factor in factors:
        rows = (rows[:, None, :] * factor).reshape(-1, factor.shape[1])
    return rows


def normal_matrix(factors, weights):
    """J'WJ of a CP model, for the unknowns (mode, row, component)."""
    rank = factors[0].shape[1]
    starts = np.cumsum([0] + [f.size for f in factors])
    N = np.zeros((starts[-1], starts[-1]))
    has_own = set()
    for a, b in itertools.combinations(range(len(factors)), 2):
        A, B = factors[a], factors[b]
        others = [m for m in range(len(factors)) if m not in (a, b)]
        rest = rows_of([factors[m] for m in others]) if others else np.ones((1, rank))
        pairs = (rest[:, :, None] * rest[:, None, :]).reshape(len(rest), -1)
        moved = np.transpose(weights, (a, b, *others)).reshape(-1, len(rest))
        sums = (moved @ pairs).reshape(len(A), len(B), rank, rank)
        block = (sums * B[None, :, :, None] * A[:, None, None, :]).transpose(0, 2, 1, 3).reshape(A.size, B.size)
        N[starts[a]:starts[a + 1], starts[b]:starts[b + 1]] = block
        N[starts[b]:starts[b + 1], starts[a]:starts[a + 1]] = block.T
        if a not in has_own:
            place_diagonal(N, starts[a], np.einsum("ijrs,jr,js->irs", sums, B, B, optimize=True))
        if b not in has_own:
            place_diagonal(N, starts[b], np.einsum("ijrs,ir,is->jrs", sums, A, A, optimize=True))
        has_own |= {a, b}
    return N


def place_diagonal(N, start, blocks):
    rank = blocks.shape[1]
    for i, block in enumerate(blocks):
        at = slice(start + i * rank, start + (i + 1) * rank)
        N[at, at] = block


def gradient(factors, R):
    parts = []
    for mode in range(len(factors)):
        rest = rows_of([f for m, f in enumerate(factors) if m != mode])
        parts.append((np.moveaxis(R, mode, 0).reshape(len(factors[mode]), -1) @ rest).ravel())
    return np.concatenate(parts)


def least_squares(tensor, factors, weights, steps=5):
    """Gauss-Newton steps on all factors at once, which collinear components do not slow down."""
    weights = weights / weights.max()
    target = np.where(weights > 0, tensor, 0)
    ends = np.cumsum([f.size for f in factors])
    loss = lambda model: float((weights * (target - dense(model)) ** 2).sum())
    before, damping = loss(factors), DAMPING
    for _ in range(steps):
        N = normal_matrix(factors, weights)
        diagonal = np.einsum("ii->i", N)
        diagonal += damping * diagonal + 1e-300
        change = np.linalg.solve(N, gradient(factors, weights * (target - dense(factors))))
        stepped = [f + d.reshape(f.shape) for f, d in zip(factors, np.split(change, ends[:-1]))]
        after = loss(stepped)
        if after > before * (1 + 1e-6):
            damping = max(100 * damping, 1e-5)
            continue
        factors, before = stepped, after
    return factors


def fewer(problem, weights):
    """The best model that leaves components out: whichever fits the inliers best after the others have adapted."""
    best, least = None, np.inf
    rank = problem.factors[0].shape[1]
    for kept in itertools.combinations(range(rank), problem.rank):
        start = [f[:, kept].copy() for f in problem.factors]
        fitted = least_squares(problem.tensor, start, weights, FEWER_STEPS)
        loss = (weights * np.where(weights > 0, problem.tensor - dense(fitted), 0) ** 2).sum()
        if loss < least:
            best, least = fitted, loss
    return best


def oracle_error(problem):
    weights = problem.inliers / np.maximum(problem.variance, 1e-9)
    L = problem.low_rank()
    if problem.rank < problem.factors[0].shape[1]:
        fitted = fewer(problem, weights)
    else:
        fitted = least_squares(problem.tensor, [f.copy() for f in problem.factors], weights)
    return np.linalg.norm(dense(fitted) - L) / (problem.unit or np.linalg.norm(L))
