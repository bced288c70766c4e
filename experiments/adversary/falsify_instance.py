"""Builds the instance of a genome: T, its truth L, the rivals that the errors follow, and the arguments of a run."""
import dataclasses
import math

import numpy as np

from falsify_genome import MODELS
from falsify_rivals import rival
from falsify_truth import chosen_rows, constrained, full, nonnegative_modes, shared_groups, true_model


@dataclasses.dataclass
class Instance:
    genome: dict
    truth: list  # the factors of L
    low_rank: np.ndarray
    tensor: np.ndarray  # NaN where missing
    rivals: list  # models that some of the errors follow
    rank: object  # the rank that is asked for, or "auto"
    options: dict
    changed: np.ndarray  # where T differs from L before noise and rounding

    @property
    def true_rank(self):
        return self.truth[0].shape[1]

    def level(self):
        """Returns the residual up to which an entry counts as fitted.

        It is 1.5e-6 times the robust spread of T, which is 1.4826 times the median distance of its non-zeros from
        their median. It is at least 4e-7 times the largest entry in single precision, and 4e-15 times in double.
        """
        seen = self.tensor[np.isfinite(self.tensor) & (self.tensor != 0)].astype(float)
        if not seen.size:
            return 0.0
        spread = 1.4826 * float(np.median(np.abs(seen - np.median(seen)))) or float(np.median(np.abs(seen)))
        rounding = 4e-7 if self.tensor.dtype == np.float32 else 4e-15
        return max(1.5e-6 * spread, rounding * float(np.abs(seen).max()))


def on_mode(values, mode, order):
    """Gives the values of one mode the shape that broadcasts over the tensor."""
    return np.reshape(values, [-1 if m == mode else 1 for m in range(order)])


def region(numbers, gene, shape, values, weights):
    """Returns the mask that an area gene selects; rules by size use the weights and look at non-zero ones only."""
    kind, share, mode, order = gene["area"], gene["share"], gene["mode"] % len(shape), len(shape)
    mask = np.ones(shape, dtype=bool)
    if kind == "uniform":
        mask = numbers.random(shape) < share
    elif kind == "box":
        side = share if gene["period"] > 2 else share ** (1 / order)
        for m, extent in enumerate(shape):
            mask = mask & on_mode(chosen_rows(numbers, extent, side, gene["place"]), m, order)
    elif kind == "rows":
        mask = mask & on_mode(chosen_rows(numbers, shape[mode], share, gene["place"]), mode, order)
    elif kind in ("largest", "smallest"):
        size = np.abs(weights)
        at = size > 0
        if at.any():
            bound = np.quantile(size[at], 1 - share if kind == "largest" else share)
            mask = at & (size >= bound if kind == "largest" else size <= bound)
    elif kind == "positive":
        mask = values > 0
    elif kind == "periodic":
        step = sum(on_mode(np.arange(extent), m, order) for m, extent in enumerate(shape))
        mask = np.broadcast_to(step % gene["period"] == 0, shape)
    elif kind == "off diagonal":  # rows of each mode have one of two labels, and the labels of two modes differ
        labels = [on_mode(chosen_rows(numbers, n, share, gene["place"]), m, order) for m, n in enumerate(shape)]
        mask = mask & (labels[0] != labels[1]) if gene["period"] > 2 else mask & np.any(
            [np.broadcast_to(labels[0] != label, shape) for label in labels[1:]], axis=0)
    elif kind == "fibres":
        mask = np.broadcast_to(numbers.random([1 if m == mode else n for m, n in enumerate(shape)]) < share, shape)
    return mask & (numbers.random(shape) < gene["density"]) if gene["density"] < 1 else mask


def part(model, which):
    """Returns one component of a model, or all of it if the number is negative."""
    return full(model) if which < 0 else full([f[:, [which % f.shape[1]]] for f in model])


def plain_values(numbers, gene, tensor, scale, mode):
    """Returns values that follow no model, for all entries."""
    kind, size = gene["kind"], gene["size"]
    if kind == "gauss":
        return scale * size * numbers.standard_normal(tensor.shape)
    if kind == "noise on top":
        return tensor + scale * size * numbers.standard_normal(tensor.shape)
    if kind == "constant":
        return np.full(tensor.shape, float(size) * (1 if gene["chain"] else scale))
    if kind == "zero":
        return np.zeros(tensor.shape)
    if kind == "quantised":
        return np.round(tensor / (scale * abs(size))) * (scale * abs(size))
    if kind == "saturated":
        bound = np.quantile(np.abs(tensor), 1 - gene["share"])
        return np.clip(tensor, -bound, bound)
    if kind == "integers":
        return numbers.integers(-2, 3, tensor.shape).astype(float)
    if kind == "slice copied":
        row = int(numbers.integers(tensor.shape[mode]))
        return size * np.broadcast_to(np.take(tensor, [row], axis=mode), tensor.shape)
    if kind == "sign lost":
        return np.abs(tensor)
    return np.flip(tensor, axis=mode)  # reordered


