"""Judges a result: is the certificate `exact` false?

An entry is fitted if its residual is at most Instance.level(). The known models are the truth and the rivals that the
generator used for errors, those with too many components in parts, mixtures of two that differ in the rows of one mode,
and, of tensors with at most 50,000 entries, L itself after one of their components was added to it or exchanged for one
of L. The admissible ones have at most the requested rank, or, with rank "auto", a description that is no longer than
that of L: a component counts the sum of the extents, and an entry of S one value and its position, which counts
log2(entries) / 64 values.

`right`         the error of L is at most 1e-6 (single precision: 1e-5).
`beaten`        L is certified and right, but an admissible rival fits strictly more entries. This is not counted as
                false.
`false`         L is certified and not right, and an admissible model fits strictly more entries than L, or T has noise;
                or L is certified and breaks a constraint that was asked for.
`small`         a false one of a kind of its own: L has fewer components than were asked for, and every known model that
                fits more has more of them, and fits at most three entries more for each additional unknown. Any entry
                of S is fitted by a component of its own, so that such a model always exists where a place is left.
`tie`           L is certified and not right, and the best admissible model fits exactly as many entries. It is
                `undetermined` too if the truth fits the same entries as L: these then do not determine L.
`other`         L is certified and not right, but fits strictly more than every admissible model that is known, or is
                itself the one that fits most.
`recoverable`   the truth has an admissible rank, T has no noise, the truth fits strictly more than all known models of
                that rank (with "auto": has the shortest description), and the entries that it fits determine it.
`recovered`     the error of L is at most 1e-8 (single precision: 1e-5).
"""
import itertools
import math

import numpy as np

from falsify_recoverable import determined
from falsify_truth import full, reduced, shared_groups


def parts_of(model, rank):
    """Returns the models of the given rank whose components are some of this model's, at most twenty of them."""
    count = model[0].shape[1]
    if count <= rank:
        return [model]
    chosen = itertools.islice(itertools.combinations(range(count), max(rank, 0)), 20)
    return [[factor[:, list(which)] for factor in model] for which in chosen]


class Known:
    """The known models of an instance, with the entries that they fit."""

    def __init__(self, instance):
        self.instance, self.level = instance, instance.level()
        self.values = instance.tensor.astype(float)
        self.truth_fits = self.fits(instance.low_rank)
        # The rank, the fitted entries and the factors of each model, the truth first.
        self.models = [(instance.true_rank, int(self.truth_fits.sum()), instance.truth)]
        models = [instance.truth] + [reduced(instance.genome, model) for model in instance.rivals]
        for index, model in enumerate(models):
            self.add_parts(model, is_truth=index == 0)
            if index and not shared_groups(instance.genome):
                self.add_mixture(model)

    def fits(self, low_rank):
        with np.errstate(invalid="ignore"):
            return np.abs(self.values - low_rank) <= self.level

    def add_parts(self, model, is_truth):
        count = model[0].shape[1]
        rank = self.instance.rank
        most = count if rank == "auto" else min(count, rank)
        least = 1 if self.values.size <= 50000 else most - (rank == "auto")
        for wanted in range(max(least, 1), most + 1):
            for part in parts_of(model, wanted):
                if not (is_truth and part is model):
                    self.models.append((part[0].shape[1], int(self.fits(full(part)).sum()), part))

    def add_mixture(self, model):
        """Takes each row of one mode from the truth or the rival, whichever fits more, if all other modes agree."""
        truth = self.instance.truth
        if model[0].shape != truth[0].shape:
            return
        differ = [m for m, (a, b) in enumerate(zip(truth, model)) if not np.array_equal(a, b)]
        if len(differ) == 1:
            axes = tuple(m for m in range(len(truth)) if m != differ[0])
            old, new = self.truth_fits.sum(axis=axes), self.fits(full(model)).sum(axis=axes)
            mixed = [factor.copy() for factor in truth]
            mixed[differ[0]] = np.where((new > old)[:, None], model[differ[0]], truth[differ[0]])
            self.models.append((truth[0].shape[1], int(np.maximum(old, new).sum()), mixed))

    def add_exchanges(self, found, model):
        """Adds a known component to L, or exchanges one of L for it."""
        own = [full(part) for part in parts_of(model, 1)] if model[0].shape[1] else []
        room = self.instance.rank == "auto" or len(own) < self.instance.rank
        known = [self.instance.truth, *self.instance.rivals]
        for part in [part for other in known if other[0].shape[1] for part in parts_of(other, 1)]:
            new = found + full(part)
            for k, left in enumerate(own):
                rest = [np.column_stack([np.delete(f, k, axis=1), p]) for f, p in zip(model, part)]
                self.models.append((len(own), int(self.fits(new - left).sum()), rest))
            if room:
                more = [np.column_stack([f, p]) for f, p in zip(model, part)]
                self.models.append((len(own) + 1, int(self.fits(new).sum()), more))

    def holds(self, found, models, fitted):
        """Returns True if L is one of the models that fit that many entries."""
        size = np.linalg.norm(found) * 1e-6
        return any(np.linalg.norm(full(m[2]) - found) <= size for m in models if m[1] == fitted)

    def description(self, rank, fitted):
        entries = self.values.size
        seen = int(np.isfinite(self.values).sum())
        return rank * sum(self.values.shape) + (seen - fitted) * (1 + math.log2(entries) / 64)

    def admissible(self, found_rank, found_fitted):
        """Returns the models that L must not fall behind, as rank, fitted entries and factors."""
        if self.instance.rank != "auto":
            return [m for m in self.models if m[0] <= self.instance.rank]
        bound = self.description(found_rank, found_fitted)
        return [m for m in self.models if self.description(*m[:2]) <= bound]

    def truth_is_best(self):
        """Returns True if the truth is the one best answer among the known models."""
        rank, fitted = self.models[0][:2]
        if self.instance.rank == "auto":
            return all(self.description(rank, fitted) < self.description(*m[:2]) for m in self.models[1:])
        rivals = [m for m in self.models[1:] if m[0] <= self.instance.rank]
        return rank <= self.instance.rank and all(fitted > m[1] for m in rivals)


