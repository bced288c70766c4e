"""Estimators with the contract of scikit-learn, which need not be installed.

A model is fitted once, robustly, and applied to new data. transform() regresses new slices onto
the fitted factors in a way that keeps gross errors out of the coefficients.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _sunder
from ._arrays import as_tensor, is_stored
from ._decompose import decompose
from ._feature_names import names_of, require_same_names
from ._options import checked_threads
from ._parts import SparseTensor, _contract
from ._sunder import InputError


class NotFittedError(ValueError, AttributeError):
    """transform() was called before fit(). If scikit-learn is loaded, its own class is raised."""


class _Estimator:
    """get_params, set_params and the other methods that scikit-learn expects of an estimator."""

    @classmethod
    def _parameters(cls) -> List[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Returns the current values of the constructor's parameters."""
        return {name: getattr(self, name) for name in self._parameters()}

    def set_params(self, **params: Any) -> Any:
        known = self._parameters()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"{name} is not a parameter of {type(self).__name__}, which has "
                                 f"{', '.join(known)}")
            setattr(self, name, value)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Calls fit(), then transform() on the same data."""
        return self.fit(X, y).transform(X)  # type: ignore[attr-defined]

    def _require_fitted(self) -> None:
        if hasattr(self, "result_"):
            return
        kind: Any = NotFittedError
        if "sklearn" in sys.modules:
            from sklearn.exceptions import NotFittedError as kind
        raise kind(f"this {type(self).__name__} is not fitted yet: call fit() first")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "result_")

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "requires_y": False}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags
        return Tags(estimator_type=None, target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(), input_tags=InputTags(allow_nan=True))

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [f"{name}={value!r}" for name, value in self.get_params().items()
                 if value is not defaults[name].default and value != defaults[name].default]
        return f"{type(self).__name__}({', '.join(given)})"


def _as_numbers(data: Any) -> np.ndarray:
    """Returns an array that decompose() accepts; converting other number types copies the data."""
    array = as_tensor(data)
    if np.iscomplexobj(array):
        raise InputError("Complex data not supported: give array.real or abs(array)")
    return array if is_stored(array) else array.astype(np.float64)


def _relative_error(array: np.ndarray, fitted: np.ndarray) -> float:
    """Returns median |T - L| over median |T|, which ignores gross errors and missing entries."""
    size = np.nanmedian(np.abs(array))
    error = np.nanmedian(np.abs(array - fitted))
    return float(error / size) if size > 0 else (0.0 if error == 0 else np.inf)


class RobustCP(_Estimator):
    """A robust CP model of the slices along one mode, in which new slices can be expressed.

    rank         number of components, or "auto"
    mode         the mode along which slices are counted, as samples are in scikit-learn
    method, seed, threads, options   as in decompose(); options is a dictionary
    noise_width  for transform(): S holds residuals of at least this many standard deviations

    After fit(): result_, weights_, factors_, sparse_, rank_.

    >>> import numpy as np, sunder
    >>> planted = sunder.generate((60, 20, 20), rank=3, density=0.2)
    >>> model = sunder.RobustCP(rank=3).fit(planted.tensor[:50])
    >>> coefficients, S = model.transform(planted.tensor[50:], return_sparse=True)
    >>> coefficients.shape, S.shape
    ((10, 3), (10, 20, 20))
    >>> np.allclose(model.inverse_transform(coefficients), planted.low_rank()[50:])
    True
    """

    def __init__(self, rank: Union[int, str] = "auto", *, mode: int = 0,
                 method: str = "robust-cp", noise_width: float = 4.0, seed: int = 1,
                 threads: int = 0, options: Optional[Dict[str, Any]] = None):
        self.rank = rank
        self.mode = mode
        self.method = method
        self.noise_width = noise_width
        self.seed = seed
        self.threads = threads
        self.options = options

    def fit(self, T: Any, y: Any = None) -> "RobustCP":
        """Decomposes T; y is ignored."""
        array = _as_numbers(T)
        self._axis(array.ndim)
        self.result_ = decompose(array, self.rank, self.method, seed=self.seed,
                                 threads=self.threads, **(self.options or {}))
        self.weights_, self.factors_ = self.result_.cp
        self.sparse_ = self.result_.sparse
        self.rank_ = self.result_.rank
        return self

    def transform(self, T: Any, return_sparse: bool = False
                  ) -> Union[np.ndarray, Tuple[np.ndarray, SparseTensor]]:
        """Returns the coefficients of new slices, slices x rank, and with return_sparse their S.

        Slice t is the sum of coefficients[t, i] times component i of the other modes, whose columns
        have unit length, plus S. A slice with fewer observed entries than components gives NaN.
        """
        coefficients, sparse, _ = self._regress(_as_numbers(T))
        return (coefficients, sparse) if return_sparse else coefficients

    def inverse_transform(self, coefficients: Any) -> np.ndarray:
        """Returns L of slices with these coefficients."""
        self._require_fitted()
        matrices = list(self.factors_)
        matrices[self._axis(len(matrices))] = np.asarray(coefficients, dtype=np.float64)
        return _contract(np.ones(self.rank_), matrices)

    def score(self, T: Any, y: Any = None) -> float:
        """Returns 1 - median |T - L| / median |T| on new slices; 1 is best."""
        array = _as_numbers(T)
        return 1 - _relative_error(array, self.inverse_transform(self.transform(array)))

    def _axis(self, order: int) -> int:
        if not -order <= self.mode < order:
            raise InputError(f"mode {self.mode} is not one of a tensor of order {order}")
        return self.mode % order

    def _regress(self, array: np.ndarray) -> Tuple[np.ndarray, SparseTensor, np.ndarray]:
        self._require_fitted()
        axis = self._axis(len(self.factors_))
        others = [factor for mode, factor in enumerate(self.factors_) if mode != axis]
        coefficients, sparse, residual, _ = _sunder.transform(
            others, axis, array, float(self.noise_width), checked_threads(self.threads), None)
        return coefficients, SparseTensor(sparse), residual


class RobustPCA(_Estimator):
    """Robust principal components of a matrix, samples x features; no mean is subtracted.

    n_components  number of components, or "auto"
    method, seed, threads, options, noise_width   as in RobustCP

    After fit(): components_ (orthonormal rows, the strongest first), singular_values_,
    n_components_, n_features_in_, result_, sparse_, and feature_names_in_ if X was a data frame.

    >>> import numpy as np, sunder
    >>> planted = sunder.generate((80, 60), rank=3, density=0.1)
    >>> model = sunder.RobustPCA(n_components=3).fit(planted.tensor)
    >>> model.components_.shape
    (3, 60)
    >>> np.allclose(model.inverse_transform(model.transform(planted.tensor)), planted.low_rank())
    True
    """

    def __init__(self, n_components: Union[int, str] = "auto", *, method: str = "robust-cp",
                 noise_width: float = 4.0, seed: int = 1, threads: int = 0,
                 options: Optional[Dict[str, Any]] = None):
        self.n_components = n_components
        self.method = method
        self.noise_width = noise_width
        self.seed = seed
        self.threads = threads
        self.options = options

    def fit(self, X: Any, y: Any = None) -> "RobustPCA":
        """Decomposes X; y is ignored."""
        array = self._matrix(X)
        result = decompose(array, self.n_components, self.method, seed=self.seed,
                           threads=self.threads, **(self.options or {}))
        left, right = (np.linalg.qr(factor) for factor in result.factors)
        core = (left[1] * result.weights) @ right[1].T
        _, self.singular_values_, turned = np.linalg.svd(core)
        # There are fewer than the components of L if those are linearly dependent.
        self.singular_values_ = self.singular_values_[:result.rank]
        self.components_ = _signed(turned[:result.rank] @ right[0].T)
        self.n_components_ = len(self.components_)
        self.n_features_in_ = array.shape[1]
        self._keep_names(X)
        self.result_ = result
        self.sparse_ = result.sparse
        return self

    def transform(self, X: Any, return_sparse: bool = False
                  ) -> Union[np.ndarray, Tuple[np.ndarray, SparseTensor]]:
        """Returns the coefficients of new samples by robust regression, and on request their S."""
        self._require_fitted()
        require_same_names(getattr(self, "feature_names_in_", None), X)
        array = self._matrix(X)
        if array.shape[1] != self.n_features_in_:
            raise InputError(f"X has {array.shape[1]} features, but {type(self).__name__} is "
                             f"expecting {self.n_features_in_} features as input")
        coefficients, sparse, _, _ = _sunder.transform(
            [self.components_.T], 0, array, float(self.noise_width),
            checked_threads(self.threads), None)
        return (coefficients, SparseTensor(sparse)) if return_sparse else coefficients

    def inverse_transform(self, coefficients: Any) -> np.ndarray:
        """Returns L of samples with these coefficients."""
        self._require_fitted()
        return np.asarray(coefficients, dtype=np.float64) @ self.components_

    def score(self, X: Any, y: Any = None) -> float:
        """Returns 1 - median |X - L| / median |X| on new samples; 1 is best."""
        fitted = self.inverse_transform(self.transform(X))
        return 1 - _relative_error(self._matrix(X), fitted)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Returns the names of the coefficients: robustpca0, robustpca1, ..."""
        self._require_fitted()
        return np.asarray([f"robustpca{k}" for k in range(self.n_components_)], dtype=object)

    def _keep_names(self, X: Any) -> None:
        names = names_of(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):  # left by an earlier fit
            del self.feature_names_in_

    @staticmethod
    def _matrix(X: Any) -> np.ndarray:
        array = _as_numbers(X)
        if array.ndim != 2:
            raise InputError(f"expected a matrix, samples x features, but an array of "
                             f"{array.ndim} dimensions came. Reshape your data: array.reshape(1, "
                             "-1) for one sample, array.reshape(-1, 1) for one feature")
        for count, what in zip(array.shape, ("sample(s)", "feature(s)")):
            if count == 0:
                raise InputError(f"Found array with 0 {what} (shape={array.shape}) while a "
                                 "minimum of 1 is required.")
        return array


def _signed(components: np.ndarray) -> np.ndarray:
    """Makes the largest entry of every row positive, because an SVD leaves the signs open."""
    if components.size == 0:
        return components
    largest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    return components * np.where(signs == 0, 1, signs)[:, None]
