"""Workers are forked from a process that holds a Python: nothing hangs, nothing is left, and Ctrl-C stops at once."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

from program_beside import SMALL, program

import nowsim

BUSY = """
    import os, resource, signal, subprocess, sys
    sys.path.insert(0, {folder!r})
    import nowsim
    from program_beside import FIG05, SMALL

    def stop_me():
        subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {{os.getpid()}}"])

    stop_me()
    try:
        {call}
        print("it was not stopped")
    except KeyboardInterrupt:
        print("after", resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    ps = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "comm="], capture_output=True, text=True)
    print("left:", [name for name in ps.stdout.split() if name.startswith("python")])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    print("small:", len(nowsim.run(SMALL)))
"""


def interrupted(call: str) -> tuple:
    """The processor time of a call's two workers until Ctrl-C ended it [s], and what the script said."""
    script = textwrap.dedent(BUSY).format(folder=os.path.dirname(os.path.abspath(__file__)), call=call)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=300,
                          start_new_session=True)
    after = re.search(r"after ([-0-9.e]+)", done.stdout)
    return (float(after.group(1)) if after else None), done.stdout + done.stderr


class Interruption(unittest.TestCase):
    def stops(self, call):
        after, said = interrupted(call)
        self.assertIsNotNone(after, said)
        self.assertLess(after, 4, said)  # half a second and a batch of each: to the end it would be eight at least
        self.assertIn("left: []\nsmall: 1", said)
        self.assertNotIn("Traceback", said)

    def test_run(self):
        self.stops("nowsim.run(FIG05, replications=10**7, jobs=2)")

    def test_run_that_keeps_all(self):
        self.stops("nowsim.run(FIG05, replications=10**6, keep='all', jobs=2)")

    def test_questions(self):
        self.stops("nowsim.contrast('labs/lab-night', 'split.policy', replications=10**7, jobs=2)")

    def test_a_store_is_whole_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            self.stops(f"nowsim.sweep(SMALL, {folder!r}, replications=10**7, jobs=2)")
            self.assertEqual(program("show", folder, "--format", "csv").count("pending"), 1)
            result = nowsim.sweep(SMALL, folder, replications=200)
            self.assertEqual(result.to_csv(), nowsim.run(SMALL, replications=200).to_csv())

    def test_handlers_of_ones_own_are_called(self):
        class Enough(Exception):
            pass

        def handler(*_):
            raise Enough

        before = signal.signal(signal.SIGALRM, handler)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with self.assertRaises(Enough):
            nowsim.run(SMALL, replications=10**7)


class Workers(unittest.TestCase):
    def test_threads_of_the_parent_do_not_matter(self):
        script = """
            import threading, time
            try:
                import matplotlib; matplotlib.use("Agg"); import matplotlib.pyplot
                import numpy; numpy.ones((300, 300)) @ numpy.ones((300, 300))
            except ImportError:
                pass
            import logging, nowsim, sys
            sys.path.insert(0, {folder!r})
            from program_beside import SMALL
            turns = [0]
            def spin():
                while True:
                    turns[0] += 1
                    logging.getLogger("x").debug("y")
                    time.sleep(0.001)
            for _ in range(4):
                threading.Thread(target=spin, daemon=True).start()
            for _ in range(20):
                nowsim.run(SMALL, jobs=4)
            before = turns[0]
            nowsim.run(SMALL, replications=20000)
            print("turns:", turns[0] > before)
        """
        script = textwrap.dedent(script).format(folder=os.path.dirname(os.path.abspath(__file__)))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.stdout, done.stderr), ("turns: True\n", ""))

    def test_a_second_call_at_the_same_time_is_refused(self):
        refused = []

        def call_again(_):
            try:
                nowsim.run(SMALL)
            except nowsim.RunError as error:
                refused.append(str(error))
                raise

        with self.assertRaisesRegex(nowsim.RunError, "another call of nowsim's is at work in this process"):
            nowsim.run(SMALL, replications=10**8, keep="none", progress=call_again)
        self.assertTrue(refused)
        self.assertEqual(len(nowsim.run(SMALL)), 1)

    def test_what_was_written_is_written_once(self):
        script = f"import nowsim; print('x', end=''); nowsim.run({SMALL!r}, jobs=4)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "x")


if __name__ == "__main__":
    unittest.main()
