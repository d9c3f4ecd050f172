"""A student's chunk rule, asked by nowsim for tasks (driver/labs/confined.md): what a confined process runs.

python3 -c THIS NAME.py VARIABLE:TYPE..., with types as of struct. Descriptor 3 is a socket that keeps messages apart, 4
the file's text. First there is a "t" and what the file defines, a line each, or an "e" and a sentence. Then each request
is answered by an "n" and a double, or an "e" and what the function did. A request has whole numbers that say whether a
loop begins, whether a batch is asked for and which loop it is, all variables, and doubles for the parameters that are told
with a unit."""
import inspect, io, os, random, reprlib, struct, sys, traceback, types

CHANNEL, SOURCE, LOG = 3, 4, 1
FILE = sys.argv[1]
TYPES = dict(word.split(":") for word in sys.argv[2:])
FLAGS, VARIABLES = struct.Struct("=qqq"), struct.Struct("=" + "".join(TYPES.values()))
KINDS = ("number", "count", "time", "work", "bytes")
OF_BATCHES = ("K", "L", "j")
MOST_LOGGED, MOST_SAID = 65536, 1000


class Wrong(Exception):
    """A sentence that is told as it is."""


class Log(io.TextIOBase):
    """What is printed, of which the last part is kept."""

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
    """A parameter whose value is written as at a key of an experiment."""

    def __init__(self, kind, written):
        self.kind, self.written = kind, written


def key_function(kind):
    return lambda default=None, help="", **bounds: Key(kind, default)


def choice(*words, help="", required=False):
    return Key("word", None if required or not words else words[0])


def flag(default=None, help=""):
    return Key("flag", None if default is None else str(default).lower() == "true")


def technique(function=None, *, name=None, batch=None):
    def register(it):
        found.append(rules_of(it, batch))
        return it

    return register if function is None else register(function)


def no_such(name):
    raise AttributeError(f"nowsim.{name}: a chunk rule has technique, number, count, time, work, bytes, choice and "
                         "flag of nowsim's module")


found = []
sys.modules["nowsim"] = nowsim = types.ModuleType("nowsim")
key_functions = {kind: key_function(kind) for kind in KINDS} | {"flag": flag}
vars(nowsim).update(key_functions, technique=technique, choice=choice, __getattr__=no_such)


class Rule:
    """A function, and how it is called with the values of its variables."""

    def __init__(self, function, of):
        if not inspect.isfunction(function):
            raise Wrong(f"{of} is a function that def or lambda makes, not {reprlib.repr(function)}")
        self.function = function
        self.by = f"{of} {function.__name__} ({FILE}, line {function.__code__.co_firstlineno})"
        self.variables, self.named, self.constants, self.told = [], [], {}, []
        for parameter in inspect.signature(function, eval_str=True).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                self.refuse(f"{parameter} is no variable")
            if parameter.name not in TYPES or parameter.default is not parameter.empty:
                self.constant(parameter)
            else:
                (self.named if parameter.kind == parameter.KEYWORD_ONLY else self.variables).append(parameter.name)

    def constant(self, parameter):
        name, default, key, empty = parameter.name, parameter.default, parameter.annotation, parameter.empty
        if name in TYPES:
            self.refuse(f"{name} is a variable of nowsim's; a parameter with a default needs another name")
        if default is empty and key is empty:
            self.refuse(f"nothing is known of its parameter {name}: variables are {', '.join(TYPES)}; any other needs a "
                        f"default, {name}=1")
        if isinstance(default, Key):
            key = default
        elif key in list(key_functions.values()):
            key = key(None if default is empty else default)
        elif isinstance(key, Key) and default is not empty:
            key = Key(key.kind, default)
        if not isinstance(key, Key):
            if not isinstance(default, (bool, int, float)):
                self.refuse(f"its parameter {parameter}: a default is a number here")
        elif parameter.kind == parameter.POSITIONAL_ONLY:
            self.refuse(f"its parameter {parameter} has to be one that can be named")
        elif key.written is None:
            self.refuse(f"its parameter {name}: nothing says its value: it needs a default")
        elif key.kind in KINDS and isinstance(key.written, str):
            self.told.append((name, key.kind, " ".join(key.written.split())))
        else:
            try:
                read = {"count": int, "word": lambda word: word, "flag": bool}.get(key.kind, float)
                self.constants[name] = read(key.written)
            except (TypeError, ValueError, OverflowError) as error:
                self.refuse(f"its parameter {name}: {error}")

    def refuse(self, sentence):
        raise Wrong(f"{self.by}: {sentence}")

    def __call__(self, request):
        values = dict(zip(TYPES, VARIABLES.unpack_from(request, FLAGS.size)))
        told = struct.unpack_from(f"={len(self.told)}d", request, FLAGS.size + VARIABLES.size)
        for (name, kind, _), value in zip(self.told, told):
            self.constants[name] = int(value) if kind == "count" else value
        given = self.function(*[values[name] for name in self.variables], **{name: values[name] for name in self.named},
                              **self.constants)
        try:
            if not isinstance(given, (str, bytes, bytearray)):
                return float(given)
        except (TypeError, ValueError, OverflowError):
            pass
        raise Wrong(f"gives {reprlib.repr(given)}; wanted is a number of tasks")


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


