"""Runs `sunder decompose` on an array and reads what it wrote."""
import dataclasses
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from study import SUNDER  # noqa: E402


@dataclasses.dataclass
class Solution:
    factors: list  # the weights in the first
    sparse: np.ndarray  # a mask of the entries of S
    summary: dict
    exit: int
    cpu: float  # seconds of all decompositions of the run

    @property
    def outcome(self):
        return self.summary["outcome"]

    @property
    def seconds(self):
        return self.summary["seconds"]


class Solver:
    def __init__(self, seed, timeout, options):
        self.seed, self.timeout, self.options, self.cpu = seed, timeout, list(options), 0.0

    def __call__(self, tensor, rank, *options):
        with tempfile.TemporaryDirectory() as folder:
            return self.solved(pathlib.Path(folder), tensor, rank, options)

    def solved(self, folder, tensor, rank, options):
        np.save(folder / "T.npy", np.ascontiguousarray(tensor))
        command = [SUNDER, "decompose", folder / "T.npy", "--rank", rank, "--seed", self.seed, "--threads", 1, "-q",
                   "-o", folder / "out", *options, *self.options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=self.timeout)
        except subprocess.TimeoutExpired as late:
            raise RuntimeError(f"ended after {self.timeout} s") from late
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode not in (0, 4):
            raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()}")
        return self.read(folder / "out", tensor.shape, done.returncode)

    def read(self, folder, shape, code):
        factors = [np.load(folder / f"factors_{mode}.npy") for mode in range(len(shape))]
        factors[0] = factors[0] * np.load(folder / "weights.npy")
        sparse = np.zeros(shape, bool)
        sparse[tuple(np.load(folder / "sparse_coords.npy").T)] = True
        return Solution(factors, sparse, json.loads((folder / "summary.json").read_text()), code, self.cpu)
