"""Sweeps for the benchmarks: processor time of the sweeping process and of its workers, and wall time."""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "release")
NOWSIM = os.path.join(BUILD, "nowsim")


def build(*targets):
    """Brings targets of the release preset up to date."""
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


def own_time(pid):
    """Processor time [s] of a process with one thread, its children apart."""
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[0]) * 1e-9


def sweep(experiment, folder, points, replications, jobs):
    """Sweeps so many seeds. Returns processor time [s] of the sweeping process (read every 2 ms until it ends) and of
    its workers, and wall time [s]."""
    command = [NOWSIM, "sweep", os.path.join(HERE, experiment), "--out", folder, "--quiet", "--jobs", str(jobs),
               "--engine", "direct", "--replications", str(replications),
               "--set", f"sweep.run.seed={{from: 1, to: {points}, step: 1}}"]
    begin = time.perf_counter()
    pid = os.posix_spawn(NOWSIM, command, os.environ)
    own = 0.0
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            break
        own = max(own, own_time(pid))  # a process that has ended shows 0
        time.sleep(0.002)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return own, used.ru_utime + used.ru_stime - own, wall
