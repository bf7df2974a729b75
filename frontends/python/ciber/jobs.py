"""Jobs: directories of work units, which any engine may solve.

`wmi split` and `ciber query --job` make them; `docs/scale.md` says how they work. Files are the
contract: whoever solves a unit leaves `done/UNIT` in the directory, whole or not at all, and the
answers are the same bytes as those of one process.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from .errors import Error, GaveUp
from .program import find_named

if TYPE_CHECKING:
    from .problem import Problem
    from .queries import Query

_GAVE_UP = 3
_OPEN = re.compile(r"\?(\d+)")
_FILE = re.compile(r"[\d.]+(~[0-9a-f]{64})?")
_LONGEST_NAME, _KEPT = 100, 40


class Solved(NamedTuple):
    """A unit that is done: how long it took, its cells, and the units that it left."""

    unit: str
    seconds: float
    cells: int
    left: list[str]


def file_name(unit: str) -> str:
    """The file of a unit: its name, or if that is too long for a file, its beginning and digest."""
    if len(unit) <= _LONGEST_NAME:
        return unit
    return unit[:_KEPT] + "~" + hashlib.sha256(unit.encode()).hexdigest()


class Job:
    """The directory of a job."""

    __slots__ = ("arguments", "directory", "has_gap", "program")

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory).absolute()
        try:
            text = (self.directory / "job.json").read_text("utf-8")
            description = json.loads(text)
            self.program = str(description["program"])
            self.arguments = [str(one) for one in description["arguments"]]
            # Bounds of a certain width may end it before all of its units are done.
            self.has_gap = any(one.startswith("--gap=") for one in self.arguments)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise Error(
                f"{self.directory}: is no directory of a job; it has no job.json"
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Error(f"{self.directory / 'job.json'}: is damaged: {error}") from error

    def units(self) -> list[str]:
        """The units that are open."""
        return run([self.program, "units", str(self.directory)]).split()

    def solve(
        self,
        units: Sequence[str],
        budget: float | None = None,
        into: int = 4,
        memory: str | None = None,
    ) -> list[Solved]:
        """Solves units in a process of its own, each until its budget in seconds is used up.

        At a size of `memory`, such as `2G`, it hands the rest of its unit back, and solves none of
        those that follow. What is returned are those that are done.
        """
        command = [self.program, "part", str(self.directory), "--unit", ",".join(units)]
        command += ["--into", str(into)]
        if budget is not None:
            command += ["--budget", str(budget)]
        if memory is not None:
            command += ["--memory", memory]
        run(command)
        done = self._done()
        return [self.solved(unit) for unit in units if (done / file_name(unit)).exists()]

    def solved(self, unit: str) -> Solved:
        """What a unit that is done has left."""
        file = self._done() / file_name(unit)
        try:
            record = json.loads(file.read_text("utf-8").partition("\n")[0])
            numbers = [int(one) for tree in record["trees"] for one in _OPEN.findall(tree)]
            cells = sum(int(task["cells"]) for task in record["tasks"])
            seconds = float(record["seconds"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Error(f"{file}: is no result of a unit: {error}") from error
        prefix = "" if unit == "0" else unit + "."
        left = [f"{prefix}{number}" for number in range(1, max(numbers, default=0) + 1)]
        return Solved(unit, seconds, cells, left)

    def done(self) -> int:
        """How many files of units that are done there are."""
        return sum(1 for one in self._done().iterdir() if _FILE.fullmatch(one.name))

    def rounds(self) -> int:
        """How many rounds of units have begun: further ones have more precise integrals."""
        try:
            climbs = json.loads((self.directory / "round.json").read_text("utf-8"))
            return 1 + len(climbs["wmi-job-round"])
        except FileNotFoundError:
            return 1
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Error(f"{self.directory / 'round.json'}: damaged: {error}") from error

    def _done(self) -> Path:
        rounds = self.rounds()
        return self.directory / ("done" if rounds == 1 else f"done-{rounds}")

    def __repr__(self) -> str:
        return f"Job({str(self.directory)!r})"


def run(command: Sequence[str]) -> str:
    """Runs a program of the package, and returns what it prints. Raises its message as an Error."""
    child = subprocess.run(
        [str(find_named(command[0])), *command[1:]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if child.returncode == 0:
        return child.stdout
    lines = child.stderr.strip().splitlines() or ["it says nothing about the reason"]
    what = lines[-1].removeprefix(f"{command[0]}: ")
    if child.returncode < 0:
        raise GaveUp(f"{command[0]} was ended by signal {-child.returncode}")
    raise (GaveUp if child.returncode == _GAVE_UP else Error)(what)


def make_job(text: str, directory: Path, parts: int, digits: int | None) -> Job:
    """A job of a problem in SMT-LIB; or the one that is there, if it is of the same problem."""
    options = [f"--digits={digits}"] if digits else []
    if (directory / "job.json").exists():
        job = Job(directory)
        there = directory / "input" / "problem.smt2"
        try:
            same = job.arguments == options and there.read_text("utf-8") == text
        except (OSError, ValueError) as error:
            raise Error(f"{there}: cannot be read: {error}") from error
        if not same:
            raise Error(f"{directory}: the journal is of another problem; name another directory")
        return job
    directory.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{directory.name}-", dir=directory.parent) as place:
        problem = Path(place) / "problem.smt2"
        problem.write_text(text, "utf-8")
        run(["wmi", "split", str(problem), "--out", str(directory), f"--parts={parts}", *options])
    return Job(directory)


def ask_in_units(
    problem: Problem,
    queries: Iterable[Query],
    client: Any,
    journal: str | os.PathLike[str],
    digits: int | None,
) -> tuple[list[Any], list[str]]:
    """The records of the answers and warnings, of a job that is solved by a client of Dask.

    Without a client, its units are solved here, one after the other. In either case a journal that
    is there is continued.
    """
    directory = Path(journal).absolute()
    job = make_job(problem.to_smtlib(list(queries)), directory, 100, digits)
    assumptions = list(problem._core().state()[2])
    while True:
        if client is None:
            while units := job.units():
                job.solve(units)
        else:
            from .dask_jobs import solve_job

            solve_job(job, client)
        joined = _core.join_job(str(directory), assumptions)
        if joined is not None:
            return joined
