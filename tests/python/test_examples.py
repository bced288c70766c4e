"""Every example that a reader may try: docstrings, tutorials, README, docs/python.md."""

import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import sunder
from sunder._options import markdown

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["sunder"] + [f"sunder.{module.name}" for module in pkgutil.iter_modules(sunder.__path__)
                        if module.name != "_sunder"]
TUTORIALS = sorted((ROOT / "docs" / "python").glob("*.py"))


def examples(sources, name_of):
    """The parameters of a test, those about video marked as such."""
    return [pytest.param(source, id=name_of(source),
                         marks=[pytest.mark.video] if name_of(source).endswith("video") else [])
            for source in sources]


@pytest.mark.parametrize("name", examples(MODULES, str))
def test_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_every_public_name_has_an_example():
    plain = {"Error", "InputError", "OptionError", "OutputError", "WriteError", "Cancelled",
             "NotFittedError", "Comparison", "__version__", "theory", "video"}
    for name in set(sunder.__all__) - plain:
        assert ">>>" in inspect.getdoc(getattr(sunder, name)), name
    for name, value in vars(sunder.theory).items():
        if inspect.isfunction(value) and not name.startswith("_"):
            assert ">>>" in inspect.getdoc(value), name


@pytest.mark.parametrize("script", examples(TUTORIALS, lambda path: path.stem))
def test_tutorials(script, tmp_path):
    run = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True,
                         text=True, check=False, env=os.environ, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_tutorials_are_all_there():
    assert [path.stem for path in TUTORIALS] == [
        "choosing_the_rank", "comparison", "corrupted_tensor", "missing_data", "new_data", "video"]


def test_readme_example_works_on_a_file(tmp_path):
    found = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert found, "the README has no example in Python"
    sunder.write(tmp_path / "mine.npy", sunder.generate((30, 25, 20), rank=2).tensor)
    run = subprocess.run([sys.executable, "-c", found.group(1)], cwd=tmp_path, capture_output=True,
                         text=True, check=True, env=os.environ)
    assert run.stdout.startswith("Result: 30 x 25 x 20, rank 2, robust-cp, converged")


def test_first_example_prints_what_it_says(tmp_path):
    text = (ROOT / "docs" / "python.md").read_text()
    found = re.search(
        r"## A first example.*?```python\n(.*?)```\n\nprints\n\n((?:    [^\n]*\n)+)", text, re.S)
    assert found, "docs/python.md has no section 'A first example' with what it prints"
    program, printed = found.groups()
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True,
                         text=True, check=True, env=os.environ)
    assert run.stdout == re.sub(r"^    ", "", printed, flags=re.M)


def test_options_in_the_documentation():
    """docs/python.md lists the keywords of every method; the table is the library's."""
    text = (ROOT / "docs" / "python.md").read_text()
    assert markdown() in text, "put this into docs/python.md:\n" + markdown()
