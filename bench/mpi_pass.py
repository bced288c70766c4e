#!/usr/bin/env python3
"""Measures the speed-up of a pass with a second process: bench/mpi_pass.py [--shape 400,400,400] [--rank 10]

It compares runs with many and with few polishing passes, so that everything but the passes cancels. Each process has one
thread. A single process also reads the file part by part (--memory), as several do. Needs scripts/build.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

SUNDER = pathlib.Path(__file__).resolve().parent.parent / "build/release/sunder"


def seconds(folder, rank, passes, processes):
    launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(processes)]
    done = subprocess.run([*launcher, str(SUNDER), "decompose", f"{folder}/D/T.npy", "--rank", str(rank), "--threads", "1",
                           "--json", "--memory", "400M", "--polish-passes", str(passes)],
                          capture_output=True, text=True)
    summary = json.loads(done.stdout)
    return summary["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="400,400,400")
    parser.add_argument("--rank", type=int, default=10)
    parser.add_argument("--passes", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(SUNDER), "generate", "--shape", given.shape, "--rank", str(given.rank), "--noise", "0.01",
                        "-q", "-o", f"{folder}/D"], check=True)
        ratios = []
        for _ in range(given.repeats):
            cost = {p: (seconds(folder, given.rank, 1 + given.passes, p) - seconds(folder, given.rank, 1, p)) / given.passes
                    for p in (1, 2)}
            ratios.append(cost[1] / cost[2])
            print(f"a pass: {cost[1]:.3f} s with one process, {cost[2]:.3f} s with two: {ratios[-1]:.2f} times", flush=True)
        print(f"median {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
