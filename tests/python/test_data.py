"""generate, read, write, compare, theory and video."""

import json
import subprocess

import numpy as np
import pytest

import sunder


def test_generate_is_the_command(command, tmp_path):
    subprocess.run([command, "generate", "--shape", "12,10,8", "--rank", "2", "--support", "block",
                    "--blocks", "3", "--density", "0.3", "--noise", "0.1", "--missing", "0.1",
                    "--seed", "4", "-o", "data", "--quiet"], cwd=tmp_path, check=True)
    planted = sunder.generate((12, 10, 8), 2, support="block", blocks=3, density=0.3, noise=0.1,
                              missing=0.1, seed=4)
    assert np.array_equal(planted.tensor, np.load(tmp_path / "data" / "T.npy"), equal_nan=True)
    truth = sunder.read(tmp_path / "data" / "truth")
    assert np.array_equal(truth.weights, planted.weights)
    assert all(np.array_equal(a, b) for a, b in zip(truth.factors, planted.factors))
    assert np.array_equal(truth.sparse.data, planted.sparse.data)


def test_generate_structure_is_the_command(command, tmp_path):
    subprocess.run([command, "generate", "--shape", "20,10,8", "--rank", "3", "--collinear", "0.9",
                    "--weights", "1,0.5,0.1", "--offset", "3", "--heavy", "5", "--noise", "0.1",
                    "--noise-model", "t", "--dropout", "0.1", "--saturate", "0.1,0.9",
                    "--bad-samples", "0.2", "--bad-kind", "model", "-o", "data", "--quiet"],
                   cwd=tmp_path, check=True)
    planted = sunder.generate((20, 10, 8), 3, collinear=0.9, weights=[1, 0.5, 0.1], offset=3,
                              heavy=5, noise=0.1, noise_model="t", dropout=0.1,
                              saturate=(0.1, 0.9), bad_samples=0.2, bad_kind="model")
    assert np.array_equal(planted.tensor, np.load(tmp_path / "data" / "T.npy"))
    assert planted.rank == 4
    halves = sunder.generate((5, 5, 5), 3, weights=0.5).weights
    assert np.allclose(halves, [1, 0.5, 0.25])


@pytest.mark.parametrize("given", [dict(rank=0), dict(density=2), dict(support="round"),
                                   dict(dtype="i4"), dict(dtype="nonsense"), dict(shape=(3,)),
                                   dict(shape=(3, 0)), dict(noise=-1), dict(seed=-3),
                                   dict(weights=[1, 2]), dict(collinear=1), dict(saturate=(0.5,)),
                                   dict(noise_model="loud")], ids=str)
def test_generate_refuses(given):
    with pytest.raises(ValueError):
        sunder.generate(**{"shape": (5, 5, 5), "rank": 1, **given})


def test_generate_in_single_precision():
    for dtype in ("f32", np.float32, "float32"):
        assert sunder.generate((5, 5, 5), 1, dtype=dtype).tensor.dtype == np.float32


@pytest.mark.parametrize("array", [np.arange(24.0).reshape(2, 3, 4), np.arange(6, dtype="u1"),
                                   np.asfortranarray(np.arange(6.0).reshape(2, 3)),
                                   np.arange(24, dtype="i2").reshape(4, 6)[:, ::2]])
def test_arrays_on_disk(array, tmp_path):
    path = tmp_path / "array.npy"
    sunder.write(path, array)
    for again in (np.load(path), sunder.read(path)):
        assert again.dtype == array.dtype and np.array_equal(again, array)
    assert not sunder.read(path).flags.writeable


def test_results_on_disk(planted, tmp_path):
    result = sunder.decompose(planted.tensor, rank=3)
    sunder.write(tmp_path / "out", result)
    again = sunder.read(tmp_path / "out")
    assert isinstance(again, sunder.Result) and repr(again) == repr(result)
    assert all(np.array_equal(a, b) for a, b in zip(again.factors, result.factors))
    assert np.array_equal(again.weights, result.weights) and again.trace == result.trace
    assert (tmp_path / "out" / "report.html").exists()
    assert json.loads((tmp_path / "out" / "summary.json").read_text()) == result.summary()
    with pytest.raises(sunder.OutputError):
        sunder.write(tmp_path / "out", result)
    sunder.write(tmp_path / "out", result, force=True)
    with pytest.raises(sunder.InputError, match="tensor"):
        sunder.write(tmp_path / "more", planted)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "bad.npy").write_bytes(b"no numbers")
    for name in ("bad.npy", "absent.npy", "."):
        with pytest.raises(sunder.InputError):
            sunder.read(tmp_path / name)
    with pytest.raises(sunder.InputError, match="<i8"):
        sunder.write(tmp_path / "int64.npy", np.arange(5, dtype=np.int64).astype("<i8"))


