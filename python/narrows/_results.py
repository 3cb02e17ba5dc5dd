"""What the functions of the package return."""

from __future__ import annotations

import csv
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union, overload

from . import _narrows, _program

if TYPE_CHECKING:  # both are imported where they are used: they take longer than all else
    import numpy
    import pandas


@contextmanager
def needing_packages() -> Iterator[None]:
    """Says how to install what is missing for arrays and frames."""
    try:
        yield
    except ModuleNotFoundError as missing:
        text = f"arrays and frames need NumPy and pandas ({missing}): apt-get install python3-numpy python3-pandas"
        raise ModuleNotFoundError(text, name=missing.name) from None


def _frame(columns: Any) -> pandas.DataFrame:
    with needing_packages():
        import pandas

    return pandas.DataFrame(columns)


class Parameter(NamedTuple):
    """A parameter of a machine, in SI units; a text such as a topology has no unit."""

    value: Union[float, str, None]
    unit: Optional[str]
    low: Optional[float]  #: of its 95 % interval
    high: Optional[float]
    source: str
    note: str


class Machine:
    """A machine: a name or a file, and changes of its parameters. `set` returns another, this one stays."""

    def __init__(self, source: str, changes: Union[Mapping[str, str], Iterable[tuple[str, str]], None] = None):
        """InputError for an unknown machine, a wrong file and changes that it cannot have."""
        self.source = source  #: its name or file
        #: pairs of a path and its value as `--set` takes it, in order: a path may be changed again
        self.changes = tuple(changes.items() if isinstance(changes, Mapping) else changes or ())
        #: the JSON of `narrows show`
        self.json = _program.answer("show", source, set=self.words_of_changes())
        self.id: str = self.json["machine"]
        self.name: str = self.json["name"]

    def set(self, path: str, value: Any) -> Machine:
        """This machine with another value of one parameter: `"2x"`, `"-20%"` or a value with its unit."""
        return Machine(self.source, (*self.changes, (path, _program.text_of(value))))

    def words_of_changes(self) -> list[str]:
        """The changes as values of `--set`."""
        return [f"{path}={value}" for path, value in self.changes]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Every parameter by its path."""
        return {row["path"]: Parameter._make(map(row.get, Parameter._fields)) for row in self.json["parameters"]}

    def __getitem__(self, path: str) -> Parameter:
        """The parameter at a path such as `node.clock`; KeyError where the machine has none."""
        return self.parameters[path]

    @property
    def frame(self) -> pandas.DataFrame:
        """The parameters, a row each."""
        return _frame(self.json["parameters"])

    def word(self) -> str:
        """What names it as another machine's network: its own name. ValueError once it is changed."""
        if self.changes:
            raise ValueError(f"{self!r} has changes, which no name has: give them with set=")
        return self.source

    def __repr__(self) -> str:
        changes = "".join(f".set({path!r}, {value!r})" for path, value in self.changes)
        return f"Machine({self.source!r}){changes}"


