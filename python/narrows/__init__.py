"""Predict how communication-bound programs scale on parallel machines, and what holds them back.

    >>> import narrows
    >>> narrows.predict("gups", "bluegene-l", nodes=65536)
    Prediction(1.536e+10 1/s, held back by processor: gups on bluegene-l, 65536 nodes)

Functions are called as the program's commands; their options are those that `narrows COMMAND --help` lists, by their
long names with `_` for `-`: `ranks_per_node=4` is `--ranks-per-node 4`. A list is the list of the command line, or the
values of an option that may be given several times; `True` is a flag, and `set={"node.clock": "2x"}` is
`--set node.clock=2x`. Quantities have their unit: `bytes="64 KiB"`. `from_` is `--from`: Python has its own `from`.

Numbers in results are in SI units. Tables have `frame`, a pandas DataFrame, and columns that are NumPy arrays.
What is wrong in the input raises `InputError` with the text that the program prints, without its name in front.
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

from . import _narrows, _program
from ._narrows import InputError
from ._program import Failed
from ._results import (
    Bracket,
    Change,
    Machine,
    Network,
    Parameter,
    Prediction,
    Reign,
    Solution,
    Sweep,
    Table,
    needing_packages,
)

__all__ = [
    "Bracket",
    "Change",
    "Failed",
    "InputError",
    "Machine",
    "Network",
    "Parameter",
    "Prediction",
    "Reign",
    "Solution",
    "Sweep",
    "Table",
    "command",
    "crossover",
    "explain",
    "machine",
    "machines",
    "network",
    "options",
    "predict",
    "sensitivity",
    "solve",
    "sweep",
    "table",
    "what_if",
    "workloads",
]


def machines() -> dict[str, str]:
    """The machines that a bare name finds, shipped and your own: id to full name."""
    return {one["id"]: one["name"] for one in _program.answer("machines")["machines"]}


def workloads() -> list[str]:
    """The workloads that are known by name, those of shipped files included."""
    return _narrows.workloads()


def options(workload: str) -> dict[str, str]:
    """The options that a workload has beside `set`, by the names that they have here, with what each is."""
    return {name[2:].replace("-", "_"): help for name, help in _program.asked(_narrows.options, workload).items()}


def machine(name: str) -> Machine:
    """A machine by its name, or by the name of its file."""
    return Machine(str(name))


def network(spec: str, hosts: str = "", **options: Any) -> Network:
    """A network by its family and parameters (`"torus 8x8x8"`) or by its file, with proven bounds of its cuts.

    `hosts` is a job's part of it: `"first:512"`, `"random:512:7"` or a file. Options are those of `narrows topology`,
    such as `budget="10 s"`.
    """
    return Network(str(spec), str(hosts), _program.answer("topology", spec, hosts=hosts or None, **options), options)


def predict(workload: str, machine: Machine | str, **options: Any) -> Prediction:
    """The performance of a workload, known by name or described in a file, on a machine.

    `nodes`, `ranks_per_node`, `network`, `placement`, `set` and the workload's own options (see `options`) say how it
    runs. Without `nodes` it has the whole machine.
    """
    return Prediction(_ask("predict", workload, machine, options))


def explain(workload: str, machine: Machine | str, **options: Any) -> str:
    """What `predict` found, as text: every formula with its symbols, terms, sources and what is assumed."""
    return _program.run("predict", workload, format="table", explain=True, **_options(machine, options))


def table(workload: str, machine: Machine | str, **options: Any) -> Table:
    """Predictions for a list of sizes: `nodes=[32, 64, 128]`, `nodes="32,64,..65536"` or another option of the workload."""
    return Table(_ask("table", workload, machine, options))


def what_if(
    workload: str, machine: Machine | str, set: Mapping[str, str], **options: Any
) -> Change:
    """The prediction before and after changes of the machine: `set={"node.clock": "2x"}`."""
    return Change(predict(workload, machine, **options), predict(workload, machine, set=set, **options))


def sweep(
    workload: str, machine: Machine | str, set: Optional[Mapping[str, Any]] = None, **options: Any
) -> Sweep:
    """Predictions over a grid: every option and every parameter of `set` that is a list or a range is an axis of it.

    Ranges are those of `narrows sweep`: `nodes="32..65536"`, `set={"node.clock": "0.5x..8x:60"}`. `skip_impossible=True`
    leaves points without a prediction out, `threads=1` is how many work.
    """
    with needing_packages():
        import numpy  # noqa: F401: before the work, which may take long
    given = _options(machine, {"set": set, **options})
    return Sweep.of_csv(_program.run("sweep", workload, format="csv", **given))


def solve(
    workload: str,
    machine: Machine | str,
    target: str,
    vary: str | Mapping[str, Optional[str]],
    **options: Any,
) -> Solution:
    """The value of a parameter, an option or `nodes` that reaches a target such as `"20 GUPS"`, or what forbids it.

    `vary` is its name, or its name and range, or none: `{"nodes": "1024..65536"}`. Of two the second is found for values of
    the first, as `Solution.trade_off`.
    """
    return Solution(_ask("solve", workload, machine, {"target": target, "vary": vary, **options}))


def sensitivity(workload: str, machine: Machine | str, **options: Any) -> dict[str, float]:
    """The elasticity of the prediction to each parameter, largest first: the change in percent that 1 % more brings."""
    found = _ask("sensitivity", workload, machine, options)["elasticities"]
    return {one["path"]: one["elasticity"] for one in found if "at_step" not in one}


def crossover(workload: str, machine: Machine | str, **options: Any) -> list[Reign]:
    """Where the bottleneck changes along an option's range, `vary` or `nodes`, or who overtakes whom in a list."""
    found = _ask("crossover", workload, machine, options)
    return [Reign(one["from"], one["to"], one["what"], one["value"]) for one in found["reigns"]]


def command(name: str, *words: Any, **options: Any) -> dict[str, Any]:
    """Any other command of the program, such as `reproduce`, `compare`, `tune`, `validate` or `run`: its JSON.

    `narrows.command("compare", "bluegene-l", workload="gups", variant="naive,routed")`; docs/output.schema.json of the
    sources describes each. MPI is not available here.
    """
    return _program.answer(name, *words, **options)


def _options(machine: Machine | str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those with the machine, whose changes come before others: factors multiply in this order."""
    for name in ("output", "format"):
        if options.get(name) is not None:
            raise InputError(
                f'{name}: the answer is returned; narrows.command("predict", ..., output=FILE) writes files'
            )
    given: dict[str, Any] = {"machine": machine, **options}
    if isinstance(machine, Machine) and machine.changes:
        given["machine"] = machine.source
        given["set"] = [*machine.words_of_changes(), *_program.texts_of(options.get("set"))]
    return given


def _ask(command: str, workload: str, machine: Machine | str, options: Mapping[str, Any]) -> dict[str, Any]:
    return _program.answer(command, workload, **_options(machine, options))
