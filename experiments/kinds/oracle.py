"""The oracle: weighted least squares on the true inliers, started from the true factors."""
import numpy as np

from problems import dense

DAMPING = 1e-9  # of every diagonal entry: the scales of a component's columns are free


def normal_matrix(factors, weights):
    """J'WJ of a CP model of order 3, for the unknowns (mode, row, component)."""
    rank = factors[0].shape[1]
    sizes = [len(f) * rank for f in factors]
    starts = np.cumsum([0] + sizes)
    N = np.zeros((starts[-1], starts[-1]))
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        A, B, C = factors[a], factors[b], factors[c]
        pairs = (C[:, :, None] * C[:, None, :]).reshape(len(C), -1)
        sums = (np.transpose(weights, (a, b, c)).reshape(-1, len(C)) @ pairs).reshape(len(A), len(B), rank, rank)
        block = (sums * B[None, :, :, None] * A[:, None, None, :]).transpose(0, 2, 1, 3).reshape(sizes[a], sizes[b])
        N[starts[a]:starts[a + 1], starts[b]:starts[b + 1]] = block
        N[starts[b]:starts[b + 1], starts[a]:starts[a + 1]] = block.T
        if c != 1:  # each mode's own block once: that of mode `a`, and at the end that of mode 2
            own = np.einsum("ijrs,jr,js->irs", sums, B, B, optimize=True)
            place_diagonal(N, starts[a], own)
        if c == 0:
            place_diagonal(N, starts[b], np.einsum("ijrs,ir,is->jrs", sums, A, A, optimize=True))
    return N


def place_diagonal(N, start, blocks):
    rank = blocks.shape[1]
    for i, block in enumerate(blocks):
        at = slice(start + i * rank, start + (i + 1) * rank)
        N[at, at] = block


def least_squares(tensor, factors, weights, steps=5):
    """Gauss-Newton steps on all factors at once, which collinear components do not slow down."""
    weights = weights / weights.max()
    residual = np.where(weights > 0, tensor, 0)
    for _ in range(steps):
        R = weights * (residual - dense(factors))
        gradient = np.concatenate([
            np.einsum("ijk,jr,kr->ir", R, factors[1], factors[2], optimize=True).ravel(),
            np.einsum("ijk,ir,kr->jr", R, factors[0], factors[2], optimize=True).ravel(),
            np.einsum("ijk,ir,jr->kr", R, factors[0], factors[1], optimize=True).ravel()])
        N = normal_matrix(factors, weights)
        diagonal = np.einsum("ii->i", N)
        diagonal += DAMPING * diagonal + 1e-300
        change = np.linalg.solve(N, gradient)
        ends = np.cumsum([f.size for f in factors])
        factors = [f + d.reshape(f.shape) for f, d in zip(factors, np.split(change, ends[:-1]))]
    return factors


def oracle_error(problem):
    weights = problem.inliers / np.maximum(problem.variance, 1e-9)
    L = problem.low_rank()
    fitted = least_squares(problem.tensor, [f.copy() for f in problem.factors], weights)
    return np.linalg.norm(dense(fitted) - L) / (problem.unit or np.linalg.norm(L))
