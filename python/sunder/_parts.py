"""L and S, the two parts of every result and of every planted truth."""

from __future__ import annotations

import math
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _sunder
from ._sunder import InputError


class SparseTensor:
    """The sparse part: coordinates and values of its entries, in C order.

    >>> import sunder
    >>> S = sunder.SparseTensor.from_coo([[0, 1], [2, 0]], [5.0, -1.0], shape=(2, 3))
    >>> S
    SparseTensor: 2 x 3, 2 entries (33.3%)
    >>> S.to_dense()
    array([[ 0.,  0.,  5.],
           [-1.,  0.,  0.]])
    """

    def __init__(self, core: _sunder.SparseTensor, q: Optional[np.ndarray] = None):
        self._core = core
        self._q = q

    @classmethod
    def from_coo(cls, coords: Any, data: Any, shape: Sequence[int]) -> "SparseTensor":
        """Builds S from one row of indices for each mode and one value for each entry."""
        indices = np.asarray(coords, dtype=np.int64).reshape(len(shape), -1)
        values = np.asarray(data, dtype=np.float64).ravel()
        if values.size != indices.shape[1]:
            raise InputError(f"{indices.shape[1]} coordinates came with {values.size} values: "
                             "give one value for each")
        try:
            positions = np.ravel_multi_index(tuple(indices), tuple(shape))
        except ValueError as error:
            raise InputError(f"a coordinate lies outside the shape {tuple(shape)}") from error
        return cls(_sunder.SparseTensor(list(shape), positions, values))

    @property
    def shape(self) -> Tuple[int, ...]:
        return self._core.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of entries."""
        return self._core.positions.size

    @property
    def density(self) -> float:
        """The share of all entries of the tensor."""
        return self.nnz / max(math.prod(self.shape), 1)

    @property
    def positions(self) -> np.ndarray:
        """The position of each entry in the tensor raveled in C order; ascending, read-only."""
        return self._core.positions

    @property
    def coords(self) -> np.ndarray:
        """One row of indices for each mode."""
        if not self.shape:
            return np.zeros((0, self.nnz), dtype=np.int64)
        return np.stack(np.unravel_index(self.positions, self.shape)).astype(np.int64, copy=False)

    @property
    def data(self) -> np.ndarray:
        """The values, in the order of coords; read-only."""
        return self._core.values

    @property
    def q(self) -> Optional[np.ndarray]:
        """For each entry, the least false discovery rate (the option fdr) at which it is in S. None
        where no noise was estimated."""
        return self._q

    @property
    def norm(self) -> float:
        return self._core.norm

    def to_dense(self) -> np.ndarray:
        """Returns all entries of the tensor as an array."""
        dense = np.zeros(math.prod(self.shape))
        dense[self.positions] = self.data
        return dense.reshape(self.shape)

    todense = to_dense

    def to_scipy(self) -> Any:
        """Returns a scipy.sparse.coo_matrix; works only for a matrix."""
        from scipy.sparse import coo_matrix
        if self.ndim != 2:
            raise InputError(f"SciPy has sparse matrices only, but this is of order {self.ndim}")
        return coo_matrix((self.data, tuple(self.coords)), shape=self.shape)

    def __reduce__(self) -> Any:
        return (SparseTensor, (self._core, self._q))

    def __repr__(self) -> str:
        return (f"SparseTensor: {text_of_shape(self.shape)}, {self.nnz} entries "
                f"({100 * self.density:.3g}%)")


def text_of_shape(shape: Sequence[int]) -> str:
    return " x ".join(str(extent) for extent in shape)


def _rows(factor: np.ndarray, index: Any, mode: int) -> np.ndarray:
    if index is None or (not isinstance(index, slice) and np.ndim(index) > 1):
        raise IndexError(f"mode {mode}: an index is a whole number, a slice or a list of numbers")
    return factor[index]


def _full_index(index: Tuple[Any, ...], order: int) -> List[Any]:
    places = [k for k, part in enumerate(index) if part is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index can have one ellipsis only")
    missing = order - len(index) + len(places)
    if missing < 0:
        raise IndexError(f"{len(index)} indices for a tensor of order {order}")
    place = places[0] if places else len(index)
    return list(index[:place]) + [slice(None)] * missing + list(index[place + len(places):])


def _khatri_rao(matrices: Sequence[np.ndarray]) -> np.ndarray:
    product = matrices[0]
    for matrix in matrices[1:]:
        product = (product[:, None, :] * matrix[None, :, :]).reshape(-1, matrix.shape[1])
    return product


def _contract(weights: np.ndarray, matrices: Sequence[np.ndarray]) -> Any:
    """Returns sum_r weights[r] matrices[0][:, r] o ..., as a product of two similar halves."""
    if not matrices:
        return float(weights.sum())
    extents = [matrix.shape[0] for matrix in matrices]
    if len(matrices) == 1:
        return matrices[0] @ weights
    cut = min(range(1, len(extents)),
              key=lambda k: math.prod(extents[:k]) + math.prod(extents[k:]))
    left = _khatri_rao(matrices[:cut]) * weights
    return (left @ _khatri_rao(matrices[cut:]).T).reshape(extents)


class Parts:
    """A pair (L, S). L is stored as weights and factors and formed only on request.

    >>> import numpy as np, sunder
    >>> parts = sunder.Parts.from_cp([2.0], [np.ones((4, 1)), np.ones((3, 1)), np.ones((2, 1))])
    >>> parts.low_rank(0, slice(None), [1])
    array([[2.],
           [2.],
           [2.]])
    """

    def __init__(self, model: _sunder.CpModel, sparse: SparseTensor):
        self._model = model
        self._sparse = sparse
        self.weights: np.ndarray = model.weights
        self.factors: List[np.ndarray] = model.factors

    @classmethod
    def from_cp(cls, weights: Any, factors: Sequence[Any],
                sparse: Optional[SparseTensor] = None) -> "Parts":
        """Builds L from weights (None: ones) and one matrix of extent x rank for each mode."""
        arrays = [np.asarray(factor, dtype=np.float64) for factor in factors]
        if weights is None:
            weights = np.ones(arrays[0].shape[1] if arrays else 0)
        model = _sunder.CpModel(np.asarray(weights, dtype=np.float64), arrays)
        if sparse is None:
            shape = tuple(len(array) for array in arrays)
            sparse = SparseTensor.from_coo(np.zeros((len(shape), 0)), [], shape)
        return Parts(model, sparse)

    @property
    def sparse(self) -> SparseTensor:
        """S."""
        return self._sparse

    @property
    def shape(self) -> Tuple[int, ...]:
        return tuple(len(factor) for factor in self.factors)

    @property
    def rank(self) -> int:
        """The number of components of L."""
        return self.weights.size

    @property
    def cp(self) -> Tuple[np.ndarray, List[np.ndarray]]:
        """The pair (weights, factors), as tensorly.cp_tensor takes it."""
        return self.weights, self.factors

    def low_rank(self, *index: Any) -> Any:
        """Returns L at an index: one integer, slice or list of integers for each mode.

        Only the requested entries are computed: low_rank(3, 5, 7) is one entry, low_rank(..., 0)
        is the first slice of the last mode, and low_rank() is all of L. Lists select indices of
        each mode independently, as np.ix_ does.
        """
        if len(index) == 1 and isinstance(index[0], tuple):
            index = index[0]
        weights = self.weights
        kept = []
        for mode, part in enumerate(_full_index(index, len(self.factors))):
            rows = _rows(self.factors[mode], part, mode)
            if rows.ndim == 1:
                weights = weights * rows
            else:
                kept.append(rows)
        return _contract(weights, kept)

    def error(self, truth: "Parts") -> float:
        """Returns ||L - L*||_F / ||L*||_F, computed from the factors alone."""
        return self._model.distance(truth._model) / truth._model.norm

    def __reduce__(self) -> Any:
        return (Parts, (self._model, self.sparse))

    def __repr__(self) -> str:
        return (f"{type(self).__name__}: {text_of_shape(self.shape)}, rank {self.rank}, "
                f"{self.sparse.nnz} entries in S")
