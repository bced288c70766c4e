"""The kinds of experiments/real that rest on measured data, and those with bad samples."""
import dataclasses
import itertools
import os
import pathlib
import sys
import typing

import numpy as np

from problems import dense, gaussian

DATA = pathlib.Path(os.environ.get("SUNDER_DATA", pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"))
KINETIC_BAD = (34, 35, 44, 45, 63)  # the bad samples of Kinetic, as its authors know them


@dataclasses.dataclass
class MeasuredKind:
    name: str
    run: typing.Callable  # (seed, solve) -> figures: `good`, `wrong` and `note`, and the solution of the run
    file: str = ""  # the data that it needs

    def available(self):
        return not self.file or (DATA / self.file).exists()


def matched(scores):
    """Returns the least score of the best assignment of columns to rows of a square matrix, by trying all."""
    best = max(itertools.permutations(range(len(scores))), key=lambda p: sum(scores[i, j] for i, j in enumerate(p)))
    return min(scores[i, j] for i, j in enumerate(best))


def correlation(samples, truth):
    scores = np.abs(np.corrcoef(samples.T, truth.T)[:samples.shape[1], samples.shape[1]:])
    return float(matched(scores))


def congruence(found, truth):
    def units(f):
        return f / np.maximum(np.linalg.norm(f, axis=0), 1e-300)
    return float(matched(np.prod([np.abs(units(f).T @ units(g)) for f, g in zip(found, truth)], axis=0)))


def fluorescence(share):
    def run(seed, solve):
        X, truth = np.load(DATA / "claus_X.npy").astype(float), np.load(DATA / "claus_conc.npy")
        random = np.random.default_rng(seed)
        spikes = random.random(X.shape) < share
        solution = solve(np.where(spikes, random.uniform(0, 2 * X.max(), X.shape), X), 3)
        least = correlation(solution.factors[0], truth)
        off = float(solution.sparse[~spikes].mean())
        good = least > 0.998 and off <= 0.045 and solution.exit == 0
        return solution, good, least < 0.99, f"correlation {least:.5f}, S off spikes {off:.4f}"
    return run


def bright_block(seed, solve):
    """5% of the entries, all of one sample, are at the maximum."""
    X, truth = np.load(DATA / "claus_X.npy").astype(float), np.load(DATA / "claus_conc.npy")
    random = np.random.default_rng(seed)
    bad = random.integers(len(X))
    first, second = random.integers(0, 100), random.integers(0, 30)
    X[bad, first:first + 101, second:second + 31] = X.max()
    solution = solve(X, 3)
    others = np.arange(len(X)) != bad
    least = correlation(solution.factors[0][others], truth[others])
    return solution, least > 0.998, least < 0.99, f"correlation of the other samples {least:.5f}"


def fluorescence_ranks(seed, solve):
    """The fit must rise with the rank."""
    X = np.load(DATA / "claus_X.npy").astype(float)
    fits = []
    for rank in range(1, 9):
        solution = solve(X, rank)
        fits.append(1 - np.sum((X - dense(solution.factors)) ** 2) / np.sum(X ** 2))
    fall = max(0.0, -min(np.diff(fits)))
    return solution, fall < 1e-6, fall > 0.01, f"worst fall {fall:.2e}, fits " + " ".join(f"{f:.5f}" for f in fits)


def read_mat(name):
    """Reads FILE.mat:VARIABLE with the Python module, from build/release/python."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "python"))
    import sunder
    return np.array(sunder.read(f"{DATA}/{name}"), float)


def dorrit(first, nonnegative):
    """Fluorescence with scatter; `first` is the first of the excitation wavelengths, 5 nm apart from 200 nm on."""
    def run(seed, solve):
        T = read_mat("dorrit.mat:X1")[:, :, first:]
        emission, excitation = np.linspace(241, 481, 121)[:, None], np.linspace(200, 315, 24)[None, first:]
        near = (np.abs(emission - excitation) <= 10) | (np.abs(emission - 2 * excitation) <= 10)
        scatter, observed = np.broadcast_to(near, T.shape), np.isfinite(T)
        solution = solve(T, 4, *(("--nonnegative", "0,1,2") if nonnegative else ()))
        on, off = (float(solution.sparse[observed & where].mean()) for where in (scatter, ~scatter))
        spectra = solution.factors[1]
        rough = np.linalg.norm(np.diff(spectra, 2, axis=0), axis=0) / np.linalg.norm(spectra, axis=0)
        note = f"S off scatter {off:.4f}, on {on:.3f}, roughness {rough.max():.3f}"
        return solution, off <= 0.03, off > 0.06, note
    return run


def flagged(solution, mode=0):
    return {slice_["index"] for slice_ in solution.summary.get("flagged_slices", []) if slice_["mode"] == mode}


def bad_samples(kind, shape=(50, 60, 40), rank=4, noise=0.05):
    """A fifth of the samples is bad, and a tenth of the cells."""
    def run(seed, solve):
        random = np.random.default_rng(seed)
        factors = gaussian(random, shape, rank)
        T = dense(factors) + noise * random.standard_normal(shape)
        bad = np.sort(random.choice(shape[0], shape[0] // 5, replace=False))
        if kind == "garbage":
            T[bad] = 2 * random.standard_normal((len(bad), *shape[1:]))
        else:
            T[bad] = dense(gaussian(random, shape, rank))[bad] + noise * random.standard_normal((len(bad), *shape[1:]))
        cells = random.random(shape) < 0.1
        T[cells] += random.uniform(1, 4, cells.sum())
        good = np.setdiff1d(np.arange(shape[0]), bad)
        solution = solve(T, rank)
        found = flagged(solution)
        likeness = congruence([solution.factors[0][good], *solution.factors[1:]], [factors[0][good], *factors[1:]])
        missed, false = len(set(bad) - found), len(found - set(bad))
        note = f"congruence {likeness:.5f}, bad samples missed {missed}, good ones flagged {false}"
        return solution, likeness >= 0.99 and missed + false == 0, likeness < 0.99, note
    return run


def kinetic(seed, solve):
    T = np.load(DATA / "kinetic.npy").astype(float)
    solution = solve(T, 4)
    worst = np.argsort(solution.summary["slices"][0]["excess"])[::-1][:10]
    hits = len(set(worst.tolist()) & set(KINETIC_BAD))
    return solution, hits >= 4, False, f"{hits} of 5 known bad samples among the ten worst"


def measured_kinds():
    for share in (0, 0.2, 0.4):
        yield MeasuredKind(f"fluorescence spikes {share}", fluorescence(share), "claus_X.npy")
    yield MeasuredKind("fluorescence bright block", bright_block, "claus_X.npy")
    yield MeasuredKind("fluorescence ranks", fluorescence_ranks, "claus_X.npy")
    yield MeasuredKind("dorrit 230 nm non-negative", dorrit(6, True), "dorrit.mat")
    yield MeasuredKind("dorrit 230 nm free", dorrit(6, False), "dorrit.mat")
    yield MeasuredKind("dorrit 200 nm non-negative", dorrit(0, True), "dorrit.mat")
    yield MeasuredKind("casewise garbage", bad_samples("garbage"))
    yield MeasuredKind("casewise another model", bad_samples("another model"))
    yield MeasuredKind("kinetic", kinetic, "kinetic.npy")
