"""Moving objects in front of a static background, frame by frame (docs/methods/video.md)."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any, List

import numpy as np

from . import _sunder


class Background:
    """An online model of the background: push() takes frames and returns masks and backgrounds.

    Frames are height x width or height x width x 3, of uint8 or uint16, all alike. A decision has
    mask (uint8, 255 for an object), background (like the frame), gain, object_share and shift.

    >>> import numpy as np
    >>> from sunder.video import Background
    >>> rng = np.random.default_rng(1)
    >>> scene = rng.integers(40, 200, (48, 64)).astype(np.uint8)
    >>> background = Background(warm_up=10)
    >>> decisions = []
    >>> for t in range(20):
    ...     frame = scene.copy()
    ...     frame[10:20, 2 * t:2 * t + 10] = 255
    ...     decisions += background.push(frame)
    >>> len(decisions), bool(decisions[15].mask[15, 35]), bool(decisions[15].mask[40, 5])
    (20, True, False)
    """

    def __init__(self, *, interval: float = 0.4, least_noise: float = 5.0,
                 most_noise: float = 40.0, saturation: float = 25.0, threshold: float = 10.5,
                 smallest_object: float = 5e-4, largest_hole: float = 2e-3, warm_up: int = 25,
                 memory: int = 100, align: bool = True, threads: int = 1):
        self._core = _sunder.Background(dict(
            interval=float(interval), least_noise=float(least_noise),
            most_noise=float(most_noise), saturation=float(saturation),
            threshold=float(threshold), smallest_object=float(smallest_object),
            largest_hole=float(largest_hole), warm_up=int(warm_up), memory=int(memory),
            align=bool(align), threads=int(threads)))

    def push(self, frame: Any) -> List[SimpleNamespace]:
        """Returns the decisions that this frame makes possible.

        There are none while the model warms up; then one for each frame so far; then one per call.
        """
        return [SimpleNamespace(**found) for found in self._core.push(np.asarray(frame))]

    def finish(self) -> List[SimpleNamespace]:
        """Returns the decisions on a clip that ended before the warm-up did."""
        return [SimpleNamespace(**found) for found in self._core.finish()]

    @property
    def warming_up(self) -> bool:
        return self._core.warming_up

    @property
    def frames_seen(self) -> int:
        return self._core.frames_seen

    def save(self, path: Any) -> None:
        """Saves the state on which later decisions depend."""
        self._core.save(os.fspath(path))

    @classmethod
    def load(cls, path: Any, **options: Any) -> "Background":
        """Continues from a state that save() wrote."""
        background = cls(**options)
        background._core.load(os.fspath(path))
        return background

    def __repr__(self) -> str:
        state = "warming up" if self.warming_up else "ready"
        return f"Background: {self.frames_seen} frames seen, {state}"
