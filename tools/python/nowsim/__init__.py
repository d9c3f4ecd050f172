"""Parallel jobs on machines that others use too: how long will it take, how should it be split, how sure can I be?

    import nowsim
    result = nowsim.run("huang-lee-2007/fig05", sets={"owner.SH": 0}, replications=200)
    print(result)
    result.to_pandas()
"""

from ._nowsim import CommunicationFailed, InputError, Message, ProgramError, Rank, RunError, UsageError, __version__
from .additions import Additions, metric, owner, policy, technique, workload
from .answers import Contrast, Isoefficiency, Plan, UnderWay, Verification
from .estimate import Estimate
from .keys import bytes, choice, count, flag, number, time, work
from .messages import Remark
from .programs import Host
from .questions import check, contrast, isoefficiency, plan, show, verify
from .questions import listing as list
from .replications import Replications
from .result import Result, Row
from .running import run, sweep

# Not in __all__: list, and keys' types, which have names of Python's own (nowsim.bytes, nowsim.time, ...).
__all__ = ["Additions", "CommunicationFailed", "Contrast", "Estimate", "Host", "InputError", "Isoefficiency", "Message",
           "Plan", "ProgramError", "Rank", "Remark", "Replications", "Result", "Row", "RunError", "UnderWay", "UsageError",
           "Verification", "check", "contrast", "isoefficiency", "metric", "owner", "plan", "policy", "run", "show",
           "sweep", "technique", "verify", "workload", "__version__"]
