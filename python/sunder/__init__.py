"""sunder splits a corrupted tensor T into a low-rank part L and a sparse part S, T = L + S.

>>> import sunder
>>> planted = sunder.generate((40, 30, 20), rank=3, density=0.2)
>>> result = sunder.decompose(planted.tensor, rank=3)
>>> result.outcome, result.certificate.level
('converged', 'exact')
>>> result.error(planted) < 1e-10
True
"""

from . import theory, video
from ._compare import Comparison, compare
from ._complete import complete
from ._data import Planted, generate, read, write
from ._decompose import decompose, methods
from ._parts import Parts, SparseTensor
from ._progress import Progress
from ._ranks import RankStudy, ranks
from ._result import Certificate, Intervals, Result
from ._sunder import (Cancelled, Error, InputError, OptionError, OutputError, WriteError)
from ._sunder import version as __version__
from .estimators import NotFittedError, RobustCP, RobustPCA

for _error in (Cancelled, Error, InputError, OptionError, OutputError, WriteError):
    _error.__module__ = "sunder"

__all__ = [
    "Cancelled", "Certificate", "Comparison", "Error", "InputError", "Intervals", "NotFittedError",
    "OptionError", "OutputError", "Parts", "Planted", "Progress", "RankStudy", "Result", "RobustCP",
    "RobustPCA", "SparseTensor", "WriteError", "__version__", "compare", "complete", "decompose",
    "generate", "methods", "ranks", "read", "theory", "video", "write",
]