def crossed(truth, model):
    """Returns the mask of the entries for which the rows of the two models differ in one mode only."""
    if truth[0].shape[1] != model[0].shape[1]:
        return np.ones([len(factor) for factor in truth], dtype=bool)
    differ = [(a != b).any(axis=1) for a, b in zip(truth, model)]
    return sum(on_mode(rows.astype(int), m, len(truth)) for m, rows in enumerate(differ)) == 1


def edited_mode(genome, gene):
    """Returns the mode that an error changes: of modes that share a factor, the first."""
    mode = gene["mode"] % len(genome["shape"])
    return next((group[0] for group in shared_groups(genome) if mode in group), mode)


def corrupted(genome, truth, low_rank):
    """Applies the errors one after the other; returns T and the rivals."""
    tensor, rivals, shape = low_rank.copy(), [], tuple(genome["shape"])
    scale = float(np.sqrt(np.mean(low_rank[low_rank != 0] ** 2)))
    for index, gene in enumerate(genome["errors"]):
        numbers = np.random.default_rng([genome["seed"], 2, index])
        if genome["dtype"] == "float32":  # the rounding of larger errors would hide L
            gene = {**gene, "size": min(gene["size"], 10)}
        mode = edited_mode(genome, gene)
        weights = part(truth, gene["of"])
        if gene["kind"] in MODELS:
            base = rivals[-1] if gene["chain"] and rivals and rivals[-1][0].shape[1] else truth
            model = constrained(genome, rival(numbers, gene, base, mode))
            rivals.append(model)
            values = full(model)
            differs = np.abs(values - tensor) > 1e-9 * scale
            if gene["of"] < 2:  # the rule looks at the change itself, else at L or a component within the change
                weights = values - tensor
            mask = region(numbers, gene, shape, values, np.where(differs, weights, 0)) & differs
            if gene["area"] == "crossed":
                mask &= crossed(truth, model)
        else:
            values = plain_values(numbers, gene, tensor, scale, mode)
            mask = region(numbers, gene, shape, tensor, weights)
        tensor[mask] = values[mask]
    return tensor, rivals


def asked(genome, true_rank):
    most = math.prod(genome["shape"]) // max(genome["shape"])
    wanted = {"true": true_rank, "more": true_rank + 1, "much more": true_rank + 3, "fewer": max(1, true_rank - 1)}
    return "auto" if genome["rank"] == "auto" else min(wanted[genome["rank"]], most)


def lost(genome, tensor, truth):
    """Returns the mask of the missing entries; at least a fifth of the tensor stays."""
    gone = np.zeros(tensor.shape, dtype=bool)
    for index, gene in enumerate(genome["missing"]):
        numbers = np.random.default_rng([genome["seed"], 3, index])
        gone |= region(numbers, gene, tensor.shape, tensor, part(truth, gene["of"]))
    half = np.random.default_rng([genome["seed"], 4]).random(tensor.shape) < 0.5
    return gone if gone.mean() <= 0.8 else gone & half


def options_of(genome):
    made = {"core": genome["options"]["core"]} if "core" in genome["options"] else {}
    if nonnegative_modes(genome):
        made["nonnegative"] = nonnegative_modes(genome)
    if shared_groups(genome):
        made["shared"] = shared_groups(genome)
    return made


def build(genome):
    """Returns the instance of a genome."""
    truth = true_model(genome)
    low_rank = full(truth)
    clean, rivals = corrupted(genome, truth, low_rank)
    gone, tensor = lost(genome, clean, truth), clean
    if genome["noise"]:
        size = genome["noise"] * np.sqrt(np.mean(low_rank**2))
        tensor = tensor + size * np.random.default_rng([genome["seed"], 5]).standard_normal(tensor.shape)
    tensor = np.where(gone, np.nan, tensor).astype(genome["dtype"])
    rank = asked(genome, truth[0].shape[1])
    return Instance(genome, truth, low_rank, tensor, rivals, rank, options_of(genome), clean != low_rank)
