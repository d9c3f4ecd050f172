"""Techniques, policies, owner models and metrics as functions of plain numbers: what they give, and what is said of those
that are wrong."""

import functools
import inspect
import itertools
import math
import sys
import tempfile
import unittest

from program_beside import skip

try:
    import numpy
except ImportError as error:
    skip("numpy", error)

import nowsim
from nowsim.additions import registered

FARM = {"nowsim": 1,
        "platform": {"workstations": 5, "speed": "= 1e6 * i", "network": "switch", "bandwidth": "10MBps", "latency": "1ms"},
        "job": {"workload": "task-farm", "tasks": 300, "cost": "1Mf", "law": "exponential", "request": "4B",
                "overhead": "1ms"},
        "owner": {"model": "intervals", "TH": 0.4, "interval": "30s"}, "split": {"policy": "proportional"},
        "run": {"replications": 20}, "metrics": ["tau", "sigma_T"]}
TASK = {"nowsim": 1, "platform": {"workstations": 4, "speed": "= 1e6 * i"}, "job": {"workload": "base-task", "work": "100Mf"},
        "owner": {"model": "intervals", "TH": 0.4, "interval": "10s"}, "run": {"replications": 40}, "metrics": ["tau"]}


def place(function):
    _, line = inspect.getsourcelines(function)
    return f"functions_test.py, line {line}"


class Functions(unittest.TestCase):
    def setUp(self):
        for kind in ("techniques", "policies", "owners", "metrics"):
            getattr(registered(), kind).clear()

    def values(self, spec, engine="auto", **sets):
        result = nowsim.run(spec, sets=sets, engine=engine, keep="all", jobs=1)
        result.check()
        return result.replications()

    def assert_alike(self, mine, theirs):
        for name in theirs:
            numpy.testing.assert_array_equal(mine[name], theirs[name], name)

    def refusal(self, spec, error=nowsim.InputError, **sets):
        with self.assertRaises(error) as raised:
            nowsim.run(spec, sets=sets, jobs=1).check()
        return str(raised.exception)


class Techniques(Functions):
    def test_built_in_ones_to_the_bit(self):
        @nowsim.technique
        def my_gss(R, P):
            return math.ceil(R / P)

        def half(R, P):
            return P * math.ceil(R / (2 * P))

        @nowsim.technique(batch=half)
        def my_fac2(K, P):
            return K / P

        @nowsim.technique(batch=half)
        def my_wf(K, P, w):
            return math.floor(w * K / P + 0.5)

        @nowsim.technique
        def my_css(*, chunk=7):
            return chunk

        for engine in ("direct", "simgrid"):
            for name, more in (("gss", {}), ("fac2", {}), ("wf", {}), ("css", {"job.chunk": 4})):
                with self.subTest(technique=name, engine=engine):
                    more["run.replications"] = 20 if engine == "direct" else 2
                    mine = self.values(FARM, engine, **{"job.technique": "my_" + name}, **more)
                    self.assert_alike(mine, self.values(FARM, engine, **{"job.technique": name.upper()}, **more))

    def test_measured_times_and_keys(self):
        seen = []

        @nowsim.technique
        def watching(R, P, i, mean, sd_all, mu, h, part=nowsim.time("2s"), how=nowsim.choice("slow", "fast"), on=True):
            seen.append((type(R), type(i), type(mean), how, on, part, h))
            return 1 if how == "slow" else 5

        slow = self.values(FARM, **{"job.technique": "watching", "run.replications": 2})["T"]
        fast = self.values(FARM, **{"job.technique": "watching", "job.how": "fast", "run.replications": 2})["T"]
        self.assertTrue((slow != fast).any())
        self.assertEqual(seen[0][:3], (int, int, float))
        self.assertEqual(seen[0][3:], ("slow", True, 2.0, 0.001))

    def test_wrong_ones(self):
        @nowsim.technique
        def text(R):
            return "lots" if R < 100 else 10

        @nowsim.technique
        def negative(R, P):
            return R - 250

        @nowsim.technique
        def raising(R):
            return 10 // (R - 290)

        for function, sentence in ((text, "gives 'lots' with R = 90"), (negative, "gives -10 tasks with R = 240"),
                                   (raising, "raises ZeroDivisionError")):
            for engine in ("direct", "simgrid"):
                with self.subTest(function=function.__name__, engine=engine):
                    said = self.refusal(FARM, nowsim.RunError, **{"job.technique": function.__name__, "run.engine": engine,
                                                                  "run.replications": 2})
                    self.assertIn(f"technique {function.__name__} (", said)
                    self.assertIn(place(function), said)
                    self.assertIn(sentence if function is not negative else "tasks with R = ", said)

    def test_wrong_parameters(self):
        for wrong, sentence in ((lambda R, tasks: 1, "nothing is known of its parameter tasks"),
                                (lambda R=3: 1, "R is tasks that remain"),
                                (lambda K: 1, "its parameter K is about batches")):
            with self.subTest(sentence=sentence), self.assertRaisesRegex(nowsim.InputError, sentence):
                nowsim.technique(wrong, name="wrong")

    def test_endless(self):
        @nowsim.technique
        def endless(R):
            while True:
                pass

        registered().techniques[0].step_limit = 1
        said = self.refusal(FARM, nowsim.RunError, **{"job.technique": "endless"})
        self.assertIn("has computed for 1 s without returning", said)


