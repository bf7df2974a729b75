"""Time limits, Ctrl-C and threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import ciber
import pytest

# The probability that a random walk of many steps stays low: cells beyond counting.
STEPS = 16


def endless():
    steps = ciber.reals(f"s{i}" for i in range(STEPS))
    problem = ciber.Problem(bounds={step: (-1, 1) for step in steps})
    height, events = 0, []
    for step in steps:
        height = ciber.relu(height + step)
        events.append(height <= 2)
    return problem, ciber.conjunction(*events)


def test_a_timeout_gives_the_bounds_reached_so_far():
    problem, event = endless()
    start = time.monotonic()
    answer = problem.probability(event, timeout=0.5)
    assert time.monotonic() - start < 4
    assert not answer.complete
    assert 0 <= answer.lower < answer.upper <= 1
    assert str(answer).endswith("; stopped")


def test_cells_that_take_too_long_are_not_returned():
    problem, event = endless()
    start = time.monotonic()
    with pytest.raises(ciber.GaveUp, match="timeout"):
        problem.cells(event, timeout=0.5)
    assert time.monotonic() - start < 4


def test_a_law_that_takes_too_long_is_not_returned():
    problem, _ = endless()
    height = 0
    for i in range(STEPS):
        height = ciber.relu(height + ciber.real(f"s{i}"))
    with pytest.raises(ciber.GaveUp, match="the law of"):
        problem.distribution(height, timeout=0.5)


@pytest.mark.parametrize("certify", [False, True])
def test_ctrl_c_ends_a_question_at_once(certify):
    problem, event = endless()
    interrupted = []
    timer = threading.Timer(0.5, lambda: interrupted.append(time.monotonic()) or _interrupt())
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        problem.probability(event, certify=certify)
    assert time.monotonic() - interrupted[0] < 3


def _interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def test_other_threads_of_python_go_on_meanwhile():
    problem, event = endless()
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.01):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    problem.probability(event, timeout=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_threads_of_python_ask_at_the_same_time():
    x, y = ciber.reals("x y")
    problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
    found = []

    def ask(number):
        found.append(problem.probability(x + y <= ciber.numbers.exact(number) / 10).exact)

    threads = [threading.Thread(target=ask, args=(f"{i}",)) for i in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8


def test_a_signal_handler_of_the_user_runs_and_the_question_goes_on():
    seen = []
    x = ciber.reals(f"x{i}" for i in range(6))
    problem = ciber.Problem(bounds={one: (0, 1) for one in x})
    previous = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        start = time.monotonic()
        while not seen and time.monotonic() - start < 20:
            problem.probability(sum(x) + ciber.relu(x[0] - x[1]) <= ciber.relu(x[2] - x[3]) + 2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert seen


def test_a_daemon_thread_with_a_question_does_not_abort_the_end(build):
    code = """
import threading, time, ciber
x, y = ciber.reals("x y")
problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
def ask():
    while True:
        problem.probability(x + y < 1)
for _ in range(3):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(0.2)
"""
    for _ in range(3):
        finished = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(build / "python")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (finished.returncode, finished.stderr) == (0, "")


def test_many_digits_of_a_small_problem_obey_the_timeout():
    x, y, z = ciber.reals("x y z")
    problem = ciber.Problem(bounds={one: (0, 1) for one in (x, y, z)})
    start = time.monotonic()
    assert not problem.quantile(x + y + z, "1/3", digits=10**6, timeout=0.2).complete
    assert time.monotonic() - start < 20