class Bracket(NamedTuple):
    """A number of a network, or where it is proven to lie."""

    lower: Optional[float]
    upper: Optional[float]
    method: str
    certificate: str

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the number."""
        return self.lower is not None and self.lower == self.upper


# Options of `narrows topology` that make another network of the same name; the others only say what is found of it.
_altering = {"--cables", "--from", "--without-host-links"}


class Network:
    """A network, with distances and cuts. Capacities are in `capacity_unit`: links, unless its file says another."""

    def __init__(self, spec: str, hosts: str, json: dict[str, Any], options: Optional[Mapping[str, Any]] = None):
        self.spec = spec
        self.hosts = hosts
        given = (options or {}).items()
        self._altered = {name: value for name, value in given if value and _program.option_of(name) in _altering}
        self.json = json  #: of `narrows topology`
        self.nodes: int = json["nodes"]
        self.switches: int = json.get("switches", 0)
        self.diameter: Optional[int] = json.get("diameter")
        self.mean_distance: Optional[float] = json.get("mean_distance")
        self.capacity_unit: str = json["capacity_unit"]
        self.bisection = self._bracket("bisection")  #: capacity between halves of the nodes, at least
        self.alpha = self._bracket("alpha")  #: min C/|S|, for sets S of up to half the nodes
        self.phi = self._bracket("phi")  #: min C/(|S||S̄|), what uniform traffic can at most have of a pair of nodes
        self.uniform_flow = self._bracket("uniform_flow")  #: what it can have at best

    def _bracket(self, name: str) -> Bracket:
        found = self.json[name]
        return Bracket(*(found.get(field) for field in Bracket._fields))

    def links(self, traffic: str = "", routing: str = "") -> dict[str, numpy.ndarray[Any, Any]]:
        """Every link as arrays: vertices `from` and `to`, `capacity` each way; nodes are numbered before switches.

        With `traffic` (`"uniform"`, `"tornado"`, … or a file) or `routing` (`"shortest"`, …) also the `load` that each
        carries and that in the other direction, `load_back`, when every node offers 1. ValueError for a network that was
        read with `cables`, `from_` or `without_host_links`.
        """
        self._require_unaltered()
        with needing_packages():
            return _program.asked(_narrows.links, self.spec, self.hosts, traffic, routing)

    def frame(self, traffic: str = "", routing: str = "") -> pandas.DataFrame:
        """The links, a row each."""
        return _frame(self.links(traffic, routing))

    def word(self) -> str:
        """What names it to the program. ValueError where its name alone would be another network."""
        self._require_unaltered()
        if self.hosts:
            only = f"network={self.spec!r}, hosts={self.hosts!r}"
            raise ValueError(f"{self!r} is a part of the hosts, which no name has: give {only}")
        return self.spec

    def _require_unaltered(self) -> None:
        if not self._altered:
            return
        given = ", ".join(f"{name}={value!r}" for name, value in self._altered.items())
        hosts = f", hosts={self.hosts!r}" if self.hosts else ""
        write = f"narrows.command('topology', {self.spec!r}{hosts}, {given}, export='network.edges')"
        raise ValueError(f"{self!r} was read with {given}, which no name has: give the file that {write} writes")

    def __repr__(self) -> str:
        return f"Network({self.spec!r}: {self.nodes} nodes, phi {_shown(self.phi)}, bisection {_shown(self.bisection)})"


def _shown(bracket: Bracket) -> str:
    if bracket.is_exact:
        return f"{bracket.lower:.4g}"
    return " to ".join("?" if end is None else f"{end:.4g}" for end in bracket[:2])


class Prediction:
    """A prediction: its value in `unit`, its 95 % interval where the machine's parameters have one, what holds it back."""

    def __init__(self, json: dict[str, Any]):
        result = json["result"]
        self.json = json  #: of `narrows predict`, with formulas and sources
        self.machine: str = json["machine"]
        self.workload: str = json["workload"]
        self.nodes: Optional[int] = json.get("nodes")  #: none of what runs between two ranks
        self.quantity: str = result["quantity"]
        self.unit: str = result["unit"]
        self.value: float = result["value"]
        self.low: Optional[float] = result["low"]
        self.high: Optional[float] = result["high"]
        self.bottleneck: str = json["bottleneck"]
        #: what each resource allows at most, of a rate
        self.bounds: dict[str, float] = {one["resource"]: one["value"] for one in json["bounds"]}
        #: what its time consists of; of a rate, that of one operation on one processor
        self.terms: dict[str, float] = {one["name"]: one["value"] for one in json["terms"]}
        #: what to know of the machine and its network, as the program prints it below
        self.remarks: list[str] = json.get("remarks", [])

    def row(self) -> dict[str, Any]:
        """A row of a table: what was asked, the value, each bound. An option of a workload file has its name."""
        asked = {name: value for name, value in self.json.items() if not isinstance(value, (dict, list))}
        for name in ("schema", "command", "version", "estimate", "bottleneck"):
            asked.pop(name, None)
        bounds = {name + " bound": value for name, value in self.bounds.items()}
        value = {"value": self.value, "low": self.low, "high": self.high, "unit": self.unit}
        found: dict[str, Any] = {**value, "bottleneck": self.bottleneck, **bounds}
        for name, one in self.json.get("options", {}).items():  # of which one may be called value
            asked[f"option {name}" if name in asked or name in found else name] = one
        return {**asked, **found}

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        held = "held back by" if self.bounds else "most of it"
        nodes = "" if self.nodes is None else f", {self.nodes} node{'s' if self.nodes != 1 else ''}"
        return f"Prediction({self.value:.4g} {self.unit}, {held} {self.bottleneck}: {self.workload} on {self.machine}{nodes})"


