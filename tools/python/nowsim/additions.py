"""What user code has registered, to be named in descriptions beside nowsim's own."""

import inspect
from typing import Any, Callable, Union

from ._nowsim import InputError
from .arguments import refuse_unknown
from .messages import warn
from .number_functions import Metric, Owner, Policy, Technique
from .programs import describe
from .user_functions import UserFunction


class Additions:
    """Registered things by their kinds, each with a decorator: `@nowsim.technique`, or `@nowsim.technique(name="mine")`
    with what is to be said of the function, which stays what it is."""

    def __init__(self) -> None:
        self.workloads: list = []
        self.techniques: list = []
        self.policies: list = []
        self.owners: list = []
        self.metrics: list = []

    def add(self, it: UserFunction) -> None:
        """A name is for one of a kind. The same function of the same file, made again (a notebook's cell), replaces it."""
        it.check()
        registered = getattr(self, it.kinds)
        for at, before in enumerate(registered):
            if before.name == it.name:
                if before.origin != it.origin:
                    raise InputError(f"there is already a {it.kind} named {it.name} ({before.place}): the one in "
                                     f"{it.place} needs another name")
                registered[at] = it
                return
        registered.append(it)

    def remarks(self) -> list:
        """Of each of whose results stores have none, and why; once."""
        stored = (*self.workloads, *self.techniques, *self.owners)
        return [remark for remark in (it.remark() for it in stored) if remark]

    def _decorated(self, describe_it: Callable, function: Union[Callable, None], said: dict) -> Callable:
        known = list(inspect.signature(describe_it).parameters)[1:]
        refuse_unknown(describe_it.__name__.lower() if describe_it is not describe else "workload",
                       {name: value for name, value in said.items() if name not in known}, known)

        def register(it: Callable) -> Callable:
            it.nowsim = describe_it(it, **said)
            self.add(it.nowsim)
            return it

        return register if function is None else register(function)

    def workload(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """A generator function of a rank is a workload; nowsim.programs.describe() takes what is said of it."""
        return self._decorated(describe, function, said)

    def technique(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """A function of the loop's state (R, N, P, c, i, w, ...) gives the tasks of the next chunk. `batch`: a function
        that gives those of a batch, which chunks use up."""
        return self._decorated(Technique, function, said)

    def policy(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """A function of lists of the machines' numbers (s, alpha, a, TH, ...) gives a weight for each of them."""
        return self._decorated(Policy, function, said)

    def owner(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """A function of two uniform numbers u and v, or a generator with `random`, gives intervals: how long [s], and the
        availability in it. `mean` and `sd` of that over time, numbers or functions of keys; else they are measured."""
        return self._decorated(Owner, function, said)

    def metric(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """A function of the array T of makespans [s] gives a number. `unit` for tables; `better`: 'lower' or 'higher'."""
        return self._decorated(Metric, function, said)


_REGISTERED = Additions()
workload, technique, policy = _REGISTERED.workload, _REGISTERED.technique, _REGISTERED.policy
owner, metric = _REGISTERED.owner, _REGISTERED.metric


def registered(uses_store: bool = False) -> Additions:
    """All that was registered in this process: decorators have no other place to put it. Where a store's results are
    asked for, with a remark of what it can have none of."""
    for remark in _REGISTERED.remarks() if uses_store else ():
        warn(remark)
    return _REGISTERED
