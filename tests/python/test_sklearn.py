"""scikit-learn's own checks of the contract, where it is installed."""

import numpy as np
import pytest

import sunder

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402


@parametrize_with_checks([sunder.RobustPCA(), sunder.RobustPCA(n_components=1)])
def test_contract(estimator, check):
    check(estimator)


def test_clone_and_pipeline():
    planted = sunder.generate((60, 40), rank=2, density=0.05)
    model = clone(sunder.RobustPCA(n_components=2, seed=3))
    assert model.get_params()["seed"] == 3
    found = make_pipeline(model).fit_transform(planted.tensor)
    assert np.allclose(found, sunder.RobustPCA(2, seed=3).fit_transform(planted.tensor))
    assert clone(sunder.RobustCP(4)).rank == 4
