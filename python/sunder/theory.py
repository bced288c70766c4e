"""The conditions and guarantees of the paper, as numbers (docs/theory.md)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Dict, Union

from . import _sunder
from ._parts import Parts, SparseTensor


def _figures(found: Dict[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(**{name: _figures(value) if isinstance(value, dict) else value
                              for name, value in found.items()})


def incoherence(parts: Parts) -> SimpleNamespace:
    """Evaluates condition (L): mu, and the deviation of the components from orthogonality.

    >>> import sunder
    >>> planted = sunder.generate((30, 30, 30), rank=3, factors="orthonormal")
    >>> found = sunder.theory.incoherence(planted)
    >>> found.condition_holds, 1 <= found.mu <= 30 ** 0.5
    (True, True)
    """
    return _figures(_sunder.incoherence(parts._model))


def fibres(sparse: Union[Parts, SparseTensor]) -> SimpleNamespace:
    """Returns the largest number of non-zeros of S in a fibre, over all modes and by mode.

    >>> import sunder
    >>> S = sunder.SparseTensor.from_coo([[0, 0, 1], [0, 2, 1]], [1, 1, 1], shape=(2, 3))
    >>> sunder.theory.fibres(S).of_mode
    [1, 2]
    """
    return _figures(_sunder.measure_fibres(_sparse(sparse)))


def blocks(sparse: Union[Parts, SparseTensor], fill: float = 0.95,
           max_blocks: int = 1000) -> SimpleNamespace:
    """Finds the blocks of which the support of S consists.

    >>> import sunder
    >>> planted = sunder.generate((40, 40, 40), rank=2, support="block", blocks=3, density=0.2)
    >>> found = sunder.theory.blocks(planted)
    >>> len(found.blocks), found.coverage
    (3, 1.0)
    """
    return _figures(_sunder.find_blocks(_sparse(sparse), float(fill), int(max_blocks)))


def conditions(parts: Parts) -> SimpleNamespace:
    """Compares the pair with the limits of (L) and (S), where the paper's constants are 1.

    >>> import sunder
    >>> planted = sunder.generate((40, 40, 40), rank=2, density=0.01)
    >>> found = sunder.theory.conditions(planted)
    >>> found.fibre_tensor.measured == sunder.theory.fibres(planted).largest
    True
    """
    return _figures(_sunder.conditions(parts._model, parts.sparse._core))


def guarantees(estimate: Parts, truth: Parts, delta: float) -> SimpleNamespace:
    """Checks Theorem 1 on a result: compares each error with the bound for accuracy `delta`.

    >>> import sunder
    >>> planted = sunder.generate((30, 30, 30), rank=2, factors="orthonormal")
    >>> result = sunder.decompose(planted.tensor, rank=2)
    >>> sunder.theory.guarantees(result, planted, delta=1e-8).all_hold
    True
    """
    return _figures(_sunder.guarantees(estimate._model, estimate.sparse._core, truth._model,
                                       truth.sparse._core, float(delta)))


def spectral_norm(parts: Parts, seed: int = 1) -> float:
    """Returns a lower bound on the spectral norm of L + S, by power iteration from many starts.

    >>> import numpy as np, sunder
    >>> model = sunder.Parts.from_cp([3.0], [np.full((4, 1), 0.5)] * 3)
    >>> round(sunder.theory.spectral_norm(model), 9)
    3.0
    """
    return _sunder.spectral_norm(parts._model, parts.sparse._core, int(seed))


def tensor_advantage(n: float, rank: float) -> float:
    """Returns how many times denser S may be for tensor methods than for matrix methods.

    >>> import sunder
    >>> sunder.theory.tensor_advantage(10000, 2) > 1
    True
    """
    return _sunder.tensor_advantage(float(n), float(rank))


def _sparse(sparse: Union[Parts, SparseTensor]) -> _sunder.SparseTensor:
    return (sparse.sparse if isinstance(sparse, Parts) else sparse)._core
