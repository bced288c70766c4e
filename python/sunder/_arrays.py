"""Conversion of the user's data to arrays that the library can read."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._sunder import InputError

STORED = ("f8", "f4", "u1", "u2", "i2", "i4", "b1")


def as_tensor(data: Any) -> np.ndarray:
    """Returns an ndarray unchanged, without a copy, and converts anything else with NumPy."""
    if isinstance(data, np.ma.MaskedArray):
        raise InputError("the array is masked; mark missing entries by NaN: array.filled(np.nan)")
    if hasattr(data, "toarray"):
        raise InputError("the data are a sparse matrix; sunder needs dense data: data.toarray()")
    return np.asarray(data)


def is_stored(array: np.ndarray) -> bool:
    """Returns True if the library reads this type without a conversion."""
    return array.dtype.isnative and array.dtype.str[1:] in STORED
