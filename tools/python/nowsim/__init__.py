"""Parallel jobs on machines that others use too: how long will it take, how should it be split, how sure can I be?

    import nowsim
    result = nowsim.run("huang-lee-2007/fig05", sets={"owner.SH": 0}, replications=200)
    print(result)
    result.to_pandas()
"""

from ._nowsim import CommunicationFailed, InputError, Message, ProgramError, Rank, RunError, UsageError, __version__
from .additions import Additions, workload
from .estimate import Estimate
from .keys import bytes, choice, count, flag, number, time, work
from .messages import Remark
from .programs import Host
from .replications import Replications
from .result import Result, Row
from .running import run, sweep

__all__ = ["Additions", "CommunicationFailed", "Estimate", "Host", "InputError", "Message", "ProgramError", "Rank",
           "Remark", "Replications", "Result", "Row", "RunError", "UsageError", "run", "sweep", "workload",
           "__version__"]  # and keys' types, which have names of Python's own: nowsim.bytes, nowsim.time, ...
