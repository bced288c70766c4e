"""Speed and F of OpenCV's background models beside `sunder video`, on generated clips.

    python3 bench/opencv_models.py build/release/sunder

If OpenCV or NumPy is not installed, it prints a line and ends.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import cv2
    import numpy as np
except ImportError as missing:
    print(f"OpenCV is not compared with: {missing}")
    sys.exit(0)

SIZES = ((128, 160, 200), (240, 320, 200))


def f_measure(masks, truth):
    hits = np.count_nonzero(masks & truth)
    return 2 * hits / max(1, np.count_nonzero(masks) + np.count_nonzero(truth))


def opencv(name, clip):
    cv2.setNumThreads(1)
    model = getattr(cv2, "createBackgroundSubtractor" + name)(detectShadows=False)
    frames = [np.ascontiguousarray(clip[:, :, t]) for t in range(clip.shape[2])]
    begin = time.perf_counter()
    masks = [model.apply(frame) for frame in frames]
    seconds = (time.perf_counter() - begin) / len(frames)
    return 1e3 * seconds, np.stack(masks, axis=2) > 127


def sunder(command, folder, online):
    out = folder / ("online" if online else "batch")
    words = [command, "video", str(folder / "T.npy"), "-o", str(out), "--format", "none",
             "--mask-format", "npy", "--quiet"]
    subprocess.run(words + (["--online"] if online else []), check=True)
    return np.load(out / "mask.npy") > 0


def main():
    command = sys.argv[1]
    speed = json.loads(subprocess.run([command, "bench", "--video", "--json"], check=True,
                                      capture_output=True, text=True).stdout)["video"]
    print(f"\n{'size':>10} {'model':<16} {'ms/frame':>9} {'F':>7}   (one thread, generated clip)")
    for row, (height, width, frames) in zip(speed, SIZES):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "scene"
            subprocess.run([command, "generate", "--model", "scene", "--shape", f"{height},{width},{frames}",
                            "-o", str(folder), "--quiet"], check=True)
            clip = np.load(folder / "T.npy")
            truth = np.load(folder / "truth" / "masks.npy") > 0
            size = f"{width}x{height}"
            for name in ("MOG2", "KNN"):
                milliseconds, masks = opencv(name, clip)
                print(f"{size:>10} {'OpenCV ' + name:<16} {milliseconds:>9.3f} "
                      f"{f_measure(masks, truth):>7.3f}")
            for online in (False, True):
                masks = sunder(command, folder, online)
                label = "sunder online" if online else "sunder batch"
                print(f"{size:>10} {label:<16} {row['online_ms' if online else 'batch_ms']:>9.3f} "
                      f"{f_measure(masks, truth):>7.3f}")


main()
