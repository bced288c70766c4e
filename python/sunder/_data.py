"""Tensors with a known truth, and files of tensors and results."""

from __future__ import annotations

import os
from typing import Any, Sequence, Union

import numpy as np

from . import _sunder
from ._arrays import as_tensor
from ._options import checked_seed
from ._parts import Parts, SparseTensor
from ._progress import ProgressOption, listener
from ._result import Result
from ._sunder import InputError


class Planted(Parts):
    """A tensor, with the L and S from which it was generated.

    >>> import numpy as np, sunder
    >>> planted = sunder.generate((6, 5, 4), rank=2)
    >>> np.allclose(planted.tensor, planted.low_rank() + planted.sparse.to_dense())
    True
    """

    def __init__(self, tensor: np.ndarray, model: _sunder.CpModel, sparse: SparseTensor):
        super().__init__(model, sparse)
        self.tensor = tensor

    def __reduce__(self) -> Any:
        return (Planted, (self.tensor, self._model, self.sparse))


def generate(shape: Sequence[int] = (100, 100, 100), rank: int = 5, *, density: float = 0.1,
             support: str = "uniform", blocks: int = 10, signs: str = "one",
             magnitude: float = 1.0, factors: str = "gaussian", weights: str = "ones",
             zero_rows: float = 0.0, symmetric: bool = False, noise: float = 0.0,
             missing: float = 0.0, rotate: float = 0.0, change_at: int = 0, dtype: Any = "f64",
             seed: int = 1, progress: ProgressOption = None) -> Planted:
    """Generates a corrupted low-rank tensor with its truth, bit for bit as `sunder generate` does.

    density    probability of an entry of S, or of an index of a block
    support    support of S: "uniform", "block" (`blocks` of them) or "none"
    signs      signs of S: "one", "random"
    magnitude  factor on the values of S, which are about as large as those of L
    factors    "gaussian", "orthonormal"
    weights    "ones", "uniform" in (1, 2), "decaying" from 1 to 0.2
    zero_rows  probability that a row of a factor is zero
    noise      standard deviation, in units of the rms of L
    missing    share of the entries that are NaN
    rotate     degrees by which the factors turn from one slice of the last mode to the next
    change_at  slice of the last mode at which the factors change; 0: never
    dtype      "f64" or "f32", or the NumPy name of either

    >>> import sunder
    >>> sunder.generate((20, 10, 10), rank=2, support="block", blocks=2, density=0.3)
    Planted: 20 x 10 x 10, rank 2, 167 entries in S
    """
    options = dict(shape=[int(extent) for extent in shape], rank=int(rank), density=float(density),
                   support=str(support), blocks=int(blocks), signs=str(signs),
                   magnitude=float(magnitude), factors=str(factors), weights=str(weights),
                   zero_rows=float(zero_rows), symmetric=bool(symmetric), noise=float(noise),
                   missing=float(missing), rotate=float(rotate), change_at=int(change_at),
                   dtype=_short_name(dtype), seed=checked_seed(seed))
    with listener(progress) as hear:
        tensor, model, sparse = _sunder.generate(options, hear)
    return Planted(tensor, model, SparseTensor(sparse))


def _short_name(dtype: Any) -> str:
    if isinstance(dtype, str) and dtype in ("f64", "f32"):
        return dtype
    try:
        name = np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    return {"float64": "f64", "float32": "f32"}.get(name, name)


def read(path: Any) -> Union[np.ndarray, Result, Parts]:
    """Reads a tensor from a file, or a result from a folder.

    Files: .npy (mapped, not read), a variable of a .mat file (FILE.mat:NAME), an HDF5 dataset
    (FILE.h5:/GROUP/NAME), or a video. The array is read-only. Folders: one that
    `sunder decompose -o` or write() wrote gives a Result, a truth of `sunder generate` gives Parts.

    >>> import os, tempfile, numpy as np, sunder
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "T.npy")
    >>> sunder.write(path, np.ones((2, 3), dtype=np.float32))
    >>> sunder.read(path)
    array([[1., 1., 1.],
           [1., 1., 1.]], dtype=float32)
    """
    location = os.fspath(path)
    if not os.path.isdir(location):
        return _sunder.read_tensor(location)
    try:
        return Result(*_sunder.read_result(location))
    except InputError:
        model, sparse = _sunder.read_parts(location)
        return Parts(model, SparseTensor(sparse))


def write(path: Any, data: Any, *, tensor: Any = None, force: bool = False) -> None:
    """Writes a Result into a folder as `sunder decompose -o` does, or an array into a .npy file.

    tensor   T of a Result, for the slices in report.html; not needed while T exists
    force    replace a result that is already in the folder

    >>> import os, tempfile, sunder
    >>> planted = sunder.generate((10, 10, 10), rank=1)
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "result")
    >>> sunder.write(path, sunder.decompose(planted.tensor, rank=1))
    >>> sunder.read(path).error(planted) < 1e-10
    True
    """
    location = os.fspath(path)
    if isinstance(data, Result):
        _sunder.write_result(location, data._core, data._run, data._page(tensor), bool(force))
    elif isinstance(data, Parts):
        raise InputError("write() takes a Result or an array; of a planted tensor write .tensor")
    else:
        _sunder.write_tensor(location, as_tensor(data))
