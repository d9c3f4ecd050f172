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

    def wrong(self):
        """What no value could be right for; "" where there is nothing."""
        if not isinstance(self.help, str):
            return f"help={self.help!r}: a text is wanted"
        if self.kind == "word":
            return self._wrong_words()
        if not (_is_number(self.least) and _is_number(self.most) and self.least <= self.most):
            return f"least={self.least!r} and most={self.most!r}: numbers are wanted, the lesser one first"
        if self.kind == "count" and not (self.least >= 0 and self.least == int(self.least)):
            return f"least={self.least!r}: a whole number is wanted, not negative"
        return ""

    def _wrong_words(self):
        if not self.words:
            return "nowsim.choice() has no words to choose from"
        for word in self.words:
            if not isinstance(word, str) or not word or word != word.strip() or self.words.count(word) > 1:
                return f"{word!r} is no word to choose: texts are wanted, each another one"
        if self.default not in (None, *self.words):
            return f"the default {self.default} is none of {', '.join(self.words)}"
        return ""

    def with_default(self, default):
        """Of words it is the first one."""
        text = str(default).lower() if isinstance(default, bool) else _text(default)
        words = tuple(sorted(self.words, key=lambda word: word != text)) if text in self.words else self.words
        return replace(self, default=text, words=words)

    def named(self, name, help):
        return replace(self, name=name, help=self.help or help)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value


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
    return Key("word", None if required or not words else words[0], help, words=words)


def flag(default=None, help=""):
    """true or false."""
    key = Key("word", None, help, words=("false", "true"), is_flag=True)
    return key if default is None else key.with_default(default)


_KINDS = {bool: flag, int: count, float: number}


def key_of(parameter):
    """What a function's parameter says, by its default and its annotation. None where that is nothing that is known."""
    empty = parameter.empty
    default = None if parameter.default is empty else parameter.default
    for said in (default, parameter.annotation):
        if isinstance(said, Key):
            return said if said is default or default is None else said.with_default(default)
    if parameter.annotation in (number, count, time, work, bytes, flag):
        return parameter.annotation(default)
    kind = _KINDS.get(type(default)) if default is not None else _KINDS.get(parameter.annotation)
    if kind is None:
        return number() if default is None and parameter.annotation is empty else None
    return kind(default)
