"""Replications one by one, as NumPy's arrays and as a data frame."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ._nowsim import ExperimentResult, UsageError

if TYPE_CHECKING:
    import numpy
    import pandas


class Replications(Mapping):
    """Arrays by name, in the order of replications: of one point, or of several, one after the other.

    "T" is the makespan; results that have all quantities (`run(keep="all")`, `sweep()`, `show()`) have the sums over
    the workstations ("effective", "owner", ...) and, as "finish_i", "owner_i", ..., arrays of replications x
    workstations with each workstation's values. Arrays are read only: of one point they are the simulator's own
    numbers, not copies.
    """

    def __init__(self, found: ExperimentResult, axes: list, rows: list) -> None:
        self._axes = axes
        self._rows = [row for row in rows if row.status == "ok"]
        self._points = [_columns(found, row) for row in self._rows]

    def __getitem__(self, name: str) -> "numpy.ndarray":
        if name not in self._names():
            raise KeyError(f"{name}: there are {', '.join(self._names())}")
        parts = [point[name] for point in self._points]
        if len(parts) == 1:
            return parts[0]
        import numpy

        return numpy.concatenate(parts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame of a row per replication: the axes' values, `replication` from 0 on, T, and what else there is,
        workstations' values as NAME_1 to NAME_m."""
        from .frames import frame_of_replications

        return frame_of_replications(self._axes, self._rows, self._points)

    def __repr__(self) -> str:
        count = sum(len(point["T"]) for point in self._points)
        return f"<{count} replications of {len(self._points)} points: {', '.join(self._names())}>"

    def _names(self) -> list:
        return list(self._points[0]) if self._points else []


def _columns(found: ExperimentResult, row) -> dict:
    columns = found.replications(row.index)
    if not columns:
        raise UsageError("the replications were not kept: run(..., keep='T') keeps their makespans, 8 bytes each (of "
                         "up to 1.25e8 it does so unasked), keep='all' all that is recorded of them")
    return columns
