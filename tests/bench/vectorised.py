#!/usr/bin/env python3
"""HL's base task with NumPy: all workstations of many replications take their next interval together.

usage: vectorised.py [--replications R] [--at-once B]   (64,000 replications, 2000 at once, unless given)

A peer for the benchmark, not a part of nowsim; Debian's python3-numpy. The arrays of 2000 replications stay in the
cache, SFC64 is the fastest of NumPy's generators, and lanes that have ended are taken out when they are a quarter, which
costs less than taking them out at once.
"""
import argparse
import math
import time

import numpy

WORKSTATIONS = 8
WORK, MEAN, TH, INTERVAL = 100.0, 0.5, 0.28, 10.0
LEAST = MEAN * (1 - math.sqrt(3) * TH)
WIDTH = 2 * math.sqrt(3) * MEAN * TH


def simulate(random, replications):
    """The makespans of the replications, and the intervals that they used."""
    lanes = replications * WORKSTATIONS
    finish = numpy.empty(lanes)
    lane = numpy.arange(lanes)  # which workstation a place in the arrays below stands for
    clock = numpy.zeros(lanes)
    work = numpy.full(lanes, WORK)
    buffers = numpy.empty((3, lanes))
    intervals = ended = 0
    while lane.size:
        value, length, left = buffers[:, :lane.size]
        random.random(out=value)
        value *= WIDTH
        value += LEAST
        random.random(out=length)
        length *= 2 * INTERVAL
        numpy.multiply(value, length, out=left)
        numpy.subtract(work, left, out=left)
        intervals += lane.size - ended
        ends = numpy.flatnonzero((left <= 0) & (work > 0))
        finish[lane[ends]] = clock[ends] + work[ends] / value[ends]
        ended += ends.size
        clock += length
        if 4 * ended > lane.size:
            stay = numpy.flatnonzero(left > 0)
            lane, clock, work, ended = lane[stay], clock[stay], left[stay], 0
        else:
            work[:] = left
    return finish.reshape(replications, WORKSTATIONS).max(axis=1), intervals


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replications", type=int, default=64_000)
    parser.add_argument("--at-once", type=int, default=2000)
    options = parser.parse_args()
    begin = time.process_time()
    random = numpy.random.Generator(numpy.random.SFC64(1))
    makespans, intervals = [], 0
    for first in range(0, options.replications, options.at_once):
        some, used = simulate(random, min(options.at_once, options.replications - first))
        makespans.append(some)
        intervals += used
    makespan = numpy.concatenate(makespans)
    tau, sigma = makespan.mean(), makespan.std(ddof=1)
    seconds = time.process_time() - begin
    print(f"replications {options.replications} tau {tau:.6g} sigma_T {sigma:.6g} intervals {intervals} "
          f"seconds {seconds:.6f} ns_per_interval {1e9 * seconds / intervals:.4g}")


if __name__ == "__main__":
    main()
