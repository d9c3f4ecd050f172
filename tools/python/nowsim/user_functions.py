"""Functions of the user's own that nowsim calls: their names, where they stand, and the keys that their parameters are."""

import inspect
import reprlib

from ._nowsim import InputError, check_key
from .keys import Key, key_of
from .user_code import fingerprint, source_of

_READABLE = 'a number, or nowsim.bytes("1MB"), nowsim.time("1s"), nowsim.choice("a", "b") and others say it'


class UserFunction:
    """What a decorator makes of a function, which stays what it is."""

    kind = "function"
    block = "job"
    kinds = "functions"
    beside = ()  # what the decorator was told that results may depend on

    def __init__(self, function, name, step_limit):
        if not inspect.isfunction(function):
            raise InputError(f"a {self.kind} is a function that def or lambda makes, not {reprlib.repr(function)}, of type "
                             f"{type(function).__name__}")
        self.function = function
        self.name = name or function.__name__
        self.place = f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"
        self.origin = (function.__globals__.get("__file__", function.__module__), function.__qualname__)
        self.summary = (inspect.getdoc(function) or f"a {self.kind} in {self.place}").splitlines()[0]
        self.step_limit = step_limit
        self.source = source_of(function)

    def by(self):
        """How sentences name it."""
        return f"{self.kind} {self.name} ({self.place})"

    def refuse(self, sentence):
        raise InputError(f"{self.by()}: {sentence}")

    def parameters(self):
        """Those of the function, all of which have names."""
        try:
            found = list(inspect.signature(self.function, eval_str=True).parameters.values())
        except NameError as error:  # of an annotation that is a text
            self.refuse(str(error))
        for parameter in found:
            if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                self.refuse(f"the parameter {parameter} can be no key of {self.block}:")
        return found

    def key(self, parameter):
        """What stands at the key that a parameter is."""
        key = key_of(parameter)
        if not isinstance(key, Key):
            self.refuse(f"what stands at the key {parameter} is not known: {_READABLE}")
        named = key.named(parameter.name, f"of {self.name}")
        try:
            check_key(named)
        except InputError as error:
            self.refuse(f"the default of {parameter.name}: {error}")
        return named

    def code(self):
        """Tells this code from what it was before."""
        return fingerprint(self)
