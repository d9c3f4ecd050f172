"""Real parallel jobs on two cores: a rank on each computes what this script tells it, piece by piece."""
import dataclasses
import math
import os
import selectors
import sys
import time

from machine import tell

PROGRAMS = ("farm-static", "farm-SS", "farm-GSS", "barrier")
TASKS, PHASES = 48, 12


@dataclasses.dataclass
class Piece:
    """What a rank was told, when, and how it fared."""
    rank: int
    steps: int
    told_s: float
    begin_s: float = 0.0
    end_s: float = 0.0
    cpu_s: float = 0.0

    def since(self, zero_s):
        return dataclasses.replace(self, told_s=self.told_s - zero_s, begin_s=self.begin_s - zero_s,
                                   end_s=self.end_s - zero_s)


def go_first():
    """Has the scheduler prefer this process, who hands out work and sleeps, to those who compute: a server on a machine
    of its own, as nowsim is told. Children are as others. False where that takes rights that this user has not."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        return False
    return True


class Ranks:
    """A process on each core."""

    def __init__(self, machine):
        self.processes = [machine.start("reality_rank", core) for core in machine.cores]
        self.selector = selectors.DefaultSelector()
        self.pieces, self.now = [], {}  # those that are done; by rank, what it computes
        for rank, process in enumerate(self.processes):
            process.stdout.readline()
            self.selector.register(process.stdout, selectors.EVENT_READ, rank)

    def compute(self, rank, steps):
        self.now[rank] = Piece(rank, max(1, round(steps)), time.monotonic())
        tell(self.processes[rank], f"{self.now[rank].steps}\n")

    def ended(self):
        """The ranks that are done with what they were told, at least one."""
        ranks = [key.data for key, _ in self.selector.select()]
        for rank in ranks:
            piece = self.now.pop(rank)
            piece.begin_s, piece.end_s, piece.cpu_s = map(float, self.processes[rank].stdout.readline().split())
            self.pieces.append(piece)
        return ranks

    def compute_all(self, steps):
        """So many on each; returns when all are done."""
        for rank in range(len(self.processes)):
            self.compute(rank, steps)
        while self.now:
            self.ended()


def run_farm(ranks, sizes, technique):
    """Returns when the last task is done."""
    left = list(sizes)
    halves = [left[:len(left) // 2], left[len(left) // 2:]]

    def chunk(rank):
        if technique == "farm-static":
            mine, halves[rank] = halves[rank], []
            return mine
        count = 1 if technique == "farm-SS" else math.ceil(len(left) / 2)
        mine = left[:count]
        del left[:count]
        return mine

    waiting = [0, 1]
    while waiting:
        for rank in waiting:
            if mine := chunk(rank):
                ranks.compute(rank, sum(mine))
        waiting = ranks.ended() if ranks.now else []


def run_barriers(ranks, work):
    for _ in range(PHASES):
        ranks.compute_all(work / PHASES / 2)


def run_program(ranks, program, sizes):
    if program == "barrier":
        run_barriers(ranks, sum(sizes))
    else:
        run_farm(ranks, sizes, program)


def task_sizes(work, rng):
    """Costs between a half and one and a half of the mean, so that the last ones matter."""
    sizes = [rng.uniform(0.5, 1.5) for _ in range(TASKS)]
    return [work * size / sum(sizes) for size in sizes]
