"""Pictures show the estimates and their intervals."""

import unittest

from program_beside import FIG05, SMALL, skip

import nowsim

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot
    import numpy
except ImportError as error:
    skip("matplotlib", error)


class Plots(unittest.TestCase):
    def setUp(self):
        self.ax = pyplot.figure().gca()
        self.addCleanup(pyplot.close, "all")

    def test_a_curve_with_its_intervals(self):
        result = nowsim.run(FIG05, sets={"owner.SH": 0}, replications=20)
        ax = result.plot("sigma_T", ax=self.ax)
        (curve,) = ax.containers
        line, _, (bars,) = curve.lines
        self.assertEqual(list(line.get_xdata()), [row["owner.TH"] for row in result])
        self.assertEqual(list(line.get_ydata()), [row["sigma_T"].value for row in result])
        ends = [segment[:, 1] for segment in bars.get_segments()]
        numpy.testing.assert_allclose(ends, [[row["sigma_T"].low, row["sigma_T"].high] for row in result])
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()), ("owner.TH", "sigma_T [s]"))

    def test_a_curve_per_value_of_a_second_axis(self):
        result = nowsim.run("labs/lab-night", replications=10)
        ax = result.plot(ax=self.ax)
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()],
                         ["split.policy = equal", "split.policy = proportional"])
        self.assertEqual(ax.get_xlabel(), "platform.workstations")
        ax = result.plot(x="split.policy", ax=pyplot.figure().gca())
        self.assertEqual([text.get_text() for text in ax.get_xticklabels()], ["equal", "proportional"])

    def test_a_distribution_where_nothing_is_swept(self):
        ax = nowsim.run(SMALL, replications=100).plot(ax=self.ax)
        self.assertAlmostEqual(sum(patch.get_width() * patch.get_height() for patch in ax.patches), 1)
        self.assertEqual(ax.get_xlabel(), "T [s]")

    def test_what_cannot_be_drawn(self):
        result = nowsim.run(SMALL)
        with self.assertRaisesRegex(nowsim.UsageError, "nothing is swept that tau could be drawn against"):
            nowsim.run(SMALL, replications=10).plot("tau", ax=self.ax)
        with self.assertRaisesRegex(nowsim.UsageError, "plot: there are only values per workstation"):
            nowsim.run(SMALL, sweep={"owner.mean": [0.5, 0.6]}, metrics=["T_i"], replications=10).plot(ax=self.ax)
        with self.assertRaisesRegex(nowsim.UsageError, "there is no metric 'tou'; there are tau"):
            result.plot("tou", ax=self.ax)
        with self.assertRaisesRegex(nowsim.UsageError, "'owner.mean' is not swept; there are no axes"):
            result.plot(x="owner.mean", ax=self.ax)


if __name__ == "__main__":
    unittest.main()
