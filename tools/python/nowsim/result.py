"""What an experiment came to: a row per point, as tables, CSV, data frames and pictures."""

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from ._nowsim import ExperimentResult, RunError, UsageError
from .estimate import Estimate
from .numbers_of_texts import numbers
from .replications import Replications

if TYPE_CHECKING:
    import pandas

Estimates = Union[Estimate, dict]


@dataclass(frozen=True)
class Metric:
    """A metric of an experiment."""

    name: str
    unit: str
    summary: str
    per_workstation: bool


@dataclass(frozen=True)
class Row:
    """A point: row["owner.TH"] is an axis' value, row["tau"] an Estimate, or a dict of them by workstations' names."""

    index: int
    axes: dict
    estimates: dict
    replications: int
    status: str
    reason: str
    seed: int
    confidence: float
    engine: str
    version: str

    def __getitem__(self, name: str) -> Any:
        if name in self.axes:
            return self.axes[name]
        if name in self.estimates:
            return self.estimates[name]
        raise KeyError(f"{name}: there are {', '.join([*self.axes, *self.estimates])}")


class Result:
    """The rows of an experiment's points; printed it is the command line's table."""

    def __init__(self, found: ExperimentResult) -> None:
        self._found = found
        self.title: str = found.title
        self.file: str = found.file
        self.axes: list[str] = found.axes
        self.metrics: list[Metric] = [Metric(*metric) for metric in found.metrics]
        self.folder: str = found.folder
        self.rows: list[Row] = _rows(found, self.axes, self.metrics)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: Union[int, str, Mapping]) -> Any:
        """A row by its number, or by values of axes: result[{"owner.TH": 0.28}]; of a single point, a value by
        its name."""
        if isinstance(which, str):
            return self._only()[which]
        if isinstance(which, Mapping):
            return self._row_at(which)
        return self.rows[which]

    def check(self) -> "Result":
        """Returns itself; raises RunError where a point has failed, with the reasons."""
        failed = [f"{_point_text(row)}{row.reason}" for row in self.rows if row.status == "failed"]
        if failed:
            raise RunError("\n".join(failed))
        return self

    def to_csv(self, file: Any = None) -> Union[str, None]:
        """The bytes of `nowsim run --format csv`: a text, or written to a file."""
        return _written(self._found.csv(), file)

    def to_json(self, file: Any = None) -> Union[str, None]:
        """The bytes of `nowsim run --format json`."""
        return _written(self._found.json(), file)

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame of a row per point: axes, METRIC, METRIC.low and METRIC.high (METRIC_1, METRIC_1.low, ... of
        metrics that are one per workstation), replications, seed, confidence, engine, version, status, reason."""
        from .frames import frame_of_rows

        return frame_of_rows(self.axes, self.metrics, self.rows)

    def replications(self, point: Union[int, Mapping, Row, None] = None) -> Replications:
        """The values of replications one by one: of one point (its number, its row or its axes' values), or of all."""
        rows = self.rows if point is None else [point if isinstance(point, Row) else self[point]]
        return Replications(self._found, self.axes, rows)

    def plot(self, metric: Union[str, None] = None, *, x: Union[str, None] = None, hue: Union[str, None] = None,
             ax: Any = None) -> Any:
        """Draws a metric (the first) with its intervals along an axis (the first), a curve per value of another one
        (the second), by matplotlib; without an axis the distribution of T. Returns matplotlib's axes."""
        from .plotting import plot

        return plot(self, metric, x, hue, ax)

    def __repr__(self) -> str:
        return self._found.table()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._found.table())}</pre>"

    def _only(self) -> Row:
        if len(self.rows) != 1:
            raise UsageError(f"the experiment has {len(self.rows)} points: name one, as in result[0]['tau'], or "
                             f"result[{{{', '.join(f'{axis!r}: ...' for axis in self.axes)}}}]['tau']")
        return self.rows[0]

    def _row_at(self, values: Mapping) -> Row:
        for axis in values:
            if axis not in self.axes:
                raise UsageError(f"'{axis}' is not swept; there are {', '.join(self.axes) or 'no axes'}")
        found = [row for row in self.rows if all(row.axes[axis] == value for axis, value in values.items())]
        if len(found) != 1:
            raise UsageError(f"{len(found)} points have {dict(values)!r}; one is wanted")
        return found[0]


def _written(text: str, file: Any) -> Union[str, None]:
    if file is None:
        return text
    if hasattr(file, "write"):
        file.write(text)
        return None
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    return None


def _point_text(row: Row) -> str:
    return " ".join(f"{axis}={value}" for axis, value in row.axes.items()) + (": " if row.axes else "")


def _rows(found: ExperimentResult, axes: list, metrics: list) -> list:
    columns = found.columns()
    points = len(columns["status"])
    values = _axis_values(columns.pop("values"))
    workstations = columns.pop("workstations")
    of_metrics = [found.estimates(m) for m in range(len(metrics))]
    rows = []
    for p in range(points):
        estimates = {metric.name: _estimates(metric, of[p], workstations[p])
                     for metric, of in zip(metrics, of_metrics) if of[p]}
        known = {name: column[p] for name, column in columns.items()}
        rows.append(Row(p, dict(zip(axes, values[p])), estimates, **known))
    return rows


def _estimates(metric: Metric, found: list, workstations: list) -> Estimates:
    if not metric.per_workstation:
        return Estimate(*found[0])
    return {name: Estimate(*each) for name, each in zip(workstations, found)}


def _axis_values(texts: list) -> list:
    """Values of points; those of an axis that are numbers throughout are numbers."""
    by_axis = [numbers(list(column)) for column in zip(*texts)] if texts and texts[0] else []
    return list(zip(*by_axis)) if by_axis else [() for _ in texts]