class Raising(Functions):
    """Of all kinds: the sentence has the traceback of the function."""

    def check(self, function, error, **sets):
        lines, first = inspect.getsourcelines(function)
        at = next(first + k for k, line in enumerate(lines) if "# here" in line)
        said = self.refusal(TASK if "job.technique" not in sets else FARM, error, **sets)
        self.assertIn(f"functions_test.py, line {at}, in {function.__name__})", said)
        self.assertRegex(said, rf'Traceback .*:\n.*functions_test.py", line {at}, in {function.__name__}\n')

    def test_traceback(self):
        @nowsim.technique
        def my_technique(R):
            return 10 // (R - 290)  # here

        @nowsim.policy
        def my_policy(s):
            return s["all"]  # here

        @nowsim.owner(mean=0.5, sd=0.1)
        def my_owner(u):
            raise KeyError("odd")  # here

        @nowsim.metric
        def my_metric(T):
            return T.average()  # here

        self.check(my_technique, nowsim.RunError, **{"job.technique": "my_technique"})
        self.check(my_policy, nowsim.InputError, **{"split.policy": "my_policy"})
        self.check(my_owner, nowsim.RunError, owner={"model": "my_owner"})
        self.check(my_metric, nowsim.RunError, metrics=["my_metric"])

    def test_stopping(self):
        @nowsim.policy
        def stops(s):
            raise KeyboardInterrupt

        @nowsim.owner(mean=lambda: stops(1), sd=0)
        def moments(u):
            return 1, u

        @nowsim.metric
        def stopping(T):
            raise KeyboardInterrupt

        for sets in ({"split.policy": "stops"}, {"owner": {"model": "moments"}}, {"metrics": ["stopping"]}):
            with self.subTest(**sets), self.assertRaises(KeyboardInterrupt):
                nowsim.run(TASK, sets=sets, jobs=1)
        with self.assertRaises(KeyboardInterrupt):
            nowsim.contrast(TASK, "split.policy", metric="tau", sweep={"split.policy": ["equal", "stops"]})


