"""`python3 -m nowsim ...`: the command line `nowsim ...`, with user code where --plugin FILE.py names some."""

import signal
import sys

from . import _nowsim
from .additions import registered
from .plugins import import_plugin, without_plugins


def main(words: list) -> int:
    """Carries the words out; returns the exit status."""
    try:
        left, files = without_plugins(words)
        for file in files:
            import_plugin(file)
        if left[:1] == ["bundle"]:  # which takes them along
            left += [f"--code={file}" for file in files]
    except _nowsim.InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    has_store = left[:1] == ["reproduce"] or any(word.startswith(("--out", "-o")) for word in left)
    for remark in registered().remarks() if has_store else ():
        print(f"note: {remark}", file=sys.stderr)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # commands have handlers of their own, where they stop in good order
    return _nowsim.command_line(left, registered())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
