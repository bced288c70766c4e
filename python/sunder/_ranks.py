"""ranks(): how many components a tensor has."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Sequence

from . import _sunder
from ._arrays import as_tensor
from ._options import checked_seed, checked_threads
from ._progress import ProgressOption, listener


class RankStudy:
    """The figures of each rank, and the rank that they recommend.

    records      one dictionary for each rank: rank, nats, description (nats of data and unknowns),
                 core_consistency (percent), starts_agree and halves_agree (least cosine of
                 components), held_out_nats, blocks, outlier_share and sigma; None: not known
    recommended  the rank
    reason       why, in one sentence

    >>> import sunder
    >>> planted = sunder.generate((25, 25, 25), rank=2, density=0.1, noise=0.1)
    >>> study = sunder.ranks(planted.tensor)
    >>> study.recommended, [record["rank"] for record in study.records][:2]
    (2, [1, 2])
    """

    def __init__(self, figures: Dict[str, Any]):
        self.records: List[Dict[str, Any]] = figures["records"]
        self.recommended: int = figures["recommended"]
        self.reason: str = figures["reason"]
        self.seconds: float = figures["seconds"]

    def __repr__(self) -> str:
        return f"RankStudy: {self.recommended} recommended. {self.reason}"


def ranks(T: Any, most: int = 0, *, nonnegative: Sequence[int] = (), seed: int = 1,
          threads: int = 0, progress: ProgressOption = None) -> RankStudy:
    """Studies how many components T has, on a part of it.

    T is an array or the path of a file, as decompose() takes it.

    most         largest rank to try; 0: as many as it takes
    nonnegative  modes whose factors have no negative entry
    seed, threads, progress   as of decompose()

    >>> import sunder
    >>> planted = sunder.generate((30, 30, 30), rank=3, density=0.1, noise=0.1)
    >>> sunder.ranks(planted.tensor).recommended
    3
    """
    stored = isinstance(T, (str, os.PathLike))
    with listener(progress) as hear:
        figures = _sunder.ranks(None if stored else as_tensor(T), os.fspath(T) if stored else "",
                                int(most), [int(mode) for mode in nonnegative],
                                checked_seed(seed), checked_threads(threads), hear)
    return RankStudy(json.loads(figures))
