"""Comparison of several methods on one tensor, under the same budget."""

from __future__ import annotations

import html
from types import SimpleNamespace
from typing import Any, Iterator, List, Optional, Sequence, Union

from . import _sunder
from ._arrays import as_tensor
from ._options import checked_seed, checked_threads, text_of
from ._parts import Parts
from ._progress import ProgressOption, listener


class Comparison:
    """One row for each method, best method first, and a sentence of advice."""

    def __init__(self, rows: List[SimpleNamespace], advice: str, corruption: str,
                 unevenness: float, overlap: float):
        self.rows = rows
        self.advice = advice
        self.corruption = corruption  #: the pattern of S: "blocks", "scattered", "too few"
        self.unevenness = unevenness
        self.overlap = overlap

    @property
    def best(self) -> str:
        """The name of the best method."""
        return self.rows[0].method

    def __iter__(self) -> Iterator[SimpleNamespace]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        lines = [f"{'method':<18}{'outcome':<17}{'error':>9} {'certified':>10} {'seconds':>8}"]
        for row in self.rows:
            lines.append(f"{row.method:<18}{row.status:<17}{_figure(row):>9} {row.certified:>10} "
                         f"{row.seconds:>8.2f}")
        return "\n".join(lines + [self.advice])

    def _repr_html_(self) -> str:
        body = "".join(
            f"<tr><td>{html.escape(row.method)}</td><td>{html.escape(row.status)}</td>"
            f"<td>{_figure(row)}</td><td>{html.escape(row.certified)}</td>"
            f"<td>{row.seconds:.2f}</td></tr>" for row in self.rows)
        return ("<table><tr><th>method</th><th>outcome</th><th>error</th><th>certified</th>"
                f"<th>seconds</th></tr>{body}</table><p>{html.escape(self.advice)}</p>")


def _figure(row: SimpleNamespace) -> str:
    error = row.held_out if row.error is None else row.error
    return "-" if error is None else f"{error:.2e}"


def compare(T: Any, rank: Union[int, str] = "auto", methods: Optional[Sequence[str]] = None, *,
            truth: Optional[Parts] = None, seed: int = 1, threads: int = 0,
            time_limit: float = 60.0, pass_limit: int = 0, held_out: float = 0.01,
            progress: ProgressOption = None) -> Comparison:
    """Runs several methods (all of them by default) and ranks them.

    With a truth, the error of L ranks the methods. Without one, a share `held_out` of the entries
    is hidden from them and ranks them; T is then copied. time_limit is in seconds per method, and
    pass_limit in passes over T (0: no limit).

    >>> import sunder
    >>> planted = sunder.generate((20, 20, 20), rank=2)
    >>> found = sunder.compare(planted.tensor, 2, ["rtd-als", "robust-cp"], truth=planted)
    >>> found.best, found.corruption
    ('robust-cp', 'scattered')
    """
    with listener(progress) as hear:
        found = _sunder.compare(
            as_tensor(T), text_of(rank), list(methods or ()), checked_seed(seed),
            checked_threads(threads), float(time_limit), int(pass_limit), float(held_out),
            None if truth is None else truth._model,
            None if truth is None else truth.sparse._core, hear)
    rows = [SimpleNamespace(**row) for row in found.pop("rows")]
    return Comparison(rows, **found)
