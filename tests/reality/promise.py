"""What nowsim says of a job on two cores: fitted to what was seen of their owners, and told what they did."""
import csv
import io
import os
import statistics
import subprocess

from job import PHASES
from machine import NOWSIM
from recording import write_trace

LEVELS = (50, 90, 95)
TECHNIQUES = {"farm-static": "static", "farm-SS": "SS", "farm-GSS": "GSS"}


def nowsim(*words):
    done = subprocess.run([NOWSIM, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(" ".join(words) + ": " + done.stderr)
    return done.stdout


def job_block(program, sizes, folder):
    """The job as an experiment has it; rank 0 of a farm is the server, who hands out."""
    if program == "barrier":
        return f"{{workload: augmented-task, work: {sum(sizes)!r}, phases: {PHASES}}}"
    costs = os.path.join(folder, "costs.txt")
    with open(costs, "w") as out:
        out.write("".join(f"{size!r}\n" for size in sizes))
    return (f"{{workload: task-farm, tasks: {len(sizes)}, law: file, costs: '{costs}', "
            f"technique: {TECHNIQUES[program]}}}")


def estimates(program, sizes, speeds, owners, folder, replications):
    """tau and quantiles, for owners by core as blocks of YAML."""
    names, speeds = ["core0", "core1"], list(speeds)
    network = ""
    if program != "barrier":
        names, speeds, owners = ["server", *names], [max(speeds), *speeds], ["{model: dedicated}", *owners]
        network = ", network: switch, bandwidth: 10GBps, latency: 50us"
    file = os.path.join(folder, "experiment.yaml")
    with open(file, "w") as out:
        out.write(f"nowsim: 1\nplatform: {{names: [{', '.join(names)}], speeds: {speeds!r}{network}}}\n"
                  f"job: {job_block(program, sizes, folder)}\nsplit: {{policy: equal}}\nowner:\n  hosts:\n"
                  + "".join(f"    {name}: {owner}\n" for name, owner in zip(names, owners))
                  + f"run: {{replications: {replications}, seed: 1}}\n"
                  f"metrics: [tau, {', '.join(f'T_{level}' for level in LEVELS)}]\n")
    return next(csv.DictReader(io.StringIO(nowsim("run", file, "--quiet", "--format", "csv"))))


def fitted_owners(folder, windows):
    """An owner by core; 'nowsim trace fit' names the hosts by the files."""
    files = [os.path.join(folder, f"core{core}.csv") for core in range(len(windows))]
    for file, values in zip(files, windows):
        write_trace(file, values)
    block = nowsim("trace", "fit", *files, "--column", "value", "--measures", "availability", "--owner", "-")
    lines = block.split("hosts:\n", 1)[1].splitlines()
    return [line.split(": ", 1)[1] for line in lines if not line.lstrip().startswith("#")]


def promised(program, sizes, calibration, windows, folder):
    """Times by level: from what the owners left in these windows, times what the looks at free cores found of their best.
    A core's host, or what else slows it down, is an owner as well. Each look stands for its part of the window."""
    speeds, left = [], []
    for core, values in enumerate(windows):
        seen = calibration.speeds(core)
        speeds.append(max(seen))
        left.append([a * seen[k * len(seen) // len(values)] / max(seen) for k, a in enumerate(values)])
    said = estimates(program, sizes, speeds, fitted_owners(folder, left), folder, 1000)
    return {level: float(said[f"T_{level}"]) for level in LEVELS}


def told(program, sizes, calibration, futures, folder):
    """T, where nowsim is told what owners leave from the job's beginning on, second by second."""
    speeds, owners = [], []
    for core, values in enumerate(futures):
        speeds.append(statistics.mean(calibration.speeds(core)))
        file = os.path.join(folder, f"future{core}.csv")
        write_trace(file, values)
        owners.append(f"{{model: trace, file: '{file}', measures: availability, gaps: hold, start: beginning}}")
    return float(estimates(program, sizes, speeds, owners, folder, 1)["tau"])
