"""decompose(): arrays of every kind, the bits of the command line, progress, interruption."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sunder

STORED = ["f8", "f4", "u1", "u2", "i2", "i4"]


def same_bits(a, b):
    return (np.array_equal(a.weights, b.weights)
            and all(np.array_equal(x, y) for x, y in zip(a.factors, b.factors))
            and np.array_equal(a.sparse.positions, b.sparse.positions)
            and np.array_equal(a.sparse.data, b.sparse.data))


def integers(seed=1):
    """A tensor of whole numbers, whose entries every storage type holds: rank 2 and errors."""
    rng = np.random.default_rng(seed)
    factors = [rng.integers(1, 6, (extent, 2)) for extent in (20, 18, 16)]
    tensor = np.einsum("ir,jr,kr->ijk", *factors).astype(np.float64)
    wrong = rng.random(tensor.shape) < 0.1
    tensor[wrong] += rng.integers(1, 5, wrong.sum())
    assert tensor.max() < 256
    return tensor, wrong


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_recovers_planted(seed):
    planted = sunder.generate((25, 20, 15), rank=3, density=0.2, seed=seed)
    result = sunder.decompose(planted.tensor, rank=3)
    assert result.converged and result.certificate.level == "exact"
    assert result.error(planted) < 1e-10
    assert np.array_equal(result.sparse.positions, planted.sparse.positions)
    assert np.allclose(result.sparse.data, planted.sparse.data, atol=1e-10)


def test_chooses_the_rank():
    planted = sunder.generate((40, 40, 40), rank=4, density=0.1, seed=2)
    assert sunder.decompose(planted.tensor).rank == 4
    assert sunder.decompose(planted.tensor, "auto").rank == 4


@pytest.mark.parametrize("dtype", STORED)
def test_every_storage_type_and_order(dtype):
    tensor, wrong = integers()
    expected = sunder.decompose(tensor, rank=2)
    assert np.array_equal(expected.sparse.coords, np.stack(np.nonzero(wrong)))
    for order in "CF":
        array = np.asarray(tensor, dtype=dtype, order=order)
        result = sunder.decompose(array, rank=2)
        assert np.array_equal(result.sparse.positions, expected.sparse.positions), order
        assert np.allclose(result.low_rank(), expected.low_rank(), rtol=1e-5), order
        assert result.summary()["dtype"] == {"f8": "f64", "f4": "f32", "u1": "u8", "u2": "u16",
                                             "i2": "i16", "i4": "i32"}[dtype]


def test_boolean_array():
    array = np.zeros((12, 11, 10), dtype=bool)
    array[3:9, 2:8, 1:7] = True
    result = sunder.decompose(array, rank=1)
    assert result.summary()["dtype"] == "u8"
    assert np.allclose(result.low_rank() + result.sparse.to_dense(), array, atol=1e-8)


@pytest.mark.parametrize("make", [
    lambda t: np.concatenate([t, t], axis=1)[:, : t.shape[1]],
    lambda t: np.repeat(t, 2, axis=2)[:, :, ::2],
    lambda t: t[::-1, :, ::-1].copy()[::-1, :, ::-1],
    lambda t: np.ascontiguousarray(t.transpose(2, 0, 1)).transpose(1, 2, 0),
], ids=["slab", "every second", "reversed", "permuted"])
def test_views_that_are_not_contiguous(planted, make):
    view = make(planted.tensor)
    assert np.array_equal(view, planted.tensor)
    result = sunder.decompose(view, rank=3)
    assert result.error(planted) < 1e-10
    assert np.array_equal(result.sparse.positions, planted.sparse.positions)


def test_read_only_and_mapped_arrays(planted, tmp_path):
    expected = sunder.decompose(planted.tensor, rank=3)
    frozen = planted.tensor.copy()
    frozen.flags.writeable = False
    assert same_bits(sunder.decompose(frozen, rank=3), expected)
    path = tmp_path / "T.npy"
    np.save(path, planted.tensor)
    assert same_bits(sunder.decompose(np.load(path, mmap_mode="r"), rank=3), expected)
    assert same_bits(sunder.decompose(sunder.read(path), rank=3), expected)


def test_the_input_stays_as_it_is(planted):
    array = planted.tensor.copy()
    sunder.decompose(array, rank=3)
    assert np.array_equal(array, planted.tensor)


def test_missing_entries():
    planted = sunder.generate((30, 30, 30), rank=2, density=0.1, missing=0.2, seed=4)
    result = sunder.decompose(planted.tensor, rank=2)
    assert result.missing_count == np.isnan(planted.tensor).sum() > 0
    assert result.error(planted) < 1e-10


def test_lists_and_objects_with_array(planted):
    class Wrapped:
        def __array__(self, dtype=None):
            return planted.tensor

    expected = sunder.decompose(planted.tensor, rank=3)
    assert same_bits(sunder.decompose(planted.tensor.tolist(), rank=3), expected)
    assert same_bits(sunder.decompose(Wrapped(), rank=3), expected)


def test_threads_never_change_a_bit(planted):
    one = sunder.decompose(planted.tensor, rank=3, threads=1)
    assert same_bits(one, sunder.decompose(planted.tensor, rank=3, threads=2))


def test_group_sees_modes_as_one(planted):
    result = sunder.decompose(planted.tensor, rank=3, group=(0, 1))
    assert result.shape == (20 * 18, 16)
    flat = sunder.decompose(planted.tensor.reshape(360, 16), rank=3)
    assert same_bits(result, flat)


@pytest.mark.parametrize("words, keywords", [
    (["--rank", "3"], {"rank": 3}),
    (["--rank", "auto", "--seed", "7", "--noise-width", "5.5"],
     {"rank": "auto", "seed": 7, "noise_width": 5.5}),
    (["--rank", "3", "--method", "rtd-als", "--max-iterations", "40"],
     {"rank": 3, "method": "rtd-als", "max_iterations": 40}),
    (["--rank", "2", "--method", "altproj-slice", "--slice-modes", "0,2"],
     {"rank": 2, "method": "altproj-slice", "slice_modes": (0, 2)}),
])
def test_the_same_bits_as_the_command_line(planted, command, tmp_path, words, keywords):
    np.save(tmp_path / "T.npy", planted.tensor)
    subprocess.run([command, "decompose", "T.npy", "-o", "out", "--quiet", *words], cwd=tmp_path,
                   check=False)
    result = sunder.decompose(planted.tensor, **keywords)
    folder = tmp_path / "out"
    assert same_bits(result, sunder.read(folder))
    assert np.array_equal(result.weights, np.load(folder / "weights.npy"))
    theirs = json.loads((folder / "summary.json").read_text())
    assert theirs["options"] == result.summary()["options"]


@pytest.mark.parametrize("call, error, words", [
    (dict(rank=0), sunder.OptionError, "rank must be a whole number of at least 1, or auto"),
    (dict(rank=2.5), sunder.OptionError, "'2.5'"),
    (dict(rank="many"), sunder.OptionError, "'many'"),
    (dict(rank=10**6), sunder.InputError, "rank 1000000 is more than a tensor of shape"),
    (dict(rank=3, method="magic"), sunder.OptionError, "robust-cp"),
    (dict(rank=3, mu=1), sunder.OptionError, "mu is not an option of robust-cp"),
    (dict(rank=3, noise_width="wide"), sunder.OptionError, "noise_width must be a number"),
    (dict(rank=3, core=1.5), sunder.OptionError, "core must be a whole number"),
    (dict(rank=3, symmetric=3), sunder.OptionError, "symmetric must be true or false"),
    (dict(rank=3, seed=-1), sunder.OptionError, "seed must be"),
    (dict(rank=3, threads=-1), sunder.OptionError, "threads must be a whole number from 0 to 1024, but is -1"),
    (dict(rank=3, threads=100000), sunder.OptionError, "from 0 to 1024, but is 100000"),
    (dict(rank=3, group=(0, 7)), ValueError, "mode"),
    (dict(method="rtd-als"), sunder.OptionError, "cannot choose the rank"),
])
def test_options_out_of_range(planted, call, error, words):
    with pytest.raises(error, match=None) as caught:
        sunder.decompose(planted.tensor, **call)
    assert words in str(caught.value)
    assert "--" not in str(caught.value) and "`" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("array, words", [
    (np.zeros((4, 4, 4), dtype=np.int64), "array.astype(np.float64)"),
    (np.zeros((4, 4, 4), dtype=np.float16), "array.astype(np.float32)"),
    (np.zeros((4, 4, 4), dtype=np.complex128), "complex numbers are not supported"),
    (np.zeros((4, 4, 4), dtype=">f8"), "big-endian"),
    (np.full((4, 4, 4), None), "objects"),
    (np.full((4, 4, 4), "x"), "text"),
    (np.zeros((4, 4, 4), dtype=[("a", "f8"), ("b", "u1")])["a"], "np.ascontiguousarray"),
    (np.ma.zeros((4, 4, 4)), "masked"),
    (np.zeros((0, 4, 4)), "empty"),
    (np.zeros(()), "order"),
    (np.zeros(7), "order"),
    (np.zeros((2,) * 9), "8"),
    (np.full((4, 4, 4), np.nan), "every entry of the tensor is NaN"),
    (np.full((4, 4, 4), np.inf), "infinite"),
    ([[1.0, "a"], [2.0, 3.0]], "text"),
])
def test_arrays_that_cannot_be_used(array, words):
    with pytest.raises(sunder.InputError) as caught:
        sunder.decompose(array, rank=1)
    assert words in str(caught.value)


def test_a_single_infinite_entry(planted):
    array = planted.tensor.copy()
    array[3, 4, 5] = -np.inf
    with pytest.raises(sunder.InputError, match="infinite"):
        sunder.decompose(array, rank=3)


def test_zeros_have_no_components():
    result = sunder.decompose(np.zeros((10, 10, 10)), rank=2)
    assert np.all(result.low_rank() == 0) and result.sparse.nnz == 0


def test_errors_say_what_the_command_says_in_the_spelling_of_python(planted, command, tmp_path):
    np.save(tmp_path / "T.npy", planted.tensor)
    told = subprocess.run([command, "decompose", "T.npy", "--rank", "3", "--mu", "2"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    with pytest.raises(sunder.OptionError) as caught:
        sunder.decompose(planted.tensor, rank=3, mu=2)
    in_python = re.sub(r"--([a-z-]+)", lambda flag: flag[1].replace("-", "_"), told.stderr.strip())
    assert in_python == f"sunder: {caught.value}"


def test_options_are_those_of_the_table():
    for name, method in sunder.methods().items():
        assert f"    {name}: {method['summary']}" in sunder.decompose.__doc__
        for option, facts in method["options"].items():
            assert f"{option}={facts['default']}: {facts['meaning']}" in sunder.decompose.__doc__


def test_a_keyword_that_python_keeps_for_itself(planted):
    result = sunder.decompose(planted.tensor, 3, "horpca", lambda_=0.5, max_iterations=2)
    assert result.options["lambda_"] == "0.5"


SLOW = dict(rank=5, method="rtd-als", max_iterations=100000, tolerance=1e-300,
            als_tolerance=1e-300)


@pytest.fixture(scope="module")
def slow_tensor():
    return sunder.generate((60, 60, 60), rank=5, density=0.3, noise=0.3).tensor


def test_a_function_hears_of_progress_and_cancels(slow_tensor):
    heard = []

    def hear(progress):
        heard.append(progress)
        return len(heard) < 3

    result = sunder.decompose(slow_tensor, progress=hear, **SLOW)
    assert result.outcome == "cancelled"
    assert len(heard) == 3 and isinstance(heard[0].stage, str)


def test_an_exception_of_the_function_comes_through(slow_tensor):
    def hear(progress):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sunder.decompose(slow_tensor, progress=hear, **SLOW)


def test_a_bar_where_tqdm_is_installed(planted):
    pytest.importorskip("tqdm")
    assert sunder.decompose(planted.tensor, rank=3, progress=True).converged


def test_the_gil_is_released(slow_tensor):
    counted = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.monotonic()
    heard = []

    def hear(_):
        heard.append(1)
        return time.monotonic() - begin < 1

    sunder.decompose(slow_tensor, progress=hear, **SLOW)
    end = time.monotonic()
    stop.set()
    thread.join()
    # Were the GIL held between two reports, there would be one count for each of them at most.
    assert sum(begin < moment < end for moment in counted) > 2 * len(heard)


def test_ctrl_c_ends_the_work():
    program = """
import signal, sunder
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
T = sunder.generate((100, 100, 100), rank=5, density=0.3, noise=0.3).tensor
heard = []
def working(progress):
    if not heard:
        print("working", flush=True)
    heard.append(progress)
try:
    sunder.decompose(T, rank=5, method="rtd-als", max_iterations=10**6, tolerance=1e-300,
                     als_tolerance=1e-300, progress=working)
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                          env=os.environ) as process:
        assert process.stdout.readline() == "working\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n" and process.returncode == 0
