"""The types that are promised to others are those of the module."""

import inspect
import pathlib
import re

import sunder
from sunder import _sunder


def test_the_stub_names_what_the_module_has():
    stub = (pathlib.Path(sunder.__file__).parent / "_sunder.pyi").read_text()
    promised = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M)) | {"version"}
    if not hasattr(_sunder, "Background"):  # a build that leaves out video
        promised -= {"Background", "segment"}
    assert promised == {name for name in vars(_sunder) if not name.startswith("__")}
    assert (pathlib.Path(sunder.__file__).parent / "py.typed").exists()


def test_every_public_function_has_hints():
    for value in (sunder.decompose, sunder.compare, sunder.generate, sunder.read, sunder.write,
                  sunder.Result.low_rank, sunder.RobustCP.transform, sunder.RobustPCA.fit,
                  sunder.video.Background.push):
        parameters = inspect.signature(value).parameters.values()
        assert all(p.annotation is not p.empty for p in parameters if p.name != "self"), value
        assert inspect.signature(value).return_annotation is not inspect.Signature.empty, value
