"""Progress of long-running work: silent, through tqdm, or through a function."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union


class Progress(NamedTuple):
    """The argument of a progress function, which cancels the work by returning False.

    >>> Progress("core", 0.25, 1, None).stage
    'core'
    """

    stage: str
    fraction: Optional[float]
    passes: int
    residual: Optional[float]


ProgressOption = Union[None, bool, Callable[[Progress], Any]]


@contextlib.contextmanager
def listener(progress: ProgressOption) -> Iterator[Optional[Callable[..., Any]]]:
    """Yields the function that the module calls, for progress=None, True (tqdm) or a callable."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        yield lambda *figures: progress(Progress(*figures))
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    form = "{desc} {percentage:3.0f}%|{bar}| {elapsed}"
    with tqdm(total=1.0, bar_format=form, leave=False) as bar:
        def show(stage: str, fraction: Optional[float], _passes: int, _residual: Any) -> None:
            bar.set_description_str(stage, refresh=False)
            bar.n = bar.n if fraction is None else fraction
            bar.refresh()

        yield show
