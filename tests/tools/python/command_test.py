"""`python3 -m nowsim` is the same command line, with user code where --plugin names some."""

import os
import subprocess
import sys
import textwrap
import unittest
from pathlib import Path

import nowsim
from program_beside import FIG05, module, program, temporary

WORDS = ["run", FIG05, "--set", "owner.SH=0", "-r", "20", "--format", "csv"]


class CommandLine(unittest.TestCase):
    def test_output_and_statuses_are_the_same(self):
        self.assertEqual(module(*WORDS).stdout, program(*WORDS))
        self.assertEqual(module("list", "metrics").stdout, program("list", "metrics"))
        self.assertEqual(module("help").stdout, program("help"))
        wrong = module("run", "nonsense.yaml")
        self.assertEqual((wrong.returncode, wrong.stderr), (2, "error: nonsense.yaml: there is no such file.\n"))
        self.assertEqual(module().returncode, 2)


class Plugins(unittest.TestCase):
    def setUp(self):
        self.folder = temporary(self)

    def plugin(self, text: str, name: str = "mine.py") -> str:
        file = os.path.join(self.folder, name)
        Path(file).write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def test_files_are_imported_in_their_order_wherever_the_flag_stands(self):
        first, second = self.plugin("print('first')\nimport beside"), self.plugin("print('second')", "other.py")
        self.plugin("print('beside')", "beside.py")
        for words in (["--plugin", first, f"--plugin={second}", *WORDS],
                      [*WORDS, "--plugin", first, "--plugin", second]):
            self.assertEqual(module(*words).stdout, "first\nbeside\nsecond\n" + program(*WORDS))

    def fails(self, sentence: str, *words: str):
        done = module(*words)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"error: {sentence}\n"))

    def test_functions_that_raise(self):
        """What code says of itself is input; KeyboardInterrupt stops as Ctrl-C does."""
        raising = self.plugin("""
            import nowsim
            def many(ranks):
                return 1 / 0
            @nowsim.workload(messages=many)
            def mine(rank):
                yield rank.compute(1)
            @nowsim.policy
            def stops(s):
                raise KeyboardInterrupt
        """)
        spec = os.path.join(self.folder, "spec.yaml")
        Path(spec).write_text("nowsim: 1\nplatform: {workstations: 2, speed: 1Mf, network: switch, bandwidth: 1MBps, "
                              "latency: 1ms}\njob: {workload: base-task, work: 1Mf}\n", encoding="utf-8")
        words = ["--plugin", raising, "run", spec, "--set"]
        self.fails(f"what workload mine ({raising}, line 5) says of itself raises ZeroDivisionError: division by zero "
                   f"({raising}, line 4, in many)", *words, "job={workload: mine}")
        stopped = module(*words, "split.policy=stops")
        self.assertEqual((stopped.returncode, stopped.stdout, stopped.stderr), (130, "", ""))

    def test_what_is_wrong_with_a_file_is_a_sentence(self):
        raising = self.plugin("""
            def f():
                return 1 / 0
            f()
        """)
        self.fails(f"--plugin {raising}: line 3: ZeroDivisionError: division by zero", "--plugin", raising, *WORDS)
        broken = self.plugin("x = (\n", "broken.py")
        self.fails(f"--plugin {broken}: line 1: SyntaxError: '(' was never closed", *WORDS, "--plugin", broken)
        self.fails("--plugin none.py: there is no such file", *WORDS, "--plugin", "none.py")
        self.fails("--plugin: a file of Python code is wanted, such as --plugin mine.py", *WORDS, "--plugin")

    def test_stored_results_of_other_code(self):
        text = """
            import nowsim
            @nowsim.technique
            def mine(R):
                return 3
            @nowsim.metric
            def delay(T):
                return T.mean()
        """
        spec = self.plugin("""
            nowsim: 1
            platform: {workstations: 2, speed: 1Gf, network: switch, bandwidth: 1GBps, latency: 1ms}
            job: {workload: task-farm, tasks: 10, cost: 1Gf, technique: mine}
            owner: {model: intervals, TH: 0.2, interval: 1s}
            run: {replications: 20}
            metrics: [tau, delay]
        """, "farm.yaml")
        store, mine = os.path.join(self.folder, "store"), self.plugin(text)
        self.assertEqual(module("sweep", spec, "--plugin", mine, "--out", store, "-q").stderr, "")
        as_it_was = module("show", store, "--plugin", mine)
        self.assertEqual(as_it_was.stderr, "")
        self.assertIn("delay", as_it_was.stdout)
        without = module("show", store, "--format=csv").stderr
        self.assertIn("note: there is no metric 'delay' here", without)
        self.assertIn("--plugin FILE", without)
        self.plugin(text.replace("return 3", "return 4"))
        edited = module("show", store, "--plugin", mine)
        self.assertIn("note: these results are of other code: the technique 'mine' is not the one of then", edited.stderr)
        self.assertEqual(edited.stdout, as_it_was.stdout)
        with self.assertWarnsRegex(nowsim.Remark, "there is no metric 'delay' here"):
            nowsim.show(store)

    def test_a_bundle_takes_user_code_along_and_makes_it_again(self):
        text = """
            import nowsim
            @nowsim.technique
            def mine(R):
                return 3
        """
        spec = self.plugin("""
            nowsim: 1
            platform: {workstations: 2, speed: 1Gf, network: switch, bandwidth: 1GBps, latency: 1ms}
            job: {workload: task-farm, tasks: 10, cost: 1Gf, technique: mine}
            run: {replications: 3}
            metrics: [tau]
        """, "farm.yaml")
        store, mine = os.path.join(self.folder, "store"), self.plugin(text)
        archive = os.path.join(self.folder, "farm.tar.gz")
        self.assertEqual(module("sweep", spec, "--plugin", mine, "--out", store, "-q").returncode, 0)
        without = module("bundle", store, "--out", archive)
        self.assertEqual(without.returncode, 2)
        self.assertIn("the technique 'mine', which is not nowsim's", without.stderr)
        self.assertIn("--plugin FILE.py", without.stderr)
        self.plugin(text.replace("return 3", "return 4"))
        edited = module("bundle", store, "--plugin", mine, "--out", archive)
        self.assertEqual(edited.returncode, 2)
        self.assertIn("the technique 'mine' is not the one of then", edited.stderr)
        self.plugin(text)
        self.assertEqual(module("bundle", store, "--plugin", mine, "--out", archive).stderr, "")
        subprocess.run(["tar", "xf", archive], cwd=self.folder, check=True)
        code = os.path.join(self.folder, "farm", "code", "mine.py")
        self.assertEqual(Path(code).read_text(encoding="utf-8"), Path(mine).read_text(encoding="utf-8"))
        os.remove(mine)
        again = subprocess.run([os.path.join(self.folder, "farm", "again.sh")], cwd="/", capture_output=True, text=True,
                               env={**os.environ, "PYTHON": sys.executable}, check=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        there = Path(self.folder, "farm", "again", "farm.csv").read_text(encoding="utf-8")
        self.assertEqual(there, Path(store, "farm.csv").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
