"""A sufficient test that the entries which a model fits determine it, near the model at least."""
import math

import numpy as np

MOST_UNKNOWNS = 420


def enough_in_every_row(model, inlier):
    """Returns True if each row of each component meets at least 3 r + 3 fitted entries on the component's support."""
    order, rank = len(model), model[0].shape[1]
    for k in range(rank):
        masks = [factor[:, k] != 0 for factor in model]
        for mode in range(order):
            at = np.ix_(*[np.ones_like(mask) if m == mode else mask for m, mask in enumerate(masks)])
            rows = inlier[at].sum(axis=tuple(m for m in range(order) if m != mode))
            if rows.min() < 3 * rank + 3:
                return False
    return True


def sketch(model, at, bucket, weight, buckets):
    """Returns random combinations of the rows of the Jacobian of the CP map, for the entries at some indices."""
    order, rank = len(model), model[0].shape[1]
    extents = [len(factor) for factor in model]
    unknowns, offset = rank * sum(extents), 0
    made = np.zeros(buckets * unknowns)
    for mode in range(order):
        others = np.ones((len(weight), rank))
        for m in range(order):
            if m != mode:
                others = others * model[m][at[m]]
        place = bucket[:, None] * unknowns + offset + at[mode][:, None] * rank + np.arange(rank)
        made += np.bincount(place.ravel(), weights=(others * weight[:, None]).ravel(), minlength=made.size)
        offset += rank * extents[mode]
    return made.reshape(buckets, unknowns)


def rank_of(matrix, scale):
    values = np.linalg.svd(matrix / scale, compute_uv=False)
    return int(np.sum(values > 1e-9 * values[0])) if values[0] > 0 else 0


def locally_determined(model, inlier):
    """Returns True if the Jacobian has the same rank on the fitted entries as on all, or None if T is too large."""
    unknowns = model[0].shape[1] * sum(inlier.shape)
    if unknowns > MOST_UNKNOWNS or math.prod(inlier.shape) > 70000:
        return None
    at = np.unravel_index(np.arange(inlier.size), inlier.shape)
    numbers = np.random.default_rng(1)
    buckets = 2 * unknowns
    bucket, weight = numbers.integers(0, buckets, inlier.size), numbers.standard_normal(inlier.size)
    whole = sketch(model, at, bucket, weight, buckets)
    fitted = inlier.ravel()
    part = sketch(model, [a[fitted] for a in at], bucket[fitted], weight[fitted], buckets)
    scale = np.linalg.norm(whole, axis=0)
    scale[scale == 0] = 1
    return rank_of(part, scale) == rank_of(whole, scale)


def determined(model, inlier):
    return enough_in_every_row(model, inlier) and locally_determined(model, inlier) is not False
