"""Result and its parts: L at any index, S, report, pickle, text."""

import copy
import pickle

import numpy as np
import pytest

import sunder


@pytest.fixture(scope="module")
def result(planted):
    return sunder.decompose(planted.tensor, rank=3)


@pytest.mark.parametrize("index", [
    (), (3,), (3, 4), (3, 4, 5), (-1, 0, -2), (slice(2, 7),), (..., 0), (0, ..., 1),
    (slice(None, None, 3), 5), (slice(5, 2), 1, slice(None)), (slice(None), slice(4, 1, -1)),
    (np.int64(3), np.uint8(2)), (slice(0, 1), slice(0, 1), slice(0, 1)),
], ids=str)
def test_low_rank_at_any_index(result, index):
    dense = np.einsum("r,ir,jr,kr->ijk", result.weights, *result.factors)
    found = result.low_rank(*index)
    assert np.shape(found) == np.shape(dense[index])
    assert np.allclose(found, dense[index], atol=1e-12)
    assert np.allclose(result.low_rank(index), dense[index], atol=1e-12)


def test_lists_and_masks_choose_indices_of_each_mode(result):
    dense = result.low_rank()
    rows, columns = [4, 1, 1], np.array([0, 7])
    assert np.allclose(result.low_rank(rows, columns, 2), dense[np.ix_(rows, columns)][:, :, 2])
    mask = np.arange(20) % 3 == 0
    assert np.allclose(result.low_rank(mask), dense[mask])


@pytest.mark.parametrize("index", [(20,), (0, 0, 0, 0), (..., ...), (None,), (1.5,),
                                   (np.zeros((2, 2), int),), (np.ones(3, bool),)], ids=str)
def test_an_index_that_cannot_be(result, index):
    with pytest.raises(IndexError):
        result.low_rank(*index)


def test_large_l_is_never_formed():
    factors = [np.random.default_rng(1).random((5000, 2)) for _ in range(4)]
    parts = sunder.Parts.from_cp([1.0, 2.0], factors)  # 5000^4 entries
    expected = sum(w * np.prod([f[i, r] for f, i in zip(factors, (1, 22, 333, 4444))])
                   for r, w in enumerate((1.0, 2.0)))
    assert np.isclose(parts.low_rank(1, 22, 333, 4444), expected)
    assert parts.low_rank(1, slice(0, 3), 333).shape == (3, 5000)


def test_sparse(result, planted):
    sparse = result.sparse
    assert sparse.coords.shape == (3, sparse.nnz) and sparse.data.shape == (sparse.nnz,)
    dense = sparse.to_dense()
    assert np.array_equal(dense[tuple(sparse.coords)], sparse.data)
    assert np.count_nonzero(dense) == sparse.nnz
    assert np.isclose(sparse.norm, np.linalg.norm(dense))
    assert np.allclose(result.low_rank() + dense, planted.tensor, atol=1e-10)
    assert not sparse.data.flags.writeable


def test_sparse_outlives_its_result(planted):
    data = sunder.decompose(planted.tensor, rank=3).sparse.data
    expected = sunder.decompose(planted.tensor, rank=3).sparse.data.copy()
    [sunder.decompose(planted.tensor, rank=3) for _ in range(3)]
    assert np.array_equal(data, expected)


def test_sparse_as_scipy_has_it():
    pytest.importorskip("scipy.sparse")
    planted = sunder.generate((30, 20), rank=2, density=0.1)
    matrix = planted.sparse.to_scipy()
    assert np.array_equal(matrix.toarray(), planted.sparse.to_dense())
    with pytest.raises(sunder.InputError, match="order 3"):
        sunder.generate((4, 4, 4), rank=1).sparse.to_scipy()


def test_sparse_from_coordinates():
    S = sunder.SparseTensor.from_coo([[1, 0], [0, 2]], [3.0, 4.0], (2, 3))
    assert np.array_equal(S.to_dense(), [[0, 0, 4], [3, 0, 0]])
    for coords, data in (([[5], [0]], [1.0]), ([[0, 0], [1, 1]], [1.0, 2.0]), ([[0], [0]], [])):
        with pytest.raises(sunder.InputError):
            sunder.SparseTensor.from_coo(coords, data, (2, 3))


