"""decompose(): the main function."""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Union

from . import _sunder
from ._arrays import as_tensor
from ._options import checked_seed, checked_threads, keyword_of, table, text_of, texts_of
from ._parts import Parts
from ._progress import ProgressOption, listener
from ._result import Result


def decompose(T: Any, rank: Union[int, str] = "auto", method: str = "robust-cp", *, seed: int = 1,
              threads: int = 0, group: Optional[Sequence[int]] = None,
              truth: Optional[Parts] = None, sparse: bool = True,
              progress: ProgressOption = None, **options: Any) -> Result:
    """Splits a tensor T of order 2 to 8 into a low-rank part L and a sparse part S.

    T is read where it lies, without a copy: float64, float32, uint8, uint16, int16, int32 or bool,
    in any order and with any strides, read-only or memory-mapped. NaN marks a missing entry.

    rank      number of components of L; "auto" lets the method choose, where it can
    method    how to decompose, one of the names below
    seed      the same T, options and seed give the same bits, here and on the command line
    threads   0: one for each processor; never changes the result
    group     modes to treat as one, as in (0, 1) for video as pixels x time
    truth     the true L, for methods that are told it (rtd-whiten-true)
    sparse    False: S is not listed, which saves memory
    progress  True for a bar (needs tqdm), or a function of a Progress, which cancels by False
    options   those of the method, as below

    Raises OptionError or InputError, both ValueErrors, with the sentence of the command line. How
    the numbers went is no exception: see Result.outcome and Result.certificate.

    >>> import sunder
    >>> planted = sunder.generate((30, 30, 30), rank=3, density=0.1)
    >>> result = sunder.decompose(planted.tensor, rank=3, noise_width=5)
    >>> result.error(planted) < 1e-10, result.sparse.nnz == planted.sparse.nnz
    (True, True)
    """
    tensor = as_tensor(T)
    with listener(progress) as hear:
        core, run = _sunder.decompose(
            tensor, text_of(rank), str(method), texts_of(options), checked_seed(seed),
            checked_threads(threads), [int(mode) for mode in group or ()],
            None if truth is None else truth._model, bool(sparse), hear)
    return Result(core, run, tensor)


def methods() -> Dict[str, Dict[str, Any]]:
    """Every method, the default first: its summary, and its options with default and meaning.

    >>> import sunder
    >>> list(sunder.methods())[:2]
    ['robust-cp', 'rtd-als']
    >>> sunder.methods()["robust-cp"]["options"]["noise_width"]["default"]
    '4'
    """
    return {
        name: {
            "summary": _sunder.method_summary(name),
            "options": {
                keyword_of(option["name"]): {"default": option["default"],
                                             "meaning": option["meaning"]}
                for option in _sunder.method_options(name)
            },
        }
        for name in _sunder.method_names()
    }


decompose.__doc__ = f"{decompose.__doc__}\n    Methods and their options:\n{table()}\n"
