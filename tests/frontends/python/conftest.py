"""What the tests of the package share.

The package is imported from the build tree, and `wmi` is run from there: WMI_BUILD names it.
"""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("WMI_BUILD", ROOT / "build"))
sys.path.insert(0, str(BUILD / "python"))


class Wmi:
    """The command line, whose answers must be those of the package."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def run(self, program, *arguments):
        return subprocess.run(
            [str(BUILD / "bin" / program), *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
        )

    def answers(self, text, *options):
        """The JSON objects that `wmi` prints for a problem text."""
        file = self.directory / "problem.smt2"
        file.write_text(text)
        finished = self.run("wmi", "--json", *options, file)
        assert finished.returncode == 0, finished.stderr
        return [json.loads(line) for line in finished.stdout.splitlines()]


@pytest.fixture
def wmi(tmp_path):
    return Wmi(tmp_path)


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def build():
    return BUILD


@pytest.fixture
def environment():
    """Of a process that imports the package."""
    return {**os.environ, "PYTHONPATH": str(BUILD / "python")}


@pytest.fixture
def planes():
    """Problems with many cells, by a function of their number of planes."""
    return runpy.run_path(str(ROOT / "docs/examples/scale/planes.py"))["planes"]


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"skipped: {report.longrepr[2].removeprefix('Skipped: ')}")
