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


class InstalledNames:
    """What modules that are not the user's call what they hold: os.environ, the generator of random.random.

    What anything can be put into (builtins, where a prompt's last value is) names nothing; of lists and the like
    only those of sys are known.
    """

    def __init__(self):
        self._names = {}

    def of(self, value):
        """(module, name), of the module that it came from or of one around that; None where there is none."""
        module = type(value).__module__
        if isinstance(value, types.FunctionType):
            module = None if is_users(value.__globals__) else value.__module__
        module = "sys" if module == "builtins" else module
        while isinstance(module, str) and module:
            name = self._names_in(module).get(id(value))
            if name is not None:
                return module, name
            module = module.rpartition(".")[0]
        return None

    def _names_in(self, module):
        if module not in self._names:
            names = getattr(sys.modules.get(module), "__dict__", None)
            known = [] if names is None or is_users(names) else [(id(it), name) for name, it in list(names.items())]
            self._names[module] = dict(sorted(known, key=lambda pair: str(pair[1]), reverse=True))
        return self._names[module]
