"""Programs that are wrong: one sentence each, with the function, its file and line, the rank and the simulated time."""

import inspect
import unittest

import nowsim

PLATFORM = {"workstations": 3, "speed": "1Mf", "network": "switch", "bandwidth": "1MBps", "latency": "1ms"}


def line_of(function, text):
    """Where a text stands in a function, as sentences name it."""
    lines, first = inspect.getsourcelines(function)
    at = next(first + k for k, line in enumerate(lines) if text in line)
    return f"wrong_programs_test.py, line {at}, in"


class WrongPrograms(unittest.TestCase):
    def failure(self, function, engine, **run):
        spec = {"nowsim": 1, "platform": PLATFORM, "job": {"workload": function.nowsim.name},
                "run": {"replications": 2, "engine": engine, **run}}
        result = nowsim.run(spec, jobs=1)
        with self.assertRaises(nowsim.RunError) as raised:
            result.check()
        return str(raised.exception)

    def check(self, function, *sentences, engines=("direct", "simgrid"), **run):
        for engine in engines:
            with self.subTest(function=function.__name__, engine=engine):
                said = self.failure(function, engine, **run)
                for sentence in sentences:
                    self.assertIn(sentence, said)

    def check_place(self, function, text, *sentences, inside=None, **run):
        """Rank 1 fails at t = 2, in replication 0."""
        self.check(function, "in replication 0 rank 1 on ", " stopped at t = 2 s: " + function.nowsim.name + " ",
                   line_of(inside or function, text), *sentences, **run)

    def test_yields_something_else(self):
        @nowsim.workload
        def number(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                yield 3

        self.check_place(number, "yield 3", "yields 3 (")

        @nowsim.workload
        def bare(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                rank.compute(1)
                yield

        self.check_place(bare, "yield\n", "yields None instead of compute(), which it has called")

        def inner(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                yield [1] * 1000

        @nowsim.workload
        def outer(rank):
            yield from inner(rank)

        self.check_place(outer, "yield [1]", "yields [1, 1, ", inside=inner)

        @nowsim.workload
        def generator(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                yield inner(rank)

        self.check_place(generator, "yield inner", "the generator inner(), which 'yield from' would run")

        @nowsim.workload
        def twice(rank):
            operation = rank.compute(2e6)
            yield operation
            if rank.index == 1:
                yield operation  # again

        self.check_place(twice, "# again", "an operation twice")

    def test_calls_without_yielding(self):
        @nowsim.workload
        def two(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                rank.compute(1)
                yield rank.isend(0, 1)

        self.check_place(two, "rank.isend", "calls isend() before it has yielded compute()")

        @nowsim.workload
        def last(rank):
            yield rank.compute(2e6)
            if rank.index == 1:
                rank.isend(0, 1)

        self.check_place(last, "@nowsim.workload", "calls isend() and ends without having yielded it")

        @nowsim.workload
        def never(rank):
            rank.compute(1)

        self.check(never, "instead of a generator", "there is no 'yield' in it", line_of(never, "@nowsim.workload"))

    def test_impossible_operations(self):
        def program(operation):
            @nowsim.workload
            def impossible(rank):
                yield rank.compute(2e6)
                if rank.index == 1:
                    yield operation(rank)

            return impossible

        for operation, sentence in (
                (lambda rank: rank.compute(-1), "rank 1 asks to compute -1: the amount must be a number"),
                (lambda rank: rank.compute(float("nan")), "ValueError"),
                (lambda rank: rank.compute("much"), "TypeError"),
                (lambda rank: rank.compute(), "compute() needs an argument flop"),
                (lambda rank: rank.compute(1, 2), "compute() takes at most 1 arguments"),
                (lambda rank: rank.compute(work=1), "compute() has no use for an argument work"),
                (lambda rank: rank.send(1, 1), "rank 1 sends to itself and would wait for ever; use isend"),
                (lambda rank: rank.isend(3, 1), "there is no rank 3: there are ranks 0 to 2"),
                (lambda rank: rank.receive(-1), "there is no rank -1: there are ranks 0 to 2"),
                (lambda rank: rank.receive(10**30), "there are ranks 0 to 2"),
                (lambda rank: rank.send(0, 1e300), "cannot be counted"),
                (lambda rank: rank.barrier(-1), "barrier"),
                (lambda rank: rank.scatter(1, 1, [1]), "scatter() wants a content for each of the 3 ranks, not 1"),
                (lambda rank: rank.broadcast(0, 1, tree="oak"), "tree must be 'linear' or 'binomial'"),
                (lambda rank: rank.fly(), "has no attribute 'fly'")):
            self.check(program(operation), "in replication 0 rank 1 on ", " stopped at t = 2 s: ", sentence,
                       "Traceback", engines=("direct",))

    def test_raises(self):
        def helper(rank):
            yield rank.compute(2e6)
            raise KeyError("odd")  # here

        @nowsim.workload
        def raises(rank):
            if rank.index == 1:
                yield from helper(rank)

        self.check_place(raises, "# here", "raises KeyError: 'odd'", "Traceback", "raise KeyError", inside=helper)

        def combine(a, b):
            raise ZeroDivisionError("in combining")

        @nowsim.workload
        def combines(rank):
            yield rank.reduce(0, 1, 1, combine)

        self.check(combines, "ZeroDivisionError: in combining", line_of(combine, "raise Zero"))

        @nowsim.workload
        def fails_at_once(rank):
            raise SystemExit(3)
            yield

        self.check(fails_at_once, "raises SystemExit: 3", line_of(fails_at_once, "SystemExit"))

    def test_never_ends(self):
        @nowsim.workload(step_limit=1)
        def computes(rank):
            yield rank.compute(2e6)
            while rank.index == 1:
                pass

        self.check(computes, "computes has computed for 1 s without yielding anything", "rank 1 on ", " t = 2 s")

        @nowsim.workload
        def at_once(rank):
            yield rank.compute(2e6)
            while rank.index == 1:
                yield rank.compute(0)

        self.check_place(at_once, "yield rank.compute(0)", "operations at one simulated time", engines=("direct",))

        @nowsim.workload
        def for_ever(rank):
            while True:
                yield rank.compute(1e6)

        self.check(for_ever, "took longer than 1 s (run.timeout)", timeout="1s")

        @nowsim.workload
        def waits(rank):
            yield rank.receive_any()

        self.check(waits, "the program cannot end (replication 0, t = 0 s): rank 0 on ")

    def test_what_code_says_of_itself(self):
        def many(ranks):
            raise OSError("gone")  # here

        def for_ever(ranks):
            while True:
                pass

        def stop(*_):
            raise KeyboardInterrupt

        def refusal(error, **said):
            program = nowsim.workload(step_limit=1, **said)(lambda rank: (yield rank.compute(1e6)))
            with self.assertRaises(error) as raised:
                nowsim.run({"nowsim": 1, "platform": PLATFORM, "job": {"workload": program.nowsim.name}}, jobs=1)
            return str(raised.exception)

        said = refusal(nowsim.InputError, messages=many, name="first")
        self.assertIn("what workload first (", said)
        self.assertIn("says of itself raises OSError: gone (", said)
        self.assertIn(line_of(many, "# here"), said)
        said = refusal(nowsim.InputError, messages=for_ever, name="second")
        self.assertIn("has computed for 1 s without returning", said)
        refusal(KeyboardInterrupt, messages=stop, name="third")
        refusal(KeyboardInterrupt, phases=lambda: stop(), name="fourth")

    def test_combining_never_ends(self):
        def combine(a, b):
            while True:
                pass

        @nowsim.workload(step_limit=1)
        def reduces(rank):
            yield rank.reduce(0, 1, 1, combine)

        self.check(reduces, "has computed for 1 s without yielding anything", engines=("direct",))

    def test_job_that_ends_with_its_first_rank(self):
        """What others would do later is not done, and what they do not let go of is told."""
        @nowsim.workload(ends_with_first_rank=True, step_limit=1)
        def ends(rank, how=nowsim.choice("computes", "sleeps", "raises", "swallows")):
            if rank.index == 0:
                yield rank.sleep_until(3.5)
            while rank.index > 0 and how == "computes":
                yield rank.compute(1e6)
            while rank.index > 0 and how == "sleeps":
                yield rank.sleep_until(rank.now + 1)
            if rank.index > 0 and how == "raises":
                yield rank.compute(9e6)
                raise ValueError("later")
            while rank.index > 0 and how == "swallows":
                try:
                    yield rank.receive(0)
                except:  # all that there is
                    pass

        spec = {"nowsim": 1, "platform": PLATFORM, "job": {"workload": "ends"},
                "run": {"replications": 3, "timeout": "20s"}, "metrics": ["tau"]}
        for engine in ("direct", "simgrid"):
            for how in ("computes", "sleeps", "raises", "swallows"):
                with self.subTest(engine=engine, how=how):
                    result = nowsim.run(spec, engine=engine, sets={"job.how": how}, jobs=1)
                    result.check()
                    self.assertAlmostEqual(result.rows[0].estimates["tau"].value, 3.5, places=9)

        @nowsim.workload(ends_with_first_rank=True, step_limit=1)
        def lingers(rank):
            if rank.index == 0:
                yield rank.sleep_until(2)
                return
            try:
                yield rank.receive(0)
            finally:
                while True:
                    pass

        self.check(lingers, "in replication 0 rank 1 on ", "lingers has computed for 1 s without letting itself be")

    def test_what_is_over(self):
        @nowsim.workload
        def stubborn(rank):
            """its rank is of no use when the run is over"""
            try:
                yield rank.compute(1e6)
                if rank.index == 0:
                    return
                yield rank.receive(0)
            finally:
                rank.now
                yield rank.compute(1)

        self.check(stubborn, "the program cannot end", engines=("direct",))


if __name__ == "__main__":
    unittest.main()
