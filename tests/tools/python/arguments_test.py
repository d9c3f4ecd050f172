"""Descriptions in dicts say what files say, and what is wrong with arguments is a sentence."""

import os
import unittest
from pathlib import Path

from program_beside import FIG05, SMALL, program, skip_test, temporary

import nowsim
from nowsim._nowsim import description_text, value_text


class Descriptions(unittest.TestCase):
    def test_a_dict_gives_a_files_bytes(self):
        file = os.path.join(temporary(self), "small.yaml")
        Path(file).write_text(description_text(SMALL), encoding="utf-8")
        theirs = program("run", file, "--format", "csv")
        self.assertEqual(nowsim.run(SMALL).to_csv(), theirs)
        self.assertEqual(nowsim.run(Path(file)).to_csv(), theirs)

    def test_values_are_what_files_would_have(self):
        for value, text in ((0.28, " 0.28"), (3, " 3"), (True, " true"), ("105Tf", " 105Tf"), ("=2*P", " =2*P"),
                            ("=min(a, b)", " =min(a, b)"), ("a: b", ' "a: b"'), ("010", ' "010"'),
                            ("12:30", ' "12:30"'), ("", ' ""'), ("a #b", ' "a #b"'), ("-5", " -5"), ("- a", ' "- a"'),
                            ("no", " no"), ([1, "x"], " [1, x]"), ([], " []"),
                            ("a, b", " a, b"), ("~", ' "~"'), ("nan", " nan"), (1e22, " 1e+22"), ({}, " {}"), (None, ""),
                            ({"from": 0, "to": 1}, "\n  from: 0\n  to: 1"), (["a, b"], "\n  - a, b"),
                            (Path("a/b"), ' a/b'), ({True, }, " [true]"), ("%", ' "%"'), ("a\nb", ' "a\\u000ab"'),
                            ([{"a": [1, 2], "b": 3}], "\n  -\n    a: [1, 2]\n    b: 3")):
            self.assertEqual(value_text("key", value), text, value)

    def test_numpys_values_are_numbers(self):
        try:
            import numpy
        except ImportError:
            skip_test(self, "numpy", "no NumPy")
        self.assertEqual(value_text("key", numpy.float64(0.1)), " 0.1")
        self.assertEqual(value_text("key", numpy.array([1, 2])), " [1, 2]")

    def test_sets_sweeps_and_flags_are_the_command_lines(self):
        theirs = program("run", FIG05, "--set", "owner.SH=0", "--set", "sweep.owner.TH=[0.1, 0.2]", "--set",
                         "metrics=[RF, tau]", "--set", "run.deadline=200s", "-r", "30", "--format", "csv")
        ours = nowsim.run(FIG05, sets={"owner.SH": 0, "run.deadline": "200s"}, sweep={"owner.TH": [0.1, 0.2]},
                          metrics=["RF", "tau"], replications=30, jobs=2)
        self.assertEqual(ours.to_csv(), theirs)


