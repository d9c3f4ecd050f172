"""Questions that are more than a run. Each composes a lot, so the command itself is carried out, in this process, and
its JSON taken: words, sentences and numbers are the command line's."""

import csv
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Optional, Union

from . import _nowsim
from .additions import registered
from .answers import Contrast, Isoefficiency, Plan, Text, UnderWay, Verification
from .arguments import Path, Spec, flag_table, flags_of, settings_of, spec_of, takes_flags_of
from .messages import Progress, is_terminal, warn
from .result import Result


@takes_flags_of("contrast")
def contrast(spec: Spec, key: str, *, sets: Optional[Mapping] = None, sweep: Optional[Mapping] = None,
             progress: Progress = None, **flags: Any) -> Contrast:
    """Which value of a swept key is better, and how sure: all compared with `against`, or with the best (`nowsim
    contrast`). `sets` and `sweep` are as in run()."""
    return Contrast(_answer("contrast", [spec, key], _words("contrast", flags, sets, sweep), progress))


@takes_flags_of("plan", "done", "done-file", "seen")
def plan(platform: Optional[Path] = None, *, done: Any = None, seen: Any = None, sets: Optional[Mapping] = None,
         progress: Progress = None, **flags: Any) -> Union[Plan, UnderWay]:
    """How to split a job of so much work over a platform's machines, or so many equal ones, and how sure its deadline is
    (`nowsim plan`). Numbers are in SI units, texts have their own ("105Tf", "2h", "5%").

    Of a job that is under way since `elapsed`: does the promise still hold, and what can be done? `done` is the share of
    the job that is done, a file by machine, or a dict {machine: share of its part, or an amount such as "4Tf"}; `seen`
    the recordings of owners just made, MACHINE.csv each, or a dict {machine: availability}.
    """
    if platform is not None and not isinstance(platform, (str, os.PathLike)):
        raise _nowsim.UsageError(f"platform: a file or the name of a shipped one is wanted, not {platform!r}")
    with ExitStack() as cleanup:
        words = [*_words("plan", flags, sets), *_progress_words(done, seen, cleanup)]
        answer = _answer("plan", [] if platform is None else [platform], words, progress)
    return Plan(answer) if flags.get("elapsed") is None else UnderWay(answer)


@takes_flags_of("isoefficiency", "efficiency")
def isoefficiency(spec: Spec, efficiency: Any, *, sets: Optional[Mapping] = None, sweep: Optional[Mapping] = None,
                  progress: Progress = None, **flags: Any) -> Isoefficiency:
    """How a problem has to grow with the machines to keep an efficiency, or several (`nowsim isoefficiency`)."""
    words = _words("isoefficiency", {"efficiency": efficiency, **flags}, sets, sweep)
    return Isoefficiency(_answer("isoefficiency", [spec], words, progress))


@takes_flags_of("check")
def check(spec: Spec, *, sets: Optional[Mapping] = None, sweep: Optional[Mapping] = None, **flags: Any) -> Text:
    """Reads everything and runs nothing (`nowsim check`): points, time, or all problems as an InputError."""
    return Text(_carry_out("check", [spec], _words("check", flags, sets, sweep))[1])


@takes_flags_of("verify", "program")
def verify(spec: Optional[Spec] = None, *, sets: Optional[Mapping] = None, sweep: Optional[Mapping] = None,
           **flags: Any) -> Verification:
    """Both engines on the same replications, and how far they are apart (`nowsim verify`): of an experiment, of so many
    random programs, or of them on a folder's platforms; without any of these of all that is built in."""
    words = [*_words("verify", flags, sets, sweep), "--quiet", "--format=json"]
    status, out = _carry_out("verify", [] if spec is None else [spec], words)
    return Verification(json.loads(out), status == 0)


def show(folder: Path, experiment: Optional[str] = None) -> Result:
    """The results of a store's experiment, as sweep() left them; its name is needed only where there are several."""
    return Result(_nowsim.show(os.fspath(folder), experiment or "", registered(uses_store=True), warn))


def listing(of: str, block: Optional[str] = None) -> Text:
    """What there is to choose from (`nowsim list`): workloads, owners, policies, techniques, metrics, experiments,
    keys, ...; of keys those of a block."""
    return Text(_carry_out("list", [of] if block is None else [of, block], [])[1])


def _progress_words(done: Any, seen: Any, cleanup: ExitStack) -> list:
    """The flags of a job under way; dicts go by a file for the moment."""
    if isinstance(done, Mapping):
        looks = seen if isinstance(seen, Mapping) else {}
        for machine in looks:
            if machine not in done:
                raise _nowsim.UsageError(f"seen: {machine!r} is not among the machines of done")
        folder = cleanup.enter_context(tempfile.TemporaryDirectory())
        file = os.path.join(folder, "done.csv")
        with open(file, "w", newline="", encoding="utf-8") as out:
            rows = csv.writer(out)
            rows.writerow(["machine", "done", "seen"])
            rows.writerows([machine, share, looks.get(machine, "")] for machine, share in done.items())
        words = [f"--done-file={file}"]
    elif isinstance(seen, Mapping):
        raise _nowsim.UsageError("seen: a dict goes with a dict of what machines have done; else name recordings")
    elif isinstance(done, (str, os.PathLike)) and os.fspath(done).endswith(".csv"):
        words = [f"--done-file={os.fspath(done)}"]
    else:
        words = flag_table("plan")["done"].on_line(done)
    if seen is not None and not isinstance(seen, Mapping):
        files = [seen] if isinstance(seen, (str, os.PathLike)) else seen
        words += ["--seen", *map(os.fspath, files)]
    return words


def _words(command: str, flags: Mapping[str, Any], sets: Optional[Mapping], sweep: Optional[Mapping] = None) -> list:
    return [*flags_of(command, flags), *(f"--set={setting}" for setting in settings_of(sets, sweep))]


def _answer(command: str, about: list, flags: list, progress: Progress) -> Any:
    """Progress is the command's own, on terminals."""
    quiet = [] if progress is not False and is_terminal() else ["--quiet"]
    return json.loads(_carry_out(command, about, [*flags, *quiet, "--format=json"])[1])


def _carry_out(command: str, about: list, flags: list) -> tuple:
    """The exit status, and the output. `about` are the command's words, the first of which may be a description. What
    else was said, that a file was moved aside, say, becomes a remark."""
    spec = spec_of(about[0]) if about else ""
    described = spec if isinstance(spec, Mapping) else None
    words = [spec if described is None else _nowsim.DICT, *about[1:]] if about else []
    known = registered(uses_store=any(flag.startswith("--out=") for flag in flags))
    status, out, said = _nowsim.carry_out([command, *flags, "--", *words], described, known, warn)
    if status >= 128:
        raise KeyboardInterrupt
    for line in said.splitlines():
        kind, _, remark = line.partition(": ")
        if kind in ("note", "remark", "error"):  # what went wrong with a part of an answer costs that alone
            warn(remark)
    return status, out
