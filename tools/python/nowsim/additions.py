"""What user code has registered, to be named in descriptions beside nowsim's own."""

from typing import Any, Callable, Union

from ._nowsim import InputError
from .programs import Program, describe


class Additions:
    """Registered things by their kinds."""

    def __init__(self) -> None:
        self.workloads: list = []

    def add_workload(self, program: Program) -> None:
        """A name is for one program. The same function of the same file, made again (a notebook's cell), replaces it."""
        for at, before in enumerate(self.workloads):
            if before.name == program.name:
                if before.origin != program.origin:
                    raise InputError(f"there is already a workload named {program.name} ({before.place}): the one in "
                                     f"{program.place} needs another name")
                self.workloads[at] = program
                return
        self.workloads.append(program)

    def workload(self, function: Union[Callable, None] = None, **said: Any) -> Callable:
        """Makes a generator function a workload: `@nowsim.workload`, or `@nowsim.workload(work=...)` with what describe()
        takes. The function stays what it is."""

        def register(it: Callable) -> Callable:
            it.nowsim = describe(it, **said)
            self.add_workload(it.nowsim)
            return it

        return register if function is None else register(function)


_REGISTERED = Additions()
workload = _REGISTERED.workload


def registered() -> Additions:
    """All that was registered in this process: decorators have no other place to put it."""
    return _REGISTERED
