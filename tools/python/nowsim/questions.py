"""Questions that are more than a run. Each composes a lot, so the command itself is carried out, in this process, and
its JSON taken: words, sentences and numbers are the command line's."""

import csv
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Optional, TextIO, Union

from . import _nowsim
from .additions import registered
from .answers import Contrast, Isoefficiency, Plan, Text, UnderWay, Verification
from .arguments import Spec, flags_of, list_flag, refuse_unknown, settings_of, spec_of
from .messages import Progress, is_terminal, warn
from .result import Result

_FLAGS = ["replications", "precision", "precision_of", "decide", "decide_by", "indifference", "engine",
          "variance_reduction", "seed"]
_DICT = "<dict>"


def contrast(spec: Spec, key: str, *, metric: Any = None, against: Any = None, best: Union[str, None] = None,
             sets: Union[Mapping, None] = None, sweep: Union[Mapping, None] = None,
             out: Union[str, os.PathLike, None] = None, jobs: Union[int, None] = None, progress: Progress = None,
             **flags: Any) -> Contrast:
    """Which value of a swept key is better, and how sure: all compared with `against`, or with the best (`nowsim
    contrast`).

    `metric` is a name or several; `best` "lowest" or "highest" where metrics do not say; `out` a folder that keeps all
    that is simulated. The other keywords are those of run(): replications, seed, engine, precision, ...
    """
    _refuse("contrast", flags, ["metric", "against", "best", "sets", "sweep", "out", "jobs", "progress"])
    words = [key, *flags_of({"against": against, "best": best, "out": out, "jobs": jobs, **flags}),
             *list_flag("metric", metric), *_settings(sets, sweep)]
    return Contrast(_answer("contrast", spec, words, progress))


def plan(platform: Union[str, os.PathLike], *, work: Any, deadline: Any = None, risk: Any = None, policies: Any = None,
         phases: Any = None, bytes: Any = None, subset: bool = False, owner: Union[str, os.PathLike, None] = None,
         elapsed: Any = None, done: Any = None, seen: Any = None, moving: Any = None, exact: bool = False,
         sets: Union[Mapping, None] = None, jobs: Union[int, None] = None, progress: Progress = None,
         **flags: Any) -> Union[Plan, UnderWay]:
    """How to split a job of so much work over a platform's machines, and how sure its deadline is (`nowsim plan`).

    `work`, `deadline` and `risk` are numbers in SI units or texts ("105Tf", "2h", "5%"); `policies` names, instead of
    those that need no parameters; `subset` asks which machines to use, too; `owner` is a file with an owner block.

    `exact` simulates all intervals of owners, also where they are far shorter than the job.

    Of a job that is under way since `elapsed`: does the promise still hold, and what can be done? `done` is the share of
    the job that is done, a file by machine, or a dict {machine: share of its part, or an amount such as "4Tf"}; `seen`
    the recordings of owners just made, MACHINE.csv each, or a dict {machine: availability}; `moving` how long moving
    work takes.
    """
    _refuse("plan", flags, ["work", "deadline", "risk", "policies", "phases", "bytes", "subset", "owner", "elapsed",
                            "done", "seen", "moving", "exact", "sets", "jobs", "progress"])
    with ExitStack() as cleanup:
        words = [*flags_of({"work": work, "deadline": deadline, "risk": risk, "phases": phases, "bytes": bytes,
                            "subset": bool(subset), "owner": owner, "elapsed": elapsed, "moving": moving,
                            "exact": bool(exact), "jobs": jobs, **flags}),
                 *list_flag("policies", policies), *_settings(sets, None), *_progress_words(done, seen, cleanup)]
        answer = _answer("plan", platform, words, progress)
    return Plan(answer) if elapsed is None else UnderWay(answer)


def isoefficiency(spec: Spec, efficiency: Any, *, metric: Union[str, None] = None, size: Union[str, None] = None,
                  along: Any = None, tolerance: Any = None, sets: Union[Mapping, None] = None,
                  sweep: Union[Mapping, None] = None, out: Union[str, os.PathLike, None] = None,
                  jobs: Union[int, None] = None, progress: Progress = None, **flags: Any) -> Isoefficiency:
    """How a problem has to grow with the machines to keep an efficiency, or several (`nowsim isoefficiency`)."""
    _refuse("isoefficiency", flags, ["metric", "size", "along", "tolerance", "sets", "sweep", "out", "jobs",
                                     "progress"])
    words = [*list_flag("efficiency", efficiency), *list_flag("along", along), *_settings(sets, sweep),
             *flags_of({"metric": metric, "size": size, "tolerance": tolerance, "out": out, "jobs": jobs, **flags})]
    return Isoefficiency(_answer("isoefficiency", spec, words, progress))


