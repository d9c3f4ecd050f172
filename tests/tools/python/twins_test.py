"""Examples in Python beside the built-in workloads that they are written after: the same results, to the bit."""

import os
import sys
import unittest

from program_beside import skip

try:
    import numpy
except ImportError as error:
    skip("numpy", error)

import nowsim

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "tools", "python", "examples"))
import matrix_multiply  # noqa: F401: registers itself, as the others do
import synthetic  # noqa: F401
import task_farm  # noqa: F401

PLATFORM = {"workstations": 6, "speed": "25Mf", "network": "links", "bandwidth": "10MBps", "latency": "1ms"}


def replications(job, engine, count):
    spec = {"nowsim": 1, "platform": PLATFORM, "job": job, "owner": {"model": "intervals", "TH": 0.3},
            "run": {"replications": count, "engine": engine}}
    result = nowsim.run(spec, keep="all", jobs=1)
    result.check()
    return result.replications()


class Twins(unittest.TestCase):
    def check_twins(self, name, keys, engines=("direct", "simgrid")):
        for engine in engines:
            count = 150 if engine == "direct" else 5
            built_in = replications({"workload": name, **keys}, engine, count)
            twin = replications({"workload": "my-" + name, **keys}, engine, count)
            with self.subTest(name=name, engine=engine, **keys):
                for quantity in built_in:
                    self.assertTrue(numpy.array_equal(built_in[quantity], twin[quantity]), quantity)

    def test_base_task(self):
        self.check_twins("base-task", {"work": "3Gf"})

    def test_augmented_task(self):
        for keys in ({"synchronise": "after"}, {"synchronise": "both", "barrier_cost": "1ms"}, {"bytes": "1MB"}):
            self.check_twins("augmented-task", {"work": "3Gf", "phases": 7, **keys})

    def test_task_farm(self):
        for technique in ("GSS", "FAC2"):
            for keys in ({}, {"request": "64B", "input": "10kB", "result": "3kB", "overhead": "1ms"}):
                self.check_twins("task-farm", {"tasks": 500, "cost": "10Mf", "technique": technique, **keys})

    def test_matrix_multiply(self):
        for distribute in ("each", "binomial", "rotate", "in-place"):
            self.check_twins("matrix-multiply", {"size": 301, "distribute": distribute, "spawn": "10ms"})


if __name__ == "__main__":
    unittest.main()
