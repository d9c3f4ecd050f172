"""What tells a user's code from other code: a hash of all that a function's results depend on, as far as that can be seen.

Of the file that holds the function that is every byte, as it was when the file was read; and of the function, and of
what it names (functions, classes, modules of the user's, values), the code that was loaded, and the values. Of modules
that are imported while it runs, and are not loaded yet, it is the files. The standard library and installed packages are
not looked into.
"""

import copyreg
import dis
import hashlib
import importlib.machinery
import importlib.util
import sys
import types

from .whose_code import is_installed, is_users, is_users_class

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))
_OF_CLASSES = {"__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__"}
_IMPORT = dis.opmap["IMPORT_NAME"]


def source_of(function):
    """The bytes of the file that holds the function; None where there is none."""
    return _bytes_of(function.__globals__.get("__file__") or "")


def _bytes_of(file):
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return None


def _plain(value):
    """A text that tells a constant from others; None of all else. Equal ones may be one object, or not."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value)
    if kind not in (tuple, frozenset):
        return None
    texts = [_plain(each) for each in value]
    return None if None in texts else f"{kind.__name__}{texts if kind is tuple else sorted(texts)}"


class _Hash:
    """Of objects: each is described once, in the order in which they are first mentioned."""

    def __init__(self, seen=()):
        self._sum = hashlib.sha256()
        self._seen = dict(seen)
        self._waiting = []
        self._files = set()

    def of(self, value):
        self.value(value)
        for it in self._waiting:  # which grows
            try:
                self.describe(it)
            except Exception:  # a lock, a stream: nothing that results could depend on
                self.put("no value")
        return self._sum.hexdigest()[:32]

    def put(self, *parts):
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
            self._sum.update(b"%d:" % len(data) + data)

    def value(self, value):
        text = _plain(value)
        if text is not None:
            return self.put(type(value).__name__, text)
        if id(value) not in self._seen:
            self._seen[id(value)] = (len(self._seen), value)
            self._waiting.append(value)
        self.put("object", self._seen[id(value)][0])

    def items(self, values):
        values = tuple(values)
        text = _plain(values)
        self.put(len(values), text)
        for value in values if text is None else ():
            self.value(value)

    def named(self, values):
        for name, value in sorted(values):
            self.put(name)
            self.value(value)

    def describe(self, value):
        kind = type(value)
        self.put(kind.__module__, kind.__qualname__)
        if is_users_class(kind):
            self.value(kind)
            self.attributes(value)
        for base, describe in _KINDS:
            if issubclass(kind, base):
                return describe(self, value)
        if all(map(is_users_class, kind.__mro__[:-1])):
            return
        if "__wrapped__" in getattr(value, "__dict__", ()):  # of functools.lru_cache, say
            return self.value(value.__dict__["__wrapped__"])
        if hasattr(value, "tobytes") and hasattr(value, "dtype"):
            self.put(value.dtype, getattr(value, "shape", ()))
            return self.items(value.ravel().tolist()) if value.dtype.hasobject else self.put(value.tobytes())
        self.pickled(value)

    def attributes(self, value):
        self.named(list(getattr(value, "__dict__", {}).items()))
        slots = {name: slot for base in type(value).__mro__ for name, slot in vars(base).items()
                 if isinstance(slot, types.MemberDescriptorType)}
        for name, slot in sorted(slots.items()):
            try:
                self.put(name)
                self.value(slot.__get__(value))
            except AttributeError:  # not filled yet
                self.put("empty")

    def pickled(self, value):
        """As pickle would take it apart; of what it takes by name this is the name."""
        reduce = copyreg.dispatch_table.get(type(value))
        parts = value.__reduce_ex__(4) if reduce is None else reduce(value)
        if isinstance(parts, str):
            return self.put(getattr(value, "__module__", ""), parts)
        self.items(list(part) if at in (3, 4) and part is not None else part for at, part in enumerate(parts))

    def set(self, values):
        self.put(*sorted(_plain(each) or _Hash(self._seen).of(each) for each in values))

    def type(self, it):
        if not is_users_class(it):
            return self.put("installed", it.__module__, it.__qualname__)
        self.named((name, value) for name, value in list(vars(it).items()) if name not in _OF_CLASSES)
        self.items(it.__bases__)

    def module(self, module):
        names = vars(module)
        if not is_users(names):
            return self.put("installed", module.__name__)
        self.named((name, value) for name, value in list(names.items()) if not name.startswith("__"))

    def function(self, function):
        names = function.__globals__
        if is_users(names):
            self.code(function.__code__)
            self.items([function.__defaults__, function.__kwdefaults__])
            self.named((name, value) for name, value in vars(function).items() if name != "nowsim")
            self.names_in(function.__code__, names)
        else:
            self.put("installed", function.__module__, function.__qualname__)
            self.value(vars(function).get("__wrapped__"))
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:  # not filled yet
                self.put("empty")

    def code(self, code):
        self.put("code", sys.version_info[:2], code.co_code, code.co_names, code.co_varnames, code.co_argcount,
                 code.co_kwonlyargcount, code.co_flags, getattr(code, "co_exceptiontable", b""))
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.value(constant)

    def names_in(self, code, names):
        """Of what is named in it, and within: what has that name, and what it imports itself."""
        self.named((name, names[name]) for name in set(code.co_names) if name in names)
        if _IMPORT in code.co_code[::2]:
            steps = list(dis.get_instructions(code))
            for level, those, step in zip(steps, steps[1:], steps[2:]):
                if step.opcode == _IMPORT:
                    self.imports("." * level.argval + step.argval, those.argval or (), names.get("__package__") or "")
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.names_in(constant, names)

    def imports(self, name, those, package):
        try:
            name = importlib.util.resolve_name(name, package)
        except ImportError:
            return
        for full in (name, *(f"{name}.{each}" for each in those)):
            self.imported(full)

    def imported(self, name):
        """A module and those that it is in, without running them where they are not loaded."""
        if name.partition(".")[0] in sys.stdlib_module_names:
            return
        parts, path = name.split("."), None
        for end in range(1, len(parts) + 1):
            full = ".".join(parts[:end])
            module = sys.modules.get(full)
            if end > 1 and path is None:  # a name in a module
                return
            if module is not None:
                if not is_users(vars(module)):
                    return
                self.value(module)
                path = getattr(module, "__path__", None)
                continue
            spec = importlib.machinery.PathFinder.find_spec(full, path)
            if spec is None or (spec.origin and is_installed(spec.origin)):
                return
            path = spec.submodule_search_locations
            self.file(full, spec.origin, full if path is not None else full.rpartition(".")[0])

    def file(self, name, file, package):
        data = _bytes_of(file) if file and name not in self._files else None
        if data is None:
            return
        self._files.add(name)
        self.put("file", name, data)
        try:
            self.names_in(compile(data, file, "exec"), {"__package__": package})
        except (SyntaxError, ValueError):  # no Python, or none that could be imported
            pass


_KINDS = (
    (types.FunctionType, _Hash.function),
    (types.ModuleType, _Hash.module),
    (type, _Hash.type),
    (types.CodeType, _Hash.code),
    ((list, tuple), _Hash.items),
    ((dict, types.MappingProxyType), lambda to, value: to.items(each for pair in value.items() for each in pair)),
    ((set, frozenset), _Hash.set),
    (types.MethodType, lambda to, value: to.items([value.__func__, value.__self__])),
    ((staticmethod, classmethod), lambda to, value: to.value(value.__func__)),
    (property, lambda to, value: to.items([value.fget, value.fset, value.fdel])))


def fingerprint(of):
    """Of a nowsim.user_functions.UserFunction."""
    own = _Hash()
    own.put(of.source or b"")
    return own.of([of.function, *of.beside])