def failure(error):
    try:
        what = error.msg if isinstance(error, SyntaxError) else str(error)
        said = what if isinstance(error, Wrong) else (
            f"raises {type(error).__name__}{': ' if what else ''}{what}{place_of(error)}")
        return b"e" + said.encode(errors="backslashreplace")[:MOST_SAID]
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
        self.random, self.numpy_state = own_random(), None
        sys.modules["random"] = self.random
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(0)
        found.clear()
        module = types.ModuleType(FILE.rpartition(".")[0])
        module.__file__ = FILE
        sys.modules[module.__name__] = module
        exec(CODE, vars(module))
        if len(found) != 1:
            names = ", ".join(chunks.function.__name__ for chunks, _ in found)
            raise Wrong(f"it defines {len(found)} techniques ({names}): one is wanted" if found else
                        "it defines no technique: @nowsim.technique stands on the line before the function")
        self.rules = found[0]

    def leave(self):
        if "numpy" in sys.modules:
            self.numpy_state = sys.modules["numpy"].random.get_state()

    def enter(self):
        sys.modules["random"] = self.random
        if self.numpy_state is not None:
            sys.modules["numpy"].random.set_state(self.numpy_state)


def rules_of(function, batch):
    """For chunks and for batches."""
    chunks, batches = Rule(function, "technique"), None
    if batch is not None:
        batches = Rule(batch, f"technique {function.__name__}'s batch")
        if batches.constants or batches.told:
            batches.refuse("a function of batches has variables alone")
    for variable in chunks.variables + chunks.named if batch is None else []:
        if variable in OF_BATCHES:
            chunks.refuse(f"its parameter {variable} is about batches: @nowsim.technique(batch=...) says how large they "
                          "are")
    return chunks, batches


def description(chunks, batches):
    summary = (inspect.getdoc(chunks.function) or f"a technique in {FILE}").splitlines()[0]
    lines = [summary[:MOST_SAID], chunks.by, " ".join(chunks.variables + chunks.named)]
    lines += [batches.by, " ".join(batches.variables + batches.named)] if batches else ["", ""]
    lines += [" ".join(parameter) for parameter in chunks.told]
    return "".join(line + "\n" for line in lines)


sys.path[:] = [folder for folder in sys.path if folder]
sys.stdout = sys.stderr = Log()
try:
    CODE = compile(os.fdopen(SOURCE, "rb").read(), FILE, "exec", dont_inherit=True)
    at = Replication()
    os.write(CHANNEL, b"t" + description(*at.rules).encode(errors="backslashreplace"))
except BaseException as error:
    os.write(CHANNEL, failure(error))
    os._exit(0)

replications, last = {}, None
while request := os.read(CHANNEL, 8192):
    try:
        is_new, is_batch, loop = FLAGS.unpack_from(request)
        if is_new or loop != last:
            at.leave()
            if is_new:
                replications[loop] = Replication()
            else:
                replications[loop].enter()
            at, last = replications[loop], loop
        answer = struct.pack("=cd", b"n", at.rules[is_batch](request))
    except BaseException as error:
        answer = failure(error)
    os.write(CHANNEL, answer)
os._exit(0)
