"""What questions come to: the command's JSON as Python's values, and as a text for people."""

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .estimate import Estimate
from .numbers_of_texts import numbers
from .text_table import text_table

if TYPE_CHECKING:
    import pandas


def with_estimates(value: Any) -> Any:
    """JSON's values, with Estimates in place of objects that are some."""
    if isinstance(value, list):
        return [with_estimates(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"value", "low", "high", "half_width"}:
        return Estimate(*(float("nan") if value[name] is None else value[name] for name in ("value", "low", "high")))
    return {name: with_estimates(item) for name, item in value.items()}


class Answer:
    """An answer: `data` is all that the command says, by the names that its JSON has; answer["recommended"] is
    of it."""

    def __init__(self, data: Any) -> None:
        self.data = with_estimates(data)

    def __getitem__(self, name: Any) -> Any:
        return self.data[name]

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame of the answer's rows; an estimate is NAME, NAME.low and NAME.high."""
        import pandas

        frame = pandas.DataFrame([_flat(row) for row in self._rows()])
        for name in frame.columns:
            if frame[name].map(lambda value: isinstance(value, str)).all():
                frame[name] = numbers(list(frame[name]))
        return frame

    def _rows(self) -> list:
        return list(self.data)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def _flat(row: dict) -> dict:
    flat = {}
    for name, value in row.items():
        if isinstance(value, Estimate):
            flat |= {name: value.value, f"{name}.low": value.low, f"{name}.high": value.high}
        elif not isinstance(value, (list, dict)):
            flat[name] = value
    return flat


class Contrast(Answer):
    """Values of a key compared: rows of metric, point, value, difference, percent and what is told."""

    def _rows(self) -> list:
        return [{"metric": of["metric"], **value["at"], **{name: value[name] for name in value if name != "at"}}
                for of in self.data["metrics"] for cell in of["cells"] for value in cell["values"]]

    def __repr__(self) -> str:
        return self.data["title"] + "\n" + "".join(self._text(of) for of in self.data["metrics"])

    def _text(self, of: dict) -> str:
        unit = f" [{of['unit']}]" if of["unit"] else ""
        values = [value for cell in of["cells"] for value in cell["values"]]
        axes = list(values[0]["at"]) if values else []
        head = [*axes, of["metric"] + unit, f"from {_compared_with(self.data['against'])}{unit}", "told"]
        rows = [[*value["at"].values(), value["value"], value["difference"], value["told"]] for value in values]
        return "\n" + text_table(head, rows) + "\n" + "".join(line + "\n" for line in of["says"])


def _compared_with(against: str) -> str:
    return "the best" if against == "best" else against


class Plan(Answer):
    """A job's plan: `recommended` policy, advice, and a row of estimates per policy."""

    def _rows(self) -> list:
        return self.data["policies"]

    def __repr__(self) -> str:
        names = [name for name, value in self.data["policies"][0].items() if isinstance(value, Estimate)]
        rows = [[row["policy"], *(row.get(name, "-") for name in names)] for row in self.data["policies"]]
        advice = "".join(line + "\n" for line in self.data["advice"])
        return f"{self.data['title']}\n\n{text_table(['policy', *names], rows)}\n{advice}"


class UnderWay(Answer):
    """A job that is under way: what is `advised`, advice, and a row of estimates per way on; times count from the job's
    beginning. `planned` has the same estimates as the plan had them."""

    def _rows(self) -> list:
        return self.data["ways"]

    def __repr__(self) -> str:
        names = [name for name, value in self.data["ways"][0].items() if isinstance(value, Estimate)]
        planned = ["as planned", *(self.data["planned"].get(name, "-") for name in names)]
        rows = [[row["way"], *(row.get(name, "-") for name in names)] for row in self.data["ways"]]
        advice = "".join(line + "\n" for line in self.data["advice"])
        return f"{self.data['title']}\n\n{text_table(['way', *names], [planned, *rows])}\n{advice}"


class Isoefficiency(Answer):
    """Sizes at a constant efficiency: a row per system."""

    def _rows(self) -> list:
        return [{"target": curve["target"], **point.get("at", {}), **point}
                for curve in self.data["curves"] for point in curve["points"]]

    def __repr__(self) -> str:
        rows = [[row["target"], row["p"], row["p_T"], row["size"]] for row in self._rows()]
        return f"{self.data['title']}\n\n" + text_table(["target", "p", "p_T", self.data["size"]], rows)


def _cell(value: Any) -> str:
    """A difference, or what stands beside it."""
    return "-" if value is None else f"{value:.1e}" if isinstance(value, float) else str(value)


class Verification(Answer):
    """Both engines compared, a row per scenario; true where they agree in all."""

    def __init__(self, data: Any, agrees: bool) -> None:
        super().__init__(data)
        self.agrees = agrees

    def __bool__(self) -> bool:
        return self.agrees

    def __iter__(self) -> Iterator[dict]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        head = ["scenario", "replications", "largest_difference", "verdict", "remark"]
        return text_table(head, [[_cell(row[name]) for name in head] for row in self.data])


class Text(str):
    """A text that shows as such."""

    def __repr__(self) -> str:
        return str(self)
