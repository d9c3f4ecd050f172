"""The program that was built with the module, for tests that compare the two."""

import os
import subprocess
import sys
import tempfile

import nowsim

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from skips import skip, skip_test  # noqa: E402, F401: for the tests

BUILD = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(nowsim.__file__))))
FIG05 = "huang-lee-2007/fig05"
SMALL = {"platform": {"workstations": 2, "speed": "1Gf"},
         "owner": {"model": "intervals", "value": "uniform", "mean": 0.5, "TH": 0.2, "interval": "1s"},
         "job": {"workload": "base-task", "work": "10Gf"}, "run": {"replications": 20}}


def program(*words: str, status: int = 0) -> str:
    """What `nowsim WORDS` prints."""
    done = subprocess.run([os.path.join(BUILD, "nowsim"), *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout


def module(*words: str, **options) -> subprocess.CompletedProcess:
    """`python3 -m nowsim WORDS`."""
    command = [sys.executable, "-m", "nowsim", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def temporary(test) -> str:
    """A folder that goes with the test."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return folder.name
