"""Questions have the commands' answers."""

import json
import os
import unittest
import warnings
from pathlib import Path

from program_beside import FIG05, SMALL, program, temporary

import nowsim

NIGHT = "labs/lab-night"


def platform() -> str:
    """The shipped platform, beside the experiments that the program has."""
    experiment = nowsim.run(NIGHT, sets={"split.policy": "equal", "platform.workstations": 2}, replications=2).file
    return os.path.join(os.path.dirname(experiment), "../../platforms/lab-now.xml")


class Questions(unittest.TestCase):
    def test_contrast(self):
        theirs = json.loads(program("contrast", NIGHT, "split.policy", "-r", "20", "-m", "tau,RF", "--format", "json"))
        ours = nowsim.contrast(NIGHT, "split.policy", metric=["tau", "RF"], replications=20)
        first = theirs["metrics"][0]["cells"][0]["values"][1]
        self.assertEqual(ours["metrics"][0]["cells"][0]["values"][1]["difference"].low, first["difference"]["low"])
        self.assertIn(theirs["metrics"][0]["says"][0], repr(ours))
        frame = ours.to_pandas()
        self.assertEqual(len(frame), 20)
        self.assertEqual(frame["platform.workstations"].tolist()[:4], [2, 2, 4, 4])
        self.assertEqual(frame["difference.high"][1], first["difference"]["high"])

    def test_contrast_of_a_dict_is_kept_in_a_folder(self):
        folder = os.path.join(temporary(self), "store")
        answer = nowsim.contrast(SMALL, "owner.mean", against=0.5, sweep={"owner.mean": [0.5, 0.7]}, out=folder)
        self.assertIn("from 0.5 [s]", repr(answer))
        self.assertTrue(os.path.exists(os.path.join(folder, "results.sqlite")))

    def test_paths_in_a_dict_are_from_the_working_directory(self):
        folder = temporary(self)
        Path(folder, "load.csv").write_text("time,value\n0,0\n10,50\n20,0\n30,20\n", encoding="utf-8")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder)
        traced = {**SMALL, "owner": {"model": "trace", "file": "load.csv"}}
        self.assertIn("points        1", nowsim.check(traced))
        self.assertEqual([row["scenario"] for row in nowsim.verify(traced, replications=2)], ["<dict>"])
        self.assertEqual(os.listdir(folder), ["load.csv"])

    def test_problems_are_data(self):
        with self.assertRaises(nowsim.InputError) as raised:
            nowsim.check({**SMALL, "wrong": 1}, sets={"run.sed": 3})
        said = str(raised.exception)
        self.assertNotIn(os.sep, said)
        places = {(file, line, key) for file, line, key, _ in raised.exception.problems}
        self.assertEqual(places, {("<dict>", None, "wrong"), ("--set", None, "run.sed")})
        for *_, sentence in raised.exception.problems:
            self.assertIn(sentence, said)
        with self.assertRaises(nowsim.InputError) as of_file:
            nowsim.run("huang-lee-2007/fig05", sets={"owner.TX": 1})
        self.assertEqual([problem[:3] for problem in of_file.exception.problems], [("--set", None, "owner.TX")])

    def test_plan(self):
        words = ["plan", platform(), "--work", "105Tf", "--deadline", "2h", "--policies", "equal,proportional"]
        theirs = json.loads(program(*words, "-r", "50", "--format", "json"))
        ours = nowsim.plan(platform(), work="105Tf", deadline=7200, policies=["equal", "proportional"], replications=50)
        self.assertEqual(ours["recommended"], theirs["recommended"])
        self.assertEqual(ours["advice"], theirs["advice"])
        self.assertEqual(ours.to_pandas()["tau"].tolist(), [policy["tau"]["value"] for policy in theirs["policies"]])
        self.assertIn(theirs["advice"][0], repr(ours))

    def test_job_under_way(self):
        folder = temporary(self)
        done = {**{f"desk{i}": "20%" for i in range(1, 7)}, **{f"node{i}": 0.45 for i in range(1, 5)}}
        seen = {"desk1": 0.36, "desk2": 1}
        file = Path(folder, "done.csv")
        file.write_text("machine,done,seen\n" + "".join(f"{m},{d},{seen.get(m, '')}\n" for m, d in done.items()),
                        encoding="utf-8")
        job = ["plan", platform(), "--work", "105Tf", "--policies", "proportional", "-r", "50", "--format", "json"]
        theirs = json.loads(program(*job, "--elapsed", "50min", "--done-file", str(file)))
        same = {"work": "105Tf", "policies": "proportional", "replications": 50, "elapsed": 3000}
        for ours in (nowsim.plan(platform(), **same, done=done, seen=seen), nowsim.plan(platform(), **same, done=file)):
            self.assertEqual(ours["advised"], theirs["advised"])
            self.assertEqual(ours["planned"]["tau"].value, theirs["planned"]["tau"]["value"])
            self.assertEqual(ours.to_pandas()["tau"].tolist(), [way["tau"]["value"] for way in theirs["ways"]])
            self.assertIn("as planned", repr(ours))
        self.assertAlmostEqual(nowsim.plan(platform(), **same, done=0.4)["done_share"], 0.4)
        with self.assertRaisesRegex(nowsim.UsageError, "'desk9' is not among the machines of done"):
            nowsim.plan(platform(), **same, done=done, seen={"desk9": 1})
        with self.assertRaisesRegex(nowsim.UsageError, "--done is said of a job that is under way"):
            nowsim.plan(platform(), work=1e12, done=0.4)

    def test_isoefficiency(self):
        ours = nowsim.isoefficiency("bosque-2011/fig01b", 0.5, sets={"platform.set": "blocks"},
                                    sweep={"platform.workstations": [2, 4]}, replications=2)
        self.assertEqual([size.value for size in (point["size"] for point in ours["curves"][0]["points"])], [100, 200])
        self.assertEqual(ours.to_pandas()["p"].tolist(), [2, 4])

    def test_check(self):
        self.assertRegex(nowsim.check(FIG05), r"points        45 over owner.SH, owner.TH\n  infeasible    20")

    def test_verify(self):
        ours = nowsim.verify(SMALL, replications=3)
        self.assertTrue(ours)
        self.assertEqual([(row["scenario"], row["verdict"]) for row in ours], [("<dict>", "agree")])
        self.assertIn("random", repr(nowsim.verify(random=3)))

    def test_list(self):
        self.assertEqual(nowsim.list("owners"), program("list", "owners"))
        self.assertEqual(nowsim.list("keys", "run"), program("list", "keys", "run"))
        with self.assertRaisesRegex(nowsim.UsageError, "there is no list of 'owner'; did you mean 'owners'"):
            nowsim.list("owner")

    def test_what_a_command_notes_is_a_remark(self):
        folder = os.path.join(temporary(self), "store")
        sweep = {"owner.mean": [0.5, 0.7]}
        nowsim.contrast(SMALL, "owner.mean", sweep=sweep, out=folder)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nowsim.contrast(SMALL, "owner.mean", sweep=sweep, against=0.5, out=folder)
        self.assertIn("is of another question", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)


if __name__ == "__main__":
    unittest.main()
