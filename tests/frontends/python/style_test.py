"""The package is typed and tidy, and its examples are true."""

import os
import subprocess
import sys

import pytest

CONFIGURATION = "pyproject.toml"


def run(module, *arguments, cwd, **environment):
    pytest.importorskip(module, reason=f"no {module}")
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_mypy_finds_nothing_in_strict_mode(root, tmp_path):
    finished = run(
        "mypy",
        *("--config-file", root / CONFIGURATION, "--cache-dir", tmp_path, "-p", "ciber"),
        cwd=root / "frontends/python",
    )
    assert finished.returncode == 0, finished.stdout


def test_ruff_finds_nothing(root):
    for command in (["check"], ["format", "--check"]):
        finished = run(
            "ruff",
            *(*command, "--no-cache"),
            *("frontends/python", "tests/frontends/python", "docs/notebooks"),
            cwd=root,
        )
        assert finished.returncode == 0, finished.stdout


def test_the_examples_of_docstrings_are_true(root, build):
    finished = run(
        "pytest",
        *("-q", "-c", root / CONFIGURATION, "--doctest-modules", "--doctest-ignore-import-errors"),
        build / "python/ciber",
        cwd=root,
        PYTHONPATH=str(build / "python"),
    )
    assert finished.returncode == 0, finished.stdout