def check(spec: Spec, *, sets: Union[Mapping, None] = None, sweep: Union[Mapping, None] = None, **flags: Any) -> Text:
    """Reads everything and runs nothing (`nowsim check`): points, time, or all problems as an InputError."""
    _refuse("check", flags, ["sets", "sweep"])
    with _file_of(spec) as file:
        return Text(_carry_out("check", [file, *flags_of(flags), *_settings(sets, sweep)])[1])


def verify(spec: Union[Spec, None] = None, *, random: Union[int, None] = None,
           platforms: Union[str, os.PathLike, None] = None, sets: Union[Mapping, None] = None,
           sweep: Union[Mapping, None] = None, **flags: Any) -> Verification:
    """Both engines on the same replications, and how far they are apart (`nowsim verify`): of an experiment, of so many
    random programs, or of them on a folder's platforms; without any of these of all that is built in."""
    _refuse("verify", flags, ["random", "platforms", "sets", "sweep"])
    words = [*flags_of({"random": random, "platforms": platforms, **flags}), *_settings(sets, sweep), "--quiet",
             "--format=json"]
    if spec is None:
        status, out = _carry_out("verify", words)
    else:
        with _file_of(spec) as file:
            status, out = _carry_out("verify", [file, *words])
    return Verification(json.loads(out), status == 0)


def show(folder: Union[str, os.PathLike], experiment: Union[str, None] = None) -> Result:
    """The results of a store's experiment, as sweep() left them; its name is needed only where there are several."""
    return Result(_nowsim.show(os.fspath(folder), experiment or "", registered(uses_store=True), warn))


def listing(of: str, block: Union[str, None] = None) -> Text:
    """What there is to choose from (`nowsim list`): workloads, owners, policies, techniques, metrics, experiments,
    keys, ...; of keys those of a block."""
    return Text(_carry_out("list", [of] if block is None else [of, block])[1])


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
        words = flags_of({"done": done})
    if seen is not None and not isinstance(seen, Mapping):
        files = [seen] if isinstance(seen, (str, os.PathLike)) else seen
        words += ["--seen", *map(os.fspath, files)]
    return words


def _refuse(function: str, flags: Mapping[str, Any], own: list) -> None:
    refuse_unknown(function, {name: value for name, value in flags.items() if name not in _FLAGS}, [*own, *_FLAGS])


def _settings(sets: Union[Mapping, None], sweep: Union[Mapping, None]) -> list:
    return [f"--set={setting}" for setting in settings_of(sets, sweep)]


def _answer(command: str, spec: Spec, words: list, progress: Progress) -> Any:
    """Progress is the command's own, on terminals."""
    quiet = [] if progress is not False and is_terminal() else ["--quiet"]
    with _file_of(spec) as file:
        return json.loads(_carry_out(command, [file, *words, *quiet, "--format=json"])[1])


def _carry_out(command: str, words: list) -> tuple:
    """The exit status, and the output. What else was said, that a file was moved aside, say, becomes a remark."""
    try:
        known = registered(uses_store=any(word.startswith("--out=") for word in words))
        status, out, said = _nowsim.carry_out([command, *words], known, warn)
    except _nowsim.InputError as error:
        told = type(error)(_without_file(str(error), words))
        told.problems = [_of_dict(*problem, words) for problem in error.problems]
        raise told from None
    if status >= 128:
        raise KeyboardInterrupt
    for line in said.splitlines():
        kind, _, remark = line.partition(": ")
        if kind in ("note", "remark", "error"):  # what went wrong with a part of an answer costs that alone
            warn(remark)
    return status, _without_file(out, words)


@contextmanager
def _file_of(spec: Spec) -> Iterator[str]:
    """A description's file; of a dict one for the moment, by whose name stores know it."""
    described = spec_of(spec)
    if isinstance(described, str):
        yield described
        return
    with ExitStack() as cleanup:
        file = _momentary_file(cleanup)
        with file:
            file.write(_nowsim.description_text(described))
        yield file.name


def _momentary_file(cleanup: ExitStack) -> TextIO:
    """In the working directory, as paths in a dict are from there; where that cannot be written to, or another process
    has one there, among the temporary files: then paths need to be absolute."""
    name = f"experiment.{_DICT}"
    try:
        file = open(name, "x", encoding="utf-8")
        cleanup.callback(os.remove, name)
    except OSError:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory())
        file = open(os.path.join(folder, name), "x", encoding="utf-8")
    return file


def _of_dict(file: Optional[str], line: Optional[int], key: Optional[str], sentence: str, words: list) -> tuple:
    """A problem, which in a dict has no line."""
    if file in words and file.endswith(_DICT):
        file, line = _DICT, None
    return file, line, key, _without_file(sentence, words)


def _without_file(text: str, words: list) -> str:
    """What is said of a dict, and not of the file that stood for it."""
    for word in words:
        if word.endswith(_DICT):
            return re.sub(re.escape(word) + r"(:\d+)?", _DICT, text)
    return text
