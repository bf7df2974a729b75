"""What a question in Python costs beyond solving it."""

import time
from fractions import Fraction

import ciber
from ciber import _core


def seconds(work, repetitions):
    """The least time of several tries: others use the machine too."""
    tries = []
    for _ in range(5):
        start = time.perf_counter()
        for i in range(repetitions):
            work(i)
        tries.append((time.perf_counter() - start) / repetitions)
    return min(tries)


def test_a_small_problem_costs_little_more_in_python_than_its_solution():
    x, y = ciber.reals("x y")
    problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
    parts = [ciber.Probability(x + y <= "1/3").parts()]
    core, options = problem._core(), _core.Options(0, None, None, 1, False)

    def in_python(i):
        x, y = ciber.reals("x y")
        fresh = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
        return fresh.probability(x + y <= Fraction(i + 1, 1000)).exact

    # About 1.5 times; the room is for other work on the machine.
    assert seconds(in_python, 1000) < 3 * seconds(lambda i: core.ask(parts, options), 1000)
