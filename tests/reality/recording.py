"""What 'nowsim trace record --interval 1s' wrote of a machine: the availability of each second."""
import csv
import math
import os
import sys


class Recording:
    def __init__(self, file):
        self.name = os.path.splitext(os.path.basename(file))[0]
        with open(file, newline="") as rows:
            self.values = [float(row["availability"]) for row in csv.DictReader(rows)]

    def moment(self, rng, before_s, after_s):
        """A random second that has so much before and behind it."""
        last = len(self.values) - math.ceil(after_s)
        if last <= before_s:
            sys.exit(f"{self.name} has {len(self.values)} s, too few: {before_s + math.ceil(after_s)} are needed")
        return rng.randrange(before_s, last)


def write_trace(file, values):
    with open(file, "w") as out:
        out.write("t,value\n" + "".join(f"{k},{a!r}\n" for k, a in enumerate(values)))


def left_between(values, begin_s, end_s):
    """The processor time that these seconds leave from one moment to another [s]."""
    left_s = 0.0
    while begin_s < end_s:
        until_s = min(end_s, math.floor(begin_s) + 1)
        left_s += (until_s - begin_s) * values[int(begin_s)]
        begin_s = until_s
    return left_s
