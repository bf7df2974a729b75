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
            *(*command, "--no-cache", "frontends/python", "tests/frontends/python"),
            cwd=root,
        )
        assert finished.returncode == 0, finished.stdout


def test_the_examples_of_docstrings_are_true(root, build):
    modules = sorted((build / "python/ciber").glob("*.py"))
    optional = {"law_torch.py": "torch"}
    chosen = [path for path in modules if _available(optional.get(path.name))]
    finished = run(
        "pytest",
        "-q",
        "-c",
        root / CONFIGURATION,
        "--doctest-modules",
        *chosen,
        cwd=root,
        PYTHONPATH=str(build / "python"),
    )
    assert finished.returncode == 0, finished.stdout


def _available(module):
    if module is None:
        return True
    try:
        __import__(module)
    except ImportError:
        return False
    return True