def test_compare(planted):
    found = sunder.compare(planted.tensor, 3, ["altproj-flat", "robust-cp", "rtd"], truth=planted)
    assert found.best == "robust-cp" and found.rows[0].error < 1e-10
    assert len(found) == 3 and {row.method for row in found} == {"altproj-flat", "robust-cp", "rtd"}
    failed = [row for row in found if row.status == "failed"]
    assert [row.method for row in failed] == ["rtd"] and "symmetric" in failed[0].message
    assert "robust-cp" in repr(found) and "<table>" in found._repr_html_()


def test_compare_by_hidden_entries(planted):
    found = sunder.compare(planted.tensor, 3, ["robust-cp"], held_out=0.05)
    assert found.rows[0].error is None and found.rows[0].held_out < 1e-8
    with pytest.raises(sunder.OptionError, match="robust-cp"):
        sunder.compare(planted.tensor, 3, ["magic"])


def test_theory():
    planted = sunder.generate((40, 40, 40), 3, factors="orthonormal", support="block", blocks=4,
                              density=0.2, seed=2)
    unit = planted.factors[0]
    assert np.isclose(sunder.theory.incoherence(planted).mu_of_mode[0],
                      np.abs(unit).max() * np.sqrt(40))
    assert sunder.theory.blocks(planted.sparse).coverage == 1
    counts = np.stack([(planted.sparse.to_dense() != 0).sum(axis=mode).max() for mode in range(3)])
    assert sunder.theory.fibres(planted).of_mode == counts.tolist()
    found = sunder.theory.conditions(planted)
    assert found.fibre_tensor.measured == counts.max()
    assert found.block_extent.holds == (found.block_extent.measured <= found.block_extent.allowed)
    result = sunder.decompose(planted.tensor, rank=3)
    assert sunder.theory.guarantees(result, planted, 1e-6).all_hold
    assert not sunder.theory.guarantees(result, planted, 1e-300).all_hold
    with pytest.raises(sunder.OptionError):
        sunder.theory.guarantees(result, planted, -1)


def scene(frames, shape=(48, 64), dtype=np.uint8):
    """A textured background, a square that moves to the right, and where the square is."""
    rng = np.random.default_rng(3)
    still = rng.integers(40, 200, shape)
    for t in range(frames):
        frame = still + rng.integers(-2, 3, shape)
        inside = np.zeros(shape[:2], bool)
        inside[15:27, (3 * t) % 50:(3 * t) % 50 + 12] = True
        frame[inside] = 250
        yield frame.astype(dtype) * (257 if dtype == np.uint16 else 1), inside


@pytest.mark.video
@pytest.mark.parametrize("shape, dtype", [((48, 64), np.uint8), ((48, 64, 3), np.uint8),
                                          ((48, 64), np.uint16)])
def test_background(shape, dtype):
    background = sunder.video.Background(warm_up=12)
    decisions, truth = [], []
    for frame, inside in scene(40, shape, dtype):
        decisions += background.push(frame)
        truth.append(inside)
    assert background.frames_seen == len(decisions) == 40 and not background.warming_up
    assert decisions[0].mask.shape == (48, 64) and decisions[0].background.shape == shape
    assert decisions[0].background.dtype == dtype
    for decision, inside in list(zip(decisions, truth))[20:]:
        mask = decision.mask > 0
        assert (mask & inside).sum() > 0.85 * inside.sum()
        assert (mask & ~inside).sum() < 0.5 * inside.sum()


@pytest.mark.video
def test_background_goes_on(tmp_path):
    frames = [frame for frame, _ in scene(30)]
    whole = sunder.video.Background(warm_up=10)
    first = sunder.video.Background(warm_up=10)
    for frame in frames[:20]:
        first.push(frame)
        whole.push(frame)
    first.save(tmp_path / "state")
    second = sunder.video.Background.load(tmp_path / "state")
    for frame in frames[20:]:
        assert np.array_equal(whole.push(frame)[0].mask, second.push(frame)[0].mask)


@pytest.mark.video
def test_background_refuses():
    background = sunder.video.Background()
    for frame in (np.zeros((4, 4)), np.zeros((4, 4, 2), "u1"), np.zeros(4, "u1"),
                  np.zeros((0, 4), "u1")):
        with pytest.raises(sunder.InputError):
            background.push(frame)
    background.push(np.zeros((20, 20), "u1"))
    with pytest.raises(sunder.InputError, match="20 x 20"):
        background.push(np.zeros((20, 21), "u1"))
    with pytest.raises(sunder.InputError):
        sunder.video.Background().save("nowhere")
    assert len(background.finish()) == 1
