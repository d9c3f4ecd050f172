"""What tells a user's code from what it was: results that are stored are those of the code at hand, and of no other."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import nowsim

PROGRAM = """
    import nowsim
    import helper_module

    STEP = 1

    def helper(rank):
        return 1e6 * STEP * helper_module.factor()

    @nowsim.workload
    def program(rank, times=1, scale=1.0):
        open({ran!r}, "a").write("x")
        yield rank.compute(times * scale * helper(rank))
"""


class Identity(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.ran = os.path.join(self.folder, "ran")
        self.put("helper_module.py", "def factor():\n    return 1\n")

    def put(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def swept(self, text, main="program.py"):
        """T, and how often a rank ran, in a process of its own."""
        self.put(main, textwrap.dedent(text).replace("{ran!r}", repr(self.ran)) + textwrap.dedent("""
            result = nowsim.sweep({"nowsim": 1, "platform": {"workstations": 1, "speed": "1Mf"},
                                   "job": {"workload": "program"}, "run": {"replications": 3}}, out="store", jobs=1)
            print(result.rows[0].estimates["tau"].value)
        """))
        before = os.path.getsize(self.ran) if os.path.exists(self.ran) else 0
        said = subprocess.run([sys.executable, "-B", main], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stderr)
        return float(said.stdout), (os.path.getsize(self.ran) if os.path.exists(self.ran) else 0) - before

    def test_of_files(self):
        self.assertEqual(self.swept(PROGRAM), (1, 3))
        self.assertEqual(self.swept(PROGRAM), (1, 0))
        self.assertEqual(self.swept(PROGRAM.replace("STEP = 1", "STEP = 2")), (2, 3))
        self.assertEqual(self.swept(PROGRAM.replace("1e6 *", "3e6 *")), (3, 3))
        self.assertEqual(self.swept(PROGRAM.replace("scale=1.0", "scale=4.0")), (4, 3))
        self.put("helper_module.py", "def factor():\n    return 5\n")
        self.assertEqual(self.swept(PROGRAM), (5, 3))
        self.put("helper_module.py", "def factor():\n    return 1\n")
        self.assertEqual(self.swept(PROGRAM), (1, 0))

    def test_without_a_file(self):
        """As a notebook or a prompt has it."""
        def code_of(text, **values):
            names = {"__name__": "__main__", "nowsim": nowsim, **values}
            additions = nowsim.Additions()
            exec(textwrap.dedent(text), names)
            additions.workload(names["program"])
            return additions.workloads[0].code()

        text = """
            def helper():
                return 1
            def program(rank, steps=2):
                yield rank.compute(helper() * FACTOR)
        """
        first = code_of(text, FACTOR=1)
        self.assertEqual(first, code_of("\n\n# a remark\n" + textwrap.dedent(text), FACTOR=1))
        for other in (text.replace("return 1", "return 2"), text.replace("steps=2", "steps=3"),
                      text.replace("helper() *", "(helper() + 1) *"), text.replace("rank.compute", "rank.transfer")):
            self.assertNotEqual(first, code_of(other, FACTOR=1))
        self.assertNotEqual(first, code_of(text, FACTOR=2))
        self.assertNotEqual(code_of(text, FACTOR=[1, {"a": 2}]), code_of(text, FACTOR=[1, {"a": 3}]))


if __name__ == "__main__":
    unittest.main()
