"""What the module's page shows is what comes out."""

import doctest
import os
import sys
import unittest

try:
    import pandas  # noqa: F401, which the page uses
except ImportError:
    sys.exit(77)

PAGE = os.path.join(os.path.dirname(__file__), "../../../tools/python/README.md")


class Page(unittest.TestCase):
    def test_sessions(self):
        failed, tried = doctest.testfile(PAGE, module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        self.assertGreater(tried, 7)
        self.assertEqual(failed, 0)


if __name__ == "__main__":
    unittest.main()
