"""Programs in turn for the benchmarks: their processor time, and rows of medians and ratios."""
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "release")


def build():
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "nowsim_bench"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)


def platform(machines, link, between="", duplex=True):
    """Equal machines in a star, each with a link of these attributes; `between` is an element that all share. Their
    names are in the order of ranks."""
    names = [f"node{i:05d}" for i in range(machines)]
    up, down = ("_UP", "_DOWN") if duplex else ("", "")
    lines = ["<?xml version='1.0'?>", '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             '<platform version="4.1">', '<zone id="now" routing="Cluster">']
    lines += [f'<host id="{n}" speed="10Gf"/>' for n in names]
    lines += [f'<link id="{n}_link" {link} sharing_policy="{"SPLITDUPLEX" if duplex else "FATPIPE"}"/>' for n in names]
    lines += [f'<host_link id="{n}" up="{n}_link{up}" down="{n}_link{down}"/>' for n in names]
    return "\n".join(lines + [between, "</zone>", "</platform>"]) + "\n"


class Failed(Exception):
    """A program that ended with another status than 0, and what it said."""


def run(command):
    """Wall time [s], processor time [s] of the process and its children, and the output. Raises Failed."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, error = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with status {process.returncode}: {error.strip()} {output.strip()}")
    return wall, usage.ru_utime + usage.ru_stime, output


def line(name, times, messages):
    median = statistics.median(times)
    print(f"  {name:<52} {median:8.3f} {min(times):8.3f} {max(times):8.3f} {1e6 * median / messages:10.3f}")


def ratio(name, above, below):
    each = [a / b for a, b in zip(above, below)]
    print(f"  {name:<52} {statistics.median(above) / statistics.median(below):8.2f} {min(each):8.2f} {max(each):8.2f}")


def same_end(ends):
    """All programs, by name, must find the same end [s] to 1e-9."""
    (first, end), *others = ends.items()
    for name, other in others:
        if abs(other - end) > 1e-9 * end:
            sys.exit(f"{first} ends at {end!r} s, {name} at {other!r} s")
    return end
