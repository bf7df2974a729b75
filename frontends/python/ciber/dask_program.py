"""The program `ciber-dask`: solves a job by Dask, and prints its answers."""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Any, TextIO

from .dask_jobs import Progress, solve_job
from .errors import Error, GaveUp
from .jobs import Job
from .program import find_named


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: that of `join`, or 3 if the scheduler is gone."""
    parser = argparse.ArgumentParser(
        prog="ciber-dask",
        description="Solves a job of wmi split or ciber --job by Dask, and prints its answers. "
        "Run it again if anything dies: it goes on from the files of the job.",
        epilog="Options after -- are those of join: ciber-dask JOB --workers 4 -- --json",
    )
    parser.add_argument("job", help="the directory of the job, which all workers must see")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster: tcp://host:8786")
    where.add_argument("--workers", metavar="N", type=_count, help="start so many on this machine")
    parser.add_argument(
        "--budget",
        metavar="SECONDS",
        type=_seconds,
        default=30.0,
        help="of a unit, at most (default: 30)",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=_size,
        help="of a process that solves units: it hands the rest back at a size such as 2G",
    )
    words = list(sys.argv[1:] if arguments is None else arguments)
    mark = words.index("--") if "--" in words else len(words)
    given, of_join = parser.parse_args(words[:mark]), words[mark + 1 :]
    try:
        job = Job(given.job)
        status = _join(job, [*of_join, "--print-config"], stdout=subprocess.DEVNULL)
        if status != 0:  # rather now than when all units are done
            return status
        with _client(given.scheduler, given.workers) as client:
            while True:
                rounds = job.rounds()
                with Shown(sys.stderr) as shown:
                    solve_job(
                        job,
                        client,
                        budget=given.budget,
                        memory=given.memory,
                        progress=shown.show,
                    )
                status = _join(job, of_join)
                if status != 3 or job.rounds() == rounds:  # another round may have begun
                    return status
    except KeyboardInterrupt:
        print("ciber-dask: interrupted; the same command goes on from the files", file=sys.stderr)
        return 130
    except GaveUp as error:
        print(f"ciber-dask: {error}", file=sys.stderr)
        return 3
    except Error as error:
        print(f"ciber-dask: {error}", file=sys.stderr)
        return 1


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 10_000:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 to 10000")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e9:  # nan is not
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return seconds


def _size(text: str) -> str:
    if not re.fullmatch(r"(?=.*[1-9])\d+(\.\d+)?[KMG]?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"'{text}' is no size such as 500M or 2G")
    return text


def _client(scheduler: str | None, workers: int | None) -> Any:
    try:
        from distributed import Client, LocalCluster
        from distributed.comm.addressing import parse_address
        from distributed.comm.registry import get_backend
    except ImportError as error:
        raise Error("Dask is not installed: pip install 'ciber[dask]'") from error
    try:
        if scheduler is not None:
            get_backend(parse_address(scheduler)[0])
            return Client(scheduler, timeout=20, set_as_default=False)
        shown = importlib.util.find_spec("bokeh") is not None
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0" if shown else None,
        )
        if shown:
            print(f"ciber-dask: dashboard at {cluster.dashboard_link}", file=sys.stderr)
        return Client(cluster, set_as_default=False)
    except ValueError as error:
        raise Error(f"--scheduler: '{scheduler}' is no address: {error}") from error
    except OSError as error:
        raise GaveUp(f"there is no scheduler at {scheduler}: {error}") from error


def _join(job: Job, options: list[str], **streams: Any) -> int:
    command = [str(find_named(job.program)), "join", str(job.directory), *options]
    return subprocess.run(command, check=False, **streams).returncode


class Shown:
    """Progress: a bar on a terminal, and elsewhere a line a minute, also while nothing happens."""

    def __init__(self, stream: TextIO, every: float = 60.0) -> None:
        self._stream, self._every = stream, every
        self._now: tuple[Progress, float] | None = None  # and when that was
        self._over = threading.Event()
        self._lines = None if stream.isatty() else threading.Thread(target=self._write, daemon=True)

    def show(self, now: Progress) -> None:
        """Takes note of it, or draws it."""
        self._now = now, time.monotonic()
        if self._lines is not None:
            return
        bar = "#" * (20 * now.done // max(1, now.done + now.open))
        end = "\n" if now.open == 0 else ""
        line = f"\r[{bar:<20}] {_text(now, now.seconds)}\x1b[K"
        print(line, end=end, file=self._stream, flush=True)

    def _write(self) -> None:
        while not self._over.wait(self._every):
            if self._now is not None:
                now, then = self._now
                text = _text(now, now.seconds + time.monotonic() - then)
                print(f"ciber-dask: {text}", file=self._stream, flush=True)

    def __enter__(self) -> Shown:
        if self._lines is not None:
            self._lines.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._lines is not None:
            self._lines.join()
        elif self._now is not None and self._now[0].open > 0:
            print(file=self._stream)  # so that a message begins a line


def _text(now: Progress, seconds: float) -> str:
    workers = "1 worker" if now.workers == 1 else f"{now.workers} workers"
    units = f"{now.done}/{now.done + now.open} units, {now.cells} cells"
    return f"{units}, {workers}, {seconds:.0f} s"


def run() -> None:
    """The entry point."""
    sys.exit(main())


if __name__ == "__main__":
    run()