class Policies(Functions):
    def test_in_proportion(self):
        @nowsim.policy
        def mine(s, N, power=1.0):
            assert len(s) == N
            return [each ** power for each in s]

        theirs = self.values(TASK, **{"split.policy": "proportional"})
        self.assert_alike(self.values(TASK, **{"split.policy": "mine"}), theirs)
        squares = self.values(TASK, **{"split.policy": "mine", "split.power": 2})
        formula = self.values(TASK, **{"split.policy": "formula", "split.weight": "s*s"})
        numpy.testing.assert_allclose(squares["T"], formula["T"], rtol=1e-12)

    def test_lists(self):
        mine = {"a_list": lambda s: s, "a_tuple": lambda s: tuple(s), "an_array": lambda s: numpy.array(s)}
        theirs = self.values(TASK, **{"split.policy": "proportional"})
        for name, function in mine.items():
            nowsim.policy(function, name=name)
            self.assert_alike(self.values(TASK, **{"split.policy": name}), theirs)

    def test_what_is_no_list(self):
        class Endless:
            def __len__(self):
                return 4

            def __getitem__(self, k):
                return 1

        class Raising(Endless):
            def __getitem__(self, k):
                raise OSError("gone")  # here

        def raising():
            yield 1
            raise OSError("gone")

        for given in (lambda N: itertools.repeat(1), lambda N: raising(), lambda N: dict.fromkeys(range(N), 1),
                      lambda N: set(range(N)), lambda N: Endless(), lambda N: [1] * (N + 3), lambda N: b"1234"):
            registered().policies.clear()
            nowsim.policy(given, name="mine")
            said = self.refusal(TASK, **{"split.policy": "mine"})
            self.assertRegex(said, r"policy mine \(.*functions_test.py, line [0-9]+\) gives .* with N = 4; wanted is a list,")
        nowsim.policy(lambda N: Raising(), name="other")
        said = self.refusal(TASK, **{"split.policy": "other"})
        self.assertRegex(said, r"policy other \(.* raises OSError: gone .*__getitem__")

    def test_wrong_ones(self):
        @nowsim.policy
        def too_few(s):
            return s[1:]

        @nowsim.policy
        def negative(N):
            return [1] * (N - 1) + [-1]

        @nowsim.policy
        def none(s):
            pass

        @nowsim.policy
        def nothing(N):
            return numpy.zeros(N)

        for function, sentence in ((too_few, "gives 3 weights, and there are 4 machines"),
                                   (negative, "gives workstation 4 the weight -1"), (none, "gives None with N = 4"),
                                   (nothing, "gives every workstation the weight 0")):
            with self.subTest(function=function.__name__):
                said = self.refusal(TASK, **{"split.policy": function.__name__})
                self.assertIn(f"policy {function.__name__} (", said)
                self.assertIn(place(function), said)
                self.assertIn(sentence, said)


class Owners(Functions):
    def test_wrong_moments(self):
        def mine(u, v, busy=0.5):
            return 1 + u, busy

        with self.assertRaisesRegex(nowsim.InputError, r"mean is a function of its keys \(busy\), and bus is none"):
            nowsim.owner(mean=lambda bus: bus, sd=0)(mine)
        nowsim.owner(mean=lambda busy: "half", sd=0)(mine)
        self.assertIn("its mean and sd: ValueError", self.refusal(TASK, owner={"model": "mine"}))

    def test_as_intervals_of_nowsims_own(self):
        """The same draws in the same order: length, then value."""
        @nowsim.owner(mean=0.5, sd=lambda TH: 0.5 * TH)
        def mine(u, v, TH=0.4, interval=nowsim.time("10s")):
            return 2 * interval * u, 0.5 + 0.5 * TH * 3 ** 0.5 * (2 * v - 1)

        theirs = self.values(TASK, **{"owner.start": "fresh"})
        for engine, count in (("direct", 40), ("simgrid", 3)):
            values = self.values(TASK, engine, **{"owner.model": "mine", "run.replications": count})
            numpy.testing.assert_allclose(values["T"], theirs["T"][:count], rtol=1e-12)

    def test_generator(self):
        @nowsim.owner
        def shift(random, half=nowsim.time("10s")):
            while True:
                yield half, 1.0
                yield half, 0.0

        spec = {**TASK, "owner": {"model": "shift", "half": "5s"}, "platform": {"workstations": 1, "speed": "1Mf"},
                "job": {"workload": "base-task", "work": "12Mf"}}
        for engine in ("direct", "simgrid"):
            numpy.testing.assert_allclose(self.values(spec, engine, **{"run.replications": 2})["T"], [22, 22], rtol=1e-9)

    def test_generator_that_ends(self):
        @nowsim.owner
        def once(random):
            yield 4, 0.5

        spec = {**TASK, "owner": {"model": "once"}, "platform": {"workstations": 1, "speed": "1Mf"},
                "job": {"workload": "base-task", "work": "12Mf"}}
        numpy.testing.assert_allclose(self.values(spec)["T"], 24, rtol=1e-12)

    def test_wrong_ones(self):
        @nowsim.owner(mean=0.5, sd=0.1)
        def above(u):
            return 1, 1.5

        @nowsim.owner
        def text(u):
            return "1s"

        @nowsim.owner(mean=0.5, sd=0.1)
        def later(random):
            yield 2, 1
            yield 3, 0.5
            yield "1s"

        said = self.refusal({**TASK, "owner": {"model": "later"}}, nowsim.RunError)
        self.assertIn("in replication 0 the owner of rank 0's workstation stopped at t = 5 s: owner later (", said)
        for function, sentence in ((above, "gives (1, 1.5)"), (text, "gives '1s'")):
            with self.subTest(function=function.__name__):
                error = nowsim.RunError if function is above else nowsim.InputError
                said = self.refusal({**TASK, "owner": {"model": function.__name__}}, error)
                self.assertIn(f"owner {function.__name__} (", said)
                self.assertIn(place(function), said)
                self.assertIn(sentence, said)
                self.assertIn("from 0 to 1", said)

    def test_nothing_left(self):
        nowsim.owner(lambda u: (1, 0), name="never")
        self.assertIn("leaves nothing: the availability is 0", self.refusal({**TASK, "owner": {"model": "never"}}))

    def test_state(self):
        nowsim.owner(lambda u, v, scale=1.0: (1, -1 - u), name="negative")
        self.assertRegex(self.refusal({**TASK, "owner": {"model": "negative", "scale": 2}}),
                         r"with negative scale=2 u=0\.\d+ v=0\.\d+")


