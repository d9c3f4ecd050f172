"""An estimate with its confidence interval."""

from dataclasses import dataclass

from . import _nowsim


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its two-sided confidence interval; NaN where there is none to be had.

    It counts as its value where a number is wanted: float(e), f"{e:.1f}".
    """

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the interval's width, which is printed behind the ±."""
        return 0.5 * (self.high - self.low)

    def __float__(self) -> float:
        return self.value

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)

    def __str__(self) -> str:
        return _nowsim.estimate_text(self.value, self.low, self.high)
