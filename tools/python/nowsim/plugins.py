"""Files of user code that the command line takes along: --plugin mine.py."""

import importlib.util
import os
import sys
import traceback

from ._nowsim import InputError

_FLAG = "--plugin"


def without_plugins(words: list) -> tuple:
    """The command line's words without --plugin FILE or --plugin=FILE, wherever they stand, and the files in their
    order.

    Raises InputError where a file's name is missing.
    """
    left, files, rest = [], [], iter(words)
    for word in rest:
        if word == _FLAG:
            files.append(next(rest, ""))
        elif word.startswith(_FLAG + "="):
            files.append(word[len(_FLAG) + 1:])
        else:
            left.append(word)
    if "" in files:
        raise InputError("--plugin: a file of Python code is wanted, such as --plugin mine.py")
    return left, files


def import_plugin(file: str) -> None:
    """Runs a file as a module of its own name, once: what it registers is registered.

    Raises InputError with file, line and exception where that fails.
    """
    name = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    if not os.path.isfile(file) or spec is None:
        raise InputError(f"--plugin {file}: " + ("it is no file of Python code, NAME.py" if os.path.isfile(file) else
                                                 "there is no such file"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = os.path.dirname(os.path.abspath(file))
    if folder not in sys.path:
        sys.path.insert(0, folder)  # what it imports lies beside it, as with a script
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"--plugin {file}: {_sentence(error, file)}") from error


def _sentence(error: BaseException, file: str) -> str:
    """Where in the file it came from, and what."""
    what = traceback.format_exception_only(type(error), error)[-1].strip()
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {what}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if os.path.abspath(frame.filename) == os.path.abspath(file)]
    return f"line {lines[-1]}: {what}" if lines else what
