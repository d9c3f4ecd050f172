"""Parallel programs as generators: what a workload is, as its decorator describes it."""

import inspect
from math import inf
from typing import Any, Dict, NamedTuple, Optional

from .keys import work as work_key
from .user_functions import UserFunction


class Host(NamedTuple):
    """A rank's workstation: speed of a core [flop/s], memory [bytes] or None."""

    name: str
    speed: float
    cores: int
    memory: Optional[float]
    properties: Dict[str, str]


class Settled(NamedTuple):
    """A program with its keys' values: what the function is called with, and what the simulator needs to know."""

    arguments: Dict[str, Any]
    work: float
    phases: int
    communicates: bool
    first_worker: int
    least_ranks: int
    uses_shares: bool
    ends_with_first_rank: bool
    messages: Any


def _is_whole(value, least, most=inf):
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


_RIGHT = {
    "work": (lambda value: isinstance(value, (int, float)) and 0 <= value < inf, "a number of flop, not negative,"),
    "phases": (lambda value: _is_whole(value, 1), "a whole number from 1 on"),
    "communicates": (lambda value: isinstance(value, bool), "True or False"),
    "first_worker": (lambda value: _is_whole(value, 0, 1), "0, or 1 where rank 0 is a server,"),
    "least_ranks": (lambda value: _is_whole(value, 1), "a whole number from 1 on"),
    "uses_shares": (lambda value: isinstance(value, bool), "True or False"),
    "ends_with_first_rank": (lambda value: isinstance(value, bool), "True or False"),
}
_MESSAGES = _RIGHT["work"][0], "a number, not negative,"


class Program(UserFunction):
    """A workload: `function(rank, **keys)` gives the generator of a rank."""

    kind, kinds = "workload", "workloads"

    def __init__(self, function, name, step_limit, said):
        super().__init__(function, name, step_limit)
        self._said = said
        self.beside = tuple(said.values())
        self._parameters = self._read_parameters()
        self.keys = list(self._parameters.values())
        if said["work"] == "work" and "work" not in self._parameters:
            self.keys.insert(0, work_key(0).named("work", "of all ranks together"))
        for name, value in said.items():
            if not isinstance(value, str) or name not in _RIGHT:
                self.check_said(name, value, *_RIGHT.get(name, _MESSAGES), of_ranks=name not in _RIGHT)
            elif value not in [key.name for key in self.keys]:
                self.refuse(f"{name}={value!r}: it has no such key")

    def _read_parameters(self):
        parameters = self.parameters()
        if not parameters or parameters[0].kind == parameters[0].KEYWORD_ONLY:
            self.refuse("its first parameter must be the rank")
        for parameter in parameters[1:]:
            if parameter.kind == parameter.POSITIONAL_ONLY:
                self.refuse(f"the parameter {parameter} can be no key of job:")
        return {parameter.name: self.key(parameter) for parameter in parameters[1:]}

    def _settled(self, name, values):
        """What is said, the value of the key that is named, or what a function of keys gives."""
        said = self._said[name]
        if isinstance(said, str):
            return values[said]
        if callable(said):
            return said(*(values[key] for key in inspect.signature(said).parameters))
        return said

    def settle(self, given):
        values = {key.name: given[key.name] for key in self.keys}
        settled = {name: self._settled(name, values) for name in Settled._fields[1:-1]}
        for name, (is_right, wanted) in _RIGHT.items():
            if not is_right(settled[name]):
                self.refuse(f"{name} is {settled[name]!r}: {wanted} is wanted")
        messages = self._said["messages"]
        if callable(messages):
            rest = [values[key] for key in list(inspect.signature(messages).parameters)[1:]]
            counted = lambda ranks: float(messages(ranks, *rest))
        else:
            counted = lambda ranks: float(messages)
        arguments = {name: values[name] for name in self._parameters}
        return Settled(arguments=arguments, messages=counted, **settled)

    def trial(self):
        """An experiment that gives it something to do, where only the program is given."""
        machines = self._said["least_ranks"]
        job = {"workload": self.name}
        if "work" not in self._parameters and any(key.name == "work" for key in self.keys):
            job["work"] = "1Gf"
        return {"nowsim": 1, "platform": {"workstations": max(4, machines) if isinstance(machines, int) else 4,
                                          "speed": "25Mf", "network": "links", "bandwidth": "10MBps", "latency": "1ms"},
                "job": job, "owner": {"model": "intervals", "TH": 0.3}, "run": {"replications": 100}}


def describe(function, *, name=None, work="work", phases=1, communicates=True, first_worker=0, least_ranks=1,
             uses_shares=True, ends_with_first_rank=False, messages=0, step_limit=10.0):
    """The workload that a generator function is.

    work: the job's size, which the policy splits [flop]: a key (of this name, 0 unless given), a number, or a function
        of keys (`lambda size: 2 * size**3`); so are `phases`, `communicates` and the others
    messages: about how many are sent, a number or a function of the number of ranks and keys; for estimates of cost
    step_limit: the processor time that the function may take from one operation to the next [s]
    """
    said = dict(work=work or 0, phases=phases, communicates=communicates, first_worker=first_worker,
                least_ranks=least_ranks, uses_shares=uses_shares, ends_with_first_rank=ends_with_first_rank,
                messages=messages)
    return Program(function, name, step_limit, said)
