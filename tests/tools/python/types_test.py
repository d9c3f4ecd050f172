"""Type checkers know the keywords, which are the commands' flags, and what they take; help() tells them."""

import ast
import inspect
import os
import subprocess
import sys
import unittest
from pathlib import Path

from program_beside import skip_test, temporary

import nowsim

RIGHT = '''import nowsim

nowsim.run("huang-lee-2007/fig05", sets={"owner.TH": 0.28}, metrics=["tau", "RF"], replications=100, seed=7, keep="all")
nowsim.sweep({"job": {"workload": "gauss"}}, "results", engine="direct", precision="1%")
print(nowsim.contrast("labs/lab-night", "split.policy", metric="tau", best="lowest", against=0.5).to_pandas())
nowsim.plan("lab-now", work="105Tf", deadline=7200, policies=["equal", "proportional"], subset=True, at_most="1min")
nowsim.isoefficiency("bosque-2011/fig01b", [0.5, 0.7], from_=1, along="platform.workstations")
nowsim.verify(random=20)
'''
WRONG = ['nowsim.run("a", replication=100)', 'nowsim.run("a", keep="some")', 'nowsim.contrast("a", "b", best="least")',
         'nowsim.plan("a", work=[1])', 'nowsim.plan("a", subset="yes")', 'nowsim.verify(random={})']


def checked(text, folder):
    file = Path(folder, "script.py")
    file.write_text(text, encoding="utf-8")
    package = os.path.dirname(os.path.dirname(nowsim.__file__))
    return subprocess.run([sys.executable, "-m", "mypy", "--no-incremental", "--cache-dir", os.devnull, str(file)],
                          env={**os.environ, "MYPYPATH": package}, capture_output=True, text=True)


class Types(unittest.TestCase):
    def test_a_type_checker_takes_what_is_right_and_refuses_what_is_wrong(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            skip_test(self, "mypy", "no mypy")
        folder = temporary(self)
        right = checked(RIGHT, folder)
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        wrong = checked("import nowsim\n" + "\n".join(WRONG) + "\n", folder).stdout
        for line in range(2, len(WRONG) + 2):
            self.assertIn(f"script.py:{line}: error: ", wrong)

    def test_stubs_have_the_keywords_of_the_functions(self):
        for name in ("questions", "running"):
            stub = Path(nowsim.__file__).with_name(name + ".pyi").read_text(encoding="utf-8")
            for node in ast.parse(stub).body:
                if isinstance(node, ast.FunctionDef):
                    function = getattr(sys.modules[f"nowsim.{name}"], node.name)
                    told = [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
                    self.assertEqual(told, list(inspect.signature(function).parameters))

    def test_keywords_are_the_flags_of_the_command(self):
        for function, keyword, told in ((nowsim.plan, "deadline", "Optional[Number]"), (nowsim.plan, "subset", "bool"),
                                        (nowsim.contrast, "metric", "Optional[Names]"),
                                        (nowsim.run, "engine", "Optional[str]")):
            self.assertEqual(inspect.signature(function).parameters[keyword].annotation, told)
            self.assertIn(f"\n    {keyword}: ", function.__doc__)
        self.assertNotIn("format", inspect.signature(nowsim.plan).parameters)


if __name__ == "__main__":
    unittest.main()