class Metrics(Functions):
    def my_tau(self):
        @nowsim.metric(unit="s", better="lower")
        def my_tau(T):
            return T.mean()

    def test_interval(self):
        """Of a mean about that of tau: Student's factor of 15 degrees of freedom in place of the normal one is 9 % more."""
        self.my_tau()
        ratios = []
        for seed in range(1, 21):
            row = nowsim.run(TASK, metrics=["tau", "my_tau"], replications=1000, seed=seed, jobs=1).rows[0]
            tau, mine = row.estimates["tau"], row.estimates["my_tau"]
            self.assertAlmostEqual(mine.value, tau.value, places=9)
            ratios.append(mine.half_width / tau.half_width)
        self.assertTrue(0.95 < numpy.mean(ratios) < 1.25, ratios)

    def test_quantile(self):
        """The value is the function's own; 95 % intervals hold in 95 % of 100 runs, within four standard errors."""
        @nowsim.metric
        def high(T):
            return numpy.quantile(T, 0.95)

        many = nowsim.run(TASK, replications=200_000, keep="all", jobs=1).replications()["T"]
        held = 0
        for seed in range(101, 201):
            result = nowsim.run(TASK, metrics=["high"], replications=500, seed=seed, jobs=1)
            found = result.rows[0].estimates["high"]
            held += found.low <= numpy.quantile(many, 0.95) <= found.high
            if seed == 101:
                self.assertEqual(found.value, numpy.quantile(result.replications()["T"], 0.95))
        self.assertGreater(held / 100, 0.95 - 4 * math.sqrt(0.95 * 0.05 / 100))

    def test_sections_are_whole(self):
        """However many replications there are: 41 are ten sections of 4 and one of 1, 641 ten of 64 and one of 1."""
        self.my_tau()
        sizes = set()

        @nowsim.metric
        def my_sd(T):
            sizes.add(len(T))
            return T.std(ddof=1)

        for replications, size in ((41, 4), (641, 64), (100, 8)):
            sizes.clear()
            row = nowsim.run(TASK, metrics=["tau", "my_tau", "my_sd"], replications=replications, jobs=1).rows[0]
            self.assertEqual(sizes, {replications, size})
            self.assertTrue(math.isfinite(row.estimates["my_sd"].high))
            self.assertTrue(0.3 < row.estimates["my_tau"].half_width / row.estimates["tau"].half_width < 3)

    def test_error_that_is_not_known(self):
        @nowsim.metric
        def late(T):
            return (T > 1e9).mean()

        estimate = nowsim.run(TASK, metrics=["late"], jobs=1).rows[0].estimates["late"]
        self.assertEqual((estimate.value, estimate.low, estimate.high), (0, -math.inf, math.inf))

    def test_contrast(self):
        """Compared on common random numbers, as tau is."""
        self.my_tau()
        found = [nowsim.contrast(TASK, "split.policy", metric=metric, replications=1000,
                                 sweep={"split.policy": ["proportional", "equal"]}) for metric in ("tau", "my_tau")]
        theirs, mine = (str(contrast).splitlines() for contrast in found)
        self.assertEqual([line.split()[-1] for line in mine if " ± " in line], ["best", "worse"])
        self.assertIn("Compared by groups of 64 replications on the same random numbers.", mine)
        self.assertIn("Compared replication by replication on the same random numbers.", theirs)

    def test_wrong_ones(self):
        @nowsim.metric
        def text(T):
            return "long"

        @nowsim.metric
        def unknown(T):
            return math.nan

        self.assertIn("metric text (", self.refusal(TASK, nowsim.RunError, metrics=["text"]))
        estimate = nowsim.run(TASK, metrics=["unknown"], jobs=1).rows[0].estimates["unknown"]
        self.assertTrue(math.isnan(estimate.value))
        with self.assertRaisesRegex(nowsim.InputError, "metrics have no keys"):
            nowsim.metric(lambda T, part=0.5: 0, name="with_key")


