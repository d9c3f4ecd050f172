// The script, with a module `nowsim` of its own that has what files of techniques need of the real one.
#include "experiments/driver/labs/confined_script.hpp"

namespace nowsim {

const char* const kConfinedScript = R"PYTHON(
import inspect, io, os, random, reprlib, struct, sys, traceback, types

CHANNEL, SOURCE, LOG = 3, 4, 1
FILE = sys.argv[1]
NAME = FILE.rpartition(".")[0]
TYPES = dict(word.split(":") for word in sys.argv[2:])
MOST_LOGGED, MOST_SAID = 65536, 1000
OF_BATCHES = ("K", "L", "j")


class Wrong(Exception):
    """A sentence that is told as it is."""


class Log(io.TextIOBase):
    """What is printed, of which the last part is kept."""

    def writable(self):
        return True

    def write(self, text):
        try:
            if os.fstat(LOG).st_size > MOST_LOGGED:
                os.ftruncate(LOG, 0)
                os.lseek(LOG, 0, os.SEEK_SET)
            os.write(LOG, text[-MOST_LOGGED:].encode(errors="replace"))
        except OSError:
            pass
        return len(text)


class Key:
    """A parameter's value that is written as at a key of an experiment."""

    def __init__(self, kind, written):
        self.kind, self.written = kind, written

    def value(self):
        if self.written is None:
            raise Wrong("nothing says its value: it needs a default")
        if not isinstance(self.written, str):
            return int(self.written) if self.kind == "count" else float(self.written)
        asked = f"{self.kind} {self.written}"
        if asked not in read_values:
            answer = b"k" + asked.encode(errors="replace")[:MOST_SAID]
            os.write(CHANNEL, answer)
            read = os.read(CHANNEL, 4096)
            if read[:1] != b"v":
                raise Wrong(read[1:].decode())
            read_values[asked] = struct.unpack("=d", read[1:])[0]
        value = read_values[asked]
        return int(value) if self.kind == "count" else value


class Word(Key):
    def value(self):
        if self.written is None:
            raise Wrong("nothing says its value: it needs a default")
        return self.written


read_values = {}
found = []


def key_function(kind):
    def key(default=None, help="", **bounds):
        return Key(kind, default)

    return key


def choice(*words, help="", required=False):
    return Word("word", None if required or not words else words[0])


def flag(default=None, help=""):
    return Word("flag", None if default is None else str(default).lower() == "true")


def technique(function=None, *, name=None, batch=None):
    def register(it):
        found.append(Technique(it, name, batch))
        return it

    return register if function is None else register(function)


def no_such(name):
    raise AttributeError(f"nowsim.{name}: a chunk rule has technique, number, count, time, work, bytes, choice and "
                         "flag of nowsim's module")


nowsim = types.ModuleType("nowsim")
vars(nowsim).update({kind: key_function(kind) for kind in ("number", "count", "time", "work", "bytes")},
                    technique=technique, choice=choice, flag=flag, __getattr__=no_such)
KEY_FUNCTIONS = [vars(nowsim)[kind] for kind in ("number", "count", "time", "work", "bytes", "flag")]
sys.modules["nowsim"] = nowsim


class Rule:
    """A function, and how it is called with the values of its variables."""

    def __init__(self, function, of):
        if not inspect.isfunction(function):
            raise Wrong(f"{of} is a function that def or lambda makes, not {reprlib.repr(function)}")
        self.function = function
        self.by = f"{of} {function.__name__} ({FILE}, line {function.__code__.co_firstlineno})"
        self.variables, self.constants, named = [], {}, []
        for parameter in inspect.signature(function, eval_str=True).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                self.refuse(f"{parameter} is no variable")
            if parameter.name in TYPES and parameter.default is parameter.empty:
                self.variables.append(parameter.name)
                if parameter.kind == parameter.KEYWORD_ONLY:
                    named.append(parameter.name)
            else:
                self.constant(parameter)
        self.named = tuple(named)
        self.plain = not named and not self.constants
        self.unpack = struct.Struct("=8x" + "".join(TYPES[name] for name in self.variables)).unpack

    def constant(self, parameter):
        default, empty = parameter.default, parameter.empty
        if parameter.name in TYPES:
            self.refuse(f"{parameter.name} is a variable of nowsim's; a parameter with a default needs another name")
        if default is empty and parameter.annotation is empty:
            self.refuse(f"nothing is known of its parameter {parameter.name}: variables are {', '.join(TYPES)}; any "
                        f"other needs a default, {parameter.name}=1")
        key = default if isinstance(default, Key) else parameter.annotation
        if key in KEY_FUNCTIONS:
            key = key(None if default is empty else default)
        elif isinstance(key, Key) and default not in (empty, key):
            key = type(key)(key.kind, default)
        if not isinstance(key, Key):
            if not isinstance(default, (bool, int, float)):
                self.refuse(f"its parameter {parameter}: a default is a number here")
            return
        if parameter.kind == parameter.POSITIONAL_ONLY:
            self.refuse(f"its parameter {parameter} has to be one that can be named")
        try:
            self.constants[parameter.name] = key.value()
        except (Wrong, TypeError, ValueError, OverflowError) as error:
            self.refuse(f"its parameter {parameter.name}: {error}")

