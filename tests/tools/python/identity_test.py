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


def deep(kind):
    made = kind()
    for _ in range(3000):
        made = kind([made])
    return made


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

    def test_all_that_a_wrapper_holds(self):
        def wrapper(power, bound=2):
            return functools.update_wrapper(functools.partial(lambda a, k: a**k, k=power, bound=bound), lambda a: a)

        def cached(power):
            made = functools.lru_cache(wrapper(2))
            made.power = power
            return made

        for make in (wrapper, cached):
            with self.subTest(make.__name__):
                self.assertEqual(code_with(make(2)), code_with(make(2)))
                self.assertNotEqual(code_with(make(2)), code_with(make(3)))

    def test_one_value_that_cannot_be_told(self):
        """hides no other."""
        class Slots:
            __slots__ = ("power",)
            __dict__ = property(lambda self: 1 / 0)

        def slots(power):
            made = Slots()
            made.power = power
            return made

        def module(power):
            made = type(sys)("mine")
            made.__dict__.update({1: 2, "A": 10**5000, "B": power})
            return made

        made = {"slots": slots, "module": module, "number": lambda power: [10**5000 + power],
                "view": lambda power: memoryview(bytes([power])), "nested": lambda power: (deep(tuple), power)}
        for name, make in made.items():
            with self.subTest(name):
                self.assertEqual(code_with(make(2)), code_with(make(2)))
                self.assertNotEqual(code_with(make(2)), code_with(make(3)))

    def test_what_installed_modules_hold(self):
        """goes by its name: other processes seed it otherwise."""
        held = [random.random, random._inst, os.environ, sys.path]
        own = random.Random(1)
        try:
            import numpy
            held.append(numpy.random.normal)
        except ImportError:
            numpy = None
        before = [code_with(each) for each in held], code_with(own.random)
        state, drawn = random.getstate(), numpy and numpy.random.get_state()
        os.environ["NOWSIM_TEST"] = "1"
        sys.path.append("absent")
        random.seed(random.random())
        own.random()
        if numpy:
            numpy.random.normal()
        try:
            for each, code in zip(held, before[0]):
                with self.subTest(each=type(each)):
                    self.assertEqual(code, code_with(each))
            self.assertNotEqual(before[1], code_with(own.random))
            self.assertEqual(len(set(before[0])), len(held))
        finally:
            del os.environ["NOWSIM_TEST"]
            sys.path.remove("absent")
            random.setstate(state)
            if numpy:
                numpy.random.set_state(drawn)


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
                              timeout=100, env={**os.environ, "PYTHONHASHSEED": seed})
        self.assertEqual(said.returncode, 0, said.stderr)
        return said.stdout

    def program(self, text, function="mine"):
        self.put("main.py", "import nowsim\n" + textwrap.dedent(text) + textwrap.dedent(f"""
            additions = nowsim.Additions()
            additions.policy({function}, name="one")
            print(additions.policies[0].code())
        """))

    def assert_seen(self, texts, used="import helper_{0}\ndef mine_{0}(s):\n    return helper_{0}.TABLE * s"):
        """That each helper's edit is seen, and that nothing else makes a difference from process to process."""
        uses = "\n".join(used.format(at) for at in range(len(texts)))
        self.put("main.py", f"""import nowsim
{uses}
additions = nowsim.Additions()
for at in range({len(texts)}):
    additions.policy(globals()[f"mine_{{at}}"], name=f"p{{at}}")
    print(additions.policies[at].code())
""")
        first, again, edited = (
            self.code(seed, **{f"helper_{at}": text.replace(*change) for at, text in enumerate(texts)}).split()
            for seed, change in (("0", ("1", "1")), ("1", ("1", "1")), ("1", ("1", "7"))))
        self.assertEqual(len(first), len(texts))
        for text, *codes in zip(texts, first, again, edited):
            with self.subTest(text=text):
                self.assertEqual(codes[0], codes[1])
                self.assertNotEqual(codes[0], codes[2])

    def test_all_that_a_module_holds(self):
        self.assert_seen((
            "TABLE = [1, [2, 3]]", "TABLE = {'a': 1, 'b': {2}}", "TABLE = {'a', 'b', 'c', 1, (2, 'd')}",
            "class Rule:\n    def __init__(self): self.power = 1\nTABLE = Rule()",
            "class Rule:\n    __slots__ = ('power', 'none')\n    def __init__(self): self.power = 1\nTABLE = Rule()",
            "class Rule(list):\n    def power(self): return 1\nTABLE = Rule([2])",
            "import collections\nTABLE = collections.deque([1])",
            "import collections, operator\nTABLE = collections.defaultdict(set, {operator.add: {'a', 'b', '1'}})",
            "import enum\nclass Rule(enum.Enum):\n    A = 1\n    B = 2\nTABLE = {Rule.A, Rule.B}",
            "import dataclasses\n@dataclasses.dataclass\nclass Rule:\n    power: int = 1\nTABLE = Rule()",
            "import threading\nTABLE = [threading.Lock(), iter([3]), (i for i in 'ab'), open(__file__), 1]",
            "class Rule:\n    pass\nTABLE = Rule()\nTABLE.self = [TABLE, {TABLE}]\nTABLE.power = 1",
            "TABLE = None\nfor i in range(5000): TABLE = [TABLE, 1]"))

    def test_sets_of_objects(self):
        """Those that refer to each other take no longer than others; none has an order but that of what it holds."""
        rule = """
            class Rule:
                bound = 1
                def __init__(self, power):
                    self.power, self.others = power, set()
        """
        self.assert_seen([rule + text for text in ("""
            TABLE = {Rule(power) for power in range(40)}
            for rule in TABLE: rule.others = TABLE
            del rule
        """, """
            TABLE = [Rule(power // 2) for power in range(40)]
            for rule in TABLE: rule.others = set(TABLE) - {rule}
        """, """
            rules = [Rule(power) for power in range(40)]
            for rule in rules: rule.others = set(rules) - {rule}
            TABLE = rules[0]
            del rule, rules
        """, """
            TABLE = {Rule(0) for power in range(9)}
            for i, rule in enumerate(TABLE): rule.others = {Rule([Rule([i])])}
        """)])

    def test_arrays(self):
        try:
            import numpy
        except ImportError:
            skip_test(self, "numpy", "without NumPy")
        self.assert_seen([f"import numpy\nTABLE = {made}\n" for made in (
            "numpy.array([1.0, 2])", "numpy.array([1, 'a', None], dtype=object)", "numpy.float64(1)",
            "numpy.vectorize(lambda a: a + 1)", "numpy.random.default_rng(1)")])

    def test_wrapped(self):
        self.assert_seen([f"""
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
                            "functools.singledispatch", "functools.partial")],
            used="from helper_{0} import of as of_{0}\ndef mine_{0}(s):\n    return of_{0}(s)")

    def test_imports_within_functions(self):
        def codes(imported, loaded=""):
            self.put("main.py", f"{loaded}\nimport nowsim\nadditions = nowsim.Additions()\n" + "".join(f"""
def mine(s):
    def inner():
        {text}
        import json, math
    return inner()
additions.policy(mine, name="p{at}")
print(additions.policies[{at}].code())
""" for at, text in enumerate(imported)))
            said = []
            for power in "12":
                helper = f"def g():\n    return {power}\n"
                said.append(self.code(helper=helper, box__helper=helper, box__far=f"F = {power}").split())
            return said

        def assert_seen(imported, loaded=""):
            for text, first, edited in zip(imported, *codes(imported, loaded)):
                with self.subTest(imported=text[-30:], loaded=loaded):
                    self.assertNotEqual(first, edited)

        many = "; ".join(f"a{i} = b.a{i} + {i}.5" for i in range(300))  # their numbers are more than a byte holds
        within = ("from box.helper import g", "from box import helper", "import box.far")
        assert_seen(("import helper", "from helper import g", "import box.helper", *within,
                     f"{many}; from helper import g"))
        assert_seen(within, "import helper, box.helper")
        self.put("box/over.py", "from . import far")
        assert_seen(["import box.over"])
        first, edited = codes(["from . import helper", "import absent"])
        self.assertEqual(first, edited)

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
