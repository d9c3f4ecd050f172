"""What stands at the keys of a user's own: numbers with units, words, and what counts where nothing is given."""

from dataclasses import dataclass, replace
from math import inf
from typing import Optional, Tuple


@dataclass(frozen=True)
class Key:
    """A key of `job:`. `default` is what counts without it, as one writes it; None: it must be given."""

    kind: str
    default: Optional[str] = None
    help: str = ""
    words: Tuple[str, ...] = ()
    least: float = 0
    most: float = inf
    is_flag: bool = False
    name: str = ""

    def named(self, name, help):
        return replace(self, name=name, help=self.help or help)


def _text(default):
    return None if default is None else default if isinstance(default, str) else repr(default)


def number(default=None, help="", least=-inf, most=inf):
    """A plain number: 0.28 or 28%."""
    return Key("number", _text(default), help, least=least, most=most)


def count(default=None, help="", least=0):
    """A whole number, not negative."""
    return Key("count", _text(default), help, least=least)


def time(default=None, help=""):
    """A time, as "10s": the program gets seconds."""
    return Key("time", _text(default), help)


def work(default=None, help=""):
    """Work, as "3Gf": the program gets flop."""
    return Key("work", _text(default), help)


def bytes(default=None, help=""):
    """Bytes, as "1MB"."""
    return Key("bytes", _text(default), help)


def choice(*words, help="", required=False):
    """One of these words, the first unless another is given."""
    return Key("word", None if required else words[0], help, words=words)


def flag(default=None, help=""):
    """true or false."""
    words = ("true", "false") if default else ("false", "true")
    return Key("word", None if default is None else words[0], help, words=words, is_flag=True)


_KINDS = {bool: flag, int: count, float: number}


def key_of(parameter):
    """What a function's parameter says, by its default and its annotation. None where that is nothing that is known."""
    empty = parameter.empty
    default = None if parameter.default is empty else parameter.default
    for said in (default, parameter.annotation):
        if isinstance(said, Key):
            return said if said is default or default is None else replace(said, default=_text(default))
    if parameter.annotation in (number, count, time, work, bytes, flag):
        return parameter.annotation(default)
    kind = _KINDS.get(type(default)) if default is not None else _KINDS.get(parameter.annotation)
    if kind is None:
        return number() if default is None and parameter.annotation is empty else None
    return kind(default)
