"""Arguments of functions as the command line's flags and settings, refused where they are none."""

import difflib
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union

from ._nowsim import UsageError, value_text
from .user_functions import UserFunction

Spec = Union[str, os.PathLike, Mapping, Callable]


def refuse_unknown(function: str, unknown: Mapping[str, Any], known: list) -> None:
    """@raises UsageError for keywords that a function has not, naming the nearest that it has."""
    for name in unknown:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"; did you mean '{near[0]}'?" if near else ""
        raise UsageError(f"nowsim.{function}() has no keyword '{name}'{meant}")


def flags_of(options: Mapping[str, Any]) -> list:
    """Keywords as flags: seed=3 is --seed=3; None and False are left out, True is a flag without a value."""
    return [flag for name, value in options.items() for flag in _flag(name, value)]


def _flag(name: str, value: Any) -> list:
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    return [flag + "=" + _word(name, value)]


def is_list(value: Any) -> bool:
    """Whether it is several values in a row."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, os.PathLike))


def list_flag(name: str, values: Any) -> list:
    """A flag whose value is one text, or several with commas between; none where it is None."""
    if values is None:
        return []
    return [f"--{name}=" + ",".join(_word(name, value) for value in (values if is_list(values) else [values]))]


def _word(name: str, value: Any) -> str:
    value = value.tolist() if hasattr(value, "tolist") else value
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
