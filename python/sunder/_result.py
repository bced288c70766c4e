"""The result of decompose()."""

from __future__ import annotations

import html
import json
import math
import os
import weakref
from statistics import NormalDist
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _sunder
from ._arrays import as_tensor
from ._options import keyword_of
from ._parts import Parts, SparseTensor, text_of_shape
from ._sunder import InputError, OptionError


class Certificate(NamedTuple):
    """The evidence that a result is right, which convergence alone does not give.

    >>> Certificate("exact", "every slice is fitted").level
    'exact'
    """

    level: str  #: "none", "reproducible", "consistent" or "exact"
    explanation: str


class Intervals(NamedTuple):
    """Intervals that hold the true values with the probability `level`, if the fit is right.

    >>> import sunder
    >>> planted = sunder.generate((20, 20, 20), rank=2, noise=0.05, seed=3)
    >>> ranges = sunder.decompose(planted.tensor, rank=2).interval(0.9)
    >>> low, high = ranges.weights
    >>> bool((low < high).all()), ranges.level
    (True, 0.9)
    """

    level: float
    factors: List[Tuple[np.ndarray, np.ndarray]]  #: lower and upper ends, for each mode
    weights: Tuple[np.ndarray, np.ndarray]
    remark: str  #: what does not hold


class Result(Parts):
    """L and S of one run, with its outcome and certificate.

    >>> import sunder
    >>> planted = sunder.generate((20, 20, 20), rank=2, seed=3)
    >>> result = sunder.decompose(planted.tensor, rank=2)
    >>> result
    Result: 20 x 20 x 20, rank 2, robust-cp, converged, certified exact
      S: 795 entries (9.94%)
    >>> len(result.factors), result.factors[0].shape, result.weights.shape
    (3, (20, 2), (2,))
    >>> abs(result.low_rank(1, 2, 3) - planted.low_rank(1, 2, 3)) < 1e-10
    True
    """

    def __init__(self, core: _sunder.Decomposition, run: Dict[str, Any],
                 tensor: Optional[np.ndarray] = None, folder: Optional[str] = None):
        q = core.sparse_q
        super().__init__(core.low_rank, SparseTensor(core.sparse, q if q.size else None))
        self._core = core
        self._run = run
        self._folder = folder
        # The report shows slices of T while the caller keeps it; the result does not keep it alive.
        self._tensor = None if tensor is None else weakref.ref(tensor)

    @property
    def sparse(self) -> SparseTensor:
        """S. Of a tensor that was read part by part, it is read from the folder when asked for."""
        streamed = self._run.get("plan", (False,))[0]
        if not streamed or self._sparse.nnz == self._core.sparse_count:
            return self._sparse
        if self._folder is None:
            raise InputError("S was not kept, because the tensor was read part by part: "
                             "decompose(..., output=FOLDER) writes it to a folder")
        path = os.path.join(self._folder, "sparse_q.npy")
        q = np.load(path) if os.path.exists(path) else None
        self._sparse = SparseTensor(_sunder.read_parts(self._folder)[1], q)
        return self._sparse

    @property
    def sparse_count(self) -> int:
        """Number of entries of S, which is known even if S was not kept."""
        return self._core.sparse_count

    @property
    def folder(self) -> Optional[str]:
        """The folder that decompose(..., output=FOLDER) wrote, or None."""
        return self._folder

    @property
    def outcome(self) -> str:
        """"converged", "iteration_limit", "time_limit", "stalled", "ambiguous" or "cancelled"."""
        return self._core.outcome

    @property
    def converged(self) -> bool:
        return self.outcome == "converged"

    @property
    def certificate(self) -> Certificate:
        return Certificate(self._core.certified, self._core.explanation)

    @property
    def trace(self) -> List[Dict[str, Any]]:
        """One record for each outer iteration."""
        return self._core.trace

    @property
    def noise(self) -> Optional[Dict[str, Any]]:
        """The estimated noise, or None where L fits to rounding or the method estimates none.

        sigma            standard deviation in an average slice, where L is zero
        outlier_share    share of gross errors
        wide_share       share of the noise with three times the deviation
        linear_growth    g1, and square_growth is g2: the variance is
                         sigma**2 * (1 + g1 * x + g2 * x**2) with x = |L| / signal_size
        signal_size      root mean square of L
        slice_deviations deviation of every slice over that of an average one, for each mode
        edges            of the bins of residuals
        outlier_density  density of gross errors in each of these bins
        family           in words: "gaussian", "poisson", "proportional" or "t"
        nats             - log density for each observed entry
        """
        return json.loads(self._core.noise).get("noise")

    @property
    def slices(self) -> List[Dict[str, np.ndarray]]:
        """For each mode, how well the model explains every slice: inlier_share, deviation and
        excess, the casewise measure. Empty where the noise is not known."""
        return [{name: np.array(values) for name, values in mode.items()}
                for mode in json.loads(self._core.noise).get("slices", [])]

    @property
    def flagged_slices(self) -> List[Dict[str, Any]]:
        """The slices that do not obey the model as the others do, such as bad samples: mode, index,
        reason ("few inliers", "far more noise" or "another model") and the figures behind it; q is
        the share of good slices to expect among those that look at least as bad."""
        return json.loads(self._core.noise).get("flagged_slices", [])

    @property
    def false_discoveries(self) -> Optional[Dict[str, Any]]:
        """How S was told from noise, or None where it was found by another rule.

        level            the share of false entries of S that was asked for (the option fdr)
        expected         the share to expect
        null_family      how residuals over their deviation are distributed without errors: "normal"
                         or "t", with null_degrees of freedom (0: normal) and null_scale
        null_share       share of the entries whose residual is noise
        """
        return json.loads(self._core.noise).get("false_discoveries")

    def standard_errors(self) -> Optional[Tuple[List[np.ndarray], np.ndarray]]:
        """Of the factors, whose columns have length one, and of the weights. None where they are
        not known: without noise, or where L has too many unknowns."""
        known, factors, weights, _, _ = self._core.errors
        return (factors, weights) if known and factors else None

    def interval(self, level: float = 0.95) -> Intervals:
        """Intervals for the factors and the weights (docs/inference.md).

        Raises InputError, with the reason, where the errors are not known.
        """
        wide = self._quantile(level)
        known, factors, weights, _, remark = self._core.errors
        if not known or not factors:
            raise InputError(remark or "there are no intervals, because no noise was estimated")
        ends = [(u - wide * se, u + wide * se) for u, se in zip(self.factors, factors)]
        return Intervals(level, ends, (self.weights - wide * weights, self.weights + wide * weights),
                         remark)

    def entry_interval(self, indices: Any, level: float = 0.95) -> Tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends for entries of L, also for those that are missing in T. `indices`
        holds one list of indices for each mode, as numpy.nonzero returns them."""
        wide = self._quantile(level)
        known, _, _, covariance, remark = self._core.errors
        if not known:
            raise InputError(remark or "there are no intervals, because no noise was estimated")
        at = [np.atleast_1d(np.asarray(index, dtype=np.int64)) for index in indices]
        root = np.abs(self.weights) ** (1 / len(self.factors))
        rows = [factor[index] * root for factor, index in zip(self.factors, at)]
        sizes = np.cumsum([0] + [factor.size for factor in self.factors])
        places, slopes = [], []
        for mode, index in enumerate(at):
            others = [row for other, row in enumerate(rows) if other != mode]
            slopes.append(np.prod(others, axis=0))
            places.append(sizes[mode] + index[:, None] * self.rank + np.arange(self.rank))
        place, slope = np.concatenate(places, 1), np.concatenate(slopes, 1)
        error = np.sqrt(np.maximum(np.einsum(
            "ni,nij,nj->n", slope, covariance[place[:, :, None], place[:, None, :]], slope), 0))
        centre = np.prod(rows, axis=0).sum(1)
        return centre - wide * error, centre + wide * error

    @staticmethod
    def _quantile(level: float) -> float:
        if not 0 < level < 1:
            raise OptionError(f"level must lie between 0 and 1, but is {level}")
        return NormalDist().inv_cdf((1 + level) / 2)

    @property
    def method(self) -> str:
        return self._run["method"]

    @property
    def options(self) -> Dict[str, str]:
        """Every option of the method with its value, as keywords of decompose()."""
        return {keyword_of(name): value for name, value in self._run["options"].items()}

    @property
    def passes(self) -> int:
        """Complete reads of T."""
        return self._core.passes

    @property
    def entries_sampled(self) -> int:
        """Entries read besides those passes."""
        return self._core.entries_sampled

    @property
    def missing_count(self) -> int:
        """Entries of T that are NaN."""
        return self._core.missing_count

    @property
    def seconds(self) -> float:
        return self._core.seconds

    def summary(self) -> Dict[str, Any]:
        """Returns the summary that `sunder decompose --json` prints, as a dictionary."""
        return json.loads(_sunder.render_summary(self._core, self._run))

    def report(self, path: Any, tensor: Any = None) -> None:
        """Writes the interactive page. Slices are shown of `tensor`, or of T if it still exists."""
        _sunder.write_text(os.fspath(path), self._page(tensor))

    def _page(self, tensor: Any = None) -> str:
        if tensor is not None:
            tensor = as_tensor(tensor)
        elif self._tensor is not None:
            tensor = self._tensor()
        return _sunder.render_report(self._core, self._run, tensor)

    def __reduce__(self) -> Any:
        return (Result, (self._core, self._run, None, self._folder))

    def _sparse_in_words(self, unit: str = "") -> str:
        share = self.sparse_count / max(math.prod(self.shape), 1)
        return f"{self.sparse_count} {unit}({100 * share:.3g}%)"

    def _facts(self) -> List[Tuple[str, str]]:
        return [
            ("shape", text_of_shape(self.shape)),
            ("method", self.method),
            ("outcome", self.outcome),
            ("certified", self.certificate.level),
            ("rank", str(self.rank)),
            ("weights", ", ".join(f"{weight:.4g}" for weight in self.weights[:8])
             + (", ..." if self.rank > 8 else "")),
            ("entries in S", self._sparse_in_words()),
            ("passes", str(self.passes)),
            ("seconds", f"{self.seconds:.3g}"),
        ]

    def __repr__(self) -> str:
        return (f"Result: {text_of_shape(self.shape)}, rank {self.rank}, {self.method}, "
                f"{self.outcome}, certified {self.certificate.level}\n"
                f"  S: {self._sparse_in_words('entries ')}")

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                       f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
                       for name, value in self._facts())
        return (f"<table><caption>sunder: T = L + S</caption>{rows}</table>"
                f"<p>{html.escape(self.certificate.explanation)}</p>")
