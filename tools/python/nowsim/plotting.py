"""Pictures of results by matplotlib, the one place that needs it."""

import math
from typing import Any, Union

from ._nowsim import UsageError
from .estimate import Estimate

_EMPTY = float("nan")


def plot(result, metric: Union[str, None], x: Union[str, None], hue: Union[str, None], ax: Any) -> Any:
    """Result.plot()."""
    import matplotlib.pyplot as pyplot

    is_whole = ax is None  # else one of several, below a title of the user's
    ax = pyplot.gca() if is_whole else ax
    chosen = _metric(result, metric) if metric or result.axes else None
    x, hue = _axes(result, x, hue)
    if x is not None:
        places = _places(result, x) if isinstance(result.rows[0].axes[x], str) else None
        _draw_curves(result, chosen, x, hue, ax, places)
    elif chosen is None:
        _draw_distribution(result, ax)
    else:
        raise UsageError(f"plot: nothing is swept that {metric} could be drawn against; plot() draws the distribution of T")
    if is_whole:
        ax.set_title(result.title, wrap=True)
    return ax


def _metric(result, name: Union[str, None]):
    """The one of this name; the first where none is given."""
    plain = [metric for metric in result.metrics if not metric.per_workstation]
    for metric in plain:
        if name in (None, metric.name):
            return metric
    there_are = ", ".join(metric.name for metric in plain) or "only values per workstation, which are not drawn"
    raise UsageError(f"plot: there is no metric '{name}'; there are {there_are}" if name else f"plot: there are {there_are}")


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
    curves = list(dict.fromkeys(row.axes[hue] if hue else None for row in result.rows))
    for k, value in enumerate(curves):
        aside = 0.15 * (k - (len(curves) - 1) / 2)  # of names, between which there is nothing
        rows = [row for row in result.rows if hue is None or row.axes[hue] == value]
        at = [places[row.axes[x]] + aside if places else row.axes[x] for row in rows]
        _draw_curve(rows, at, metric, ax, "-" if places is None else "none", None if hue is None else f"{hue} = {value}")
    if places is not None:
        ax.set_xticks(list(places.values()), [str(name) for name in places])
    ax.set_xlabel(x)
    ax.set_ylabel(f"{metric.name} [{metric.unit}]" if metric.unit else metric.name)
    if hue:
        ax.legend()


def _draw_curve(rows: list, at: list, metric, ax: Any, line: str, label: Union[str, None]) -> None:
    """Values with their intervals; points without results leave gaps."""
    unknown = Estimate(_EMPTY, _EMPTY, _EMPTY)
    estimates = [row.estimates.get(metric.name, unknown) for row in rows]
    below = [_finite(e.value - e.low) for e in estimates]
    above = [_finite(e.high - e.value) for e in estimates]
    ax.errorbar(at, [e.value for e in estimates], yerr=[below, above], linestyle=line, marker="o", markersize=3, capsize=2,
                label=label)


def _finite(side: float) -> float:
    """An interval's side that can be drawn; none of one that is open, or not known."""
    return max(0.0, side) if math.isfinite(side) else 0.0


def _draw_distribution(result, ax: Any) -> None:
    ax.hist(result.replications()["T"], bins="auto", density=True)
    ax.set_xlabel("T [s]")
    ax.set_ylabel("density [1/s]")
