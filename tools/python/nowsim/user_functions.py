"""Functions of the user's own that nowsim calls: their names, where they stand, and the keys that their parameters are."""

import inspect
import re
import reprlib
import uuid
from math import inf

from ._nowsim import UNTOLD, InputError, check_key, check_name, keys_of_block
from .keys import Key, key_of
from .user_code import Untold, fingerprint, source_of

_READABLE = 'a number, or nowsim.bytes("1MB"), nowsim.time("1s"), nowsim.choice("a", "b") and others say it'


class UserFunction:
    """What a decorator makes of a function, which stays what it is."""

    kind = "function"
    block = "job"
    kinds = "functions"
    beside = ()  # what the decorator was told that results may depend on
    remarked = False

    def __init__(self, function, name, step_limit):
        if not inspect.isfunction(function):
            raise InputError(f"a {self.kind} is a function that def or lambda makes, not {reprlib.repr(function)}, of type "
                             f"{type(function).__name__}")
        self.function = function
        self.name = function.__name__ if name is None else name
        self.place = f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"
        self.origin = (function.__globals__.get("__file__", function.__module__), function.__qualname__)
        self.summary = (inspect.getdoc(function) or f"a {self.kind} in {self.place}").splitlines()[0]
        self.step_limit = step_limit
        self.source = source_of(function.__globals__)
        if not isinstance(step_limit, (int, float)) or isinstance(step_limit, bool) or not 0 < step_limit < inf:
            self.refuse(f"step_limit={step_limit!r}: a number of seconds is wanted, more than 0")

    def check(self):
        """That descriptions can name it, and its keys. Raises InputError."""
        if not isinstance(self.name, str) or not re.fullmatch(r"[^\W\d][\w-]*", self.name):
            self.refuse(f"{self.name!r} is no name: name= wants one word of letters, digits, - and _, a letter first")
        try:
            check_name(self.kind, self.name)
        except InputError as error:
            self.refuse(str(error))
        own = dict(keys_of_block(self.kind))
        for key in self.keys:
            if key.name in own:
                self.refuse(f"{self.block}.{key.name} is a key of {own[key.name]}, so that its key {key.name} needs another "
                            "name")

    def by(self):
        """How sentences name it."""
        return f"{self.kind} {self.name} ({self.place})"

    def refuse(self, sentence):
        raise InputError(f"{self.by()}: {sentence}") from None

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
        if named.wrong():
            self.refuse(f"the key {parameter.name}: {named.wrong()}")
        try:
            check_key(named)
        except InputError as error:
            self.refuse(f"the default of {parameter.name}: {error}")
        return named

    def check_said(self, name, said, is_right, wanted, of_ranks=False):
        """What the decorator was told: a value, or a function of keys (`of_ranks`: and of the number of ranks first)."""
        if not callable(said):
            if not is_right(said):
                self.refuse(f"{name}={said!r}: {wanted} is wanted, or a function of keys")
            return
        try:
            parameters = list(inspect.signature(said).parameters)
        except ValueError:  # of a built-in function
            self.refuse(f"{name}={said!r}: what it is a function of is not known; a lambda says it")
        if of_ranks and not parameters:
            self.refuse(f"{name} is a function of the number of ranks, and then of keys")
        keys = [key.name for key in self.keys]
        for parameter in parameters[of_ranks:]:
            if parameter not in keys:
                self.refuse(f"{name} is a function of its keys ({', '.join(keys) or 'it has none'}), and {parameter} is none")

    def code(self):
        """Tells this code from what it was before; where `untold` stands in the way, from all code that ever was."""
        try:
            return fingerprint(self)
        except Untold as what:
            self.untold = str(what)
            return UNTOLD + uuid.uuid4().hex

    def remark(self):
        """Why no store's results are its, where that is so and was not said before; or ""."""
        if self.remarked or not self.code().startswith(UNTOLD):
            return ""
        self.remarked = True
        return (f"{self.by()}: {self.untold}, cannot be told from what it was before, so that its results are simulated anew, "
                "never taken from a store")
