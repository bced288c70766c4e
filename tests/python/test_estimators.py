"""RobustCP and RobustPCA: new data under a model that was fitted before."""

import pickle

import numpy as np
import pytest

import sunder


def corrupt(array, share, rng):
    """A share of the entries far off, to one side."""
    wrong = rng.random(array.shape) < share
    return array + wrong * rng.uniform(0.5, 5, array.shape) * np.abs(array).max(), wrong


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("mode", [0, 1, 2, -1])
def test_new_slices_with_gross_errors(seed, mode):
    rng = np.random.default_rng(seed)
    planted = sunder.generate((30, 30, 30), rank=5, density=0.2, seed=seed)
    model = sunder.RobustCP(rank=5, mode=mode).fit(planted.tensor)
    # The model's own coordinates, so that sign and order of the components are its own too.
    truth = rng.standard_normal((50, 5))
    clean = model.inverse_transform(truth)
    data, wrong = corrupt(clean, 0.3, rng)
    found, sparse = model.transform(data, return_sparse=True)
    assert np.abs(found - truth).max() < 1e-8
    assert np.array_equal(sparse.coords, np.stack(np.nonzero(wrong)))
    assert np.allclose(sparse.to_dense(), data - clean, atol=1e-8)
    assert model.score(data) > 1 - 1e-8


def test_transform_of_the_fitted_data_is_the_factor(planted):
    model = sunder.RobustCP(rank=3)
    found = model.fit_transform(planted.tensor)
    assert np.allclose(found, model.factors_[0] * model.weights_, atol=1e-9)
    assert np.allclose(model.inverse_transform(found), planted.low_rank(), atol=1e-9)


def test_transform_of_every_storage(planted):
    model = sunder.RobustCP(rank=3).fit(planted.tensor)
    expected = model.transform(planted.tensor)
    assert np.array_equal(model.transform(np.asfortranarray(planted.tensor)), expected)
    assert np.allclose(model.transform(planted.tensor.astype("f4")), expected, atol=1e-5)
    assert np.allclose(model.transform(planted.tensor.astype(">f8")), expected)
    whole = np.rint(1e6 * planted.tensor).astype(np.int64)
    assert np.allclose(model.transform(whole), 1e6 * expected, atol=5)


def test_missing_entries_of_new_slices(planted):
    model = sunder.RobustCP(rank=3).fit(planted.tensor)
    data = planted.tensor.copy()
    data[np.random.default_rng(1).random(data.shape) < 0.2] = np.nan
    data[0] = np.nan
    found = model.transform(data)
    assert np.isnan(found[0]).all()
    assert np.allclose(found[1:], model.transform(planted.tensor)[1:], atol=1e-8)


@pytest.mark.parametrize("data, words", [
    (np.zeros((4, 18, 15)), "length 15"),
    (np.zeros((4, 18)), "modes"),
    (np.full((4, 18, 16), np.inf), "infinite"),
    (np.zeros((4, 18, 16), complex), "Complex"),
    (np.zeros((4, 18, 16, 2)), "modes"),
])
def test_new_slices_that_do_not_fit(planted, data, words):
    model = sunder.RobustCP(rank=3).fit(planted.tensor)
    with pytest.raises(ValueError, match=words):
        model.transform(data)
    assert model.transform(np.zeros((0, 18, 16))).shape == (0, 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_principal_components(seed):
    rng = np.random.default_rng(seed)
    low = rng.standard_normal((120, 4)) @ rng.standard_normal((4, 80))
    data, wrong = corrupt(low, 0.1, rng)
    model = sunder.RobustPCA(n_components=4).fit(data)
    assert np.allclose(model.components_ @ model.components_.T, np.eye(4), atol=1e-10)
    assert np.all(np.diff(model.singular_values_) <= 0)
    expected = np.linalg.svd(low, compute_uv=False)[:4]
    assert np.allclose(model.singular_values_, expected, rtol=1e-8)
    assert np.allclose(model.inverse_transform(model.transform(data)), low, atol=1e-7)
    assert np.array_equal(model.sparse_.coords, np.stack(np.nonzero(wrong)))
    fresh = rng.standard_normal((50, 4))
    bad, _ = corrupt(fresh @ model.components_, 0.2, rng)
    assert np.allclose(model.transform(bad), fresh, atol=1e-8)


def test_parameters():
    model = sunder.RobustCP(4, seed=9)
    assert model.get_params()["rank"] == 4 and model.get_params()["seed"] == 9
    assert model.set_params(rank=2) is model and model.rank == 2
    assert repr(model) == "RobustCP(rank=2, seed=9)"
    with pytest.raises(ValueError, match="ranks"):
        model.set_params(ranks=3)


def test_options_reach_the_method(planted):
    model = sunder.RobustCP(3, method="rtd-als", options={"max_iterations": 3}).fit(planted.tensor)
    assert model.result_.options["max_iterations"] == "3"
    with pytest.raises(sunder.OptionError, match="max_iterations"):
        sunder.RobustCP(3, options={"max_iterations": 3}).fit(planted.tensor)


def test_order_of_calls(planted):
    for model in (sunder.RobustCP(3), sunder.RobustPCA(3)):
        with pytest.raises(ValueError, match="not fitted"):
            model.transform(planted.tensor[:, :, 0])
    with pytest.raises(sunder.InputError, match="mode 3"):
        sunder.RobustCP(3, mode=3).fit(planted.tensor)


def test_pickle(planted):
    model = sunder.RobustCP(3).fit(planted.tensor)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.transform(planted.tensor), model.transform(planted.tensor))
