"""Skips that are seen, in scripts: status 77, or 1 where NOWSIM_NO_SKIPS is set and NOWSIM_MAY_SKIP does not name what
is missing, as in skips.hpp. Words here: archive, matplotlib, numpy, pandas, slurm, smpi."""

import os
import sys


def may_skip(missing):
    return os.environ.get("NOWSIM_NO_SKIPS", "") in ("", "0") or \
        missing in os.environ.get("NOWSIM_MAY_SKIP", "").split(",")


def skip(missing, why):
    """Ends the script."""
    if may_skip(missing):
        print(f"skipped: {why}", flush=True)
        sys.exit(77)
    sys.exit(f"not skipped, by NOWSIM_NO_SKIPS: {why} (NOWSIM_MAY_SKIP={missing})")


def skip_test(test, missing, why):
    """Ends a test of unittest's."""
    if may_skip(missing):
        test.skipTest(why)
    test.fail(f"not skipped, by NOWSIM_NO_SKIPS: {why} (NOWSIM_MAY_SKIP={missing})")
