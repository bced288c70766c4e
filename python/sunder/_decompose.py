"""decompose(): the main function."""

from __future__ import annotations

import os
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
              memory: Union[None, int, str] = None, max_seconds: float = 0,
              checkpoint: Any = None, resume: Any = None, checkpoint_interval: float = 30,
              output: Any = None, force: bool = False,
              progress: ProgressOption = None, **options: Any) -> Result:
    """Splits a tensor T of order 2 to 8 into a low-rank part L and a sparse part S.

    T is an array or the path of a file. An array is read where it lies, without a copy: float64,
    float32, uint8, uint16, int16, int32 or bool, in any order and with any strides, read-only or
    memory-mapped. A file is one that read() takes; it may be larger than memory. NaN marks a
    missing entry.

    rank      number of components of L; "auto" lets the method choose, where it can
    method    how to decompose, one of the names below
    seed      the same T, options and seed give the same bits, here and on the command line
    threads   0: one for each processor; never changes the result
    group     modes to treat as one, as in (0, 1) for video as pixels x time
    truth     the true L, for methods that are told it (rtd-whiten-true)
    sparse    False: S is not listed, which saves memory
    memory    of a file: bytes that the process may use, as in "500M" or 2**30; a larger tensor is
              read part by part, and S goes to `output` only; None: 80% of what is free
    max_seconds  the best so far is given after this time; 0: no limit
    checkpoint, resume   folder to keep the state of the work in: of a new run, or of one that was
              interrupted and goes on; checkpoint_interval seconds lie between two states at least
    output    folder for the files of the result, its report and its summary
    force     replace a result or a checkpoint that is already there
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
    stored = isinstance(T, (str, os.PathLike))
    tensor = None if stored else as_tensor(T)
    job = dict(input=os.fspath(T) if stored else "an array in memory", rank=text_of(rank),
               method=str(method), options=texts_of(options), seed=checked_seed(seed),
               threads=checked_threads(threads), group=[int(mode) for mode in group or ()],
               memory="" if memory is None else text_of(memory), max_seconds=float(max_seconds),
               checkpoint=_folder(checkpoint), resume=_folder(resume),
               checkpoint_interval=float(checkpoint_interval), output=_folder(output),
               force=bool(force), keep_sparse=bool(sparse))
    with listener(progress) as hear:
        core, run, folder = _sunder.decompose(tensor, job, None if truth is None else truth._model,
                                              hear)
    return Result(core, run, tensor, folder or None)


def _folder(path: Any) -> str:
    return "" if path is None else os.fspath(path)


def methods() -> Dict[str, Dict[str, Any]]:
    """Every method, the default first: its summary, and its options with default and meaning.

    >>> import sunder
    >>> list(sunder.methods())[:2]
    ['robust-cp', 'rtd-als']
    >>> sunder.methods()["robust-cp"]["options"]["noise_width"]["default"]
    '0'
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
