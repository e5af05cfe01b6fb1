"""Runs the tests and prints a line of JSON for each: its name, what came of it, and why.

    MEADOW_URL=… MEADOW_TOKEN=… MEADOW_TEST_CONTROL=… python3 tests/run.py

`npm test -- sdks/python` starts the server that they need.
"""

import json
import sys
import traceback
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]


class Report(unittest.TestResult):
    """Prints each result at once."""

    def print(self, test, outcome, why=""):
        print(json.dumps({"test": test.id(), "outcome": outcome, "why": why}), flush=True)

    def addSuccess(self, test):
        self.print(test, "passed")

    def addSkip(self, test, reason):
        self.print(test, "skipped", reason)

    def addFailure(self, test, error):
        self.print(test, "failed", "".join(traceback.format_exception(*error)))

    def addError(self, test, error):
        self.addFailure(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            self.addFailure(subtest, error)


if __name__ == "__main__":
    pattern = sys.argv[1] if len(sys.argv) > 1 else "test_*.py"
    unittest.defaultTestLoader.discover(str(HERE), pattern).run(Report())