    def refuse(self, sentence):
        raise Wrong(f"{self.by}: {sentence}")

    def __call__(self, request):
        values = self.unpack(request)
        if self.plain:
            given = self.function(*values)
        else:
            first = len(values) - len(self.named)
            given = self.function(*values[:first], **dict(zip(self.named, values[first:])), **self.constants)
        if type(given) is float:
            return given
        try:
            if not isinstance(given, (str, bytes, bytearray)):
                return float(given)
        except (TypeError, ValueError, OverflowError):
            pass
        raise Wrong(f"gives {reprlib.repr(given)}; wanted is a number of tasks")


class Technique:
    def __init__(self, function, name, batch):
        self.chunk = Rule(function, "technique")
        self.batch = None if batch is None else Rule(batch, f"technique {function.__name__}'s batch")
        self.summary = (inspect.getdoc(function) or f"a technique in {FILE}").splitlines()[0]
        if self.batch is not None and self.batch.constants:
            self.batch.refuse("a function of batches has variables alone")
        if batch is None:
            for variable in self.chunk.variables:
                if variable in OF_BATCHES:
                    self.chunk.refuse(f"its parameter {variable} is about batches: @nowsim.technique(batch=...) says "
                                      "how large they are")

    def description(self):
        rules = [self.chunk] if self.batch is None else [self.chunk, self.batch]
        return "\n".join([self.summary, *(f"{rule.by}\n{' '.join(rule.variables)}" for rule in rules)])


def place_of(error):
    """Where in the student's file it was raised, as words."""
    if isinstance(error, SyntaxError):
        return f" ({FILE}, line {error.lineno})"
    places = [(frame.f_code.co_name, line) for frame, line in traceback.walk_tb(error.__traceback__)
              if frame.f_code.co_filename == FILE]
    if not places:
        return ""
    name, line = places[-1]
    return f" ({FILE}, line {line}" + (")" if name.startswith("<") else f", in {name})")


def said(error):
    if isinstance(error, Wrong):
        return str(error)
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"raises {type(error).__name__}{': ' if what else ''}{what}{place_of(error)}"


def failure(error):
    try:
        return b"e" + said(error).encode(errors="backslashreplace")[:MOST_SAID]
    except BaseException:
        return b"eraises an exception that cannot be told"


def own_random():
    """The module random with a state of its own, that begins the same each time."""
    own = types.ModuleType("random")
    generator, common = random.Random(0), random.random.__self__
    vars(own).update({name: getattr(generator, name) if getattr(value, "__self__", None) is common else value
                      for name, value in vars(random).items()})
    return own


class Replication:
    """The file is run anew for each, so that nothing is left of others. Several go on in turn."""

    def __init__(self):
        self.random = sys.modules["random"] = own_random()
        self.numpy_state = None
        found.clear()
        module = types.ModuleType(NAME)
        module.__file__ = FILE
        sys.modules[NAME] = module
        exec(CODE, vars(module))
        if len(found) != 1:
            names = ", ".join(it.chunk.function.__name__ for it in found)
            raise Wrong(f"it defines {len(found)} techniques ({names}): one is wanted" if found else
                        "it defines no technique: @nowsim.technique stands on the line before the function")
        self.technique = found[0]

    def leave(self):
        if "numpy" in sys.modules:
            self.numpy_state = sys.modules["numpy"].random.get_state()

    def enter(self):
        sys.modules["random"] = self.random
        if self.numpy_state is not None:
            sys.modules["numpy"].random.set_state(self.numpy_state)


def entered(number, is_new):
    """The replication that is asked; its number may have been an earlier one's."""
    global at
    if at is not None:
        at.leave()
    if is_new:
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)
        at = replications[number] = Replication()
    else:
        at = replications[number]
        at.enter()
    return at


sys.path[:] = [folder for folder in sys.path if folder]
sys.stdout = sys.stderr = Log()
try:
    CODE = compile(os.fdopen(SOURCE, "rb").read(), FILE, "exec", dont_inherit=True)
    at, replications, last = None, {}, -1
    entered(0, True)
    os.write(CHANNEL, b"t" + at.technique.description().encode(errors="backslashreplace")[:4 * MOST_SAID])
except BaseException as error:
    os.write(CHANNEL, failure(error))
    os._exit(0)

while True:
    request = os.read(CHANNEL, 4096)
    if not request:
        os._exit(0)
    try:
        what, number = request[0], int.from_bytes(request[4:8], sys.byteorder)
        if what & 1 or number != last:
            asked, last = entered(number, what & 1).technique, number
        answer = struct.pack("=cd", b"n", (asked.batch if what & 2 else asked.chunk)(request))
    except BaseException as error:
        answer = failure(error)
        del error
    os.write(CHANNEL, answer)
)PYTHON";

}  // namespace nowsim
