"""Runs sunder on one genome, through the Python module or the command."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

from falsify_instance import build
from falsify_judge import judge, score

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = os.environ.get("SUNDER_PYTHON_DIR", str(ROOT / "build" / "release" / "python"))
COMMAND = os.environ.get("SUNDER", str(ROOT / "build" / "release" / "sunder"))


def load():
    """Imports the Python module, in the process that needs it only."""
    if MODULE not in sys.path:
        sys.path.insert(0, MODULE)
    import sunder
    return sunder


def by_python(instance):
    result = load().decompose(instance.tensor, rank=instance.rank, threads=1, **instance.options)
    return result.weights, result.factors, result.certificate.level, result.outcome


def flat(value):
    return ",".join(map(str, np.ravel(value)))


def by_command(instance, run):
    """Runs the command on a file, with little memory or on several processes."""
    start = []
    if run.startswith("mpi"):
        start = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", run.split()[1]]
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/T.npy", instance.tensor)
        options = [text for name, value in instance.options.items() for text in (f"--{name}", flat(value))]
        limit = ["--memory", "240M"] if run == "memory" else []
        call = [*start, COMMAND, "decompose", f"{folder}/T.npy", "--rank", str(instance.rank), "--json"]
        done = subprocess.run([*call, "--threads", "1", "-o", f"{folder}/out", *limit, *options],
                              capture_output=True, text=True)
        if done.returncode not in (0, 4):
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        summary = json.loads(done.stdout)
        factors = [np.load(f"{folder}/out/factors_{m}.npy") for m in range(instance.tensor.ndim)]
        return np.load(f"{folder}/out/weights.npy"), factors, summary["certified"], summary["outcome"]


def evaluate(genome):
    """Returns the judgement of one genome, with the time that the run took."""
    instance = build(genome)
    about = {"true_rank": instance.true_rank, "asked": instance.rank}
    start = time.perf_counter()
    try:
        result = by_python(instance) if genome["run"] == "python" else by_command(instance, genome["run"])
    except (ValueError, RuntimeError) as refusal:
        return {**about, "status": "refused", "message": str(refusal)[:300], "score": 0.0}
    weights, factors, certified, outcome = result
    seconds = round(time.perf_counter() - start, 3)
    made = {**about, "status": "done", "certified": certified, "outcome": outcome, "seconds": seconds,
            **judge(instance, np.asarray(weights), [np.asarray(f) for f in factors], certified)}
    return {**made, "score": round(score(made), 4)}
