"""Results are the command line's to the byte, by rows, as data frames and as arrays of replications."""

import csv
import gc
import io
import os
import sys
import unittest
from pathlib import Path

from program_beside import FIG05, SMALL, program, skip, temporary

import nowsim

try:
    import numpy
    import pandas
except ImportError as error:
    skip("pandas", error)

FLAGS = {"sets": {"owner.SH": 0.07}, "replications": 40, "seed": 3}
WORDS = ["run", FIG05, "--set", "owner.SH=0.07", "-r", "40", "--seed", "3"]


def numbers_of_csv(text: str, column: str) -> list:
    return [row[column] for row in csv.DictReader(io.StringIO(text))]


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = nowsim.run(FIG05, **FLAGS)

    def test_texts_are_the_command_lines_bytes(self):
        self.assertEqual(self.result.to_csv(), program(*WORDS, "--format", "csv"))
        self.assertEqual(self.result.to_json(), program(*WORDS, "--format", "json"))
        self.assertEqual(repr(self.result), program(*WORDS))
        self.assertIn("owner.TH", self.result._repr_html_())

    def test_data_frame_has_the_bits_of_the_csv(self):
        frame, text = self.result.to_pandas(), program(*WORDS, "--format", "csv")
        for ours, theirs in (("tau", "tau"), ("sigma_T.low", "sigma_T_low"), ("sigma_T/tau.high", "sigma_T/tau_high")):
            written = [float(number) if number else numpy.nan for number in numbers_of_csv(text, theirs)]
            numpy.testing.assert_array_equal(frame[ours], written)
        self.assertEqual(list(frame["owner.TH"]), [float(number) for number in numbers_of_csv(text, "owner.TH")])
        self.assertEqual(list(frame["status"]), numbers_of_csv(text, "status"))

    def test_rows_know_their_axes_and_estimates(self):
        row = self.result[{"owner.TH": 0.28}]
        self.assertEqual((row["owner.TH"], row.replications, row.seed), (0.28, 40, 3))
        self.assertEqual((row.engine, row.status), ("direct", "ok"))
        tau = row["tau"]
        self.assertEqual((float(tau), f"{tau:.1f}"), (tau.value, f"{tau.value:.1f}"))
        self.assertEqual(tau.half_width, 0.5 * (tau.high - tau.low))
        self.assertIn(str(tau), repr(self.result))
        with self.assertRaisesRegex(KeyError, "tou: there are owner.TH, tau"):
            row["tou"]
        with self.assertRaisesRegex(nowsim.UsageError, "'owner.SH' is not swept; there are owner.TH"):
            self.result[{"owner.SH": 0.07}]
        with self.assertRaisesRegex(nowsim.UsageError, "has 9 points: name one"):
            self.result["tau"]

    def test_points_without_results_say_why(self):
        row = self.result[0]
        self.assertEqual((row.status, row.estimates), ("infeasible", {}))
        self.assertIn("TH_1 = TH - SH would be negative", row.reason)
        self.assertTrue(numpy.isnan(self.result.to_pandas()["tau"][0]))
        self.assertIs(self.result.check(), self.result)

    def test_failed_points_are_rows_and_check_raises(self):
        result = nowsim.run(SMALL, sets={"run.timeout": "1us", "job.work": "1e15"}, sweep={"owner.mean": [0.5, 0.6]})
        self.assertEqual({row.status for row in result}, {"failed"})
        with self.assertRaisesRegex(nowsim.RunError, r"owner.mean=0.5: .* took longer than 1e-06 s \(run.timeout\)"):
            result.check()

    def test_workstations_have_columns_of_their_own(self):
        result = nowsim.run(SMALL, metrics=["tau", "T_i"], sweep={"platform.workstations": [1, 3]})
        frame = result.to_pandas()
        self.assertEqual([name for name in frame if name.startswith("T_i") and not name.endswith(("low", "high"))],
                         ["T_i_1", "T_i_2", "T_i_3"])
        self.assertEqual(frame["T_i_3"].isna().tolist(), [True, False])
        self.assertEqual(len(result[1]["T_i"]), 3)


class Replications(unittest.TestCase):
    def test_makespans_are_the_ones_behind_the_mean(self):
        result = nowsim.run(FIG05, **FLAGS)
        times = result.replications(4)["T"]
        self.assertEqual(len(times), 40)
        self.assertAlmostEqual(times.mean(), result[4]["tau"].value, places=9)
        self.assertEqual(list(result.replications().to_pandas().columns), ["owner.TH", "replication", "T"])

    def test_arrays_are_no_copies_and_outlive_the_result(self):
        result = nowsim.run(SMALL)
        times, again = result.replications()["T"], result.replications()["T"]
        self.assertTrue(numpy.shares_memory(times, again))
        with self.assertRaises(ValueError):
            times[0] = 1
        kept = times.tolist()
        del result, again
        gc.collect()
        self.assertEqual(times.tolist(), kept)

    def test_all_quantities_are_those_of_the_csv(self):
        folder = temporary(self)
        file = os.path.join(folder, "all.csv")
        words = ["run", FIG05, "--set", "owner.SH=0", "--set", "owner.TH=0.28", "-r", "120"]
        program(*words, "--replications-csv", file, "-q")
        written = pandas.read_csv(file, float_precision="round_trip")
        result = nowsim.run(FIG05, sets={"owner.SH": 0, "owner.TH": 0.28}, replications=120, keep="all")
        frame = result.replications().to_pandas()
        for name in frame:
            numpy.testing.assert_array_equal(frame[name], written[name], name)
        self.assertEqual(set(written) - set(frame), {"seed", "engine", "version"})
        self.assertEqual(result.replications()["finish_i"].shape, (120, 8))

    def test_nothing_is_kept_where_nothing_is_wanted(self):
        with self.assertRaisesRegex(nowsim.UsageError, "keep='all'"):
            nowsim.run(SMALL, keep="none").replications()

    def test_estimates_do_not_depend_on_what_is_kept(self):
        texts = {nowsim.run(FIG05, **FLAGS, keep=keep).to_csv() for keep in ("none", "T", "all")}
        self.assertEqual(len(texts), 1)

    def test_pairs_have_their_replications(self):
        result = nowsim.run(SMALL, variance_reduction="antithetic")
        self.assertEqual(len(result.replications()["T"]), 20)


class Stores(unittest.TestCase):
    def test_a_sweep_goes_on_and_is_shown(self):
        folder = temporary(self)
        first = nowsim.sweep(FIG05, folder, sets={"owner.SH": 0}, replications=50)
        self.assertEqual(first.to_csv(), program("run", FIG05, "--set", "owner.SH=0", "-r", "50", "--format", "csv"))
        self.assertEqual(Path(folder, "fig05.csv").read_text(encoding="utf-8"), first.to_csv())
        more = nowsim.sweep(FIG05, folder, sets={"owner.SH": 0}, replications=150)
        self.assertEqual(nowsim.show(folder).to_csv(), more.to_csv())
        self.assertEqual(len(nowsim.show(folder).replications(0)["T"]), 150)
        nowsim.sweep(SMALL, folder, name="other")
        with self.assertRaisesRegex(nowsim.UsageError, "the store has 2 experiments.*fig05, other"):
            nowsim.show(folder)
        self.assertEqual(len(nowsim.show(folder, "other")), 1)


if __name__ == "__main__":
    unittest.main()
