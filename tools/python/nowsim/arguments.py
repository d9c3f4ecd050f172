"""Arguments of functions as the command line's flags, by its own tables, and as settings."""

import difflib
import functools
import inspect
import keyword
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Union

from . import _nowsim
from ._nowsim import UsageError, value_text
from .user_functions import UserFunction

Number = Union[int, float, str]
Path = Union[str, os.PathLike]
Names = Union[str, Iterable[str]]
Spec = Union[str, os.PathLike, Mapping, Callable]


def refuse_unknown(function: str, unknown: Iterable[str], known: Iterable[str]) -> None:
    """@raises UsageError for keywords that a function has not, naming the nearest that it has."""
    known = list(known)
    for name in unknown:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            meant = f"; did you mean '{near[0]}'?" if near else ""
            raise UsageError(f"nowsim.{function}() has no keyword '{name}'{meant}")


class Flag(NamedTuple):
    """A row of a command's table of flags."""

    name: str
    type: str  # switch, number, names, path, word, text or several
    words: list  # of a word
    is_needed: bool
    help: str

    @property
    def keyword(self) -> str:
        name = self.name.replace("-", "_")
        return name + "_" if keyword.iskeyword(name) else name

    @property
    def annotation(self) -> str:
        types = {"switch": "bool", "number": "Number", "names": "Names", "path": "Path"}
        of_word = "Literal[" + ", ".join(map(repr, self.words)) + "]"
        name = of_word if self.type == "word" else types.get(self.type, "str")
        return name if self.type == "switch" or self.is_needed else f"Optional[{name}]"

    def on_line(self, value: Any) -> list:
        """seed=3 is --seed=3; None is left out, as False of a switch, which is there where it is True; names may be in a list.

        @raises UsageError for what the flag cannot take.
        """
        value = _plain(value)
        if value is None:
            return []
        if self.type == "switch":
            if value is False:
                return []
            if value is not True:
                raise UsageError(f"{self.keyword}: True or False is wanted, not {value!r}")
            return ["--" + self.name]
        values = list(value) if self.type == "names" and is_list(value) else [value]
        text = ",".join(_word(self.keyword, each) for each in values)
        if not text:
            raise UsageError(f"{self.keyword}: something is wanted, not {value!r}; without a value leave it out")
        return [f"--{self.name}={text}"]


_ELSEWHERE = {"help", "format", "quiet", "picture", "show-splits",  # what a program prints
              "shard", "publish-every",  # other processes
              "set", "sweep"}  # dicts: sets, sweep


@functools.cache
def flag_table(command: str, *but: str) -> dict:
    """A command's flags by their keywords, without these."""
    flags = [Flag(*row) for row in _nowsim.flags_of(command)]
    return {flag.keyword: flag for flag in flags if flag.name not in _ELSEWHERE.union(but)}


def flags_of(command: str, keywords: Mapping[str, Any]) -> list:
    """Keywords as a command's flags."""
    table = flag_table(command)
    return [word for name, value in keywords.items() for word in table[name].on_line(value)]


def takes_flags_of(command: str, *but: str) -> Callable:
    """Decorates a function whose `**flags` are a command's but for some: signature and help tell them, and what is no
    keyword is refused with what is near.

    @raises UsageError.
    """

    def decorate(function: Callable) -> Callable:
        own = inspect.signature(function)
        table = {name: flag for name, flag in flag_table(command, *but).items() if name not in own.parameters}
        fixed = [parameter for parameter in own.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        flags = [inspect.Parameter(flag.keyword, inspect.Parameter.KEYWORD_ONLY, annotation=flag.annotation,
                                   default=inspect.Parameter.empty if flag.is_needed else
                                   False if flag.type == "switch" else None) for flag in table.values()]

        @functools.wraps(function)
        def asked(*values: Any, **named: Any) -> Any:
            refuse_unknown(function.__name__, named, [*(parameter.name for parameter in fixed), *table])
            return function(*values, **named)

        asked.__signature__ = own.replace(parameters=[*fixed, *flags])
        asked.__doc__ += "\n    Flags of the command line as keywords:\n\n" + "".join(
            f"    {flag.keyword}: {flag.help}\n" for flag in table.values())
        return asked

    return decorate


def is_list(value: Any) -> bool:
    """Whether it is several values in a row."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, os.PathLike))


def _plain(value: Any) -> Any:
    """NumPy's values as Python's own."""
    return value.tolist() if hasattr(value, "tolist") else value


def _word(name: str, value: Any) -> str:
    value = _plain(value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    raise UsageError(f"{name}: a number or a text is wanted, not {value!r}, of type {type(value).__name__}")


def settings_of(sets: Union[Mapping, None], sweep: Union[Mapping, None], metrics: Any = None) -> list:
    """`sets`, `sweep` and `metrics` as texts of --set: key=value."""
    settings = [_setting(key, value) for key, value in _map("sets", sets).items()]
    settings += [_setting(f"sweep.{key}", _axis(key, values)) for key, values in _map("sweep", sweep).items()]
    if metrics is not None:
        settings.append(_setting("metrics", [metrics] if isinstance(metrics, str) else metrics))
    return settings


def _setting(key: str, value: Any) -> str:
    return key + "=" + value_text(key, value)


def _axis(key: str, values: Any) -> Any:
    if is_list(values) or isinstance(values, Mapping):
        return values
    raise UsageError(f"sweep: {key}: a list of values is wanted, or a dict such as "
                     f"{{'from': 0, 'to': 1, 'step': 0.1}}, not {values!r}")


def _map(name: str, value: Any) -> Mapping:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UsageError(f"{name}: a dict of keys and values is wanted, such as {{'owner.TH': 0.28}}, not {value!r}, "
                         f"of type {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise UsageError(f"{name}: a key is a text such as 'owner.TH', not {key!r}")
    return value


def spec_of(spec: Spec) -> Union[str, Mapping]:
    """A file or a name, or a description. A workload is described by itself."""
    said = getattr(spec, "nowsim", None)
    said = said if isinstance(said, UserFunction) else None  # a module may have one of that name
    if said is not None and not hasattr(said, "trial"):
        raise UsageError(f"an experiment is wanted, and {said.by()} is named in one: {said.kinds} have none of their own")
    spec = spec if said is None else said.trial()
    if isinstance(spec, Mapping):
        return spec
    if isinstance(spec, (str, os.PathLike)):
        return os.fspath(spec)
    raise UsageError(f"an experiment is a file, the name of a shipped one, a dict or a workload, not {spec!r}, of type "
                     f"{type(spec).__name__}")
