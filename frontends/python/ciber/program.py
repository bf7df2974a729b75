"""The program `ciber`, which trains networks and predicts with them, run as a child process.

Training needs LibTorch, which must not be loaded into a Python process that may have a torch of its
own; so it stays in a process of its own, and tables and run directories go through files.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from .errors import Error, GaveUp

_VARIABLE = "CIBER_PROGRAM"
_GAVE_UP = 3  # the exit status of a program that was stopped


def find_program() -> Path:
    """Where `ciber` is: $CIBER_PROGRAM, or beside the package, in its build tree or on the PATH.

    The first that can train, which needs `ciber-learning` beside it; if there is none, the first.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(f"{_VARIABLE}={named}: this is no program that can be run")
        return Path(found).absolute()
    places = [Path(one) / "ciber" for one in os.get_exec_path() if one]
    programs = [place for place in places if _is_program(place)]
    beside = _beside_package("ciber")
    if beside is not None:
        programs.insert(0, beside)
    if not programs:
        raise Error(
            "the program 'ciber', which trains and predicts, is not here; "
            f"put it on the PATH or name it in {_VARIABLE}"
        )
    learning = [one for one in programs if _is_program(one.resolve().with_name("ciber-learning"))]
    return (learning or programs)[0].absolute()


def find_named(name: str) -> Path:
    """Where `wmi` or `ciber` is, which work on jobs: beside the package, or on the PATH."""
    beside = _beside_package(name)
    if beside is not None:
        return beside
    found = shutil.which(name)
    if found is None:
        raise Error(f"the program {name!r}, which works on jobs, is not here; put it on the PATH")
    return Path(found).absolute()


def _is_program(place: Path) -> bool:
    return os.access(place, os.X_OK) and place.is_file()


def _beside_package(name: str) -> Path | None:
    """A program in the package, or in the build tree that it is in."""
    package = Path(__file__).parent  # a link in a build tree, which is not followed
    for place in (package / "bin" / name, package.parents[1] / "bin" / name):
        if _is_program(place):
            return place.absolute()
    return None


def run_program(arguments: Sequence[str], directory: Path) -> str:
    """Runs `ciber` in a directory, and returns what it prints.

    Raises its message as an Error. An exception in the meantime, such as the KeyboardInterrupt of
    Ctrl-C, kills the program and everything it has started.
    """
    child: subprocess.Popen[str] | None = None
    try:
        with _later_interrupts():  # between its start and the assignment nobody could kill it
            child = subprocess.Popen(
                [str(find_program()), *arguments],
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        printed, messages = child.communicate()
    except BaseException:
        if child is not None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
        raise
    if child.returncode != 0:
        raise _failure(child.returncode, messages)
    return printed


@contextmanager
def _later_interrupts() -> Iterator[None]:
    """Ctrl-C has its effect at the end of the block. (Only the main thread receives it.)"""
    usual = signal.getsignal(signal.SIGINT)
    if usual is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        for number in received[:1]:
            signal.raise_signal(number)


def _failure(status: int, messages: str) -> Error:
    lines = [line for line in messages.splitlines() if line.strip()]
    what = lines[-1].removeprefix("ciber: ") if lines else "it says nothing about the reason"
    if status < 0:
        return GaveUp(f"ciber was ended by signal {-status}: {what}")
    return GaveUp(what) if status == _GAVE_UP else Error(what)


@contextmanager
def working_directory() -> Iterator[Path]:
    """A directory for the files of one run of the program, removed afterwards."""
    with TemporaryDirectory(prefix="ciber-") as name:
        yield Path(name)


# The commands of an installed package.


def run_ciber() -> NoReturn:
    _become("ciber")


def run_wmi() -> NoReturn:
    _become("wmi")


def run_wmi_check() -> NoReturn:
    _become("wmi-check")


def _become(name: str) -> NoReturn:
    """Replaces this process by a program of the package, with the same arguments."""
    program = _beside_package(name)
    if program is None:
        sys.exit(f"{name}: the program is not in the package; install a wheel that has it")
    os.execv(program, [name, *sys.argv[1:]])
