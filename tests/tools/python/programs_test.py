"""Programs as generators: their operations on both engines, what they are told, and what is said of those that are wrong."""

import unittest

from program_beside import skip

try:
    import numpy
except ImportError as error:
    skip("numpy", error)

import nowsim
from nowsim.additions import registered

PLATFORM = {"workstations": 4, "speed": "1Mf", "network": "switch", "bandwidth": "1MBps", "latency": "1ms"}


def spec(function, job=None, engine="auto", replications=1, **more):
    run = {"replications": replications, "engine": engine, **more.pop("run", {})}
    return {"nowsim": 1, "platform": PLATFORM, "job": {"workload": function.nowsim.name, **(job or {})}, "run": run, **more}


def values(function, engine, job=None, replications=1, **more):
    result = nowsim.run(spec(function, job, engine, replications, **more), keep="all", jobs=1)
    result.check()
    return result.replications()


class Programs(unittest.TestCase):
    def both(self, function, job=None, replications=1, **more):
        """Values of all replications on the direct engine, which SimGrid's must be equal to within 1e-9 of T."""
        direct = values(function, "direct", job, replications, **more)
        simgrid = values(function, "simgrid", job, replications, **more)
        for name in direct:
            difference = numpy.max(numpy.abs(direct[name] - simgrid[name]))
            scale = max(1e-300, numpy.max(numpy.abs(direct[name])))
            self.assertLessEqual(difference, 1e-9 * scale, name)
        return direct

    def failure(self, function, job=None, engine="auto", **more):
        result = nowsim.run(spec(function, job, engine, **more), jobs=1)
        with self.assertRaises(nowsim.RunError) as raised:
            result.check()
        return str(raised.exception)

    def refusal(self, function, job=None, **more):
        with self.assertRaises(nowsim.InputError) as raised:
            nowsim.run(spec(function, job, **more))
        return str(raised.exception)

    def test_operations(self):
        @nowsim.workload
        def operations(rank):
            left, right = (rank.index - 1) % rank.count, (rank.index + 1) % rank.count
            assert (yield rank.compute(2e6)) is None and rank.now == 2
            yield rank.sleep_until(date=3)
            yield rank.barrier(cost=0.5)
            assert rank.now == 3.5
            yield rank.isend(right, 1e6, content={"from": rank.index})
            assert rank.now == 3.5
            m = yield rank.receive(left)
            assert (m.source, m.bytes, m.content) == (left, 1e6, {"from": left})
            assert abs(rank.now - 4.501) < 1e-9
            assert (yield rank.receive_any(timeout=0.5)) is None
            assert abs(rank.now - 5.001) < 1e-8
            assert (yield rank.receive(left, 0.499)) is None
            assert abs(rank.now - 5.5) < 1e-8
            if rank.index == 0:
                yield rank.sleep_until(5.75)
                assert (yield rank.send_within(0.25, 1, 10)) is False
                assert (yield rank.send_within(10, 1, 0, "late")) is True
            if rank.index == 1:
                yield rank.sleep_until(7)
                m = yield rank.receive_any()
                assert m.source == 0 and m.content == "late"
            yield rank.barrier()
            yield rank.send(right, 5) if rank.index % 2 == 0 else rank.receive(left)
            m = yield rank.receive(left) if rank.index % 2 == 0 else rank.send(right, 5)
            assert (m is None) == (rank.index % 2 == 1)

        self.assertGreater(self.both(operations)["T"][0], 7)

    def test_collectives(self):
        @nowsim.workload
        def collectives(rank, tree=nowsim.choice("linear", "binomial")):
            assert (yield rank.broadcast(1, 100, "x" if rank.index == 1 else None, tree)) == "x"
            contents = [10 * i for i in range(rank.count)] if rank.index == 2 else None
            assert (yield rank.scatter(2, 100, contents, tree=tree)) == 10 * rank.index
            everything = yield rank.gather(3, 100, rank.index, tree=tree)
            assert everything == ([0, 1, 2, 3] if rank.index == 3 else None)
            total = yield rank.reduce(0, 100, [rank.index], lambda a, b: a + b, flop=1e3, tree=tree)
            assert total == ([0, 1, 2, 3] if rank.index == 0 else None)

        for tree in ("linear", "binomial"):
            self.both(collectives, {"tree": tree})

    def test_what_a_rank_knows(self):
        @nowsim.workload
        def knows(rank):
            host = rank.host
            assert (rank.count, host.speed, host.cores, host.memory) == (4, 1e6, 1, None)
            assert host.name and host.properties == {} and rank.host is host
            assert rank.shares == (rank.share,) * 4 and rank.share == 1e6
            draws, common = [rank.random() for _ in range(3)], rank.common_random()
            assert len(set(draws)) == 3 and all(0 <= u < 1 for u in draws)
            assert (yield rank.broadcast(0, 0, common)) == common
            everyone = yield rank.gather(0, 0, draws[0])
            assert everyone is None or len(set(everyone)) == 4
            yield rank.compute(draws[0] * rank.share)

        a, b = self.both(knows, {"work": "4Mf"}, replications=5), values(knows, "direct", {"work": "4Mf"}, 5)
        self.assertTrue(numpy.array_equal(a["T"], b["T"]))
        self.assertEqual(len(set(a["T"])), 5)

    def test_failing_machines(self):
        """A server that takes from any, gives up waiting and gives out again; clients that begin anew."""

        @nowsim.workload(first_worker=1, uses_shares=False, ends_with_first_rank=True)
        def careful(rank, tasks=40, cost=nowsim.work("3Mf"), patience=nowsim.time("20s")):
            if rank.index == 0:
                yield from serve(rank, tasks, patience)
            while rank.index > 0:
                try:
                    yield rank.send(0, 100)
                    answer = yield rank.receive(0, 60)
                    if answer is None:
                        continue
                    yield rank.compute(cost)
                    yield rank.send(0, 1000, answer.content)
                    rank.keep_work()
                except nowsim.CommunicationFailed:
                    yield rank.sleep_until(rank.now + 1)

        def serve(rank, tasks, patience):
            out, left = {}, list(range(tasks))
            done = set()
            while len(done) < tasks:
                m = None
                try:
                    m = yield rank.receive_any(patience / 4)
                except nowsim.CommunicationFailed:
                    pass
                left += [task for task, since in out.items() if rank.now - since > patience and task not in left]
                if m is None:
                    continue
                if m.content is not None:
                    done.add(m.content)
                    out.pop(m.content, None)
                    left = [task for task in left if task != m.content]
                elif left:
                    try:
                        if (yield rank.send_within(0, m.source, 1000, left[0])):
                            out[left.pop(0)] = rank.now
                    except nowsim.CommunicationFailed:
                        pass

        platform = {**PLATFORM, "workstations": 5, "failures": {"rate": 0.02, "repair": "15s", "spared": 1}}
        found = self.both(careful, replications=30, platform=platform)
        self.assertGreater(len(set(found["T"])), 20)
        verification = nowsim.verify(spec(careful, replications=100, platform=platform))
        self.assertTrue(verification, verification)

    def test_numpy_and_deep_calls_have_stack_enough(self):
        @nowsim.workload
        def deep(rank):
            a = numpy.random.default_rng(rank.index).random((60, 60))
            yield rank.compute(numpy.linalg.svd(a @ a.T)[1][0])
            yield rank.compute(max(numpy.linalg.eigvals(a).real) + numpy.linalg.solve(a, a[0]).sum())

            def down(n):
                return 0 if n == 0 else sum(map(down, [n - 1])) + 1

            yield rank.compute(down(280))
            try:
                down(10**6)
            except RecursionError:
                yield rank.compute(1e6)

        self.assertGreater(self.both(deep)["T"][0], 1)

        verification = nowsim.verify(deep)
        self.assertTrue(verification, verification)

    # ---- keys ----

    def test_keys(self):
        @nowsim.workload(work=lambda steps: 10.0 * steps)
        def keyed(rank, steps: nowsim.count(least=2), size: nowsim.bytes, wait=nowsim.time("2s"), factor=0.5, whole=3,
                  way=nowsim.choice("up", "down"), checked=False):
            assert steps.__class__ is int and whole.__class__ is int and factor.__class__ is float and checked is True
            yield rank.compute(steps * factor * whole + size + wait + (7 if way == "down" else 0))

        job = {"steps": 4, "size": "1kB", "checked": "true"}
        self.assertAlmostEqual(values(keyed, "direct", job)["T"][0], (6 + 1000 + 2) / 1e6)
        job.update(wait="1min", way="down", factor=-1, whole=4)
        self.assertAlmostEqual(values(keyed, "direct", job)["T"][0], (-16 + 1000 + 60 + 7) / 1e6)
        self.assertIn("size", self.refusal(keyed, {"steps": 4}))
        self.assertIn("steps", self.refusal(keyed, {"steps": 1, "size": 1}))
        self.assertIn("sideways", self.refusal(keyed, {"steps": 4, "size": 1, "way": "sideways"}))
        self.assertIn("stepz", self.refusal(keyed, {"steps": 4, "size": 1, "stepz": 1}))

    def test_descriptions_that_say_nothing(self):
        def refused(function, sentence, **said):
            with self.assertRaises(nowsim.InputError) as raised:
                nowsim.Additions().workload(**said)(function)
            self.assertIn(sentence, str(raised.exception))
            self.assertIn("programs_test.py, line", str(raised.exception))

        def no_rank():
            yield

        def many(rank, *others):
            yield

        def odd(rank, key={}):
            yield

        def plain(rank):
            yield

        refused(no_rank, "its first parameter must be the rank")
        refused(many, "can be no key")
        refused(odd, "is not known")
        refused(plain, "no such key", phases="steps")

        def itself(rank, workload=1):
            yield

        refused(itself, "job.workload is a key of the block itself, so that its key workload needs another name")

    def test_descriptions_that_say_nonsense(self):
        def refused(sentence, default=1, **said):
            @nowsim.workload(name="nonsense", **said)
            def nonsense(rank, steps=default):
                yield rank.compute(1)

            said = self.refusal(nonsense)
            self.assertIn(sentence, said)
            self.assertIn("programs_test.py, line", said)

        with self.assertRaisesRegex(nowsim.InputError, "programs_test.py, line .*: the default of steps: '-1' is not"):
            @nowsim.workload
            def below(rank, steps=-1):
                yield
        with self.assertRaisesRegex(nowsim.InputError, "programs_test.py, line .*: first_worker=2: 0, or 1 where rank 0 is a "
                                                       "server, is wanted, or a function of keys"):
            refused("", first_worker=2)
        refused("first_worker is 2: 0, or 1 where rank 0 is a server, is wanted", first_worker=lambda steps: 2)
        refused("phases is 2.5", phases=lambda steps: 2.5)
        refused("work is -3", work=lambda steps: -3)
        refused("raises ZeroDivisionError", work=lambda steps: 1 / 0)

    def test_names(self):
        additions = nowsim.Additions()

        def made():
            def same(rank):
                yield rank.compute(1)
            return same

        first, second = made(), made()
        additions.workload(first)
        additions.workload(second)
        self.assertEqual([it.function for it in additions.workloads], [second])
        with self.assertRaisesRegex(nowsim.InputError, "already a workload named same"):
            @additions.workload(name="same")
            def other(rank):
                yield
        self.addCleanup(registered().workloads.clear)
        with self.assertRaisesRegex(nowsim.InputError, "programs_test.py, line .*: there is already a workload 'base-task'"):
            @nowsim.workload(name="base-task")
            def taken(rank):
                yield
        self.assertNotIn("base-task", [it.name for it in registered().workloads])


if __name__ == "__main__":
    unittest.main()
