"""What tells a user's code from what it was: results that are stored are those of the code at hand, and of no other."""

import functools
import os
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest

from program_beside import skip_test

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


def code_of(text, **values):
    """Of a program that stands in no file."""
    names = {"__name__": "__main__", "nowsim": nowsim, **values}
    additions = nowsim.Additions()
    exec(textwrap.dedent(text), names)
    additions.workload(names["program"])
    return additions.workloads[0].code()


def code_with(value):
    return code_of("def program(rank):\n    yield rank.compute(VALUE)", VALUE=value)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(textwrap.dedent(text))

    def said(self, *words, python=sys.executable, **environment):
        done = subprocess.run([python, "-B", *words], cwd=self.folder, capture_output=True, text=True, timeout=100,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class Stored(Folder):
    def setUp(self):
        super().setUp()
        self.ran = os.path.join(self.folder, "ran")
        self.put("helper_module.py", "def factor():\n    return 1\n")

    def swept(self, text, *words):
        """T, how often a rank ran, and what was said, in a process of its own."""
        self.put("program.py", textwrap.dedent(text).replace("{ran!r}", repr(self.ran)) + textwrap.dedent("""
            for again in range(2):
                result = nowsim.sweep({"platform": {"workstations": 1, "speed": "1Mf"}, "job": {"workload": "program"},
                                       "run": {"replications": 3}}, out="store", jobs=1)
            print(result.rows[0].estimates["tau"].value)
        """))
        before = os.path.getsize(self.ran) if os.path.exists(self.ran) else 0
        done = self.said("program.py", *words)
        return float(done.stdout), os.path.getsize(self.ran) - before, done.stderr

    def test_what_was_edited_is_simulated_anew_and_what_was_not_is_found_again(self):
        self.assertEqual(self.swept(PROGRAM), (1, 3, ""))
        self.assertEqual(self.swept(PROGRAM), (1, 0, ""))
        self.assertEqual(self.swept(PROGRAM.replace("STEP = 1", "STEP = 2")), (2, 3, ""))
        self.assertEqual(self.swept(PROGRAM.replace("1e6 *", "3e6 *")), (3, 3, ""))
        self.assertEqual(self.swept(PROGRAM.replace("scale=1.0", "scale=4.0")), (4, 3, ""))
        self.put("helper_module.py", "def factor():\n    return 5\n")
        self.assertEqual(self.swept(PROGRAM), (5, 3, ""))
        self.put("helper_module.py", "def factor():\n    return 1\n")
        self.assertEqual(self.swept(PROGRAM), (1, 0, ""))

    def test_what_no_file_says(self):
        of_words = PROGRAM.replace("STEP = 1", "import sys; STEP = int(sys.argv[1])")
        self.assertEqual(self.swept(of_words, "1"), (1, 3, ""))
        self.assertEqual(self.swept(of_words, "2"), (2, 3, ""))
        self.assertEqual(self.swept(of_words, "1"), (1, 0, ""))

    def test_what_cannot_be_told_is_simulated_anew_and_said_once(self):
        text = PROGRAM.replace("STEP = 1", "import collections; STEPS = collections.deque([1])")
        for _ in range(2):
            tau, ran, said = self.swept(text.replace("STEP *", "STEPS[0] *"))
            self.assertEqual((tau, ran, said.count("Remark")), (1, 6, 1))
            self.assertIn("program.py, line 10): STEPS, of type deque, cannot be told from what it was before, so that its "
                          "results are simulated anew, never taken from a store", said)
        self.put("plugin.py", text.replace("STEP *", "STEPS[0] *").replace("{ran!r}", "'ran'"))
        said = self.said("-m", "nowsim", "contrast", "labs/lab-night", "split.policy", "-r2", "-q", "--plugin", "plugin.py",
                         "--out", "other", "--set", "platform.workstations=2").stderr
        self.assertRegex(said, r"^note: workload program \(.*plugin.py, line 10\): STEPS, of type deque, cannot be told")


class Told(Folder):
    def codes(self, mains, **environment):
        """Of functions mine(s), one for each text, each in a module of its own beside the others."""
        for at, text in enumerate(mains):
            self.put(f"main_{at}.py", text)
        self.put("main.py", f"""
            import importlib, nowsim
            for at in range({len(mains)}):
                additions = nowsim.Additions()
                additions.policy(importlib.import_module(f"main_{{at}}").mine, name="one")
                print(additions.policies[0].code())
        """)
        return self.said("main.py", **environment).stdout.split()

    def assert_told(self, helpers, used="import helper_{0}\ndef mine(s):\n    return helper_{0}.TABLE * s"):
        """That each helper's edit is seen, and that nothing else makes a difference from process to process."""
        made = []
        for seed, number in (("0", "1"), ("1", "1"), ("1", "7")):
            for at, text in enumerate(helpers):
                self.put(f"helper_{at}.py", textwrap.dedent(text).replace("1", number))
            made.append(self.codes([used.format(at) for at in range(len(helpers))], PYTHONHASHSEED=seed))
        self.assertEqual(len(made[0]), len(helpers))
        for text, first, again, edited in zip(helpers, *made):
            with self.subTest(text=text):
                self.assertEqual(first, again)
                self.assertNotEqual(first, edited)

    def assert_untold(self, helpers, used="import helper_{0}\ndef mine(s):\n    return helper_{0}.TABLE * s"):
        """That no code is that of another process, nor of the same one a moment later."""
        for at, text in enumerate(helpers):
            self.put(f"helper_{at}.py", text)
        mains = [used.format(at) for at in range(len(helpers))]
        made = [*self.codes(mains), *self.codes(mains)]
        self.assertEqual(len(set(made)), 2 * len(helpers))

    def test_values_of_modules(self):
        self.assert_told((
            "TABLE = [1, [2, 3]]", "TABLE = {'a': 1, 'b': {2}}", "TABLE = {'a', 'b', 'c', 1, (2, 'd')}",
            "import pathlib\nTABLE = {pathlib.Path('1')}",
            "class Rule:\n    def __init__(self): self.power = 1\nTABLE = Rule()\nTABLE.self = [TABLE]",
            "import abc\nclass Rule(abc.ABC):\n    def __call__(self): return 1\nTABLE = Rule(), object()",
            "import enum\nclass Rule(enum.Enum):\n    A = 1\n    B = 2\nTABLE = [Rule.A, Rule.B]",
            "import dataclasses\n@dataclasses.dataclass\nclass Rule:\n    power: int = 1\nTABLE = Rule()",
            "import dataclasses\n@dataclasses.dataclass(slots=True)\nclass Rule:\n    power: int\nTABLE = Rule(1)",
            "class Rule:\n    __slots__ = 'power', 'unset'\nclass Own(Rule): pass\nTABLE = Own()\nTABLE.power = 1"))

    def test_arrays(self):
        try:
            import numpy  # noqa: F401
        except ImportError:
            skip_test(self, "numpy", "without NumPy")
        self.assert_told([f"import numpy\nTABLE = {made}\n" for made in (
            "numpy.array([1.0, 2])", "numpy.array([1, 'a', None], dtype=object)", "numpy.float64(1)", "1, numpy.sqrt")])

    def test_functions_below_others(self):
        self.assert_told([f"""
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
        """ for wrapper in ("functools.lru_cache(maxsize=None)", "contextlib.contextmanager", "wrapped", "staticmethod",
                            "functools.partial")],
            used="from helper_{0} import of\ndef mine(s):\n    return of(s)")

    def test_imports_within_functions(self):
        """Of modules that are loaded; others cannot be told."""
        self.put("box/__init__.py", "")
        self.put("box/over.py", "from . import far")
        used = ("import helper; helper.g()", "from helper import g", "import box.helper; box.helper.g()",
                "from box.helper import g", "from box import helper; helper.g()", "import box.far",
                "import box.over; box.over.far.g()",
                "; ".join(f"a{i} = b.a{i} + {i}.5" for i in range(300)) + "; from helper import g")
        within = [f"def mine(s):\n    def inner():\n        {text}\n        import this, math, absent\n    return inner()"
                  for text in used]
        loaded = "import helper, box.helper, box.far, box.over\n"
        made = []
        for power in "112":
            for name in ("helper.py", "box/helper.py", "box/far.py"):
                self.put(name, f"def g():\n    return {power}\n")
            made.append(self.codes([loaded + text for text in within]))
        self.assertEqual(made[0], made[1])
        self.assertFalse(set(made[0]) & set(made[2]))
        for name in ("helper.py", "wave.py", "box/__init__.py"):  # one that hides Python's own
            self.put(name, "print('it runs')")
        for text in (*within, within[0].replace("helper", "wave")):
            self.assert_untold([""], text.replace("{", "{{"))

    def test_what_is_not_plain(self):
        self.assert_untold((
            "import threading\nTABLE = threading.Lock()", "TABLE = (i for i in 'ab')", "import random\nTABLE = random.Random(1)",
            "class Rule(list):\n    pass\nTABLE = Rule()", "class Rule:\n    pass\nTABLE = {Rule()}",
            "TABLE = None\nfor i in range(5000): TABLE = [TABLE, 1]", "import types\nTABLE = [types.ModuleType('mine')]"))
        self.assert_untold(["TABLE = 1"], "import helper_{0}\ndef mine(s):\n    return getattr(helper_{0}, s)")

    def test_without_a_file(self):
        """As a notebook or a prompt has it."""
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
        for make in (lambda power: functools.partial(pow, power), lambda power: [10**5000 + power], lambda power: lambda: power):
            self.assertEqual(code_with(make(2)), code_with(make(2)))
            self.assertNotEqual(code_with(make(2)), code_with(make(3)))

    def test_what_installed_modules_hold(self):
        """goes by its name: other processes seed it otherwise."""
        held = [random.random, random._inst, os.environ]
        before = [code_with(each) for each in held]
        self.addCleanup(random.setstate, random.getstate())
        random.seed(random.random())
        os.environ["NOWSIM_TEST"] = "1"
        self.addCleanup(os.environ.pop, "NOWSIM_TEST")
        self.assertEqual([code_with(each) for each in held], before)
        self.assertEqual(len(set(before)), len(held))

    def test_what_decorators_are_told(self):
        def program(rank, size=2):
            yield rank.compute(size)

        def codes(number):
            additions, said = nowsim.Additions(), eval(f"lambda size: {number}")
            additions.workload(program, work=said)
            additions.owner(lambda u, size=2: (u, 1), name="mine", mean=said, sd=0)
            additions.technique(lambda R: R, name="mine", batch=eval(f"lambda R: {number}"))
            return [it.code() for it in (*additions.workloads, *additions.owners, *additions.techniques)]

        self.assertEqual(codes(1), codes(1))
        self.assertFalse(set(codes(1)) & set(codes(2)))

    def test_what_was_loaded_and_not_what_its_file_is_now(self):
        self.put("helper.py", "A = 1\ndef of(s): return 1\n")
        self.put("main.py", """
            import nowsim, helper, importlib
            @nowsim.policy
            def one(s):
                return getattr(helper, "of")(s) + helper.A
            print(one.nowsim.code())
            open("helper.py", "a").write("def of(s): return 7")
            print(one.nowsim.code())
            importlib.reload(helper)
            print(one.nowsim.code())
        """)
        first, edited, loaded = self.said("main.py").stdout.split()
        self.assertEqual(first, edited)
        self.assertNotEqual(first, loaded)

    def test_in_an_environment(self):
        """Within a virtual environment's folder lies user code, too; what is installed there does not count."""
        self.put("pyvenv.cfg", f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
        python = os.path.join(self.folder, "bin", "python3")
        os.makedirs(os.path.dirname(python))
        os.symlink(os.path.realpath(sys.executable), python)
        self.put("mine/main.py", "import nowsim, helper\n@nowsim.policy\ndef one(s):\n    return helper.of(s)\n"
                                 "print(one.nowsim.code())\n")

        def code(helper, power):
            self.put(helper, f"def of(s): return {power}\n")
            return self.said("mine/main.py", python=python,
                             PYTHONPATH=os.path.dirname(os.path.dirname(nowsim.__file__))).stdout

        site = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/helper.py"
        self.assertEqual(code(site, 1), code(site, 2))
        self.assertNotEqual(code("mine/helper.py", 1), code("mine/helper.py", 2))


if __name__ == "__main__":
    unittest.main()
