"""Column names of data frames. The messages are those of scikit-learn."""

from __future__ import annotations

from typing import Any, List, Optional

import numpy as np

from ._sunder import InputError


def names_of(X: Any) -> Optional[np.ndarray]:
    """Returns the column names of a data frame if they are all strings, otherwise None."""
    columns = getattr(X, "columns", None)
    if columns is None or len(columns) == 0:
        return None
    names = np.asarray(list(columns), dtype=object)
    return names if all(isinstance(name, str) for name in names) else None


def require_same_names(fitted: Optional[np.ndarray], X: Any) -> None:
    """Raises InputError if the columns differ: reordered columns would be silently misread."""
    given = names_of(X)
    if fitted is None or given is None or list(fitted) == list(given):
        return
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    lines = ["The feature names should match those that were passed during fit."]
    if unseen:
        lines += ["Feature names unseen at fit time:", *_some(unseen)]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:", *_some(missing)]
    if not unseen and not missing:
        lines += ["Feature names must be in the same order as they were in fit."]
    raise InputError("\n".join(lines) + "\n")


def _some(names: List[str], most: int = 5) -> List[str]:
    return [f"- {name}" for name in names[:most]] + (["- ..."] if len(names) > most else [])
