"""What tells a user's code from other code: a hash of its files, of what was loaded of them, and of plain values.

Of the function that is every byte of its file, its code, its defaults, what it encloses and what it names: functions
and classes of the user's likewise; modules of the user's by their files, and what of them is named; plain values, which
are numbers, texts, paths, lists and the like, arrays, instances of the user's classes. What is installed goes by its
name. Anything else is not told, and nor are modules of the user's that are imported only while it runs.
"""

import abc
import dataclasses
import dis
import enum
import functools
import hashlib
import importlib.util
import pathlib
import sys
import types
import typing

from .whose_code import is_installed, is_users, is_users_class, name_of_installed

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))
_PATHS = (pathlib.PurePosixPath, pathlib.PosixPath, pathlib.PureWindowsPath, pathlib.WindowsPath)
_OF_CLASSES = {"__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__",
               "__annotations__", "__dataclass_fields__", "__dataclass_params__", "__parameters__", "__orig_bases__",
               "__abstractmethods__", "_abc_impl"}
_STATELESS = (object, abc.ABC, typing.Generic, typing.Protocol)
_IMPORT = dis.opmap["IMPORT_NAME"]


class Untold(Exception):
    """What code depends on, and cannot be told from what it was in another process."""


def source_of(names):
    """The bytes of the file that a module's names were loaded from, as they were when that was first asked; None where
    there is none."""
    spec = names.get("__spec__")  # another one when it is loaded again
    if not hasattr(spec, "read_by_nowsim"):
        try:
            with open(names.get("__file__") or "", "rb") as file:
                data = file.read()
        except OSError:
            data = None
        if spec is None:
            return data
        spec.read_by_nowsim = data
    return spec.read_by_nowsim


def _plain(value):
    """A text that tells a value from others, in any process; None of what is not plain."""
    kind = type(value)
    if kind in _PLAIN:
        return hex(value) if kind is int else repr(value)
    if kind in _PATHS:
        return f"{kind.__name__} {value}"
    if kind not in (tuple, frozenset):
        return None
    texts = [_plain(each) for each in value]
    return None if None in texts else f"{kind.__name__}{texts if kind is tuple else sorted(texts)}"


