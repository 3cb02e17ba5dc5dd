"""Calls of the program: Python's values become words of its command line, what it prints becomes Python's values."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Mapping

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
    if isinstance(value, float) and value.is_integer():  # a solution that counts nodes or bytes
        value = int(value)
    return str(value)


# Options that are given once for each value of a list; others take the list in one word.
_repeated = {"--from", "--history", "--set", "--vary", "--workload"}


# Of files that have the answer in the format that the ending says; others are machine files, beside an answer.
_endings = (".txt", ".json", ".csv", ".md", ".html", ".svg", ".png", ".conf")


def option_of(name: str) -> str:
    """The option of the command line: `from_`, as `from` is a word of Python, is `--from`."""
    return "--" + (name[:-1] if name.endswith("_") else name).replace("_", "-")


def texts_of(value: Any) -> list[str]:
    """The values of an option that may be given several times, in order; of a mapping each is `key=value`."""
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [str(key) + ("" if one is None else f"={text_of(one)}") for key, one in value.items()]
    return [text_of(one) for one in value] if isinstance(value, (list, tuple)) else [text_of(value)]


def _words(options: Mapping[str, Any], exact: Mapping[str, str]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        if value is None:
            continue
        option = "--" + name
        if option not in exact:  # an option of a workload file may have a name with '_'
            option = option_of(name)
        if isinstance(value, bool) and option not in exact:  # a flag
            words += [option] if value else []
        elif isinstance(value, bool):
            words.append(f"{option}={int(value)}")
        elif isinstance(value, Mapping) or (option in _repeated and option not in exact):
            words += [f"{option}={text}" for text in texts_of(value)]
        else:
            words.append(f"{option}={text_of(value)}")
    return words


def _options_of(workloads: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for workload in workloads:
        try:
            found |= _narrows.options(workload)
        except InputError:  # no workload, or the command says what is wrong with it
            pass
    return found


def _said(err: str) -> str:
    said = err.strip("\n")
    return said[len("narrows: ") :] if said.startswith("narrows: ") else said


def _level_of_caller() -> int:
    """The `stacklevel` at which the function that calls this warns of the line that called the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level


def asked(call: Callable[..., dict[str, Any]], *given: str) -> dict[str, Any]:
    """What the module returns. InputError has what the program prints."""
    try:
        return call(*given)
    except InputError as error:
        raise InputError(_said(str(error))) from None


def run(command: str, *words: Any, format: str, **options: Any) -> str:
    """What the command prints in that format. InputError, Failed or a warning have what it prints beside that."""
    for word in map(text_of, words):
        if word.startswith("--"):
            raise InputError(f"{word}: options are keywords here, such as nodes=64")
    named = _words(options, _options_of([*map(text_of, words[:1]), *texts_of(options.get("workload"))]))
    to_file = text_of(options.get("output")).endswith(_endings)
    shape = [] if to_file else [f"--format={format}"]
    code, out, err = _narrows.run([command, *map(text_of, words), *named, *shape])
    said = _said(err)
    if code == 2:
        raise InputError(said)
    if not out and not (to_file and code == 0):
        raise Failed(said)
    if said and not to_file:
        warnings.warn(said, stacklevel=_level_of_caller())
    return out


def answer(command: str, *words: Any, **options: Any) -> dict[str, Any]:
    """The command's JSON, in SI units and full precision; empty where `output` names a file that has the answer."""
    found: dict[str, Any] = json.loads(run(command, *words, format="json", **options) or "{}")
    return found
