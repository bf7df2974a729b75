"""Jobs on Dask: the scheduler hands out units, and the files of the job are the result.

A worker that dies costs the units it had, which are solved elsewhere. If the scheduler or this
process dies, the same call goes on from the files. Workers must see the directory of the job under
the same path.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from .errors import Error, GaveUp
from .jobs import Job, Solved


class Progress(NamedTuple):
    """How far a job is: units done and open, cells, seconds since the start."""

    done: int
    open: int
    cells: int
    seconds: float


def solve_units(directory: str, units: list[str], budget: float | None, into: int) -> list[Solved]:
    """What a worker does."""
    return Job(directory).solve(units, budget, into)


def solve_job(
    job: Job,
    client: Any,
    *,
    budget: float = 30.0,
    retries: int = 10,
    progress: Callable[[Progress], None] | None = None,
) -> None:
    """Solves all units of a job that are open, by a `distributed.Client`.

    While there are fewer units than workers, units have a short budget and hand most of their work
    back, so that no worker stays idle; when there are many, several small ones go into one task. A
    unit that fails is tried again, `retries` times. Raises GaveUp if the scheduler is gone.
    """
    from distributed import as_completed

    start = time.monotonic()
    waiting = deque(job.units())
    failures: dict[str, int] = {}
    running: dict[Any, list[str]] = {}
    done, cells, longest = 0, 0, 0.0
    finished = as_completed(loop=client.loop)

    def submit() -> None:
        workers = max(1, sum(client.nthreads().values()))
        while waiting and len(running) < 2 * workers:
            few = len(waiting) + len(running) < 2 * workers
            # Units that are quicker than starting a process are not worth one each.
            size = 1 if few or longest > 1 else min(16, 1 + len(waiting) // (4 * workers))
            units = [waiting.popleft() for _ in range(min(size, len(waiting)))]
            future = client.submit(
                solve_units,
                str(job.directory),
                units,
                min(budget, 2.0) if few else budget,
                2 * workers if few else 4,
                pure=False,
                retries=2,
            )
            running[future] = units
            finished.add(future)

    try:
        submit()
        while running:
            future = next(finished)
            units = running.pop(future)
            if client.status != "running":
                raise OSError("the client has lost its scheduler")
            error = future.exception() if future.status != "cancelled" else Error("cancelled")
            if future.status == "finished":
                for solved in future.result():
                    done += 1
                    cells += solved.cells
                    longest = max(longest, solved.seconds)
                    waiting.extend(solved.left)
            else:
                _requeue(units, error, failures, retries, waiting)
            submit()
            if progress is not None:
                open_units = len(waiting) + sum(map(len, running.values()))
                progress(Progress(done, open_units, cells, time.monotonic() - start))
    except (OSError, TimeoutError, RuntimeError) as error:
        raise GaveUp(
            f"the scheduler is gone ({type(error).__name__}); the same call goes on from the files"
        ) from error
    left = job.units()  # what a lost message may have hidden
    if left:
        solve_job(job, client, budget=budget, retries=retries, progress=progress)


def _requeue(
    units: list[str],
    error: BaseException | None,
    failures: dict[str, int],
    retries: int,
    waiting: deque[str],
) -> None:
    for unit in units:
        failures[unit] = failures.get(unit, 0) + 1
        if failures[unit] > retries:
            raise Error(f"unit {unit} has failed {failures[unit]} times: {error}") from error
    waiting.extend(units)
