"""The timer that ends functions which never end: it is there while nowsim is at work, and no longer."""

import subprocess
import sys
import textwrap
import unittest

SPEC = {"nowsim": 1, "platform": {"workstations": 2, "speed": "1Mf"}, "job": {"workload": "base-task", "work": "4Mf"},
        "split": {"policy": "mine"}, "run": {"replications": 2}}
BEGIN = f"""
    import atexit, signal, threading, time
    import nowsim
    nowsim.policy(lambda s: s, name="mine")
    SPEC = {SPEC!r}

    def spin():
        until = time.process_time() + 3
        while time.process_time() < until:
            for _ in range(100000):  # of the user's own time, not the system's
                pass
"""


def carried_out(script):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(BEGIN) + textwrap.dedent(script)], capture_output=True,
                          text=True, check=False, timeout=60)
    return done.returncode, done.stdout + done.stderr


class Watch(unittest.TestCase):
    def test_nothing_is_left(self):
        self.assertEqual(carried_out("""
            nowsim.run(SPEC)
            assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL
            assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
            spin()
            print("alive")
        """), (0, "alive\n"))

    def test_end_of_python(self):
        self.assertEqual(carried_out("""
            class Last:
                def __del__(self, spin=spin, print=print):
                    spin()
                    print("alive")
            last = Last()
            nowsim.run(SPEC)
        """), (0, "alive\n"))

    def test_what_the_user_had_is_there_again(self):
        self.assertEqual(carried_out("""
            ticks = []
            def tick(*_):
                ticks.append(1)
            signal.signal(signal.SIGVTALRM, tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.5, 0.5)
            nowsim.run(SPEC)
            try:
                nowsim.run({**SPEC, "metrics": ["nonsense"]})
            except nowsim.InputError:
                pass
            assert signal.getsignal(signal.SIGVTALRM) is tick
            assert 0 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 1
            spin()
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            print(len(ticks) > 2)
        """), (0, "True\n"))

    def test_what_a_failed_or_interrupted_run_leaves(self):
        self.assertEqual(carried_out("""
            def endless(s):
                while True:
                    pass
            def stops(s):
                raise KeyboardInterrupt
            nowsim.policy(stops, name="stops")
            nowsim.policy(endless, name="endless")
            from nowsim.additions import registered
            registered().policies[-1].step_limit = 1
            for name in ("endless", "stops", "endless"):
                try:
                    nowsim.run(SPEC, sets={"split.policy": name})
                except (nowsim.InputError, KeyboardInterrupt) as error:
                    print("returning" in str(error))
                assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
        """), (0, "True\nFalse\nTrue\n"))

    def test_what_the_users_handlers_raise(self):
        """A study takes no notice until its end, where the watch ends as well."""
        self.assertEqual(carried_out("""
            def late(*_):
                raise TimeoutError("late")
            signal.signal(signal.SIGALRM, late)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            owner = {"model": "intervals", "TH": 0.3}
            try:
                nowsim.contrast({**SPEC, "owner": owner}, "owner.TH", sweep={"owner.TH": [0.1, 0.2]},
                                replications=3_000_000, jobs=1)
            except TimeoutError as error:
                print(error)
            assert signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL
        """), (0, "late\n"))

    def test_steps_that_take_part_of_a_tick(self):
        """A limit below the timer's tick is as long as that: a tick comes at any time."""
        self.assertEqual(carried_out("""
            @nowsim.workload(step_limit=0.5, communicates=False)
            def short(rank):
                for _ in range(3000):
                    sum(range(20_000))
                    yield rank.compute(1)
            for _ in nowsim.run({**SPEC, "job": {"workload": "short"}, "split": {}}, jobs=1).rows:
                print(_.status)
        """), (0, "ok\n"))

    def test_after_another_thread(self):
        """Where there can be no handler, nothing is watched; the next call in the main thread is."""
        self.assertEqual(carried_out("""
            thread = threading.Thread(target=nowsim.run, args=(SPEC,))
            thread.start()
            thread.join()
            def endless(s):
                while True:
                    pass
            nowsim.policy(endless, name="endless")
            from nowsim.additions import registered
            registered().policies[-1].step_limit = 1
            try:
                nowsim.run(SPEC, sets={"split.policy": "endless"})
            except nowsim.InputError as error:
                print("without returning" in str(error))
        """), (0, "True\n"))


if __name__ == "__main__":
    unittest.main()
