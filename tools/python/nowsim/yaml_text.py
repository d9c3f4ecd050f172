"""Python's values as the text that descriptions are read from, so that a dict says what a file would.

None, True and False, numbers (of NumPy too), texts and paths, lists and tuples, and maps of these. A text is what would
stand behind the key in a file: "105Tf", "5s", "=2*P", "uniform". One that YAML would read as something else ("a: b",
"010", "12:30", "") is put in quotes, which makes it a text and never a number.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping

from ._nowsim import UsageError

# What YAML takes for more than a plain text, or for one of two things (yaml_tree.cpp).
_MARKUP = re.compile(r"""^[\s,\[\]{}#&*!|>'"%@`]|^[-?:](\s|$)|:(\s|$)|\s#|\s$|^(---|\.\.\.)|[\x00-\x1f\x7f]"""
                     r"|^~?$|^null$", re.IGNORECASE)
_AMBIGUOUS = re.compile(r"[-+]?0[0-9]+([.][0-9]*)?([eE][-+]?[0-9]+)?|[-+]?0[xX][0-9a-fA-F_]+|[-+]?0[oO][0-7_]+"
                        r"|[-+]?0[bB][01_]+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+([.][0-9_]*)?"
                        r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?")


def description_text(description: Mapping) -> str:
    """A description as a file would hold it; `nowsim: 1` may be left out."""
    whole = dict(description)
    version = whole.pop("nowsim", 1)
    return _block({"nowsim": version, **whole}, 0, "")


def value_text(key: str, value: object) -> str:
    """A value as it stands behind `key=` of a flag --set."""
    return _behind_key(value, 0, key)


def is_list(value: object) -> bool:
    """Whether it is several values in a row."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping, os.PathLike))


def _behind_key(value: object, indent: int, key: str) -> str:
    value = _plain(value)
    if isinstance(value, Mapping):
        return "\n" + _block(value, indent, key) if value else " {}"
    if is_list(value):
        items = list(value)
        return "\n" + "".join(_item(item, indent, key) for item in items) if items else " []"
    return " " + _scalar(value, key)


def _block(entries: Mapping, indent: int, key: str) -> str:
    lines = []
    for name, value in entries.items():
        inner = f"{key}.{name}" if key else str(name)
        if not isinstance(name, (str, int, float)):
            raise UsageError(f"{inner}: a key is a text, not {_kind(name)}")
        text = _behind_key(value, indent + 2, inner).rstrip("\n")
        lines.append(" " * indent + _scalar(name, inner) + ":" + text + "\n")
    return "".join(lines)


def _item(value: object, indent: int, key: str) -> str:
    value = _plain(value)
    if isinstance(value, Mapping) and value:
        inside = _block(value, indent + 2, key)
        return " " * indent + "- " + inside[indent + 2:]
    return " " * indent + "-" + _behind_key(value, indent + 2, key).rstrip("\n") + "\n"


def _plain(value: object) -> object:
    """NumPy's and pandas' values as Python's own."""
    return value.tolist() if hasattr(value, "tolist") else value


def _scalar(value: object, key: str) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _text(os.fspath(value))
    raise UsageError(f"{key}: a number, a text, a list or a dict is wanted here, not {_kind(value)}")


def _text(text: str) -> str:
    if _MARKUP.search(text) or _AMBIGUOUS.fullmatch(text):
        return json.dumps(text, ensure_ascii=False)
    return text


def _kind(value: object) -> str:
    return f"{value!r}, of type {type(value).__name__}"
