"""Jobs by Dask: a client, and the program ciber-dask."""

import importlib
import io
import os
import pty
import re
import subprocess
import sys
import threading
import time
import urllib.request

import ciber
import pytest

distributed = pytest.importorskip("distributed", reason="no distributed")

from ciber import dask_jobs  # noqa: E402
from ciber.dask_jobs import Progress, solve_job  # noqa: E402
from ciber.dask_program import Shown  # noqa: E402
from ciber.jobs import Job  # noqa: E402


@pytest.fixture
def make(tmp_path, wmi, planes):
    def job(count, parts):
        file = tmp_path / "problem.smt2"
        file.write_text(planes(count) + "(get-variance (+ x z))")
        made = wmi.run("wmi", "split", file, "--out", tmp_path / "job", "--parts", parts)
        assert made.returncode == 0, made.stderr
        return Job(tmp_path / "job"), wmi.run("wmi", file, "--json")

    return job


def cluster(**options):
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, **options
    )


def test_a_client_solves_a_job(make, wmi):
    job, whole = make(10, 8)
    seen = []
    with cluster() as local, distributed.Client(local) as client:
        solve_job(job, client, budget=0.05, progress=seen.append)
    assert wmi.run("wmi", "join", job.directory, "--json").stdout == whole.stdout
    assert seen[-1].open == 0
    assert seen[-1].done >= 8


def test_few_units_are_split_until_no_worker_is_idle(make, wmi):
    job, whole = make(45, 1)
    with cluster() as local, distributed.Client(local) as client:
        solve_job(job, client, budget=0.05)
    assert job.done() > 2
    assert wmi.run("wmi", "join", job.directory, "--json").stdout == whole.stdout


def test_questions_of_a_problem_are_answered_by_a_client(tmp_path):
    x, y = ciber.reals("x y")
    p = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[(x, x < y), (2, x + y < 1)])
    with cluster() as local, distributed.Client(local) as client:
        found = p.ask([ciber.Wmi(), ciber.Expectation(x)], client=client, journal=tmp_path / "job")
    assert [one.exact for one in found] == [
        one.exact for one in p.ask([ciber.Wmi(), ciber.Expectation(x)])
    ]