def test_without_s(planted, result):
    bare = sunder.decompose(planted.tensor, rank=3, sparse=False)
    assert bare.sparse.nnz == 0
    assert np.array_equal(bare.weights, result.weights)
    assert bare.summary()["sparse_count"] == result.sparse.nnz


def test_pickle_and_copy(result):
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert repr(again) == repr(result)
        assert again.trace == result.trace and again.certificate == result.certificate
        assert np.array_equal(again.sparse.positions, result.sparse.positions)
        assert all(np.array_equal(a, b) for a, b in zip(again.factors, result.factors))
        assert again.summary() == result.summary()


def test_report(result, planted, tmp_path):
    result.report(tmp_path / "with.html")
    kept = (tmp_path / "with.html").read_text()
    alone = pickle.loads(pickle.dumps(result))  # which has lost sight of the tensor
    alone.report(tmp_path / "without.html")
    assert kept.startswith("<!") and len(kept) > len((tmp_path / "without.html").read_text())
    alone.report(tmp_path / "given.html", planted.tensor)
    assert (tmp_path / "given.html").read_text() == kept
    with pytest.raises(sunder.InputError):
        result.report(tmp_path / "other.html", np.zeros((3, 3, 3)))
    with pytest.raises(OSError):
        result.report(tmp_path / "no" / "folder.html")


def test_the_result_does_not_keep_the_tensor():
    import weakref
    tensor = np.array(sunder.generate((12, 12, 12), rank=1).tensor)
    alive = weakref.ref(tensor)
    result = sunder.decompose(tensor, rank=1)
    del tensor
    assert alive() is None
    assert result.rank == 1


def test_text(result):
    assert "20 x 18 x 16, rank 3, robust-cp, converged, certified exact" in repr(result)
    page = result._repr_html_()
    assert "<table>" in page and "certified" in page and "20 x 18 x 16" in page


def test_trace_and_summary(result):
    assert result.trace and {"pass", "stage", "threshold"} <= set(result.trace[0])
    summary = result.summary()
    assert summary["shape"] == [20, 18, 16] and summary["method"] == "robust-cp"
    assert result.options["noise_width"] == "0"
    assert result.passes == summary["passes"]


def test_tensorly_takes_weights_and_factors(result):
    tensorly = pytest.importorskip("tensorly")
    from tensorly.cp_tensor import CPTensor
    dense = tensorly.cp_tensor.cp_to_tensor(CPTensor(result.cp))
    assert np.allclose(dense, result.low_rank())


def test_parts_that_do_not_go_together():
    with pytest.raises(sunder.InputError):
        sunder.Parts.from_cp([1.0], [np.ones((3, 2)), np.ones((3, 2))])
    with pytest.raises(sunder.InputError):
        sunder.Parts.from_cp([1.0], [np.ones(3)])


def test_noise_and_bad_samples():
    planted = sunder.generate((30, 25, 20), rank=2, noise=0.05, bad_samples=0.1, seed=3)
    result = sunder.decompose(planted.tensor, rank=2)
    rms = np.sqrt(np.mean(planted.low_rank() ** 2))
    assert abs(result.noise["sigma"] / rms - 0.05) < 0.01
    assert [len(mode) for mode in result.noise["slice_deviations"]] == [30, 25, 20]
    bad = {slice_["index"] for slice_ in result.flagged_slices}
    assert len(bad) == 3 and all(slice_["mode"] == 0 for slice_ in result.flagged_slices)
    assert bad == set(np.argsort(result.slices[0]["excess"])[-3:])
    again = pickle.loads(pickle.dumps(result))
    assert again.noise == result.noise and again.flagged_slices == result.flagged_slices
    quiet = sunder.decompose(planted.tensor, rank=2, casewise="off", noise="gaussian")
    assert quiet.flagged_slices == [] and quiet.noise["family"] == "gaussian"


def test_no_noise_where_the_result_is_exact(result):
    assert result.noise is None and result.slices == [] and result.flagged_slices == []
