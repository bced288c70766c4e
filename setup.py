"""Builds the module with CMake; everything else about the package is in pyproject.toml.

SUNDER_BUILD_DIR names a build folder to use (build/release saves compiling the library again);
CMAKE_ARGS has further words for CMake.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.egg_info import egg_info

ROOT = pathlib.Path(__file__).resolve().parent

# The shared libraries that the module is linked with, as `Requires-External` of the metadata: no
# installer fetches them, but people and distributions can read what has to be there.
EXTERNAL = ["libfmt (>=9)", "libhdf5 (>=1.10)", "libhwy (>=1.0)", "libmatio (>=1.5)",
            "libavformat", "libavcodec", "libswscale", "libavutil", "libgomp"]


def version():
    return re.search(r"^  VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)


class CMakeBuild(build_ext):
    """The target sunder_python, put where setuptools wants the extension."""

    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = pathlib.Path(os.environ.get("SUNDER_BUILD_DIR", ROOT / "build/wheel")).resolve()
        if not (folder / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
                            "-DCMAKE_BUILD_TYPE=Release", "-DSUNDER_PRECOMPILED_HEADERS=ON",
                            "-DSUNDER_BUILD_TESTS=OFF", "-DSUNDER_MPI=OFF",
                            f"-DPython_EXECUTABLE={sys.executable}",
                            *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "sunder_python"], check=True)
        module = folder / "python" / "sunder" / target.name
        if not module.exists():
            raise RuntimeError(f"{module} was not built: is the build folder for another Python?")
        self.copy_file(str(module), str(target))


class NeedsInMetadata(egg_info):
    """setuptools has no field for Requires-External."""

    def run(self):
        super().run()
        path = pathlib.Path(self.egg_info) / "PKG-INFO"
        head, blank, body = path.read_text().partition("\n\n")
        lines = [line for line in head.splitlines() if not line.startswith("Requires-External")]
        lines += [f"Requires-External: {name}" for name in EXTERNAL]
        path.write_text("\n".join(lines) + blank + body)


setup(version=version(), ext_modules=[Extension("sunder._sunder", [])],
      cmdclass={"build_ext": CMakeBuild, "egg_info": NeedsInMetadata}, zip_safe=False)