class Names(Functions):
    def test_keywords(self):
        with self.assertRaisesRegex(nowsim.UsageError, r"nowsim.technique\(\) has no keyword 'bach'; did you mean 'batch'"):
            nowsim.technique(bach=lambda R: R)
        with self.assertRaisesRegex(nowsim.UsageError, r"nowsim.workload\(\) has no keyword 'phase'"):
            nowsim.workload(phase=3)

    def test_a_module_is_no_experiment(self):
        """Though one that imports nowsim has an attribute of that name."""
        with self.assertRaisesRegex(nowsim.UsageError, "an experiment is a file"):
            nowsim.run(sys.modules[__name__])

    def refused(self, decorate, function):
        """What is said at the decorator, whereafter nothing is registered and all else goes on."""
        with self.assertRaises(nowsim.InputError) as raised:
            decorate(function)
        self.assertIn(place(function), str(raised.exception))
        return str(raised.exception)

    def test_taken(self):
        functions = {"technique": lambda R: R, "policy": lambda s: s, "metric": lambda T: T, "owner": lambda u: u,
                     "workload": lambda rank: None}
        for kind, name in (("technique", "GSS"), ("policy", "equal"), ("metric", "tau"),
                           ("metric", "T_95"), ("metric", "T_0"), ("owner", "intervals"), ("workload", "ep")):
            with self.subTest(kind=kind, name=name):
                said = self.refused(functools.partial(getattr(nowsim, kind), name=name), functions[kind])
                self.assertRegex(said, "there is already a .*: one's own needs another name")
        self.values(TASK)

    def test_no_names(self):
        for name in ("", "two words", "a.b", "a/b", "-x", "1e5", "a:", 3, b"x", ["x"]):
            with self.subTest(name=name):
                said = self.refused(functools.partial(nowsim.policy, name=name), lambda s: s)
                self.assertIn(f"{name!r} is no name: name= wants one word", said)
        self.assertIn("'<lambda>' is no name", self.refused(nowsim.policy, lambda s: s))
        nowsim.policy(lambda s: s, name="AWF-mine_2")

    def test_keys_of_the_block_itself(self):
        for kind, function, sentence in ((nowsim.policy, lambda s, policy=1.0: s, "split.policy is a key of the block"),
                                         (nowsim.owner, lambda u, model=1.0: u, "owner.model is a key of the block"),
                                         (nowsim.owner, lambda u, diurnal=1.0: u, "owner.diurnal is a key of the block"),
                                         (nowsim.technique, lambda R, workload=1: R, "job.workload is a key of the block"),
                                         (nowsim.technique, lambda R, tasks=1: R, "job.tasks is a key of the task farm"),
                                         (nowsim.technique, lambda R, overhead=1: R, "job.overhead is a key of the task"),
                                         (nowsim.technique, lambda R, timeout=1: R, "job.timeout is a key of the task farm"),
                                         (nowsim.workload, lambda rank, workload=1: R, "job.workload is a key of the block")):
            with self.subTest(sentence=sentence):
                self.assertIn(sentence, self.refused(functools.partial(kind, name="mine"), function))

    def test_keys_for_which_nothing_is_right(self):
        for function, sentence in ((lambda s, k=nowsim.choice(): s, "nowsim.choice() has no words"),
                                   (lambda s, k=nowsim.choice("a", 3): s, "3 is no word"),
                                   (lambda s, k=nowsim.choice("a", "a"): s, "'a' is no word"),
                                   (lambda s, k=nowsim.count(1, least=-2): s, "least=-2: a whole number"),
                                   (lambda s, k=nowsim.count(1, least=0.5): s, "least=0.5: a whole number"),
                                   (lambda s, k=nowsim.count(1, least="2"): s, "least='2'"),
                                   (lambda s, k=nowsim.count(1, least=2): s, "the default of k: 1 is out of bounds"),
                                   (lambda s, k=nowsim.count(-1): s, "the default of k: "),
                                   (lambda s, k=nowsim.number(1, least=3, most=2): s, "least=3 and most=2"),
                                   (lambda s, k=nowsim.number(5, most=2): s, "5 is out of bounds"),
                                   (lambda s, k=nowsim.number(help=3): s, "help=3: a text"),
                                   (lambda s, k=nowsim.time("-3s"): s, "the default of k: "),
                                   (lambda s, k=nowsim.flag("perhaps"): s, "perhaps is none of false, true")):
            with self.subTest(sentence=sentence):
                said = self.refused(functools.partial(nowsim.policy, name="mine"), function)
                self.assertIn("the key k: " if "the default of" not in sentence and "out of" not in sentence else "k: ", said)
                self.assertIn(sentence, said)

    def test_default_beside_a_choice(self):
        @nowsim.policy
        def mine(N, how: nowsim.choice("up", "down") = "down", on: nowsim.flag() = True):
            self.assertEqual((how, on), ("down", True))
            return [1] * N

        self.values(TASK, **{"split.policy": "mine", "run.replications": 2})

    def test_what_else_decorators_are_told(self):
        program = lambda rank, size=1: None
        for said, sentence in (({"step_limit": 0}, "step_limit=0"), ({"step_limit": "1s"}, "step_limit='1s'"),
                               ({"step_limit": math.nan}, "step_limit=nan"), ({"phases": 0}, "phases=0"),
                               ({"work": -1}, "work=-1"), ({"communicates": 1}, "communicates=1"),
                               ({"messages": "size"}, "messages='size'"), ({"work": lambda sise: 1}, "and sise is none"),
                               ({"messages": lambda ranks, sise: 1}, "and sise is none"), ({"work": "sise"}, "no such key")):
            with self.subTest(sentence=sentence):
                self.assertIn(sentence, self.refused(functools.partial(nowsim.workload, name="mine", **said), program))
        self.assertIn("unit=3", self.refused(functools.partial(nowsim.metric, name="mine", unit=3), lambda T: 0))
        self.assertIn("mean='1'", self.refused(functools.partial(nowsim.owner, name="mine", mean="1", sd=0), lambda u: u))

    def test_what_is_no_function_or_no_experiment(self):
        for wrong in (max, print, functools.partial(max, 1), self.values):
            with self.assertRaisesRegex(nowsim.InputError, "a metric is a function that def or lambda makes, not"):
                nowsim.metric(wrong, name="wrong")

        @nowsim.policy
        def mine(s):
            return s

        with self.assertRaisesRegex(nowsim.UsageError, "policies have none of their own"):
            nowsim.run(mine)

    def test_stored_results_are_of_the_code_at_hand(self):
        with tempfile.TemporaryDirectory() as folder:
            for chunk, count in ((3, 20), (4, 20), (3, 0)):
                names = {"__name__": "__main__"}
                exec(f"def mine(R):\n    return {chunk}\n", names)
                registered().techniques.clear()
                nowsim.technique(names["mine"])
                result = nowsim.sweep(FARM, sets={"job.technique": "mine"}, out=folder, jobs=1)
                theirs = nowsim.run(FARM, sets={"job.technique": "CSS", "job.chunk": chunk}, jobs=1)
                self.assertEqual(result.rows[0].estimates["tau"].value, theirs.rows[0].estimates["tau"].value)


if __name__ == "__main__":
    unittest.main()
