"""The module is installed where Debian's Python looks, and finds there what it needs."""

import os
import subprocess
import sys
import unittest

from program_beside import BUILD, temporary

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
USE = """
import nowsim
result = nowsim.run("huang-lee-2007/fig05", sets={"owner.SH": 0, "owner.TH": 0.28}, replications=2, engine="simgrid")
print(nowsim.__file__, result.file, result[0].engine)
"""


class Install(unittest.TestCase):
    def test_below_a_prefix(self):
        prefix = temporary(self)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        packages = os.path.join(prefix, "lib/python3/dist-packages")
        said = subprocess.run([sys.executable, "-c", USE], check=True, capture_output=True, text=True, cwd=prefix,
                              env={**os.environ, "PYTHONPATH": packages}).stdout
        experiment = os.path.join(prefix, "share/nowsim/experiments/huang-lee-2007/fig05.yaml")
        self.assertEqual(said, f"{packages}/nowsim/__init__.py {experiment} simgrid\n")

    def test_where_python_looks_by_itself(self):
        def printed(*words):
            return subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True).stdout.strip()

        def folder(prefix):
            return printed(os.path.join(SOURCES, "tools/cmake/python_folder.py"), prefix)

        home = os.path.expanduser("~/.local")
        looked_in = printed("-c", "import site; print(site.getusersitepackages(), *site.getsitepackages())").split()
        for prefix in (home, "/usr/local", "/usr"):
            self.assertIn(os.path.join(prefix, folder(prefix)), looked_in)
        self.assertEqual(folder("/opt/nowsim"), "lib/python3/dist-packages")


if __name__ == "__main__":
    unittest.main()
