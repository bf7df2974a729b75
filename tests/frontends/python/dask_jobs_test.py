"""Jobs by Dask: workers that are killed, a scheduler that dies, and the program ciber-dask."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import ciber
import pytest

distributed = pytest.importorskip("distributed", reason="no distributed")

from ciber.dask_jobs import solve_job  # noqa: E402
from ciber.jobs import Job  # noqa: E402


def text(planes):
    lines = [
        "(declare-const x Real) (declare-const y Real) (declare-const z Real)",
        "(assert (and (<= 0 x 1) (<= 0 y 1) (<= 0 z 1)))",
    ]
    for i in range(1, planes + 1):
        a, b, c = (i * 7) % 11, (i * 5) % 13, (i * 37) % 29
        form = f"(+ x (* (- {a} 5) y) (* (- {b} 6) z))"
        lines.append(f"(weight (< {form} (/ (- {c} 9) 7)) (+ 1 (/ x {i + 1})))")
    return "\n".join([*lines, "(get-wmi)", "(get-probability (< x y))", "(get-variance (+ x z))"])


@pytest.fixture
def make(tmp_path, wmi):
    def job(planes, parts):
        file = tmp_path / "problem.smt2"
        file.write_text(text(planes))
        made = wmi.run("wmi", "split", file, "--out", tmp_path / "job", "--parts", parts)
        assert made.returncode == 0, made.stderr
        return Job(tmp_path / "job"), wmi.run("wmi", file, "--json")

    return job


@pytest.fixture
def environment(build):
    return {**os.environ, "PYTHONPATH": str(build / "python")}


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


def test_workers_that_are_killed_do_not_change_the_answer(make, wmi):
    job, whole = make(50, 30)
    with cluster() as local, distributed.Client(local) as client:
        over = threading.Event()
        killed = []

        def kill():
            while len(killed) < 3 and not over.wait(1.0 if killed else 0.1):
                pids = [one.pid for one in local.workers.values() if one.pid]
                if pids:
                    killed.append(random.choice(pids))
                    os.kill(killed[-1], signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            solve_job(job, client, budget=0.1, retries=100)
        finally:
            over.set()
            thread.join()
    assert killed
    assert wmi.run("wmi", "join", job.directory, "--json").stdout == whole.stdout


def start_scheduler(environment, port):
    scheduler = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "distributed.cli.dask_scheduler",
            "--port",
            str(port),
            "--no-dashboard",
            "--host",
            "127.0.0.1",
        ],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "distributed.cli.dask_worker",
                f"tcp://127.0.0.1:{port}",
                "--nthreads",
                "1",
                "--no-dashboard",
                "--no-nanny",
                "--death-timeout",
                "60",
            ],
            env=environment,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    return [scheduler, *workers]


def test_the_same_command_resumes_after_the_scheduler_died(make, wmi, environment):
    job, whole = make(60, 40)
    port = random.randrange(20000, 30000)
    command = [sys.executable, "-m", "ciber.dask_program", str(job.directory)]
    command += ["--scheduler", f"tcp://127.0.0.1:{port}", "--budget", "0.5", "--", "--json"]
    processes = start_scheduler(environment, port)
    try:
        first = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while job.done() < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        for one in processes:
            one.kill()
        output, errors = first.communicate(timeout=120)
        if first.returncode == 0:
            pytest.fail("the job was over before the scheduler died: " + output)
        assert first.returncode == 3, errors
        assert "scheduler" in errors.splitlines()[-1]
        processes += start_scheduler(environment, port + 1)
        command[command.index("--scheduler") + 1] = f"tcp://127.0.0.1:{port + 1}"
        second = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
    finally:
        for one in processes:
            one.kill()
    assert second.returncode == 0, second.stderr
    assert second.stdout == whole.stdout


def test_the_program_starts_workers_and_prints_the_answers(make, environment):
    job, whole = make(8, 5)
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "ciber.dask_program",
            str(job.directory),
            "--workers",
            "2",
            "--",
            "--json",
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout == whole.stdout


def test_what_is_wrong_is_said_in_one_line(tmp_path, environment):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "ciber.dask_program", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run(str(tmp_path), "--workers", "1").returncode == 1
    assert run(str(tmp_path)).returncode == 2
