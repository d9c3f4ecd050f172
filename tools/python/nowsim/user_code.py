"""What tells a user's code from other code: a hash of all that its results depend on, as far as that can be seen.

Of the file that holds the function that is every byte, as it was when the file was read; and of the function, and of
what it names (functions, classes, modules of the user's, values), the code that was loaded, and the values. Of modules
that are imported while it runs, and are not loaded yet, it is the files. The standard library and installed packages
are not looked into, and what they hold themselves (os.environ, say) goes by its name.
"""

import copyreg
import dis
import importlib.machinery
import importlib.util
import sys
import types

from .object_graph import Node, digest
from .whose_code import InstalledNames, is_installed, is_users, is_users_class

_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis))
_OF_CLASSES = {"__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__"}
_IMPORT = dis.opmap["IMPORT_NAME"]
_NESTED = 6  # tuples in tuples that are plain; what is in more of them is described as other objects are


def source_of(function):
    """The bytes of the file that holds the function; None where there is none."""
    return _bytes_of(function.__globals__.get("__file__") or "")


def _bytes_of(file):
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except OSError:
        return None


def _plain(value, nested=_NESTED):
    """A text that tells a constant from others; None of all else. Equal ones may be one object, or not."""
    kind = type(value)
    if kind in _PLAIN:
        return hex(value) if kind is int else repr(value)
    if kind not in (tuple, frozenset) or not nested:
        return None
    texts = []
    for each in value:
        texts.append(_plain(each, nested - 1))
        if texts[-1] is None:
            return None
    return f"{kind.__name__}{texts if kind is tuple else sorted(texts)}"


class _File:
    """A module that is not loaded."""

    def __init__(self, name, file, package, data):
        self.name, self.file, self.package, self.data = name, file, package, data


