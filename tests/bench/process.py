#!/usr/bin/env python3
"""HL's base task with SimPy: a process per workstation, the program one writes first.

usage: process.py [--replications R]   (1000 unless given)

A peer for the benchmark, not a part of nowsim; Debian's python3-simpy, which is SimPy 2.
"""
import argparse
import math
import random
import statistics
import time

from SimPy.Simulation import Process, activate, hold, initialize, now, simulate

WORKSTATIONS = 8
WORK, MEAN, TH, INTERVAL = 100.0, 0.5, 0.28, 10.0


class Workstation(Process):
    """Executes its work at the speed that its owner leaves it."""
    intervals = 0

    def execute(self, work):
        while True:
            Workstation.intervals += 1
            value = random.uniform(MEAN * (1 - math.sqrt(3) * TH), MEAN * (1 + math.sqrt(3) * TH))
            length = random.uniform(0, 2 * INTERVAL)
            if value * length >= work:
                yield hold, self, work / value
                return
            yield hold, self, length
            work -= value * length


def makespan():
    initialize()
    for i in range(WORKSTATIONS):
        workstation = Workstation(f"ws{i}")
        activate(workstation, workstation.execute(WORK))
    simulate(until=math.inf)
    return now()  # the last process's end


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replications", type=int, default=1000)
    options = parser.parse_args()
    random.seed(1)
    begin = time.process_time()
    makespans = [makespan() for _ in range(options.replications)]
    seconds = time.process_time() - begin
    print(f"replications {options.replications} tau {statistics.mean(makespans):.6g} "
          f"sigma_T {statistics.stdev(makespans):.6g} intervals {Workstation.intervals} "
          f"seconds {seconds:.6f} ns_per_interval {1e9 * seconds / Workstation.intervals:.4g}")


if __name__ == "__main__":
    main()
