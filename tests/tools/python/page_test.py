"""What the module's pages show is what comes out."""

import doctest
import os
import unittest

from program_beside import skip

try:
    import pandas  # noqa: F401, which the page uses
except ImportError as error:
    skip("pandas", error)

FOLDER = os.path.join(os.path.dirname(__file__), "../../../tools/python")


class Pages(unittest.TestCase):
    def test_sessions(self):
        for page in ("README.md", "functions.md"):
            failed, tried = doctest.testfile(os.path.join(FOLDER, page), module_relative=False,
                                             optionflags=doctest.NORMALIZE_WHITESPACE)
            self.assertGreater(tried, 7, page)
            self.assertEqual(failed, 0, page)


if __name__ == "__main__":
    unittest.main()
