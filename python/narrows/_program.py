"""Calls of the program: Python's values become words of its command line, what it prints becomes Python's values."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any, Mapping

from . import _narrows
from ._narrows import InputError

_data = Path(__file__).resolve().parents[4] / "share" / "narrows"
if _data.is_dir():  # below the same prefix; else the program knows where it was built
    _narrows.use_data_directory(str(_data))


class Failed(RuntimeError):
    """The input is right, but there is no result: what the program prints when it exits with 1 or 3."""


def text_of(value: Any) -> str:
    """A value as a word of the command line: lists with commas, machines and networks by what names them."""
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if hasattr(value, "word"):
        return str(value.word())
    if isinstance(value, (list, tuple, range)):
        return ",".join(text_of(one) for one in value)
    return str(value)


def _words(options: Mapping[str, Any], exact: Mapping[str, str]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name
        if option not in exact:  # an option of a workload file may have a name with '_'
            option = option.replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={key}" + ("" if one is None else f"={text_of(one)}") for key, one in value.items()]
        elif value is not None and value is not False:
            words.append(f"{option}={text_of(value)}")
    return words


def _options_of(workload: Any) -> dict[str, str]:
    try:
        return _narrows.options(str(workload))
    except InputError:  # no workload, or the command says what is wrong with it
        return {}


def _said(err: str) -> str:
    said = err.strip("\n")
    return said[len("narrows: ") :] if said.startswith("narrows: ") else said


def links(network: str, hosts: str, traffic: str, routing: str) -> dict[str, Any]:
    """The arrays of a network's links. InputError has what the program prints."""
    try:
        return _narrows.links(network, hosts, traffic, routing)
    except InputError as error:
        raise InputError(_said(str(error))) from None


def run(command: str, *words: Any, format: str, **options: Any) -> str:
    """What the command prints in that format. InputError, Failed or a warning have what it prints beside that."""
    named = _words(options, _options_of(words[0]) if words and any("_" in name for name in options) else {})
    code, out, err = _narrows.run([command, *map(text_of, words), *named, f"--format={format}"])
    said = _said(err)
    if code == 2:
        raise InputError(said)
    if not out:
        raise Failed(said)
    if said:
        warnings.warn(said, stacklevel=4)
    return out


def answer(command: str, *words: Any, **options: Any) -> dict[str, Any]:
    """The command's JSON, in SI units and full precision."""
    found: dict[str, Any] = json.loads(run(command, *words, format="json", **options))
    return found
