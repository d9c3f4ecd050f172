"""What tells a user's code from other code: a hash of all that a function's results depend on, as far as that can be seen.

Of the file that holds the function that is every byte, as it was when the file was read. Of what the function names
beside that (functions and classes of other modules of the user's, numbers, texts, arrays) it is the code that was
loaded, and the values. Where there is no file (a notebook, a prompt), it is the loaded code of the function too.
The standard library and installed packages are not looked into.
"""

import functools
import hashlib
import os
import pickle
import sys
import sysconfig
import types

_INSTALLED = tuple(os.path.realpath(path) + os.sep for path in
                   {*sysconfig.get_paths().values(), "/usr/lib/python3", os.path.dirname(__file__)} if path)
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))


def source_of(function):
    """The bytes of the file that holds the function; None where there is none."""
    try:
        with open(function.__globals__.get("__file__") or "", "rb") as file:
            return file.read()
    except OSError:
        return None


def _is_users(module):
    file = getattr(module, "__file__", None)
    if file is None:
        return getattr(module, "__name__", "") == "__main__"
    return not os.path.realpath(file).startswith(_INSTALLED)


class _Hash:
    def __init__(self, own_file):
        self._sum = hashlib.sha256()
        self._own_file = own_file
        self._seen = {}

    def text(self):
        return self._sum.hexdigest()[:32]

    def put(self, *parts):
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
            self._sum.update(b"%d:" % len(data) + data)

    def code(self, code):
        self.put("code", sys.version_info[:2], code.co_code, code.co_names, code.co_varnames, code.co_argcount,
                 code.co_kwonlyargcount, code.co_flags, getattr(code, "co_exceptiontable", b""))
        for constant in code.co_consts:
            self.value(constant)

    def globals_of(self, code, names):
        for name in code.co_names:
            if name in names:
                self.put("global", name)
                self.value(names[name])
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.globals_of(constant, names)

    def function(self, function):
        names = function.__globals__
        if not _is_users(types.SimpleNamespace(__file__=names.get("__file__"), __name__=names.get("__name__"))):
            return self.put("installed", function.__module__, function.__qualname__)
        if names.get("__file__") is None or names.get("__file__") != self._own_file:
            self.code(function.__code__)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:  # not filled yet
                self.put("empty")
        self.globals_of(function.__code__, names)

    def module(self, module):
        if not _is_users(module):
            return self.put("installed", module.__name__)
        for name, value in sorted(vars(module).items()):
            if not name.startswith("__") and isinstance(value, (types.FunctionType, type, types.ModuleType) + _PLAIN):
                self.put(name)
                self.value(value)

    def type(self, it):
        if not _is_users(sys.modules.get(it.__module__)):
            return self.put("installed", it.__module__, it.__qualname__)
        for name, value in sorted(vars(it).items()):
            if name not in ("__module__", "__dict__", "__weakref__", "__doc__"):
                self.put(name)
                self.value(value)
        for base in it.__bases__:
            self.value(base)

    def items(self, values):
        self.put(len(values))
        for value in values:
            self.value(value)

    def value(self, value):
        self.put(type(value).__module__, type(value).__qualname__)
        if isinstance(value, _PLAIN):
            return self.put(repr(value))
        if isinstance(value, types.CodeType):
            return self.code(value)
        if id(value) in self._seen:
            return self.put("seen", self._seen[id(value)][0])
        self._seen[id(value)] = (len(self._seen), value)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, types.ModuleType):
            return self.module(value)
        if isinstance(value, type):
            return self.type(value)
        if isinstance(value, (list, tuple)):
            return self.items(value)
        if isinstance(value, dict):
            return self.items([item for pair in value.items() for item in pair])
        if isinstance(value, (set, frozenset)):
            return self.items(sorted(value, key=repr))
        if isinstance(value, functools.partial):
            return self.items([value.func, value.args, value.keywords])
        if isinstance(value, (staticmethod, classmethod)):
            return self.value(value.__func__)
        if isinstance(value, types.MethodType):
            return self.items([value.__func__, value.__self__])
        if isinstance(value, property):
            return self.items([value.fget, value.fset])
        if hasattr(value, "tobytes") and hasattr(value, "dtype"):
            return self.put(value.dtype, getattr(value, "shape", ()), value.tobytes())
        if _is_users(sys.modules.get(type(value).__module__)) or isinstance(value, types.SimpleNamespace):
            self.value(type(value))
            return self.value(getattr(value, "__dict__", None))
        try:
            self.put(pickle.dumps(value, protocol=4))  # a table of pandas, say
        except Exception:  # a lock, a stream: nothing that results could depend on
            self.put("no value")


def fingerprint(program):
    """Of a nowsim.user_functions.UserFunction."""
    own = _Hash(program.function.__globals__.get("__file__") if program.source is not None else None)
    own.put(program.source or b"")
    own.value(program.function)
    return own.text()
