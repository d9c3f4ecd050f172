"""Pictures of results by matplotlib, the one place that needs it."""

import math
from typing import Any, Union

from ._nowsim import UsageError
from .estimate import Estimate

_EMPTY = float("nan")


def plot(result, metric: Union[str, None], x: Union[str, None], hue: Union[str, None], ax: Any) -> Any:
    """Result.plot()."""
    import matplotlib.pyplot as pyplot

    ax = ax if ax is not None else pyplot.gca()
    chosen = _metric(result, metric)
    x, hue = _axes(result, x, hue)
    if x is None:
        _draw_distribution(result, ax)
    elif isinstance(result.rows[0].axes[x], str):
        _draw_curves(result, chosen, x, hue, ax, _places(result, x))
    else:
        _draw_curves(result, chosen, x, hue, ax, None)
    ax.set_title(result.title, wrap=True)
    return ax


def _metric(result, name: Union[str, None]):
    """The one of this name; the first where none is given."""
    plain = [metric for metric in result.metrics if not metric.per_workstation]
    for metric in plain:
        if name in (None, metric.name):
            return metric
    raise UsageError(f"plot: there is no metric '{name}'; there are {', '.join(metric.name for metric in plain)}")


def _axes(result, x: Union[str, None], hue: Union[str, None]) -> tuple:
    for axis in (x, hue):
        if axis is not None and axis not in result.axes:
            raise UsageError(f"plot: '{axis}' is not swept; there are {', '.join(result.axes) or 'no axes'}")
    # Numbers make an axis; names make curves.
    free = sorted((axis for axis in result.axes if axis not in (x, hue)),
                  key=lambda axis: isinstance(result.rows[0].axes[axis], str))
    x = x or (free.pop(0) if free else None)
    hue = hue or (free.pop(0) if free else None)
    if free:
        raise UsageError(f"plot: fix {', '.join(free)} first, by sets={{...}}: a picture has two axes of the sweep at "
                         "most")
    return x, hue


def _places(result, x: str) -> dict:
    """Where names stand along an axis."""
    return {value: place for place, value in enumerate(dict.fromkeys(row.axes[x] for row in result.rows))}


def _draw_curves(result, metric, x: str, hue: Union[str, None], ax: Any, places: Union[dict, None]) -> None:
    for value in dict.fromkeys(row.axes[hue] if hue else None for row in result.rows):
        rows = [row for row in result.rows if hue is None or row.axes[hue] == value]
        _draw_curve(rows, metric, x, ax, places, None if hue is None else f"{hue} = {value}")
    if places is not None:
        ax.set_xticks(list(places.values()), [str(name) for name in places])
    ax.set_xlabel(x)
    ax.set_ylabel(f"{metric.name} [{metric.unit}]" if metric.unit else metric.name)
    if hue:
        ax.legend()


def _draw_curve(rows: list, metric, x: str, ax: Any, places: Union[dict, None], label: Union[str, None]) -> None:
    """Values with their intervals; points without results leave gaps."""
    at = [places[row.axes[x]] if places else row.axes[x] for row in rows]
    unknown = Estimate(_EMPTY, _EMPTY, _EMPTY)
    estimates = [row.estimates.get(metric.name, unknown) for row in rows]
    below = [_finite(e.value - e.low) for e in estimates]
    above = [_finite(e.high - e.value) for e in estimates]
    ax.errorbar(at, [e.value for e in estimates], yerr=[below, above], marker="o", markersize=3, capsize=2, label=label)


def _finite(side: float) -> float:
    """An interval's side that can be drawn; none of one that is open, or not known."""
    return max(0.0, side) if math.isfinite(side) else 0.0


def _draw_distribution(result, ax: Any) -> None:
    ax.hist(result.replications()["T"], bins="auto", density=True)
    ax.set_xlabel("T [s]")
    ax.set_ylabel("density [1/s]")