class _Hash:
    """Of objects: each is described once, so that the time it takes grows with their number."""

    def __init__(self):
        self._numbers = {}
        self._objects = []  # kept, so that none gets another's id
        self._node = None
        self._files = {}
        self._installed = InstalledNames()

    def of(self, value):
        self.number(value)
        nodes = []
        for it in self._objects:  # which grows
            self._node = Node()
            nodes.append(self._node)
            self.describe(it)
        return digest(nodes)

    def number(self, value):
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return self._numbers[id(value)]

    def put(self, *parts):
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
            self._node.texts.update(b"%d:" % len(data) + data)

    def attempt(self, step, *arguments):
        """Of one value alone: a lock, a stream, what cannot be taken apart is nothing that results could depend on."""
        try:
            step(*arguments)
        except Exception:
            self.put("no value")

    def value(self, value):
        text = _plain(value)
        if text is not None:
            return self.put(type(value).__name__, text)
        self.put("object")
        self._node.ordered.append(self.number(value))

    def items(self, values):
        values = tuple(values)
        text = _plain(values)
        self.put(len(values), text)
        for value in values if text is None else ():
            self.value(value)

    def named(self, values):
        for name, value in sorted(values, key=lambda pair: str(_plain(pair[0]))):
            self.value(name)
            self.value(value)

    def describe(self, value):
        kind = type(value)
        self.put(kind.__module__, kind.__qualname__)
        name = self._installed.of(value)
        if name is not None:
            return self.put("installed", *name)
        for base, describe in _CODE:
            if issubclass(kind, base):
                return describe(self, value)
        if is_users_class(kind):
            self.value(kind)
            self.attributes(value)
        for base, describe in _KINDS:
            if issubclass(kind, base):
                return self.attempt(describe, self, value)
        if all(map(is_users_class, kind.__mro__[:-1])):
            return
        self.attempt(self.wrapper, value)
        self.attempt(self.pickled, value)

    def attributes(self, value):
        self.attempt(lambda: self.named(list(getattr(value, "__dict__", {}).items())))
        slots = {name: slot for base in type(value).__mro__ for name, slot in vars(base).items()
                 if isinstance(slot, types.MemberDescriptorType)}
        for name, slot in sorted(slots.items()):
            self.put(name)
            self.attempt(lambda each=slot: self.value(each.__get__(value)))  # fails while it is not filled

    def wrapper(self, value):
        """Such as functools.lru_cache makes, which pickle knows by name."""
        if "__wrapped__" in getattr(value, "__dict__", ()):
            self.attributes(value)

    def pickled(self, value):
        """As pickle would take it apart; of what it takes by name this is the name. Arrays by their numbers."""
        if hasattr(value, "tobytes") and hasattr(value, "dtype"):
            self.put(value.dtype, getattr(value, "shape", ()))
            return self.items(value.ravel().tolist()) if value.dtype.hasobject else self.put(value.tobytes())
        reduce = copyreg.dispatch_table.get(type(value))
        parts = value.__reduce_ex__(4) if reduce is None else reduce(value)
        if isinstance(parts, str):
            return self.put(getattr(value, "__module__", ""), parts)
        for at, part in enumerate(parts):
            self.attempt(lambda: self.value(list(part) if at in (3, 4) and part is not None else part))

    def set(self, values):
        others = [each for each in values if _plain(each) is None]
        self.put("set", len(others), *sorted(filter(None, map(_plain, values))))
        self._node.unordered += [self.number(each) for each in others]

    def type(self, it):
        if not is_users_class(it):
            return self.put("installed", it.__module__, it.__qualname__)
        self.named((name, value) for name, value in list(vars(it).items()) if name not in _OF_CLASSES)
        self.items(it.__bases__)

    def module(self, module):
        names = vars(module)
        if not is_users(names):
            return self.put("installed", module.__name__)
        self.named((name, value) for name, value in list(names.items()) if str(name)[:2] != "__")

    def function(self, function):
        names = function.__globals__
        if is_users(names):
            self.code(function.__code__)
            self.items([function.__defaults__, function.__kwdefaults__])
            self.named((name, value) for name, value in vars(function).items() if name != "nowsim")
            self.names_in(function.__code__, names)
        else:
            self.put("installed", function.__module__, function.__qualname__)
            if "__wrapped__" in vars(function):
                self.named(vars(function).items())
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
            steps = [step for step in dis.get_instructions(code) if step.opcode != dis.EXTENDED_ARG]
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
            self.attempt(self.imported, full)

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
                if not is_users(getattr(module, "__dict__", {})):
                    return
                self.value(module)
                path = getattr(module, "__path__", None)
                continue
            spec = importlib.machinery.PathFinder.find_spec(full, path)
            if spec is None or (spec.origin and is_installed(spec.origin)):
                return
            path = spec.submodule_search_locations
            self.refer(full, spec.origin, full if path is not None else full.rpartition(".")[0])

    def refer(self, name, file, package):
        data = _bytes_of(file) if file and name not in self._files else None
        if data is not None:
            self._files[name] = _File(name, file, package, data)
        if name in self._files:
            self.value(self._files[name])

    def file(self, file):
        self.put(file.name, file.data)
        try:
            code = compile(file.data, file.file, "exec")
        except Exception:  # no Python, or none that could be imported
            return
        self.names_in(code, {"__package__": file.package})


_CODE = (  # of which no part may be left out, whatever happens
    (types.FunctionType, _Hash.function),
    (types.ModuleType, _Hash.module),
    (type, _Hash.type),
    (types.CodeType, _Hash.code),
    (_File, _Hash.file))

_KINDS = (
    (list, lambda to, value: to.items(list.__iter__(value))),
    (tuple, lambda to, value: to.items(tuple.__iter__(value))),
    (dict, lambda to, value: to.items(each for pair in dict.items(value) for each in pair)),
    (types.MappingProxyType, lambda to, value: to.items(each for pair in value.items() for each in pair)),
    (set, lambda to, value: to.set([*set.__iter__(value)])),
    (frozenset, lambda to, value: to.set([*frozenset.__iter__(value)])),
    (memoryview, lambda to, value: to.put(value.format, value.shape, value.tobytes())),
    (types.MethodType, lambda to, value: to.items([value.__func__, value.__self__])),
    ((staticmethod, classmethod), lambda to, value: to.value(value.__func__)),
    (property, lambda to, value: to.items([value.fget, value.fset, value.fdel])))


def fingerprint(of):
    """Of a nowsim.user_functions.UserFunction."""
    return _Hash().of([of.source or b"", of.function, *of.beside])
