"""No copy, and no leak, which needs Linux to see. The sizes of the full tests are given by the environment:

    SUNDER_LARGE_BYTES=2000000000 SUNDER_MANY_RUNS=10000 pytest tests/python/test_memory.py
"""

import os
import subprocess
import sys

import pytest

LARGE_BYTES = int(os.environ.get("SUNDER_LARGE_BYTES", 256_000_000))
MANY_RUNS = int(os.environ.get("SUNDER_MANY_RUNS", 500))

# The peak is that of a process of its own, in which nothing else was ever large. The array is
# made slice by slice: whatever NumPy needs for that is there before the measurement.
PEAK = """
import resource, sys
import numpy as np, sunder

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

order, n = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(1)
a, b, c = (rng.standard_normal((n, 3)).astype(np.float32) for _ in range(3))
T = np.empty((n, n, n), dtype=np.float32, order=order)
for i in range(n):
    S = (rng.random((n, n), dtype=np.float32) < 0.05) * np.float32(7)
    if order == "C":
        T[i] = (a[i] * b) @ c.T + S
    else:
        T[:, :, i] = (c[i] * a) @ b.T + S
sunder.decompose(T[:40, :40, :40], rank=3)  # threads and their stacks are made once
before = peak()
result = sunder.decompose(T, rank=3, sparse=False)
assert result.outcome == "converged" and result.certificate.level != "none", result
print((peak() - before) / T.nbytes)
"""


@pytest.mark.parametrize("order", ["C", "F"])
def test_no_copy(order):
    side = round((LARGE_BYTES / 4) ** (1 / 3))
    run = subprocess.run([sys.executable, "-c", PEAK, order, str(side)],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    # What the method itself needs does not grow with T: some tens of megabytes, which a large
    # tensor does not notice.
    own = 0 if LARGE_BYTES >= 1e9 else 40e6 / LARGE_BYTES
    assert float(run.stdout) < 0.05 + own, run.stdout


LEAK = """
import gc, os, sys
import numpy as np, sunder

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

runs = int(sys.argv[1])
planted = sunder.generate((12, 11, 10), rank=2, density=0.1)
model = sunder.RobustCP(2).fit(planted.tensor)
bad = planted.tensor.astype(complex)

def once():
    result = sunder.decompose(planted.tensor, rank=2, threads=1)
    result.sparse.data, result.sparse.coords, result.trace, result.low_rank(0)
    model.set_params(threads=1).transform(planted.tensor[:2], return_sparse=True)
    sunder.generate((12, 11, 10), rank=2)
    try:
        sunder.decompose(bad, rank=2)
    except sunder.InputError:
        pass

for _ in range(200):
    once()
gc.collect()
before = resident()
for _ in range(runs):
    once()
gc.collect()
print((resident() - before) / runs)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_many_runs_do_not_leak():
    run = subprocess.run([sys.executable, "-c", LEAK, str(MANY_RUNS)], capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stderr
    # T has 10.5 kB, S 2 kB: losing either would show. The heap may settle by some pages.
    assert float(run.stdout) < max(500, 1.5e6 / MANY_RUNS), f"{run.stdout} bytes for each run"
