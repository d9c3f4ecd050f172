"""Prints where below a prefix a package goes: where this Python looks, for /usr, /usr/local and ~/.local; else where
Debian has them, for PYTHONPATH."""

import os
import site
import sys

prefix = os.path.join(os.path.abspath(sys.argv[1]), "")
all_folders = [*site.getsitepackages(), site.getusersitepackages()]
looked_in = [folder for folder in all_folders if folder.startswith(prefix + "lib")]
print(os.path.relpath(looked_in[0], prefix) if looked_in else "lib/python3/dist-packages")
