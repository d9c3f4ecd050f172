"""Whether code is the user's: neither the standard library's, nor of an installed package, nor nowsim's own."""

import functools
import os
import sys
import sysconfig

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
    return is_users(None if module is None else vars(module))
