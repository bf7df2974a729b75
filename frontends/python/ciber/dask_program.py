"""The program `ciber-dask`: solves a job by Dask, and prints its answers."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from typing import Any

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
                solve_job(job, client, budget=given.budget, progress=_shown())
                status = _join(job, of_join)
                if status != 3 or job.rounds() == rounds:  # another round may have begun
                    return status
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


def _shown() -> Any:
    """A progress line, on a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(now: Progress) -> None:
        total = now.done + now.open
        bar = "#" * (20 * now.done // max(1, total))
        line = f"[{bar:<20}] {now.done}/{total} units, {now.cells} cells, {now.seconds:.0f} s"
        end = "\n" if now.open == 0 else ""
        print("\r" + line + "\x1b[K", end=end, file=sys.stderr, flush=True)

    return show


def run() -> None:
    """The entry point."""
    sys.exit(main())


if __name__ == "__main__":
    run()
