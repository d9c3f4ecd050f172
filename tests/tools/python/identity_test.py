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


class Seen(unittest.TestCase):
    """What the hash of user code depends on, each time in a process of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))

    def code(self, seed="0", main="main.py", **files):
        for name, text in files.items():
            self.put(name.replace("__", "/") + ".py", text)
        said = subprocess.run([sys.executable, "-B", main], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PYTHONHASHSEED": seed})
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def program(self, text, function="mine"):
        self.put("main.py", "import nowsim\n" + textwrap.dedent(text) + textwrap.dedent(f"""
            additions = nowsim.Additions()
            additions.policy({function}, name="one")
            print(additions.policies[0].code())
        """))

    def assert_seen(self, before, after, name="helper"):
        """That a helper's edit is seen, and that nothing else makes a difference from process to process."""
        first = self.code(**{name: before})
        self.assertEqual(first, self.code(seed="1", **{name: before}))
        self.assertNotEqual(first, self.code(seed="1", **{name: after}))

    def test_all_that_a_module_holds(self):
        self.program("""
            import helper
            def mine(s):
                return helper.TABLE
        """)
        for before in ("TABLE = [1, [2, 3]]", "TABLE = {'a': 1, 'b': {2}}", "TABLE = {'a', 'b', 'c', 1, (2, 'd')}",
                       "class Rule:\n    def __init__(self): self.power = 1\nTABLE = Rule()",
                       "class Rule:\n    __slots__ = ('power', 'none')\n    def __init__(self): self.power = 1\nTABLE = Rule()",
                       "class Rule(list):\n    def power(self): return 1\nTABLE = Rule([2])",
                       "import collections\nTABLE = collections.deque([1])",
                       "import collections, operator\nTABLE = collections.defaultdict(set, {operator.add: {'a', 'b', '1'}})",
                       "import enum\nclass Rule(enum.Enum):\n    A = 1\n    B = 2\nTABLE = {Rule.A, Rule.B}",
                       "import dataclasses\n@dataclasses.dataclass\nclass Rule:\n    power: int = 1\nTABLE = Rule()",
                       "import threading\nTABLE = [threading.Lock(), iter([3]), (i for i in 'ab'), open(__file__), 1]",
                       "class Rule:\n    pass\nTABLE = Rule()\nTABLE.self = [TABLE, {TABLE}]\nTABLE.power = 1",
                       "TABLE = None\nfor i in range(5000): TABLE = [TABLE, 1]"):
            with self.subTest(before=before):
                self.assert_seen(before, before.replace("1", "7"))

    def test_arrays(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("without NumPy")
        self.program("import helper\ndef mine(s):\n    return helper.TABLE * s")
        for before in ("numpy.array([1.0, 2])", "numpy.array([1, 'a', None], dtype=object)", "numpy.float64(1)",
                       "numpy.vectorize(lambda a: a + 1)", "numpy.random.default_rng(1)"):
            with self.subTest(before=before):
                self.assert_seen(f"import numpy\nTABLE = {before}\n", f"import numpy\nTABLE = {before.replace('1', '3')}\n")

    def test_wrapped(self):
        wrappers = ("functools.lru_cache(maxsize=None)", "contextlib.contextmanager", "functools.singledispatch", "wrapped",
                    "staticmethod", "functools.partial")
        for wrapper in wrappers:
            with self.subTest(wrapper=wrapper):
                before = textwrap.dedent(f"""
                    import contextlib, functools
                    def wrapped(function):
                        @functools.wraps(function)
                        def called(*arguments):
                            return function(*arguments)
                        return called
                    @{wrapper}
                    def of(s):
                        return inner(s)
                    def inner(s):
                        return 1
                """)
                self.program("from helper import of\ndef mine(s):\n    return of(s)")
                self.assert_seen(before, before.replace("return 1", "return 2"))

    def test_imports_within_functions(self):
        for imported in ("import helper", "from helper import g", "from box.helper import g", "import box.helper",
                         "from box import helper"):
            for loaded in ("", "import helper, box.helper\n") if "from box" in imported else ("",):
                with self.subTest(imported=imported, loaded=loaded):
                    self.program(f"{loaded}def mine(s):\n    def inner():\n        {imported}\n        import json, math"
                                 "\n    return inner()")
                    self.put("helper.py", "")
                    self.put("box/helper.py", "")
                    self.put("box/far.py", "F = 1\n")
                    name = "box__helper" if "box" in imported else "helper"
                    self.assert_seen("def g():\n    return 1\n", "def g():\n    return 2\n", name)
        self.put("box/helper.py", "def g():\n    from . import far\n    return far.F")  # one that is not loaded imports one
        self.program("def mine(s):\n    from box.helper import g")
        self.assert_seen("F = 1\n", "F = 2\n", "box__far")

    def test_nothing_runs(self):
        self.program("def mine(s):\n    import helper, absent, wrong, box.absent")
        self.put("wrong.py", "def (")
        self.put("helper.py", "print('run')")
        self.put("box/__init__.py", "print('run')")
        self.assertNotIn("run", self.code())

    def test_what_the_decorator_is_told(self):
        self.put("main.py", """
            import nowsim, helper
            @nowsim.workload(work=helper.of)
            def mine(rank, size=2):
                yield rank.compute(1)
            @nowsim.owner(mean=helper.of, sd=0)
            def owned(u, size=2):
                return 1, 1
            print(mine.nowsim.code(), owned.nowsim.code())
        """)
        before, after = (self.code(helper=f"def of(size): return {said}\n").split() for said in "12")
        self.assertFalse(set(before) & set(after))

    def test_in_an_environment(self):
        """Within a virtual environment's folder lies user code, too; what is installed there does not count."""
        self.put("pyvenv.cfg", f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
        os.makedirs(os.path.join(self.folder, "bin"))
        python = os.path.join(self.folder, "bin", "python3")
        os.symlink(os.path.realpath(sys.executable), python)
        site = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/helper.py"

        def code(helper, power):
            self.put(helper, f"def of(s): return {power}\n")
            said = subprocess.run([python, "-B", "mine/main.py"], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(nowsim.__file__))})
            self.assertEqual(said.returncode, 0, said.stderr)
            return said.stdout

        self.program("import helper\ndef mine(s):\n    return helper.of(s)")
        os.makedirs(os.path.join(self.folder, "mine"))
        os.rename(os.path.join(self.folder, "main.py"), os.path.join(self.folder, "mine", "main.py"))
        self.assertEqual(code(site, 1), code(site, 2))
        self.assertNotEqual(code("mine/helper.py", 1), code("mine/helper.py", 2))


if __name__ == "__main__":
    unittest.main()
