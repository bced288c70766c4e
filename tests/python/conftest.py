"""What the tests share: small planted problems, and the command where it is built."""

import os

import pytest

import sunder
from sunder import _sunder


def pytest_configure(config):
    config.addinivalue_line("markers", "video: needs a build with SUNDER_VIDEO=ON")


def pytest_runtest_setup(item):
    if item.get_closest_marker("video") and not hasattr(_sunder, "Background"):
        pytest.skip("this build leaves out video (SUNDER_VIDEO=OFF)")


@pytest.fixture(scope="session")
def planted():
    """20 x 18 x 16, rank 3, a fifth of the entries corrupted."""
    return sunder.generate((20, 18, 16), rank=3, density=0.2, seed=5)


@pytest.fixture(scope="session")
def command():
    """The path of the command line program."""
    path = os.environ.get("SUNDER_COMMAND", "")
    if not os.path.exists(path):
        pytest.skip("SUNDER_COMMAND does not name the command")
    return path
