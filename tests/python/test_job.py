"""Files, memory, checkpoints and result folders: decompose() as a whole job."""

import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sunder

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULT_NAMES = ["factors_0.npy", "factors_1.npy", "factors_2.npy", "report.html",
                "sparse_coords.npy", "sparse_values.npy", "summary.json", "weights.npy"]


@pytest.fixture(name="file")
def tensor_file(planted, tmp_path):
    np.save(tmp_path / "T.npy", planted.tensor)
    return tmp_path / "T.npy"


@pytest.fixture(scope="module", name="large")
def large_file(tmp_path_factory):
    """A tensor that does not fit in LITTLE memory."""
    planted = sunder.generate((160, 150, 140), rank=3, dtype="f32", seed=4)
    path = tmp_path_factory.mktemp("large") / "T.npy"
    np.save(path, planted.tensor)
    return path, planted


LITTLE = 191 * 2**20


def same_bits(a, b):
    return (np.array_equal(a.weights, b.weights)
            and all(np.array_equal(f, g) for f, g in zip(a.factors, b.factors))
            and np.array_equal(a.sparse.positions, b.sparse.positions)
            and np.array_equal(a.sparse.data, b.sparse.data))


def test_a_file_gives_the_bits_of_an_array(planted, file, tmp_path):
    array = sunder.decompose(planted.tensor, rank=3)
    for path in (file, str(file)):
        assert same_bits(sunder.decompose(path, rank=3), array)
    assert sunder.decompose(file, rank=3).folder is None
    assert os.listdir(tmp_path) == ["T.npy"]


def test_an_array_into_a_folder(planted, tmp_path):
    result = sunder.decompose(planted.tensor, rank=3, output=tmp_path / "R")
    assert result.folder == str(tmp_path / "R")
    assert sorted(os.listdir(result.folder)) == RESULT_NAMES
    assert same_bits(result, sunder.read(result.folder))
    with pytest.raises(sunder.OutputError, match=r"\(force\)"):
        sunder.decompose(planted.tensor, rank=3, output=tmp_path / "R")
    sunder.decompose(planted.tensor, rank=3, output=tmp_path / "R", force=True)


def test_a_tensor_that_does_not_fit(large, tmp_path):
    path, planted = large
    whole = sunder.decompose(path, rank=3, threads=1)
    parts = sunder.decompose(path, rank=3, threads=1, memory=LITTLE, output=tmp_path / "R")
    assert not whole.summary()["plan"]["streamed"] and parts.summary()["plan"]["streamed"]
    assert parts.sparse_count == whole.sparse.nnz
    assert f"{whole.sparse.nnz} entries" in repr(parts)
    assert same_bits(parts, whole)
    assert same_bits(pickle.loads(pickle.dumps(parts)), whole)
    assert parts.error(planted) < 1e-6
    counted = sunder.decompose(path, rank=3, threads=1, memory=LITTLE)
    with pytest.raises(sunder.InputError, match="output=FOLDER"):
        counted.sparse  # pylint: disable=pointless-statement


def test_a_run_that_is_cancelled_goes_on(large, tmp_path):
    path, _ = large
    calls = []
    whole = sunder.decompose(path, rank=3, threads=1, progress=calls.append)
    seen = []

    def half(progress):
        seen.append(progress)
        return len(seen) < max(len(calls) // 2, 1)

    folders = dict(output=tmp_path / "R", checkpoint_interval=0)
    stopped = sunder.decompose(path, rank=3, threads=1, checkpoint=tmp_path / "C", progress=half,
                               **folders)
    assert stopped.outcome == "cancelled" and stopped.folder is None
    assert os.listdir(tmp_path) == ["C"]
    resumed = sunder.decompose(path, rank=3, threads=1, resume=tmp_path / "C", **folders)
    assert same_bits(resumed, whole)


@pytest.mark.parametrize("call, error, words", [
    (dict(memory="lots"), sunder.OptionError, "memory must be a size such as 512M"),
    (dict(memory=2**20), sunder.InputError, "give more memory"),
    (dict(checkpoint="C", resume="C"), sunder.OptionError, "checkpoint begins a run and resume"),
    (dict(checkpoint="C", checkpoint_interval=-1), sunder.OptionError, "checkpoint_interval must"),
    (dict(resume="nowhere"), sunder.InputError, "or begin with checkpoint"),
    (dict(max_seconds=-1), sunder.OptionError, "max_seconds must be 0 or more"),
    (dict(method="pcp-flat", lambda_="wide"), sunder.OptionError, "lambda_ must be a number"),
])
def test_errors_name_the_keyword(file, tmp_path, monkeypatch, call, error, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        sunder.decompose(file, **{"rank": 3, **call})
    assert words in str(caught.value)
    assert "--" not in str(caught.value)
    assert os.listdir(tmp_path) == ["T.npy"]


def test_memory_is_for_files(planted):
    with pytest.raises(sunder.OptionError, match="memory is for a tensor in a file"):
        sunder.decompose(planted.tensor, rank=3, memory="500M")


def test_a_limit_of_time(large):
    path, _ = large
    assert sunder.decompose(path, rank=3, method="rtd-als", max_seconds=1e-3
                            ).outcome == "time_limit"


def test_the_script_of_the_guide(tmp_path):
    planted = sunder.generate((60, 50, 40), rank=5)
    np.save(tmp_path / "T.npy", planted.tensor)
    script = ROOT / "examples" / "one_call.py"
    assert len(script.read_text().splitlines()) <= 10
    run = subprocess.run([sys.executable, str(script), "T.npy", "checkpoint", "result"],
                         cwd=tmp_path, capture_output=True, text=True, check=False,
                         env=os.environ)
    assert run.stdout == "result: converged, certified exact\n", run.stderr
    assert sorted(os.listdir(tmp_path / "result")) == RESULT_NAMES
    assert (tmp_path / "checkpoint" / "checkpoint").exists()
    assert sunder.read(tmp_path / "result").error(planted) < 1e-10
