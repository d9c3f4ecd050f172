"""Data frames of results: the one place that needs pandas."""

from typing import Any

import numpy
import pandas


def frame_of_rows(axes: list, metrics: list, rows: list) -> pandas.DataFrame:
    """A row per point (Result.to_pandas)."""
    columns: dict[str, Any] = {axis: [row.axes[axis] for row in rows] for axis in axes}
    for metric in metrics:
        for name, estimates in _estimates_by_column(metric, rows):
            for ending, attribute in (("", "value"), (".low", "low"), (".high", "high")):
                columns[name + ending] = [getattr(e, attribute) if e is not None else numpy.nan for e in estimates]
    for name in ("replications", "seed", "confidence", "engine", "version", "status", "reason"):
        columns[name] = [getattr(row, name) for row in rows]
    return pandas.DataFrame(columns)


def _estimates_by_column(metric, rows: list) -> list:
    """Column names, and each row's estimate or None: of a metric per workstation as many as the largest point has."""
    if not metric.per_workstation:
        return [(metric.name, [row.estimates.get(metric.name) for row in rows])]
    lists = [list(row.estimates.get(metric.name, {}).values()) for row in rows]
    most = max([1, *map(len, lists)])
    return [(f"{metric.name}_{i + 1}", [each[i] if i < len(each) else None for each in lists]) for i in range(most)]


def frame_of_replications(axes: list, rows: list, points: list) -> pandas.DataFrame:
    """A row per replication (Replications.to_pandas)."""
    counts = [len(point["T"]) for point in points]
    columns: dict[str, Any] = {axis: numpy.repeat([row.axes[axis] for row in rows], counts) for axis in axes}
    columns["replication"] = _joined([numpy.arange(count) for count in counts])
    for name in points[0] if points else []:
        _add_quantity(columns, name, [point.get(name) for point in points], counts)
    return pandas.DataFrame(columns)  # copies: whoever has it may write into it


def _add_quantity(columns: dict, name: str, parts: list, counts: list) -> None:
    if all(part is None or part.ndim == 1 for part in parts):
        columns[name] = _joined([_or_nothing(part, count) for part, count in zip(parts, counts)])
        return
    for i in range(max(part.shape[1] for part in parts if part is not None)):
        of_one = [part[:, i] if part is not None and i < part.shape[1] else None for part in parts]
        column = [_or_nothing(part, count) for part, count in zip(of_one, counts)]
        columns[f"{name.removesuffix('_i')}_{i + 1}"] = _joined(column)


def _or_nothing(part: Any, count: int) -> numpy.ndarray:
    return part if part is not None else numpy.full(count, numpy.nan)


def _joined(parts: list) -> numpy.ndarray:
    return parts[0] if len(parts) == 1 else numpy.concatenate(parts) if parts else numpy.empty(0)
