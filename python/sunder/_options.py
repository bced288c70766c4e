"""Keywords of Python from the one table of options that the command line is made from too."""

from __future__ import annotations

import keyword
import numbers
from typing import Any, Dict, Mapping

from . import _sunder
from ._sunder import OptionError


def text_of(value: Any) -> str:
    """A value as the table reads it."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (tuple, list)):
        return ",".join(text_of(part) for part in value)
    return str(value)


def keyword_of(option: str) -> str:
    """noise-width as noise_width; lambda, which Python keeps for itself, as lambda_."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def texts_of(options: Mapping[str, Any]) -> Dict[str, str]:
    """noise_width=4 as noise-width, 4."""
    return {name.rstrip("_").replace("_", "-"): text_of(value) for name, value in options.items()}


def checked_seed(seed: Any) -> int:
    if isinstance(seed, numbers.Integral) and 0 <= seed < 2**64:
        return int(seed)
    raise OptionError(f"seed must be a whole number from 0 to 2^64 - 1, but is {seed}")


def checked_threads(threads: Any) -> int:
    if isinstance(threads, numbers.Integral) and 0 <= threads <= 1024:
        return int(threads)
    raise OptionError(f"threads must be a whole number from 0 to 1024, but is {threads}")


def table() -> str:
    """The methods with their keywords, for the documentation of decompose()."""
    lines = []
    for method in _sunder.method_names():
        lines += ["", f"    {method}: {_sunder.method_summary(method)}"]
        for option in _sunder.method_options(method):
            name = keyword_of(option["name"])
            lines.append(f"        {name}={option['default']}: {option['meaning']}")
    return "\n".join(lines)


def markdown() -> str:
    """The table of docs/python.md."""
    lines = ["| method | | keywords |", "|---|---|---|"]
    for method in _sunder.method_names():
        names = ", ".join(f"`{keyword_of(option['name'])}`"
                          for option in _sunder.method_options(method))
        lines.append(f"| `{method}` | {_sunder.method_summary(method)} | {names} |")
    return "\n".join(lines) + "\n"
