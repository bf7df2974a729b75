"""Jobs on Dask: the scheduler hands out units, and the files of the job are the result.

A worker that dies costs the units it had, which are solved elsewhere. If the scheduler or this
process dies, the same call goes on from the files. Workers must see the directory of the job under
the same path.
"""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from .errors import Error, GaveUp
from .jobs import Job, Solved


class Progress(NamedTuple):
    """How far a job is: units done and open, cells, seconds since the start, workers."""

    done: int
    open: int
    cells: int
    seconds: float
    workers: int


class Failed(NamedTuple):
    """Why a worker could not solve its units, such as a full disk; and which worker."""

    worker: str
    reason: str


def solve_units(
    directory: str, units: list[str], budget: float | None, into: int, memory: str | None
) -> tuple[str, list[Solved]] | Failed:
    """What a worker does; with its address."""
    from distributed import get_worker

    worker = str(get_worker().address)
    try:
        return worker, Job(directory).solve(units, budget, into, memory)
    except (Error, GaveUp) as error:
        return Failed(worker, str(error))


def solve_job(
    job: Job,
    client: Any,
    *,
    budget: float = 30.0,
    retries: int = 10,
    memory: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> None:
    """Solves all units of a job that are open, by a `distributed.Client`.

    The budget of a unit grows to `budget` with the time that the job has taken, so that the last
    unit to end, for which all other workers wait, is a small part of the whole. While there are
    fewer units than workers, units have a short budget and hand most of their work back, so that no
    worker stays idle; when there are many, several small ones go into one task. A
    unit that fails is tried again, `retries` times; a worker on which two in a row fail gets no
    more of them while there are others. A job with a gap ends when its bounds are narrow enough.
    A process that reaches the size `memory`, such as `2G`, hands the rest of its unit back.
    Raises GaveUp if the scheduler is gone, and Error if units still fail when all others are done.
    """
    dispatch = _Dispatch(job, client, budget, retries, memory, progress)
    while dispatch.waiting:
        try:
            dispatch.run()
        except (OSError, TimeoutError, RuntimeError) as error:
            raise GaveUp(
                f"the scheduler is gone ({type(error).__name__}); "
                "the same call goes on from the files"
            ) from error
        # What a lost message may have hidden.
        dispatch.waiting.extend(unit for unit in job.units() if unit not in dispatch.hopeless)
    if dispatch.hopeless:
        raise Error(next(iter(dispatch.hopeless.values())))


class _Task(NamedTuple):
    """Units that are solved together, by one of these workers; by any if there are none."""

    units: list[str]
    workers: frozenset[str]


class _Dispatch:
    """Units that wait, and tasks of the scheduler that solve others."""

    _FAILURES = 2  # in a row, after which a worker is not asked again
    _SHORT = 1.0  # the least budget, in seconds
    _GAP_SECONDS = 5.0  # between two looks at the bounds
    _LOOK_SECONDS = 1.0  # between two looks at the workers
    _PAUSE = 0.05  # while no task ends

    def __init__(
        self,
        job: Job,
        client: Any,
        budget: float,
        retries: int,
        memory: str | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.waiting = deque(job.units())
        self.hopeless: dict[str, str] = {}  # units that failed too often, and what is said of them
        self._job, self._client, self._budget = job, client, budget
        self._retries, self._memory, self._progress = retries, memory, progress
        self._start = self._looked = time.monotonic()
        self._failures: dict[str, int] = {}  # of units
        self._failing: dict[str, int] = {}  # of workers, in a row
        self._running: dict[Any, _Task] = {}
        self._done, self._cells, self._longest = 0, 0, 0.0

    def run(self) -> None:
        """Until no unit is left that is known here."""
        from distributed import as_completed

        finished = as_completed(loop=self._client.loop)
        workers = self._workers()  # asks the scheduler
        self._submit(finished, workers)
        self._show(workers)
        looked = time.monotonic()
        while self._running:
            ended = finished.next_batch(block=False)
            if self._client.status != "running":
                raise OSError("the client has lost its scheduler")
            for future in ended:
                if (task := self._running.pop(future, None)) is not None:
                    self._take(future, task.units)
            if not ended and time.monotonic() - looked < self._LOOK_SECONDS:
                time.sleep(self._PAUSE)
                continue
            looked = time.monotonic()
            workers = self._workers()
            self._recall(workers)
            if self._enough():
                self.waiting.clear()
                self._client.cancel(list(self._running))
                self._running.clear()
            self._submit(finished, workers)
            self._show(workers)

    def _recall(self, workers: dict[str, int]) -> None:
        """Takes back tasks that would wait forever, for workers that are all gone."""
        lost = [
            future
            for future, task in self._running.items()
            if task.workers and task.workers.isdisjoint(workers)
        ]
        if not lost:
            return
        self._client.cancel(lost)
        for future in lost:
            self.waiting.extend(self._running.pop(future).units)

    def _show(self, workers: dict[str, int]) -> None:
        if self._progress is None:
            return
        running = sum(len(task.units) for task in self._running.values())
        left = len(self.waiting) + running + len(self.hopeless)
        seconds = time.monotonic() - self._start
        self._progress(Progress(self._done, left, self._cells, seconds, len(workers)))

    def _take(self, future: Any, units: list[str]) -> None:
        if future.status != "finished":
            error = future.exception() if future.status != "cancelled" else Error("cancelled")
            return self._requeue(units, str(error))
        result = future.result()
        if isinstance(result, Failed):
            self._failing[result.worker] = self._failing.get(result.worker, 0) + 1
            return self._requeue(units, result.reason)
        worker, all_solved = result
        self._failing[worker] = 0
        for solved in all_solved:
            self._done += 1
            self._cells += solved.cells
            self._longest = max(self._longest, solved.seconds)
            self.waiting.extend(solved.left)
        done = {solved.unit for solved in all_solved}
        self.waiting.extend(unit for unit in units if unit not in done)
        return None

    def _requeue(self, units: list[str], reason: str) -> None:
        workers = self._workers()
        none_works = workers and all(self._failing.get(one, 0) > self._FAILURES for one in workers)
        for unit in units:
            count = self._failures[unit] = self._failures.get(unit, 0) + 1
            times = "once" if count == 1 else f"{count} times"
            what = f"unit {unit} has failed {times}: {reason}"
            if none_works or (count > self._retries and self._done == 0):
                raise Error(what)  # it is not this unit alone
            if count > self._retries:
                self.hopeless[unit] = what
            else:
                self.waiting.append(unit)

    def _enough(self) -> bool:
        if not self._job.has_gap or time.monotonic() - self._looked < self._GAP_SECONDS:
            return False
        self._looked = time.monotonic()
        return not self._job.units()

    def _workers(self) -> dict[str, int]:
        return dict(self._client.nthreads())

    def _budget_now(self, few: bool) -> float:
        """A tenth of the time so far; two seconds at most where few units are left."""
        tenth = max(self._SHORT, (time.monotonic() - self._start) / 10)
        return min(self._budget, tenth, 2.0 if few else tenth)

    def _submit(self, finished: Any, threads: dict[str, int]) -> None:
        good = [one for one in threads if self._failing.get(one, 0) < self._FAILURES]
        workers = max(1, sum(threads[one] for one in good or threads))
        allowed = frozenset(good) if 0 < len(good) < len(threads) else frozenset()  # empty: all
        while self.waiting and len(self._running) < 2 * workers:
            few = len(self.waiting) + len(self._running) < 2 * workers
            # Units that are quicker than starting a process are not worth one each.
            size = 1 if few or self._longest > 1 else 1 + len(self.waiting) // (4 * workers)
            units = [self.waiting.popleft() for _ in range(min(16, size, len(self.waiting)))]
            future = self._client.submit(
                solve_units,
                str(self._job.directory),
                units,
                self._budget_now(few),
                2 * workers if few else 4,
                self._memory,
                key=f"unit-{units[0]}-{uuid.uuid4().hex[:8]}",  # as the dashboard shows it
                workers=sorted(allowed) or None,
                pure=False,
                retries=2,
            )
            self._running[future] = _Task(units, allowed)
            finished.add(future)
