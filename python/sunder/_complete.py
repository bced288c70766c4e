"""complete(): fills gaps."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

import numpy as np

from . import _sunder
from ._arrays import as_tensor
from ._options import checked_seed, checked_threads, text_of
from ._progress import ProgressOption, listener


def complete(T: Any, rank: Union[int, str] = "auto", *, missing: Optional[float] = None,
             replace_errors: bool = False, smooth: Any = "auto", seed: int = 1, threads: int = 0,
             progress: ProgressOption = None) -> np.ndarray:
    """Returns T with its missing entries filled, as float64. Entries that are known stay.

    T is an array or the path of a file, as decompose() takes it. NaN marks a missing entry.

    rank      number of components of L; "auto" is generous, which does no harm here
    missing   entries of this value are missing as well, as in missing=0
    replace_errors  True: gross errors, the entries of S, are replaced too
    smooth    modes along which neighbouring rows are alike, as in smooth=(1, 2), "none", or "auto":
              the data decide
    seed, threads, progress   as of decompose()

    >>> import numpy as np, sunder
    >>> planted = sunder.generate((30, 25, 20), rank=2, density=0.05)
    >>> T = planted.tensor.copy()
    >>> T[3, 4, 5:9] = np.nan
    >>> filled = sunder.complete(T, rank=2)
    >>> bool(np.allclose(filled[3, 4, 5:9], planted.low_rank(3, 4)[5:9]))
    True
    """
    stored = isinstance(T, (str, os.PathLike))
    job = dict(input=os.fspath(T) if stored else "an array in memory", rank=text_of(rank),
               missing=None if missing is None else float(missing),
               replace_errors=bool(replace_errors), smooth=text_of(smooth), seed=checked_seed(seed),
               threads=checked_threads(threads))
    with listener(progress) as hear:
        return _sunder.complete(None if stored else as_tensor(T), job, hear)