class Mistakes(unittest.TestCase):
    def says(self, sentence, function, error=nowsim.InputError):
        with self.assertRaises(error) as caught:
            function()
        self.assertEqual(str(caught.exception), sentence)
        self.assertIsInstance(caught.exception, ValueError)

    def test_of_descriptions(self):
        self.says("nonsense.yaml: there is no such file.", lambda: nowsim.run("nonsense.yaml"))
        self.says("there is no file or experiment 'huang-lee-2007/fig5'; did you mean 'huang-lee-2007/fig05' or "
                  "'huang-lee-2007/fig15'?",
                  lambda: nowsim.run("huang-lee-2007/fig5"))
        self.says("<dict>: job.worx: this key is not known; did you mean 'job.work'?",
                  lambda: nowsim.run({**SMALL, "job": {**SMALL["job"], "worx": 1}}))
        self.says("--set: owner.TH: 'lots' is not a fraction: write a number or a percentage, such as 0.28 or 28%",
                  lambda: nowsim.run(FIG05, sets={"owner.TH": "lots"}))
        self.says("--replications 0: it must be at least 1", lambda: nowsim.run(FIG05, replications=0))
        self.says("<dict>: job.worx: this key is not known; did you mean 'job.work'?",
                  lambda: nowsim.check({**SMALL, "job": {**SMALL["job"], "worx": 1}}))

    def test_of_values(self):
        endless = []
        endless.append(endless)
        for values, sentence in (
                ({1: 2, "1": 3}, "job.1: the key '1' is given twice"), ("\0", "job: the text holds a NUL byte; write plain "
                "UTF-8 text"), (endless, "job: lists and maps are nested more than 100 deep here"),
                ({**SMALL["job"], "work": None}, "job.work: there is no value behind this key")):
            self.says(f"<dict>: {sentence}", lambda: nowsim.run({**SMALL, "job": values}))
            self.says(f"<dict>: {sentence}", lambda: nowsim.check({**SMALL, "job": values}))
        wanted = "job.work: a number, a text, a list or a dict is wanted here, not b'1', of type bytes"
        self.says(wanted, lambda: nowsim.run({**SMALL, "job": {"work": b"1"}}), nowsim.UsageError)
        self.says(wanted, lambda: nowsim.run(SMALL, sets={"job.work": b"1"}), nowsim.UsageError)
        self.says("job.None: a key is a text, not None, of type NoneType",
                  lambda: nowsim.run({**SMALL, "job": {None: 1}}), nowsim.UsageError)
        self.says("--set: job.work: there is no value behind '='", lambda: nowsim.run(SMALL, sets={"job.work": None}))

    def test_of_arguments(self):
        usage = nowsim.UsageError
        self.says("nowsim.run() has no keyword 'replication'; did you mean 'replications'?",
                  lambda: nowsim.run(FIG05, replication=3), usage)
        self.says("nowsim.contrast() has no keyword 'metrik'; did you mean 'metric'?",
                  lambda: nowsim.contrast(FIG05, "owner.TH", metrik="tau"), usage)
        self.says("sets: a dict of keys and values is wanted, such as {'owner.TH': 0.28}, not [1], of type list",
                  lambda: nowsim.run(FIG05, sets=[1]), usage)
        self.says("sweep: owner.TH: a list of values is wanted, or a dict such as {'from': 0, 'to': 1, 'step': 0.1}, "
                  "not 1", lambda: nowsim.run(FIG05, sweep={"owner.TH": 1}), usage)
        self.says("replications: a number or a text is wanted, not [1], of type list",
                  lambda: nowsim.run(FIG05, replications=[1]), usage)
        self.says("an experiment is a file, the name of a shipped one, a dict or a workload, not 17, of type int",
                  lambda: nowsim.run(17), usage)
        self.says("--engine: run.engine: 'foo' is not one of: auto, direct, simgrid",
                  lambda: nowsim.run(FIG05, engine="foo"))
        self.says("--engine: run.engine: 'foo' is not one of: auto, direct, simgrid",
                  lambda: nowsim.contrast(FIG05, "owner.TH", engine="foo"))
        self.says("nowsim.run() has no keyword 'flags'", lambda: nowsim.run(FIG05, flags=1), usage)
        self.says("subset: True or False is wanted, not 1", lambda: nowsim.plan("lab-now", work=1e12, subset=1), usage)
        self.says("policies: something is wanted, not []; without a value leave it out",
                  lambda: nowsim.plan("lab-now", work=1e12, policies=[]), usage)
        self.says("platform: a file or the name of a shipped one is wanted, not {}", lambda: nowsim.plan({}, work=1), usage)
        with self.assertRaisesRegex(nowsim.InputError, "^--help is not swept by "):
            nowsim.contrast(FIG05, "--help")
        self.says("--jobs 0: it must be at least 1", lambda: nowsim.run(FIG05, jobs=0), usage)


if __name__ == "__main__":
    unittest.main()
