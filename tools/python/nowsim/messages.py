"""Remarks as Python's warnings, and progress as a line that renews itself on a terminal or in a notebook."""

import os
import sys
import warnings
from collections.abc import Callable
from typing import Protocol, Union

Progress = Union[bool, None, Callable[[str], object]]


class Remark(UserWarning):
    """Worth saying, no problem."""


def warn(text: str) -> None:
    """A remark about what the caller of this package has asked for."""
    warnings.warn(text, Remark, stacklevel=_frames_of_package())


def _frames_of_package() -> int:
    """Which frame is the first outside this folder, counted as warnings do from the function that calls this one."""
    folder, frame, depth = os.path.dirname(__file__), sys._getframe(1), 1
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame, depth = frame.f_back, depth + 1
    return depth


class Line(Protocol):
    """Where progress is seen: `renews` where a text takes the place of the one before; "" wipes it."""

    renews: bool

    def show(self, text: str) -> None:
        """Shows a text in the place of the one before."""


class _ErrorStream:
    def __init__(self) -> None:
        self.renews = sys.stderr is not None and sys.stderr.isatty()

    def show(self, text: str) -> None:
        sys.stderr.write(f"\r\033[K{text}" if self.renews else f"{text}\n")
        sys.stderr.flush()


class _Notebook:
    """One display, updated; no widgets are needed."""

    renews = True

    def __init__(self) -> None:
        self._display = None

    def show(self, text: str) -> None:
        from IPython.display import display

        data = {"text/plain": text}
        if self._display is None:
            self._display = display(data, raw=True, display_id=True)
        else:
            self._display.update(data, raw=True)


class _Called:
    renews = True

    def __init__(self, function: Callable[[str], object]) -> None:
        self.show = function


def progress_line(progress: Progress) -> Union[Line, None]:
    """Where progress is shown: None asks for a line on terminals and in notebooks, True for one anywhere, False for
    none; a function is called with each text, and with "" at the end."""
    if progress is False:
        return None
    if callable(progress):
        return _Called(progress)
    if _is_notebook():
        return _Notebook()
    line = _ErrorStream()
    return line if progress or line.renews else None


def is_terminal() -> bool:
    """Whether what the process itself writes on its error stream is seen on a terminal, and not in a notebook."""
    return not _is_notebook() and os.isatty(2)


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and getattr(shell, "kernel", None) is not None