class Table(Sequence[Prediction]):
    """Predictions, one a size."""

    def __init__(self, json: dict[str, Any]):
        self.json = json  #: of `narrows table`
        self.remarks: list[str] = json.get("remarks", [])  #: as of a `Prediction`, of all rows
        self.rows = [Prediction(row) for row in json["rows"]]

    @overload
    def __getitem__(self, index: int) -> Prediction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Prediction]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Prediction, list[Prediction]]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Prediction]:
        return iter(self.rows)

    @property
    def values(self) -> numpy.ndarray[Any, Any]:
        """The predicted values in SI units."""
        with needing_packages():
            import numpy

        return numpy.array([row.value for row in self.rows])

    @property
    def frame(self) -> pandas.DataFrame:
        """A row a prediction."""
        return _frame([row.row() for row in self.rows])

    def __repr__(self) -> str:
        return "Table([" + ",\n       ".join(map(repr, self.rows)) + "])"


class Change:
    """A prediction before and after changes of the machine."""

    def __init__(self, before: Prediction, after: Prediction):
        self.before = before
        self.after = after

    @property
    def ratio(self) -> float:
        """How many times as fast it is after. ZeroDivisionError where it takes no time."""
        before, after = self.before.value, self.after.value
        return before / after if self.after.unit == "s" else after / before

    def __repr__(self) -> str:
        return f"Change({self.before!r},\n       {self.after!r})"


class Sweep:
    """Predictions over a grid, as columns of one length: each axis, `result` in `unit`, and `bottleneck`.

    `low` and `high` are there where the machine's parameters have intervals. An axis has the unit that it was given in,
    factors such as `2x` are numbers.
    """

    def __init__(self, columns: dict[str, numpy.ndarray[Any, Any]], unit: str):
        self.columns = columns
        self.unit = unit

    @classmethod
    def of_csv(cls, text: str) -> Sweep:
        """From what `narrows sweep` writes."""
        with needing_packages():
            import numpy

        header, *rows = csv.reader(text.splitlines())
        columns = {}
        for name, column in zip(header, zip(*rows)):
            try:
                columns[name] = numpy.array([float(one) if one else None for one in column], dtype=float)
            except ValueError:
                columns[name] = numpy.array(column)
        return cls(columns, str(columns.pop("unit")[0]))

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["result"])

    @property
    def frame(self) -> pandas.DataFrame:
        """A row a point."""
        return _frame(self.columns)

    def __repr__(self) -> str:
        return f"Sweep({len(self)} points: {', '.join(self.columns)}, result in {self.unit})"


class Solution:
    """The value at which a prediction reaches its target, or what forbids it; neither where every value reaches it."""

    def __init__(self, json: dict[str, Any]):
        found = json.get("solution") or {}
        self.json = json  #: of `narrows solve`
        self.before = Prediction(json["before"]) if "before" in json else None  #: none with `minimise`
        self.path: Optional[str] = found.get("path")
        self.value: Optional[float] = found.get("value")  #: in `unit`; none where no value or every value reaches the target
        self.unit: Optional[str] = found.get("unit")
        self.factor: Optional[float] = found.get("factor")  #: over what it is now
        self.low: Optional[float] = found.get("low")
        self.high: Optional[float] = found.get("high")
        self.after = Prediction(json["after"]) if "after" in json else None
        #: the resource that holds the prediction back whatever the value is, with `at_most`
        self.forbidden_by: Optional[dict[str, Any]] = json.get("forbidden_by")
        self.cheapest: Optional[dict[str, Any]] = json.get("cheapest")  #: with `minimise`: settings, what they spend

    @property
    def frontier(self) -> pandas.DataFrame:
        """With `minimise`: the settings that no other beats in both what they spend and their result."""
        return _frame([
            {**one["settings"], **one, "settings": None, "spent": one["spent"]["value"]} for one in self.json.get("frontier", [])
        ]).drop(columns="settings", errors="ignore")

    @property
    def trade_off(self) -> pandas.DataFrame:
        """Of two that vary: values of the first, with those of the second that reach the target."""
        return _frame(self.json.get("trade_off", []))

    def __repr__(self) -> str:
        if self.value is not None:
            return f"Solution({self.path} = {self.value:.4g} {self.unit})"
        if self.json.get("depends") is False:
            return "Solution(the prediction does not depend on what varies)"
        if self.forbidden_by:
            return f"Solution(none: {self.forbidden_by['resource']} forbids it)"
        if "frontier" in self.json:
            return f"Solution({self.cheapest['settings'] if self.cheapest else 'no setting'} reaches it for least)"
        if "trade_off" in self.json:
            return f"Solution({len(self.json['trade_off'])} pairs)"
        return "Solution(every value reaches it)"


class Reign(NamedTuple):
    """What is the bottleneck, or the fastest, from one value of a variable to another, and the value predicted there."""

    start: float
    end: float
    what: str
    value: float
