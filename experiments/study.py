"""Functions that the studies share: running sunder on generated problems, and confidence intervals for shares."""
import contextlib
import json
import math
import os
import pathlib
import subprocess
import tempfile

# The environment variable SUNDER names another binary.
SUNDER = os.environ.get("SUNDER", pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "sunder")


def wilson(successes, trials, z=1.96):
    """Returns the 95% confidence interval of a probability (Wilson)."""
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@contextlib.contextmanager
def generated(options, seed):
    """Yields the folder of a generated problem: T.npy and truth/."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([SUNDER, "generate", *options.split(), "--seed", str(seed), "-o", f"{folder}/D", "-q"], check=True)
        yield pathlib.Path(folder) / "D"


def decompose(folder, *options):
    """Returns the summary of a decomposition, compared with the truth. It uses one thread, so that studies can run side by
    side; the number of threads does not change the result."""
    done = subprocess.run([SUNDER, "decompose", folder / "T.npy", "--truth", folder / "truth", "--threads", "1", "--json",
                           *map(str, options)], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise SystemExit(f"sunder decompose {folder} {options}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def run(method, rank, options, seed):
    with generated(options, seed) as folder:
        return decompose(folder, "--rank", rank, "--method", method)