@pytest.fixture
def ciber_dask(environment):
    """Runs the program."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "ciber.dask_program", *map(str, arguments)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def test_the_program_starts_workers_and_prints_the_answers(make, ciber_dask):
    job, whole = make(8, 5)
    found = ciber_dask(job.directory, "--workers", 2, "--memory", "1G", "--", "--json")
    assert found.returncode == 0, found.stderr
    assert found.stdout == whole.stdout


@pytest.mark.parametrize("planes", [1, 4])  # with one, no unit is left to solve
def test_a_further_round_of_units_is_solved_too(tmp_path, wmi, ciber_dask, planes):
    cuts = ["(+ x y z) 1", "(+ x y) z", "(+ x z) y", "(+ y z) x"][:planes]
    file = tmp_path / "problem.smt2"
    file.write_text(
        "(declare-const x Real) (declare-const y Real) (declare-const z Real)\n"
        "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))\n"
        "(weight true (- (* 1.000000001 x x x) 0.25))\n"
        + "".join(f"(weight (< {cut}) 0.9999999999)\n" for cut in cuts)
        + "(get-wmi)\n"
    )
    job = tmp_path / "job"
    made = wmi.run("wmi", "split", file, "--digits", 8, "--parts", 3, "--out", job)
    assert made.returncode == 0, made.stderr
    found = ciber_dask(job, "--workers", 1)
    assert found.returncode == 0, found.stderr
    assert found.stdout == wmi.run("wmi", file, "--digits", 8).stdout
    assert Job(job).rounds() == 2
    assert (Job(job).done() > 1) == (planes == 4)


def test_a_gap_ends_a_job_before_all_units_are_done(tmp_path, wmi, planes):
    file = tmp_path / "problem.smt2"
    file.write_text(planes(30))
    made = wmi.run("wmi", "split", file, "--out", tmp_path / "job", "--gap", "0.9", "--parts", 40)
    assert made.returncode == 0, made.stderr
    job = Job(tmp_path / "job")
    assert job.has_gap
    with cluster() as local, distributed.Client(local) as client:
        dispatch = dask_jobs._Dispatch(job, client, 0.05, 10, None, None)
        dispatch._GAP_SECONDS = 0.0
        dispatch.run()
    assert job.units() == []
    joined = wmi.run("wmi", "join", job.directory)
    assert joined.returncode == 0, joined.stderr


def test_a_unit_that_always_fails_is_named_when_all_others_are_done(make):
    job, _ = make(8, 12)
    (job.directory / "done/3").mkdir()  # no file can have this name
    with (
        cluster() as local,
        distributed.Client(local) as client,
        pytest.raises(ciber.Error, match=r"^unit 3 has failed \d+ times: .*Is a directory"),
    ):
        solve_job(job, client, retries=2)
    assert job.units() == ["3"]


def test_while_there_are_no_workers_units_wait(make):
    class NoWorkers:
        def nthreads(self):
            return {}

    job, _ = make(8, 5)
    dispatch = dask_jobs._Dispatch(job, NoWorkers(), 1.0, 3, None, None)
    dispatch.waiting.clear()
    dispatch._requeue(["1", "2"], "its worker has died")
    assert list(dispatch.waiting) == ["1", "2"]


def test_a_task_whose_workers_are_gone_is_given_to_others(make, wmi):
    job, whole = make(8, 5)
    with cluster() as local, distributed.Client(local) as client:
        dispatch = dask_jobs._Dispatch(job, client, 1.0, 3, None, None)
        there = list(client.nthreads())
        dispatch._failing = dict.fromkeys(there, 2)
        seen = []

        def workers():
            seen.append(None)
            gone = {"tcp://127.0.0.1:1": 1} if len(seen) == 1 else {}
            return {**dict.fromkeys(there, 1), **gone}

        dispatch._workers = workers
        solving = threading.Thread(target=dispatch.run, daemon=True)
        solving.start()
        solving.join(timeout=200)  # it would be forever
        assert not solving.is_alive()
    assert job.units() == []
    assert wmi.run("wmi", "join", job.directory, "--json").stdout == whole.stdout


def test_units_that_a_full_process_did_not_reach_are_solved_later(make):
    job, _ = make(8, 5)
    dispatch = dask_jobs._Dispatch(job, None, 1.0, 3, "1G", None)
    dispatch.waiting.clear()
    dispatch._take(_Future(("worker", job.solve(["1"], memory="1G"))), ["1", "2"])
    assert "2" in dispatch.waiting
    assert "1" not in dispatch.waiting


class _Future:
    status = "finished"

    def __init__(self, value):
        self._value = value

    def result(self):
        return self._value


def test_without_a_terminal_progress_is_a_line_now_and_then():
    stream = io.StringIO()
    with Shown(stream, every=0.001) as shown:
        shown.show(Progress(3, 7, 1000, 5.0, 2))
        while stream.getvalue().count("\n") < 2:  # though nothing happens
            time.sleep(0.001)
    lines = stream.getvalue().splitlines()
    assert re.fullmatch(r"ciber-dask: 3/10 units, 1000 cells, 2 workers, \d+ s", lines[0])


def test_after_the_bar_a_message_begins_a_line():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for left in (7, 0):
        stream = Terminal()
        with Shown(stream) as shown:
            shown.show(Progress(3, left, 1000, 5.0, 1))
        assert stream.getvalue().count("\n") == 1
        assert stream.getvalue().endswith("\n")
        assert f"3/{3 + left} units, 1000 cells, 1 worker, 5 s" in stream.getvalue()


def test_the_dashboard_shows_the_job_and_a_terminal_a_bar(make, environment):
    pytest.importorskip("bokeh", reason="no bokeh")
    job, whole = make(40, 30)
    terminal, its_end = pty.openpty()
    command = [sys.executable, "-m", "ciber.dask_program", str(job.directory)]
    program = subprocess.Popen(
        [*command, "--workers", "1", "--budget", "0.3", "--", "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=its_end,
        text=True,
    )
    os.close(its_end)
    shown, page = "", None
    try:
        while chunk := os.read(terminal, 4096).decode():
            shown += chunk
            link = re.search(r"dashboard at (\S+)\s", shown)
            if link and page is None and "units" in shown:
                page = urllib.request.urlopen(link[1], timeout=30).read().decode()
    except OSError:  # the other end is closed
        pass
    output, _ = program.communicate(timeout=60)
    assert program.returncode == 0, shown
    assert output == whole.stdout
    assert page is not None
    assert "Dask" in page
    bars = re.findall(r"\[(#*) *\] (\d+)/(\d+) units, (\d+) cells", shown)
    assert len(bars) > 1
    assert bars[-1][1] == bars[-1][2]
    assert len(bars[-1][0]) == 20


def test_what_is_wrong_is_said_in_one_line(tmp_path, make, ciber_dask):
    def said(status, *arguments):
        found = ciber_dask(*arguments)
        assert found.returncode == status, found.stderr
        assert found.stdout == ""
        assert "Traceback" not in found.stderr
        return found.stderr.splitlines()[-1]

    nothing = f"{tmp_path}: is no directory of a job; it has no job.json"
    assert said(1, tmp_path, "--workers", 1) == f"ciber-dask: {nothing}"
    assert "required: job" in said(2, "--workers", 1)
    assert "one of the arguments --scheduler --workers" in said(2, tmp_path)
    for wrong in ("0", "-1", "x", ""):
        assert "--workers" in said(2, tmp_path, "--workers", wrong)
    for wrong in ("0", "-1", "nan", "inf", "x"):
        assert "--budget" in said(2, tmp_path, "--workers", 1, "--budget", wrong)
    for wrong in ("0", "-1", "x", "2GB", "1e3"):
        assert "--memory" in said(2, tmp_path, "--workers", 1, "--memory", wrong)
    job, _ = make(8, 5)
    assert "'nothing://here' is no address" in said(
        1, job.directory, "--scheduler", "nothing://here"
    )
    # Options of join are looked at before the units are solved.
    assert "no such option" in said(2, job.directory, "--workers", 1, "--", "--nothing")
    assert job.units()


def test_the_command_that_is_documented_is_installed_with_the_package(root):
    tomllib = pytest.importorskip("tomllib", reason="no tomllib before Python 3.11")
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert "distributed" in project["optional-dependencies"]["dask"]
    for command in ("ciber-dask", "ciber", "wmi", "wmi-check"):
        module, _, function = project["scripts"][command].partition(":")
        assert callable(getattr(importlib.import_module(module), function))
