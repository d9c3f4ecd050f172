"""Experiments run: what `nowsim run` and `nowsim sweep` do, with results in place of a table."""

import os
from collections.abc import Mapping
from typing import Any, Literal, Optional

from . import _nowsim
from .additions import registered
from .arguments import Names, Path, Spec, flags_of, settings_of, spec_of, takes_flags_of
from .messages import Progress, progress_line, warn
from .result import Result

_KEPT = (None, "none", "T", "all")


@takes_flags_of("check")
def run(spec: Spec, *, sets: Optional[Mapping] = None, sweep: Optional[Mapping] = None, metrics: Optional[Names] = None,
        jobs: Optional[int] = None, keep: Optional[Literal["none", "T", "all"]] = None, progress: Progress = None,
        **flags: Any) -> Result:
    """Runs an experiment: a file, a shipped one by its name, or a dict as a file would hold it.

    `sets` sets keys ({"owner.TH": 0.28}), which fixes those that the experiment sweeps; `sweep` sweeps keys instead
    ({"owner.TH": [0, 0.28]}), `metrics` is what is estimated; the others are the command line's flags. `jobs` is
    how many processes simulate at a time, all cores where it is None; results do not depend on it. `keep` says
    which values of replications stay for Result.replications(): "T", the makespans, which is so unless they might
    be more than 1.25e8; "all", of all quantities, in a temporary folder that goes with the result; "none".
    `progress`: messages.progress_line().

    A point that fails or cannot be realised is a row that says so, with status and reason; Result.check() raises.
    Raises InputError for what is wrong with the description, UsageError (an InputError) for wrong arguments, RunError
    for what fails on the way; KeyboardInterrupt at Ctrl-C, when nothing is kept.
    """
    if keep not in _KEPT:
        raise _nowsim.UsageError(f"keep: there are 'none', 'T' and 'all', not {keep!r}")
    request = _request(spec, settings_of(sets, sweep, metrics), flags, jobs)
    request.keep = keep or ""
    return Result(_nowsim.run(request, registered(), progress_line(progress), warn))


@takes_flags_of("check")
def sweep(spec: Spec, out: Path, *, name: Optional[str] = None, sets: Optional[Mapping] = None,
          sweep: Optional[Mapping] = None, metrics: Optional[Names] = None, jobs: Optional[int] = None,
          progress: Progress = None, **flags: Any) -> Result:
    """Runs an experiment into the store of the folder `out`, from where it stopped the last time (`nowsim sweep`).

    `name` is the experiment's in the store: its file's, or "experiment" for a dict. What was simulated before is taken
    from the store; at Ctrl-C every batch that is complete stays there, and the same call goes on. The rest is as
    run() has it; all replications' values are in the store.
    """
    request = _request(spec, settings_of(sets, sweep, metrics), flags, jobs)
    request.folder, request.name = os.fspath(out), name or ""
    return Result(_nowsim.run(request, registered(uses_store=True), progress_line(progress), warn))


def _request(spec: Spec, settings: list, flags: Mapping[str, Any], jobs: Optional[int]) -> _nowsim.Request:
    request = _nowsim.Request(spec_of(spec))
    request.settings = settings
    request.flags = flags_of("check", flags)
    request.jobs = "" if jobs is None else str(jobs)
    return request
