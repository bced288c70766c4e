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


def test_columns_of_a_data_frame_have_names():
    pandas = pytest.importorskip("pandas")
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

    check_dataframe_column_names_consistency("RobustPCA", sunder.RobustPCA(n_components=1))
    planted = sunder.generate((60, 4), rank=1, density=0.05)
    frame = pandas.DataFrame(planted.tensor, columns=list("abcd"))
    model = sunder.RobustPCA(n_components=1).fit(frame)
    assert list(model.feature_names_in_) == list("abcd")
    assert list(model.get_feature_names_out()) == ["robustpca0"]
    with pytest.raises(sunder.InputError, match="same order"):
        model.transform(frame[list("badc")])
    assert not hasattr(model.fit(planted.tensor), "feature_names_in_")
