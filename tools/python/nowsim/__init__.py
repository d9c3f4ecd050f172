"""Parallel jobs on machines that others use too: how long will it take, how should it be split, how sure can I be?

    import nowsim
    result = nowsim.run("huang-lee-2007/fig05", sets={"owner.SH": 0}, replications=200)
    print(result)
    result.to_pandas()
"""

from ._nowsim import InputError, RunError, UsageError, __version__
from .estimate import Estimate
from .messages import Remark
from .replications import Replications
from .result import Result, Row
from .running import run, sweep

__all__ = ["Estimate", "InputError", "Remark", "Replications", "Result", "Row", "RunError", "UsageError", "run", "sweep",
           "__version__"]
