"""The instances of experiments/certificate: a generator for each kind of problem, hopeless ones included."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "python"))
import sunder  # noqa: E402

SHAPES = [(12, 12, 12), (16, 16, 16), (20, 20, 20), (25, 25, 25), (10, 15, 22), (3, 20, 30), (5, 31, 17), (8, 8, 40), (2, 25, 25),
          (30, 30), (20, 60), (40, 40), (15, 100), (7, 8, 9, 10), (8, 8, 8, 8), (3, 6, 9, 20), (2, 3, 15, 15), (30, 30, 30)]


def settings(pick):
    """Draws keywords of sunder.generate(), over all of its options except movement."""
    shape = pick.choice(SHAPES)
    rank = pick.choice([1, 2, 3, 4, 5])
    rank = min(rank, min(shape) // 4 + 1) if len(shape) == 2 else rank
    made = dict(shape=shape, rank=rank, seed=pick.randrange(10**9), weights=pick.choice(["ones", "uniform", "decaying"]),
                signs=pick.choice(["one", "random"]), magnitude=pick.choice([0.01, 0.1, 1, 1, 1, 10, 100]))
    made["factors"] = pick.choice(["gaussian", "orthonormal"]) if rank <= min(shape) else "gaussian"
    if pick.random() < 0.6:
        made.update(density=pick.choice([0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5]))
    else:
        made.update(support="block", blocks=pick.choice([1, 3, 5, 10]), density=pick.choice([0.1, 0.2, 0.3, 0.4, 0.5]))
    return made


class Instance:
    """T with its truth, the requested rank, and the options of decompose()."""

    def __init__(self, pick, **changes):
        self.pick, self.numbers = pick, np.random.default_rng(pick.randrange(2**32))
        self.made = {**settings(pick), **changes}
        planted = sunder.generate(**self.made)
        self.tensor, self.low_rank, self.sparse = planted.tensor, planted.low_rank(), planted.sparse.to_dense()
        self.factors = [np.array(f) for f in planted.factors]
        self.factors[0] *= np.array(planted.weights)
        self.shape, self.rank, self.options, self.noise = planted.shape, self.made["rank"], {}, self.made.get("noise", 0)

    def rebuild(self):
        """Computes T from the factors and S, after a kind has changed them."""
        letters = "ijkl"[:len(self.shape)]
        terms = ",".join(f"{letter}r" for letter in letters)
        self.low_rank = np.einsum(f"{terms}->{letters}", *self.factors)
        self.tensor = self.low_rank + self.sparse
        return self

    def rms(self):
        return float(np.sqrt(np.mean(self.low_rank**2)))

    def rank_one(self, strength=1.0):
        """Returns a tensor of rank one whose rms is that of L times the strength."""
        made = np.ones(())
        for extent in self.shape:
            made = np.multiply.outer(made, self.numbers.standard_normal(extent))
        return made * (strength * self.rms() / np.sqrt(np.mean(made**2)))

    def box(self, share):
        """Returns a mask that selects a share of the indices of each mode."""
        mask = np.ones((), dtype=bool)
        for extent in self.shape:
            mask = np.logical_and.outer(mask, self.numbers.random(extent) < share)
        return mask


def clean(pick):
    return Instance(pick)


def noise(pick):
    return Instance(pick, noise=pick.choice([10.0**-k for k in range(1, 13)] + [3e-6, 3e-7, 3e-8]))


def single_precision(pick):
    return Instance(pick, dtype="f32", **({"noise": 10.0**-pick.randrange(1, 8)} if pick.random() < 0.3 else {}))


def missing(pick):
    return Instance(pick, missing=pick.choice([0.1, 0.3, 0.5, 0.7, 0.85]))


def rank_too_small(pick):
    made = Instance(pick)
    made.rank = max(1, made.rank - pick.choice([1, 1, 2, 3]))
    if made.rank == made.made["rank"]:  # a second component for a lone one
        made.factors = [np.column_stack([f, made.numbers.standard_normal(len(f)) / np.sqrt(len(f))]) for f in made.factors]
        made.rebuild()
    return made


def rank_too_large(pick):
    made = Instance(pick)
    made.rank = min(made.rank + pick.choice([1, 1, 2, 4]), min(made.shape) if len(made.shape) == 2 else made.rank + 4,
                    int(np.prod(made.shape)) // max(made.shape))
    return made


def rank_auto(pick):
    made = Instance(pick)
    made.rank = "auto"
    return made


def too_much_corruption(pick):
    if pick.random() < 0.5:
        return Instance(pick, support="uniform", density=pick.choice([0.6, 0.7, 0.8, 0.9, 0.95, 0.99]))
    return Instance(pick, support="block", blocks=pick.choice([2, 5, 10, 20]), density=pick.choice([0.6, 0.7, 0.8, 0.9]))


def strong_blocks(pick):
    """S has blocks that differ from components only in extent."""
    made = Instance(pick, support=pick.choice(["none", "uniform"]), density=0.05)
    for _ in range(pick.choice([1, 2, 3, 5])):
        block = made.box(pick.choice([0.3, 0.5, 0.7, 0.8]))
        made.sparse = np.where(block, made.rank_one(pick.choice([0.5, 1, 1, 3])), made.sparse)
    made.rank += pick.choice([0, 0, 1])
    return made.rebuild()


def low_rank_sparse(pick):
    """S has low rank on some slices of a mode, or everywhere."""
    made = Instance(pick, support=pick.choice(["none", "uniform"]), density=0.05)
    share = pick.choice([0.1, 0.3, 0.5, 0.7, 1])
    mode = pick.randrange(len(made.shape))
    slices = np.moveaxis(np.zeros(made.shape, dtype=bool), mode, 0)
    slices[made.numbers.random(made.shape[mode]) < share] = True
    for _ in range(pick.choice([1, 2])):
        made.sparse = made.sparse + np.where(np.moveaxis(slices, 0, mode), made.rank_one(pick.choice([0.1, 1, 3])), 0)
    made.rank += pick.choice([0, 0, 1, 2]) if len(made.shape) > 2 else 0
    return made.rebuild()


def constant_sparse(pick):
    """All values of S are equal; with enough of them, most entries follow L plus that value."""
    made = Instance(pick, density=pick.choice([0.1, 0.3, 0.5, 0.7, 0.9]), support=pick.choice(["uniform", "block"]))
    made.sparse = np.where(made.sparse != 0, made.rms() * pick.choice([0.5, 1, 3]), 0)
    made.rank += pick.choice([0, 0, 1])
    return made.rebuild()


def repeated_factors(pick):
    """Components share a column in one mode or more, exactly or nearly."""
    made = Instance(pick)
    modes = pick.sample(range(len(made.shape)), pick.randrange(1, len(made.shape)))
    for mode in modes:
        factor = made.factors[mode]
        for k in range(1, factor.shape[1]):
            factor[:, k] = factor[:, 0] + pick.choice([0, 0, 1e-3, 0.1]) * factor[:, k]
    return made.rebuild()


def zero_rows(pick):
    """Some rows are zero in all components, and some entries in single components."""
    made = Instance(pick, zero_rows=pick.choice([0, 0.2, 0.5, 0.7]))
    share = pick.choice([0, 0.2, 0.5, 0.7])
    for factor in made.factors:
        factor[made.numbers.random(factor.shape) < share] = 0
    if not made.rebuild().low_rank.any():
        return zero_rows(pick)
    return made


def duplicated_slices(pick):
    """Some slices repeat others, in L alone or with their errors."""
    made = Instance(pick)
    mode = pick.randrange(len(made.shape))
    source = np.sort(made.numbers.integers(0, made.shape[mode], made.shape[mode]))
    if pick.random() < 0.5:
        made.sparse = np.take(made.sparse, source, axis=mode)
    made.factors[mode] = made.factors[mode][source]
    return made.rebuild()


def whole_slices(pick):
    """S fills whole slices or fibres, where T reveals nothing about L."""
    made = Instance(pick, support=pick.choice(["none", "uniform"]), density=0.1)
    fixed = pick.sample(range(len(made.shape)), pick.randrange(1, len(made.shape)))
    for _ in range(pick.choice([1, 1, 2, 3])):
        place = tuple(pick.randrange(n) if m in fixed else slice(None) for m, n in enumerate(made.shape))
        made.sparse[place] = made.rms() * pick.choice([0.3, 1, 10]) * made.numbers.standard_normal(made.sparse[place].shape)
    return made.rebuild()


def lose_slices(made):
    """Removes all but a few entries of some slices."""
    for _ in range(made.pick.choice([1, 1, 2, 5])):
        mode = made.pick.randrange(len(made.shape))
        thin = np.moveaxis(made.tensor, mode, 0)[made.pick.randrange(made.shape[mode])]  # a view
        lost = made.numbers.permutation(thin.size)[made.pick.randrange(4 * made.factors[0].shape[1] + 1):]
        thin[np.unravel_index(lost, thin.shape)] = np.nan


def apart(made):
    """Returns a mask of blocks that share no rows, or crosses of them; a few entries may join them."""
    pick = made.pick
    labels = [made.numbers.random(n) < pick.choice([0.1, 0.3, 0.5]) for n in made.shape]
    grids = np.meshgrid(*labels, indexing="ij")
    joined = pick.randrange(2, len(made.shape) + 1)  # number of modes whose labels must agree
    known = np.all([grids[0] == grid for grid in grids[1:joined]], axis=0) ^ (pick.random() < 0.2)
    return known | (made.numbers.random(made.shape) < pick.choice([0, 0, 0.001, 0.01]))


def lose_all_but_blocks(made):
    made.tensor = np.where(apart(made), made.tensor, np.nan)


def lose_by_value(made):
    """Removes entries by value: the large, small or positive ones, of T, of L or of one component."""
    one = np.einsum(",".join("ijkl"[m] for m in range(len(made.shape))), *[f[:, 0] for f in made.factors])
    of = np.nan_to_num(made.pick.choice([made.tensor, made.low_rank, one]).astype(float))
    of = made.pick.choice([of, -of, np.abs(of), -np.abs(of)])
    made.tensor = np.where(of > np.quantile(of, made.pick.choice([0.3, 0.5, 0.7, 0.9])), np.nan, made.tensor)


def lose_fibres(made):
    """Removes whole fibres, or whole slices of two modes."""
    keep = made.pick.sample(range(len(made.shape)), made.pick.randrange(1, len(made.shape)))
    lost = made.numbers.random([n if m in keep else 1 for m, n in enumerate(made.shape)]) < made.pick.choice([0.1, 0.3, 0.5, 0.7])
    made.tensor = np.where(lost, np.nan, made.tensor)


def lose_some(made):
    made.tensor = np.where(made.numbers.random(made.shape) < made.pick.choice([0.1, 0.5, 0.8]), np.nan, made.tensor)


def thin_slices(pick):
    made = pick.choice([clean, clean, missing, zero_rows, duplicated_slices, small_integers])(pick)
    lose_slices(made)
    return made if np.isfinite(made.tensor).any() else thin_slices(pick)


def blocks_apart(pick):
    """Only blocks that share no rows carry information about L; the rest is missing or corrupted."""
    made = pick.choice([clean, clean, missing, zero_rows])(pick)
    if pick.random() < 0.3:
        errors = made.rms() * pick.choice([0.3, 1, 10]) * made.numbers.standard_normal(made.shape)
        made.tensor = np.where(apart(made), made.tensor, made.tensor + errors)
    else:
        lose_all_but_blocks(made)
    return made if np.isfinite(made.tensor).any() else blocks_apart(pick)


def missing_by_rule(pick):
    made = pick.choice([clean, clean, zero_rows, symmetric])(pick)
    pick.choice([lose_by_value, lose_by_value, lose_fibres])(made)
    return made if np.isfinite(made.tensor).any() else missing_by_rule(pick)


def mixed(pick):
    """Any other kind, with entries removed in any way, and with any rank."""
    made = pick.choice(KINDS[:-1])(pick)
    for lose in pick.sample([lose_some, lose_slices, lose_all_but_blocks, lose_by_value, lose_fibres], pick.choice([1, 1, 2])):
        lose(made)
    true_rank = made.factors[0].shape[1]
    made.rank = pick.choice([made.rank, made.rank, true_rank, "auto", "auto"] + ([true_rank + 1] if len(made.shape) > 2 else []))
    return made if np.isfinite(made.tensor).any() else mixed(pick)


def small_integers(pick):
    """Entries are small integers, many of which coincide by chance."""
    made = Instance(pick, density=pick.choice([0.05, 0.2, 0.4, 0.6]), support="uniform")
    made.factors = [made.numbers.integers(-pick.choice([1, 2]), 3, f.shape).astype(float) for f in made.factors]
    made.sparse = np.where(made.sparse != 0, made.numbers.integers(1, 4, made.shape), 0) * pick.choice([1, -1])
    if not made.rebuild().low_rank.any():
        return small_integers(pick)
    return made


def symmetric(pick):
    made = Instance(pick, shape=pick.choice([(12, 12, 12), (20, 20, 20), (30, 30, 30), (30, 30), (8, 8, 8, 8)]), rank=pick.choice([1, 2, 3]),
                    symmetric=True)
    made.options = {"symmetric": True} if pick.random() < 0.7 else {}
    return made


def constrained(pick):
    """Factors are non-negative, or shared by modes of equal extent; some data violate the constraint."""
    made = pick.choice([clean, clean, missing, zero_rows, small_integers])(pick)
    modes = pick.sample(range(len(made.shape)), pick.randrange(1, len(made.shape) + 1))
    alike = [m for m, n in enumerate(made.shape) if n == made.shape[modes[0]]]
    shares, obeys = len(alike) > 1 and pick.random() < 0.5, pick.random() < 0.7
    missing_entries = np.isnan(made.tensor)
    for mode in alike[1:] if shares and obeys else []:
        made.factors[mode] = made.factors[alike[0]].copy()
    for mode in modes if not shares and obeys else []:
        made.factors[mode] = np.abs(made.factors[mode])
    made.options = {"shared": [alike]} if shares else {"nonnegative": modes}
    made.rebuild().tensor[missing_entries] = np.nan
    return made if made.low_rank.any() else constrained(pick)


KINDS = [clean, noise, single_precision, missing, rank_too_small, rank_too_large, rank_auto, too_much_corruption, strong_blocks,
         low_rank_sparse, constant_sparse, repeated_factors, zero_rows, duplicated_slices, whole_slices, thin_slices, blocks_apart,
         small_integers, symmetric, constrained, missing_by_rule, mixed]


def kind_of(number):
    return KINDS[number % len(KINDS)]
