"""The examples run as scripts, and what they print is so."""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

from program_beside import module, skip, temporary

import nowsim

for package in ("numpy", "pandas", "matplotlib"):
    if importlib.util.find_spec(package) is None:
        skip(package, f"there is no {package} here")

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "../../../tools/python/examples")
OUT_OF_TREE = os.path.join(HERE, "../../out_of_tree")


def shown(test, script, *words):
    """What it prints; its picture is one."""
    picture = os.path.join(temporary(test), "picture.svg")
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, script), *words, "--picture", picture],
                          capture_output=True, text=True, check=False)
    test.assertEqual((done.returncode, done.stderr), (0, ""))
    with open(picture, encoding="utf-8") as file:
        test.assertIn("</svg>", file.read())
    return done.stdout


def number_before(unit, text):
    return float(re.search(r"([\d.]+)" + unit, text)[1])


class Examples(unittest.TestCase):
    def test_half_of_a_share(self):
        """The same technique as a formula and as a function; with divisor 1 it is nowsim's own."""
        spec = os.path.join(OUT_OF_TREE, "half_of_a_share.yaml")
        words = ["run", spec, "--plugin", os.path.join(EXAMPLES, "half_of_a_share.py"), "--format", "csv", "-r", "20"]
        alike = [module(*words).stdout,
                 module(*words, "--set", "job.divisor=1", "--set", "job.chunk=ceil(R/P)",
                        "--set", "sweep.job.technique=[GSS, formula, half-share]").stdout]
        for table, count in zip(alike, (2, 3)):
            rows = [line.split(",", 1) for line in table.splitlines()[1:]]
            self.assertEqual(len(rows), count)
            self.assertEqual(len({values for _, values in rows}), 1, table)
            self.assertTrue(rows[0][1].endswith(",ok,"), table)
        self.assertNotEqual(alike[0].splitlines()[1], alike[1].splitlines()[2])

    def test_my_own_scheduler(self):
        said = shown(self, "my_own_scheduler.py", "--replications", "60")
        against = re.search(r"from cautious.*?Compared", said, re.DOTALL)[0]
        for known in ("AF", "FAC2", "GSS"):
            self.assertRegex(against, rf"\n +{known} .* worse\n")
        # Where owners stay, techniques that do not measure lose.
        self.assertRegex(said, r"\n +cautious +1000s .* best\n")
        for known in ("FAC2", "GSS"):
            self.assertRegex(said, rf"\n +{known} +1000s .* worse\n")

    def test_the_promise_holds(self):
        said = shown(self, "trace_to_promise.py", "--replications", "300")
        kept = re.search(r"The promise is kept by ([\d.]+)% of 300 new jobs \(between ([\d.]+)%", said)
        self.assertGreaterEqual(float(kept[1]), 95)
        promise = number_before(" s\\.\n\n", said)
        distribution = re.search(r"fitted owners: half of the jobs are done by (\d+) s, ([\d.]+)% by (\d+) s", said)
        self.assertEqual((distribution[2], float(distribution[3])), (kept[1], promise))
        self.assertLess(float(distribution[1]), promise)

    def test_traces_of_ones_own(self):
        folder = temporary(self)
        for host, low in (("a", 0.4), ("b", 0.7)):
            with open(os.path.join(folder, host + ".csv"), "w", encoding="utf-8") as out:
                out.write("timestamp,availability\n")
                out.writelines(f"{60 * row},{low + 0.3 * (row * row // 17 % 5) / 4:.3f}\n" for row in range(600))
        said = shown(self, "trace_to_promise.py", *(os.path.join(folder, host + ".csv") for host in "ab"),
                     "--replications", "100")
        self.assertRegex(said, r"\n +a +600 +60 s ")
        self.assertIn("measured series: half of the jobs", said)


if __name__ == "__main__":
    unittest.main()
