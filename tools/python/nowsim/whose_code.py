"""Whether code is the user's: neither the standard library's, nor of an installed package, nor nowsim's own."""

import functools
import os
import sys
import sysconfig
import types

_INSTALLED = tuple(os.path.realpath(path) + os.sep for path in
                   {*map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")), "/usr/lib/python3",
                    os.path.dirname(__file__)})
_PACKAGES = {"site-packages", "dist-packages"}  # of whichever environment


@functools.lru_cache(maxsize=None)
def is_installed(file):
    file = os.path.realpath(file)
    return file.startswith(_INSTALLED) or not _PACKAGES.isdisjoint(file.split(os.sep))


def is_users(names):
    """Whether a module with these names in it is the user's; None: it was taken away."""
    if names is None:
        return True
    file = names.get("__file__") or next(iter(names.get("__path__") or ()), None)
    if file is not None:
        return not is_installed(file)
    root = str(names.get("__name__")).partition(".")[0]
    above = sys.modules.get(root)
    if root in sys.stdlib_module_names or root == "__main__" or above is None or not getattr(above, "__file__", None):
        return root not in sys.stdlib_module_names
    return not is_installed(above.__file__)


def is_users_class(it):
    module = sys.modules.get(it.__module__)
    return is_users(None if module is None else getattr(module, "__dict__", {}))


def name_of_installed(value):
    """What a module that is not the user's, of the package that the value's type or function is of, calls what it holds:
    numpy.sqrt, the generator of random.random. None where there is none.

    What anything can be put into (builtins, where a prompt's last value is) names nothing.
    """
    of = value.__globals__.get("__name__") if isinstance(value, types.FunctionType) else type(value).__module__
    root = str(of).partition(".")[0]
    found = [f"{name}.{held}" for name, module in list(sys.modules.items())
             if name.partition(".")[0] == root != "builtins" and not is_users(getattr(module, "__dict__", {}))
             for held, it in list(vars(module).items()) if it is value]
    return min(found, key=lambda name: (len(name), name), default=None)
