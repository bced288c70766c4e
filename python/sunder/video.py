"""Moving objects in front of a static background: a whole clip with segment(), or frame by frame with
Background (docs/methods/video.md)."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import Any, Dict, List

import numpy as np

from . import _sunder
from ._options import checked_seed
from ._progress import ProgressOption, listener


def _require_video() -> None:
    if not hasattr(_sunder, "Background"):
        raise _sunder.Error("this build of sunder leaves out video: build it with SUNDER_VIDEO=ON")


def segment(clip: Any, folder: Any, *, model: str = "background", rank: int = 0, seed: int = 1,
            online: bool = False, load_state: Any = "", save_state: Any = "",
            format: str = "auto", background_format: str = "", foreground_format: str = "",
            mask_format: str = "", lossless: bool = False, threads: int = 0, force: bool = False,
            first: int = 0, last: int = -1, stride: int = 1, scale: float = 1.0,
            grey: bool = False, layout: str = "", fps: float = 0.0,
            progress: ProgressOption = None) -> Dict[str, Any]:
    """Does what `sunder video` does: reads a clip and writes its background, its moving objects and
    their masks to a folder, with activity.csv, summary.json and report.html. Returns the summary,
    and what was found in a sentence as "verdict".

    clip       a video, images (frame_%04d.png), an array (.npy, .mat, HDF5) or an address
    model      "background", "low-rank" or "cp"; `rank` and `seed` belong to the last two
    online     decide frame by frame; load_state and save_state are files to go on from and to
    format     of the outputs: "mp4", "mkv", "avi", "mov", "webm", "png", "npy" or "none"
    first, last, stride   the frames to take; last=-1 means all of them
    force      replace a result that is already in the folder

    >>> import numpy as np, sunder, sunder.video, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> rng = np.random.default_rng(1)
    >>> clip = np.repeat(rng.integers(40, 200, (48, 64, 1)).astype(np.uint8), 30, axis=2)
    >>> for t in range(30):
    ...     clip[10:20, 2 * t:2 * t + 10, t] = 255
    >>> sunder.write(folder + "/clip.npy", clip)
    >>> found = sunder.video.segment(folder + "/clip.npy", folder + "/out")
    >>> found["frames"], sunder.read(folder + "/out/mask.npy").shape
    (30, (48, 64, 30))
    """
    _require_video()
    options = dict(model=str(model), rank=int(rank), seed=checked_seed(seed), online=bool(online),
                   load_state=os.fspath(load_state), save_state=os.fspath(save_state),
                   format=str(format), background_format=str(background_format),
                   foreground_format=str(foreground_format), mask_format=str(mask_format),
                   lossless=bool(lossless), threads=int(threads), force=bool(force),
                   first=int(first), last=int(last), stride=int(stride), scale=float(scale),
                   grey=bool(grey), layout=str(layout), fps=float(fps))
    with listener(progress) as hear:
        verdict, summary = _sunder.segment(os.fspath(clip), os.fspath(folder), options, hear)
    return {**json.loads(summary), "verdict": verdict}


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
        _require_video()
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