class _Hash:
    """Of what it is told, in its order; of what it was told before that it is that."""

    def __init__(self):
        self.made = hashlib.sha256()
        self._numbers = {}  # with the objects, so that none gets another's id
        self._named = set()
        self._files = set()

    def put(self, *parts):
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
            self.made.update(b"%d:" % len(data) + data)

    def file(self, names, data):
        if id(names) not in self._files:
            self._files.add(id(names))
            self.put("file", data or b"")

    def tell(self, value, name, names=()):
        """`name` is how it is called in sentences; `names` are all names of the code that names it."""
        kind, text = type(value), _plain(value)
        self.put(kind.__name__)
        if text is not None:
            return self.put(text)
        if issubclass(kind, types.ModuleType):
            return self.module(value, name, names)
        if kind not in (tuple, frozenset):  # equal ones may be one object, or not
            if id(value) in self._numbers:
                return self.put("again", self._numbers[id(value)][0])
            self._numbers[id(value)] = len(self._numbers), value
        return _KINDS.get(kind, _Hash.other)(self, value, name)

    def parts(self, values, name):
        values = list(values)
        self.put(len(values))
        for value in values:
            self.tell(value, name)

    def attributes(self, values, name):
        for key in sorted(values, key=str):
            self.tell(key, name)
            self.tell(values[key], f"{name}.{key}")

    def set(self, values, name):
        texts = [_plain(each) for each in values]
        if None in texts:
            raise Untold(f"{name}, a set of objects")
        self.put(*sorted(texts))

    def module(self, module, name, names):
        if not is_users(vars(module)):
            return self.put("installed", module.__name__)
        if not any(each in vars(module) for each in names):
            raise Untold(f"{name}, a module nothing of which is named,")
        self.loaded(vars(module), names)

    def loaded(self, known, names):
        self.file(known, source_of(known))
        self.named(known, names)

    def named(self, known, names):
        """What has names in a module. Of other modules there the same names count: a.b.c."""
        for name in sorted({name for name in names if name in known and (id(known), name, names) not in self._named}):
            self._named.add((id(known), name, names))
            self.put(name)
            self.tell(known[name], name, names)

    def function(self, it, name):
        if not is_users(it.__globals__):
            held = name_of_installed(it)
            if held is not None:
                return self.put(held)
            self.put(it.__globals__.get("__name__"), it.__code__.co_name)  # such as decorators make
        else:
            self.put(it.__qualname__)
            self.loaded(it.__globals__, ())
            self.code(it.__code__, it.__globals__)
        self.parts([it.__defaults__, it.__kwdefaults__], f"a default of {it.__name__}")
        self.attributes({key: value for key, value in vars(it).items() if key != "nowsim"}, it.__name__)
        for free, cell in zip(it.__code__.co_freevars, it.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:  # not filled yet
                self.put("empty")
                continue
            self.tell(value, free, it.__code__.co_names)

    def code(self, code, known):
        self.put(sys.version_info[:2], code.co_code, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars,
                 code.co_argcount, code.co_kwonlyargcount, code.co_flags, getattr(code, "co_exceptiontable", b""), len(code.co_consts))
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant, known)
            else:
                self.tell(constant, "a constant")
        self.named(known, code.co_names)
        if _IMPORT in code.co_code[::2]:
            steps = [step for step in dis.get_instructions(code) if step.opcode != dis.EXTENDED_ARG]
            for level, those, step in zip(steps, steps[1:], steps[2:]):
                if step.opcode == _IMPORT:
                    name = importlib.util.resolve_name("." * level.argval + step.argval, known.get("__package__") or "")
                    for full in (name, *(f"{name}.{each}" for each in those.argval or ())):
                        self.imported(full, code.co_names)

    def imported(self, name, names):
        """Modules that it is in, and a module, without running it; whether there can be others in it."""
        above, module = name.rpartition(".")[0], sys.modules.get(name)
        if above and not self.imported(above, names):
            return False
        if module is None:
            spec = importlib.util.find_spec(name)
            places = () if spec is None else (spec.origin, *(spec.submodule_search_locations or ()))
            if not all(place in (None, "built-in", "frozen") or is_installed(place) for place in places):
                raise Untold(f"{name}, which is imported only while it runs")
            return False
        if is_users(vars(module)):
            self.loaded(vars(module), names)
        return hasattr(module, "__path__")

    def type(self, it, name):
        if not is_users_class(it):
            return self.put("installed", it.__module__, it.__qualname__)
        self.put(it.__qualname__)
        module = sys.modules.get(it.__module__)
        if module is not None:
            self.loaded(vars(module), ())
        self.parts([type(it), *it.__bases__], name)
        hidden = {key for key in vars(it) if issubclass(it, enum.Enum) and key[:1] == "_" != key[1:2]}
        self.attributes({key: value for key, value in vars(it).items()
                         if key not in _OF_CLASSES | hidden and not isinstance(value, types.MemberDescriptorType)
                         or key in hidden and isinstance(value, (types.FunctionType, classmethod, staticmethod))}, name)

    def builtin(self, it, name):
        self.put(it.__qualname__)
        self.tell(it.__self__, name, (it.__name__,))  # the module, or what it is a method of

    def other(self, it, name):
        """Of what nothing but its kind is known."""
        kind = type(it)
        if issubclass(kind, type):
            return self.type(it, name)
        if isinstance(it, enum.Enum):
            self.tell(kind, name)
            self.put(it.name)
            return self.tell(it.value, name)
        if kind.__module__ == "numpy" and hasattr(it, "dtype"):
            self.put(it.dtype, it.shape)
            return self.parts(it.ravel().tolist(), name) if it.dtype.hasobject else self.put(it.tobytes())
        held = None if is_users_class(kind) else name_of_installed(it)
        if held is not None:
            return self.put(held)
        if kind.__module__ == "functools" and "__wrapped__" in getattr(it, "__dict__", ()):  # lru_cache()
            return self.attributes(vars(it), name)
        if not all(base in _STATELESS or is_users_class(base) or dataclasses.is_dataclass(base) for base in kind.__mro__):
            raise Untold(f"{name}, of type {kind.__qualname__}")
        self.tell(kind, name)
        self.attributes({**_slots_of(it), **getattr(it, "__dict__", {})}, name)


def _slots_of(it):
    """What an instance holds in slots of its class, or of one that this is derived from."""
    slots = {f"{base.__module__}.{base.__qualname__}.{key}": slot for base in type(it).__mro__ for key, slot in vars(base).items()
             if isinstance(slot, types.MemberDescriptorType)}
    held = {}
    for key, slot in slots.items():
        try:
            held[key] = slot.__get__(it)
        except AttributeError:  # not set yet
            continue
    return held


def _described_by(*attributes):
    return lambda to, it, name: to.parts([getattr(it, each) for each in attributes], name)


_KINDS = {
    types.FunctionType: _Hash.function,
    types.BuiltinFunctionType: _Hash.builtin,
    list: _Hash.parts,
    tuple: _Hash.parts,
    set: _Hash.set,
    frozenset: _Hash.set,
    dict: lambda to, it, name: to.parts([each for pair in it.items() for each in pair], name),
    types.MethodType: _described_by("__func__", "__self__"),
    staticmethod: _described_by("__func__"),
    classmethod: _described_by("__func__"),
    property: _described_by("fget", "fset", "fdel"),
    functools.partial: _described_by("func", "args", "keywords", "__dict__"),
}


def fingerprint(of):
    """Of a nowsim.user_functions.UserFunction. @raises Untold where results may depend on what is not told."""
    told = _Hash()
    try:
        told.file(of.function.__globals__, of.source)
        told.put(of.keys)
        told.parts([of.function, *of.beside], "what the decorator was told")
    except Untold:
        raise
    except RecursionError:
        raise Untold("what refers to itself, or holds what holds what ... for a thousand times")
    except Exception as error:  # of what the user's objects do when they are looked at
        raise Untold(f"what raises {type(error).__name__} when it is looked at") from error
    return told.made.hexdigest()[:32]
