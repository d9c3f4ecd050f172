"""Techniques, policies, owner models and metrics as functions of plain numbers: parameters have the names of what they get."""

import inspect

from . import _nowsim
from .user_functions import UserFunction


class NumberFunction(UserFunction):
    """A function each of whose parameters is a variable that nowsim knows, or else a key of the user's own."""

    has_keys = True

    def __init__(self, function, name, step_limit=10.0):
        super().__init__(function, name, step_limit)
        known = dict(_nowsim.variables(self.kind))
        self.variables, self.keys, self.order, self.keywords = [], [], [], ()
        for parameter in self.parameters():
            if parameter.kind == parameter.KEYWORD_ONLY:
                self.keywords += (parameter.name,)
            if parameter.name in known and parameter.default is parameter.empty:
                self.order.append(len(self.variables))
                self.variables.append(parameter.name)
            elif parameter.name in known:
                self.refuse(f"{parameter.name} is {known[parameter.name]}; a key with a default needs another name")
            elif parameter.default is parameter.empty and parameter.annotation is parameter.empty:
                of_keys = f"; a key of its own needs a default, {parameter.name}=1" if self.has_keys else ""
                self.refuse(f"nothing is known of its parameter {parameter.name}: variables are {', '.join(known)}{of_keys}")
            else:
                self.order.append(-1 - len(self.keys))
                self.keys.append(self.key(parameter))


class Technique(NumberFunction):
    """`function(R, P, ...)` gives the tasks of the next chunk; parts of one are rounded up."""

    kind, kinds = "technique", "techniques"

    def __init__(self, function, *, name=None, batch=None):
        super().__init__(function, name)
        self.batch = None if batch is None else Batch(batch, f"{self.name}'s batch")
        self.beside = (batch,)
        if self.batch is not None and self.batch.keys:
            self.refuse("a function of batches has variables alone, no keys of its own")
        of_batches = [name for name in ("K", "L", "j") if name in self.variables]
        if of_batches and batch is None:
            self.refuse(f"its parameter {of_batches[0]} is about batches: @nowsim.technique(batch=...) says how large they are")


class Batch(NumberFunction):
    """`function(R, P, ...)` gives the tasks of a batch."""

    kind = "technique"


class Policy(NumberFunction):
    """`function(s, ...)` gives a weight per machine, in proportion to which the work is split."""

    kind, block, kinds = "policy", "split", "policies"

    def __init__(self, function, *, name=None):
        super().__init__(function, name)


class Owner(NumberFunction):
    """`function(u, v)` of uniform numbers gives how long the next interval lasts [s], and the availability in it; or a
    generator `function(random)` gives one such pair after another."""

    kind, block, kinds = "owner", "owner", "owners"

    def __init__(self, function, *, name=None, mean=None, sd=None):
        super().__init__(function, name)
        self.is_generator = inspect.isgeneratorfunction(function)
        self.mean, self.sd = self.beside = mean, sd
        if (mean is None) != (sd is None):
            self.refuse("mean and sd, of the availability over time, are given together or not at all")
        for name, said in (("mean", mean), ("sd", sd)):
            self.check_said(name, said, lambda value: value is None or isinstance(value, (int, float)), "a number")
        if self.is_generator and self.variables != ["random"]:
            self.refuse("a generator draws by random() itself: that is the one variable that it has")
        if not self.is_generator and "random" in self.variables:
            self.refuse("random() is for generators, which 'yield' intervals; a function gets uniform numbers u and v")

    def moments(self, *values):
        """Mean and standard deviation as they were given, functions of keys or numbers; None where they were not."""
        if self.mean is None:
            return None
        named = {key.name: value for key, value in zip(self.keys, values)}
        try:
            return tuple(float(said(*(named[key] for key in inspect.signature(said).parameters)) if callable(said) else said)
                         for said in (self.mean, self.sd))
        except Exception as error:
            self.refuse(f"its mean and sd: {type(error).__name__}: {error}")


class Metric(NumberFunction):
    """`function(T, ...)` gives a number from the makespans of all replications."""

    kind, kinds, has_keys = "metric", "metrics", False

    def __init__(self, function, *, name=None, unit="", better=None):
        super().__init__(function, name)
        self.unit, self.better = unit, better or ""
        if not isinstance(unit, str):
            self.refuse(f"unit={unit!r}: a text is wanted")
        if self.better not in ("", "lower", "higher"):
            self.refuse(f"better={better!r}: it is 'lower', 'higher', or not said")
        if self.keys:
            self.refuse(f"metrics have no keys, so that its parameter {self.keys[0].name} has no meaning")
