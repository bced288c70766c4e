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
             magnitude: float = 1.0, factors: str = "gaussian",
             weights: Union[str, float, Sequence[float]] = "ones", zero_rows: float = 0.0,
             collinear: float = 0.0, peaks: float = 0.0, sparse_factors: float = 0.0,
             heavy: float = 1.0, offset: float = 0.0, symmetric: bool = False, noise: float = 0.0,
             noise_model: str = "gaussian", missing: float = 0.0, dropout: float = 0.0,
             saturate: Sequence[float] = (0.0, 1.0), bad_samples: float = 0.0,
             bad_kind: str = "garbage", rotate: float = 0.0, change_at: int = 0,
             dtype: Any = "f64", seed: int = 1, progress: ProgressOption = None) -> Planted:
    """Generates a corrupted low-rank tensor with its truth, bit for bit as `sunder generate` does.

    density    probability of an entry of S, or of an index of a block
    support    support of S: "uniform", "block" (`blocks` of them) or "none"
    signs      signs of S: "one", "random"
    magnitude  factor on the values of S, which are about as large as those of L
    factors    "gaussian", "orthonormal", "nonnegative"
    weights    "ones", "uniform" in (1, 2), "decaying" from 1 to 0.2, "geometric" from 1 to 0.01; or
               the ratio of each to the one before; or one number for each component
    zero_rows  probability that a row of a factor is zero
    noise      standard deviation, in units of the rms of L
    missing    share of the entries that are NaN
    rotate     degrees by which the factors turn from one slice of the last mode to the next
    change_at  slice of the last mode at which the factors change; 0: never
    dtype      "f64" or "f32", or the NumPy name of either

    These options make the tensor more like real data:

    collinear       cosine of each two columns of a factor, in all modes
    peaks           width of the single peak of every column, over the extent; mode 0 holds amounts
    sparse_factors  share of the entries of the factors that are not zero but positive
    heavy           factor on a twentieth of the rows of every factor
    offset          a constant that is a further component, in units of the rms of the others
    noise_model     "gaussian", "hetero" (another deviation in every slice), "proportional" to the
                    signal, "poisson" (counts) or "t" (with 3 degrees of freedom)
    dropout         share of the entries that are zero instead of their value
    saturate        the quantiles at which the data are cut off below and above
    bad_samples     share of the slices of mode 0 that do not obey the model: they are random numbers
                    if `bad_kind` is "garbage", and follow another model if it is "model"

    >>> import sunder
    >>> sunder.generate((20, 10, 10), rank=2, support="block", blocks=2, density=0.3)
    Planted: 20 x 10 x 10, rank 2, 167 entries in S
    """
    low, high = saturate
    options = dict(shape=[int(extent) for extent in shape], rank=int(rank), density=float(density),
                   support=str(support), blocks=int(blocks), signs=str(signs),
                   magnitude=float(magnitude), factors=str(factors),
                   weights=weights if isinstance(weights, str) else "ones",
                   weight_list=[] if isinstance(weights, str)
                   else [float(weight) for weight in np.atleast_1d(weights)],
                   zero_rows=float(zero_rows), collinear=float(collinear), peaks=float(peaks),
                   sparse_factors=float(sparse_factors), heavy=float(heavy), offset=float(offset),
                   symmetric=bool(symmetric), noise=float(noise), noise_model=str(noise_model),
                   missing=float(missing), dropout=float(dropout),
                   saturate=(float(low), float(high)),
                   bad_samples=float(bad_samples), bad_kind=str(bad_kind),
                   rotate=float(rotate), change_at=int(change_at),
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
