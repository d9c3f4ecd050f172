"""Remarks are warnings of the caller's line; progress is a line on terminals and in notebooks, nothing elsewhere."""

import contextlib
import io
import os
import pty
import signal
import subprocess
import sys
import types
import unittest
import warnings

from program_beside import SMALL

import nowsim
from nowsim import messages

IDLE_KEY = {"sets": {"solve.key": "job.work", "solve.metric": "tau", "solve.equals": 30, "solve.from": 1e9,
                     "solve.to": 1e12, "job.work": "10Gf"}}
ENDLESS = {"replications": 10**8}


class Remarks(unittest.TestCase):
    def test_they_are_of_the_callers_line(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nowsim.run(SMALL, **IDLE_KEY)
        self.assertEqual([warning.category for warning in caught], [nowsim.Remark])
        self.assertIn("with a value given, nothing is solved for", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)

    def test_they_can_be_errors(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaises(nowsim.Remark):
                nowsim.run(SMALL, **IDLE_KEY)


class Enough(Exception):
    pass


class Progress(unittest.TestCase):
    def test_a_function_is_called_and_what_it_raises_ends_the_run(self):
        seen = []

        def see(text):
            seen.append(text)
            if text:
                raise Enough

        with self.assertRaises(Enough):
            nowsim.run(SMALL, **ENDLESS, progress=see, keep="none")
        self.assertRegex(seen[0], r"0/1 points, .* replications/s, at most .* left")
        self.assertEqual(seen[1:], [""])

    def test_nothing_is_said_where_nobody_looks_on(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertIsNone(messages.progress_line(None))
            self.assertIsNone(messages.progress_line(False))
            self.assertFalse(messages.progress_line(True).renews)

    def test_a_terminal_has_a_line_that_is_wiped(self):
        ours, theirs = pty.openpty()
        script = f"import nowsim\ntry: nowsim.run({SMALL!r}, replications=10**8)\nexcept KeyboardInterrupt: pass"
        with subprocess.Popen([sys.executable, "-c", script], stderr=theirs, stdout=theirs) as run:
            os.close(theirs)
            said = os.read(ours, 4096)
            run.send_signal(signal.SIGINT)
            with contextlib.suppress(OSError):  # the terminal's end
                while part := os.read(ours, 4096):
                    said += part
        os.close(ours)
        self.assertRegex(said.decode(), r"^\r\x1b\[K0/1 points, .* left")
        self.assertTrue(said.endswith(b"\r\x1b[K"), said)

    def test_a_notebook_has_one_display_that_is_updated(self):
        shown = []

        class Display:
            def update(self, data, raw):
                shown.append(("update", data["text/plain"], raw))

        def display(data, raw, display_id):
            shown.append(("display", data["text/plain"], raw))
            return Display()

        notebook = types.ModuleType("IPython")
        notebook.get_ipython = lambda: types.SimpleNamespace(kernel=object())
        notebook.display = types.ModuleType("IPython.display")
        notebook.display.display = display
        sys.modules |= {"IPython": notebook, "IPython.display": notebook.display}
        self.addCleanup(lambda: [sys.modules.pop(name) for name in ("IPython", "IPython.display")])
        line = messages.progress_line(None)
        line.show("1/2 points")
        line.show("")
        self.assertEqual(shown, [("display", "1/2 points", True), ("update", "", True)])
        self.assertFalse(messages.is_terminal())


if __name__ == "__main__":
    unittest.main()
