"""The self-check of experiments/falsify: genomes give the same tensor at any time, and T is what its parts say."""
import json
import random

import numpy as np

from falsify_genome import fresh, mutated
from falsify_instance import build
from falsify_judge import Known
from falsify_truth import full


def check_one(genome):
    """Builds an instance twice, from the genome and from its JSON; fails where the parts contradict each other."""
    made, again = build(genome), build(json.loads(json.dumps(genome)))
    assert np.array_equal(made.tensor, again.tensor, equal_nan=True), "not deterministic"
    assert made.tensor.shape == tuple(genome["shape"]) and np.isfinite(made.low_rank).all(), "shape"
    assert np.linalg.norm(made.low_rank) > 0 and np.isfinite(made.tensor).mean() > 0.05, "empty"
    assert np.allclose(full(made.truth), made.low_rank), "the factors do not give L"
    seen = np.isfinite(made.tensor)
    inlier = seen & ~made.changed
    if not genome["noise"]:
        rounding = 1e-6 if genome["dtype"] == "float32" else 0
        gap = np.abs(made.tensor - made.low_rank)[inlier]
        assert (gap <= rounding * np.abs(made.low_rank[inlier])).all(), "T differs from L outside of S"
        known = Known(made)
        assert known.models[0][1] >= inlier.sum(), "the truth does not fit its own entries"
        assert not known.truth_fits[~seen].any(), "a missing entry is fitted"
    for mode in made.options.get("nonnegative", []):
        assert all((model[mode] >= 0).all() for model in [made.truth, *made.rivals]), "negative factor"
    for group in made.options.get("shared", []):
        models = [made.truth, *made.rivals]
        assert all(np.array_equal(model[m], model[group[0]]) for model in models for m in group), "not shared"
    return made


def check(seed, limit, count=200):
    """Checks fresh genomes and mutations of them."""
    genome, limit, errors = None, min(limit, 100_000), 0
    for number in range(count):
        pick = random.Random(f"check/{seed}/{number}")
        genome = fresh(pick, limit) if genome is None or number % 2 == 0 else mutated(pick, genome, limit)
        assert genome == json.loads(json.dumps(genome)), "the genome does not survive JSON"
        try:
            errors += bool(check_one(genome).changed.any())
        except Exception:
            print(f"genome {number}: {json.dumps(genome)}")
            raise
    print(f"{count} genomes built twice, {errors} of them with errors: all as they should be")
