"""What is said of a user's code that goes wrong: what it did, and in which file and line."""

import reprlib
import traceback
import types

from ._nowsim import EndlessStep, InputError, ProgramError

_HOW = "'yield rank.compute(1e9)' awaits an operation"


def _place(code, line):
    return f"{code.co_filename}, line {line}, in {code.co_name}"


def _place_of(generator):
    """Where a generator stands, or the one that it yields from."""
    while isinstance(generator.gi_yieldfrom, types.GeneratorType):
        generator = generator.gi_yieldfrom
    frame = generator.gi_frame
    return _place(generator.gi_code, frame.f_lineno if frame is not None else generator.gi_code.co_firstlineno)


def _place_raised(error):
    frames = list(traceback.walk_tb(error.__traceback__))
    return f" ({_place(frames[-1][0].f_code, frames[-1][1])})" if frames else ""


def _place_of_function(function):
    code = getattr(function, "__code__", None)
    return f" ({_place(code, code.co_firstlineno)})" if code is not None else ""


def yielded_text(program, generator, value, forgotten):
    what = reprlib.repr(value)
    if type(value).__name__ == "Rank":
        what = "its rank without an operation, or an operation twice"
    elif isinstance(value, types.GeneratorType):
        what = f"the generator {value.__name__}(), which 'yield from' would run,"
    instead = f" instead of {forgotten}(), which it has called" if forgotten else ""
    return f"{program} yields {what}{instead} ({_place_of(generator)}): {_HOW}, and nothing else is to be yielded"


def forgotten_text(program, function, forgotten):
    return (f"{program} calls {forgotten}() and ends without having yielded it{_place_of_function(function)}: "
            f"{_HOW}")


def timeless_text(program, generator, count):
    return (f"{program} asks for more than {count - 1} operations at one simulated time ({_place_of(generator)}): "
            "nothing that it does takes any")


def no_generator_text(program, function, value):
    return (f"{program} gives {reprlib.repr(value)} instead of a generator{_place_of_function(function)}: "
            f"there is no 'yield' in it; {_HOW}")


def raised_text(program, error):
    if isinstance(error, (ProgramError, EndlessStep)):
        return f"{program} {error}{_place_raised(error)}"
    said = "".join(traceback.format_exception(error)).rstrip()
    return f"{program} raises {type(error).__name__}: {error}{_place_raised(error)}\n{said}"


def saying_text(by, error):
    """Of functions that say what code is like: of its keys, or the number of ranks."""
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, EndlessStep):
        return f"what {by} says of itself {error}{_place_raised(error)}"
    return f"what {by} says of itself raises {type(error).__name__}: {error}{_place_raised(error)}"
