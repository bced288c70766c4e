"""Planted tensors with noise for the studies of inference, and the loop that these share: resumable, one line of JSON for
each run."""
import json
import multiprocessing
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "build" / "release" / "python"))
sys.path.insert(0, str(HERE / "kinds"))
import sunder  # noqa: E402
from oracle import oracle_error  # noqa: E402, F401
from problems import Problem, dense  # noqa: E402


def planted(seed, shape=(30, 30, 30), rank=3, noise=0.1, density=0.1, blocks=0, signs=1, cosine=0.0, weights="ones", slices=0,
            proportional=0.0, missing=0.0, size=1.0, sparse_rank=0, degrees=0, offset=0.0, peaks=False):
    """L has rms 1. Errors lie between half and all of size * sqrt(rank); blocks: their number, of share `density` together.
    `signs`: 1 for errors of one sign, 0 for both. `slices`: modes whose slices have noise between half and twice as large."""
    random = np.random.default_rng(seed)
    factors = []
    for extent in shape:
        columns = random.standard_normal((extent, rank))
        if cosine:
            columns = np.sqrt(1 - cosine) * columns + np.sqrt(cosine) * random.standard_normal((extent, 1))
        if peaks:
            places = random.uniform(0.1, 0.9, rank) * extent
            columns = np.exp(-0.5 * ((np.arange(extent)[:, None] - places) / max(0.06 * extent, 1)) ** 2)
        factors.append(columns / np.linalg.norm(columns, axis=0))
    if weights == "falling" and rank > 1:
        factors[0] = factors[0] * np.linspace(1, 0.2, rank)
    factors[0] = factors[0] / np.sqrt(np.mean(dense(factors) ** 2))
    if offset:
        factors = [np.concatenate([f, np.ones((len(f), 1)) * (offset if m == 0 else 1)], 1) for m, f in enumerate(factors)]
    L = dense(factors)
    support = np.zeros(shape, bool)
    if blocks:
        side = (1 - (1 - density) ** (1 / blocks)) ** (1 / len(shape))
        for _ in range(blocks):
            support[np.ix_(*[random.choice(n, max(1, round(side * n)), replace=False) for n in shape])] = True
    else:
        support = random.random(shape) < density
    values = random.uniform(0.5, 1, shape) * size * np.sqrt(rank)
    if sparse_rank:
        values = dense([random.standard_normal((n, sparse_rank)) for n in shape])
        values *= size * np.sqrt(rank) / np.sqrt(np.mean(values ** 2))
    if signs == 0:
        values = values * random.choice([-1, 1], shape)
    deviation = noise * np.ones(shape)
    for mode in range(slices):
        change = np.exp(random.uniform(-np.log(2), np.log(2), shape[mode]))
        deviation = deviation * np.moveaxis(change.reshape((-1,) + (1,) * (len(shape) - 1)), 0, mode)
    deviation = np.sqrt(deviation ** 2 + (proportional * L) ** 2)
    standard = random.standard_t(degrees, shape) / np.sqrt(degrees / (degrees - 2)) if degrees else random.standard_normal(shape)
    tensor = L + np.where(support, values, 0) + deviation * standard
    known = random.random(shape) >= missing
    tensor[~known] = np.nan
    problem = Problem(tensor, factors, factors[0].shape[1], ~support & known, np.maximum(deviation, 1e-6) ** 2)
    problem.support = support & known
    problem.deviation = deviation
    return problem


def logged(path):
    """The runs of an earlier call; an incomplete last line, which a killed call leaves, is dropped."""
    if not path or not path.exists():
        return []
    lines = path.read_text().splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]))
    return [json.loads(line) for line in lines if line.endswith("\n")]


def arguments(parser, seeds):
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--first-seed", type=int, default=30000)
    parser.add_argument("--kinds", type=lambda names: names.split(","), default=[])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--log", type=pathlib.Path)
    return parser.parse_args()


def study(evaluate, kinds, given):
    """Evaluates (kind, seed) for every kind and seed that the log does not have yet."""
    done = logged(given.log)
    known = {(d["kind"], d["seed"]) for d in done}
    seeds = range(given.first_seed, given.first_seed + given.seeds)
    jobs = [(kind, seed) for kind in kinds for seed in seeds if (kind, seed) not in known and (not given.kinds or kind in given.kinds)]
    with multiprocessing.Pool(given.workers) as pool:
        for d in pool.imap(evaluate, jobs):
            done.append(d)
            if given.log:
                with given.log.open("a") as log:
                    log.write(json.dumps(d) + "\n")
    return [d for d in done if d["kind"] in kinds and d["seed"] in seeds]