def unknowns(model):
    """Returns the entries of the factors that are not zero, less the scales that can move between modes."""
    return sum(int(np.count_nonzero(factor)) for factor in model) - (len(model) - 1) * model[0].shape[1]


def is_small(model, found, fitted):
    """Returns True if a model has more components than L, and fits no more than three entries for each new unknown."""
    more = unknowns(model[2]) - unknowns(found)
    return model[0] > found[0].shape[1] and model[1] - fitted <= 3 * max(more, 0)


def breaks_constraint(instance, factors, weights):
    """Returns what is wrong with the form of L, or an empty text."""
    used = int(np.sum(np.asarray(weights) != 0))
    if instance.rank != "auto" and used > instance.rank:
        return "rank"
    modes = instance.options.get("nonnegative", [])
    if any((factors[mode] < 0).any() for mode in modes):
        return "nonnegative"
    if len(modes) == len(factors) and (np.asarray(weights) < 0).any():
        return "nonnegative"
    for group in instance.options.get("shared", []):
        first = np.abs(factors[group[0]])
        if any(not np.allclose(np.abs(factors[m]), first, rtol=1e-6, atol=1e-9) for m in group):
            return "shared"
    return ""


def judge(instance, weights, factors, certified):
    """Returns the judgement as a dictionary."""
    known = Known(instance)
    truth_best = not instance.genome["noise"] and known.truth_is_best()
    others = max((m[1] for m in known.models[1:]), default=0)
    model = [np.asarray(factor, dtype=float)[:, weights != 0] for factor in factors]
    model[0] = model[0] * weights[weights != 0]
    found = full(model)
    fits = known.fits(found)
    if certified == "exact" and known.values.size <= 50000:
        known.add_exchanges(found, model)
    fitted, rank = int(fits.sum()), int(np.sum(np.asarray(weights) != 0))
    error = float(np.linalg.norm(found - instance.low_rank) / np.linalg.norm(instance.low_rank))
    error = error if math.isfinite(error) else 1e300
    models = known.admissible(rank, fitted)
    best = max((m[1] for m in models), default=0)
    single = instance.tensor.dtype == np.float32
    right, noisy = error <= (1e-5 if single else 1e-6), bool(instance.genome["noise"])
    exact, broken = certified == "exact", breaks_constraint(instance, factors, weights)
    reason = ""
    if exact and (not right or broken):
        reason = broken or ("noise" if noisy else "fits less" if best > fitted else "")
    better = [m for m in models if m[1] > fitted]
    small = reason == "fits less" and instance.rank != "auto" and all(is_small(m, model, fitted) for m in better)
    wrong = exact and not right and not reason
    tie = wrong and best == fitted and not known.holds(found, models, best)
    same = error > 1e-4 and np.array_equal(fits, known.truth_fits)
    return {"error": error, "fitted": fitted, "fitted_by_truth": known.models[0][1], "fitted_by_best": best,
            "rank_found": rank, "right": right, "exact": exact, "false": reason, "small": small, "tie": tie,
            "undetermined": bool(tie and same), "other": wrong and not tie, "beaten": exact and right and best > fitted,
            "recovered": not noisy and error <= (1e-5 if single else 1e-8),
            "recoverable": bool(truth_best and determined(instance.truth, known.truth_fits)),
            "best_other": others}


def score(d):
    """Says how close an instance came to a false certificate; 0 is not close at all."""
    if d.get("false"):
        return 10.0
    if d.get("tie") or d.get("beaten"):
        return 5.0
    if "fitted" not in d or d.get("other"):
        return 0.0
    close = min(d["fitted"] / max(d["fitted_by_truth"], 1), 1.0)
    if not d["right"]:
        return 1 + 2 * close if close > 0.5 and d.get("recoverable") else close
    margin = 1 - d["best_other"] / max(d["fitted_by_truth"], 1)
    return 1.5 * max(0.0, 1 - 2 * abs(margin)) + (0 if d["exact"] else 0.3)
