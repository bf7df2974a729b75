"""Jobs from Python: the questions of a problem in units, alone and by joblib."""

import math
import runpy
import subprocess
import sys
from fractions import Fraction

import ciber
import pytest
from ciber.jobs import Job


def problem():
    x, y, z = ciber.reals("x y z")
    p = ciber.Problem(bounds={x: (0, 1), y: (0, 1), z: (0, 1)})
    for i in range(1, 30):
        form = x + ((i * 7) % 11 - 5) * y + ((i * 5) % 13 - 6) * z
        p.weight(1 + x / i, form < Fraction((i * 37) % 29 - 9, 7))
    return p, [
        ciber.Wmi(),
        ciber.Probability(x < y),
        ciber.Variance(x + z),
    ]


def values(answers):
    return [(one.exact, one.lower, one.upper, one.cells) for one in answers]


def test_answers_in_units_are_those_of_one_process(tmp_path):
    p, queries = problem()
    journal = tmp_path / "job"
    found = p.ask(queries, journal=journal)
    whole = p.ask(queries)
    assert values(found) == values(whole)
    assert len(list((journal / "done").iterdir())) > 10
    assert Job(journal).units() == []


def test_a_law_in_units_is_that_of_one_process(tmp_path):
    x, y = ciber.reals("x y")
    p = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[(x, x < y), (2, x + y < 1)])
    assert p.distribution(x, journal=tmp_path / "job") == p.distribution(x)


def test_a_journal_is_continued(tmp_path):
    p, queries = problem()
    journal = tmp_path / "job"
    expected = values(p.ask(queries, journal=journal))
    removed = sorted((journal / "done").iterdir())[3]
    before = {one: one.stat().st_mtime_ns for one in (journal / "done").iterdir()}
    removed.unlink()
    assert values(p.ask(queries, journal=journal)) == expected
    assert all(one.stat().st_mtime_ns == time for one, time in before.items() if one != removed)


def test_a_journal_of_another_problem_is_refused(tmp_path):
    p, queries = problem()
    p.ask(queries[:1], journal=tmp_path / "job")
    with pytest.raises(ciber.Error, match="another problem"):
        p.ask(queries[1:2], journal=tmp_path / "job")
    with pytest.raises(ciber.Error, match="another problem"):
        p.ask(queries[:1], digits=5, journal=tmp_path / "job")


def test_digits_are_those_of_one_process(tmp_path):
    p, queries = problem()
    found = p.ask(queries[:3], digits=6, journal=tmp_path / "job")
    assert values(found) == values(p.ask(queries[:3], digits=6))


@pytest.mark.parametrize("option", [{"gap": 1}, {"timeout": 5}, {"certify": True}])
def test_what_does_not_go_with_a_journal_is_refused(tmp_path, option):
    p, queries = problem()
    with pytest.raises(ciber.Error, match="does not go with journal"):
        p.ask(queries, journal=tmp_path / "job", **option)
    with pytest.raises(ciber.Error, match="journal"):
        p.ask(queries, client=object())


def test_errors_of_programs_are_raised(tmp_path):
    with pytest.raises(ciber.Error, match="no directory of a job"):
        Job(tmp_path)
    p, queries = problem()
    p.ask(queries[:1], journal=tmp_path / "job")
    with pytest.raises(ciber.Error, match="there is no unit"):
        Job(tmp_path / "job").solve(["1000000"])


def test_a_unit_can_be_handed_back_as_often_as_it_takes(tmp_path, wmi):
    # A chain of cells, one a process: the names of the units become longer than those of files.
    weights = [f"(weight (< x (/ {i} 71)) (/ 1001 1000))" for i in range(1, 71)]
    file = tmp_path / "problem.smt2"
    file.write_text(
        "(declare-const x Real) (assert (<= 0 x 1))\n" + "\n".join(weights) + "\n(get-wmi)\n"
    )
    assert wmi.run("wmi", "split", file, "--out", tmp_path / "job", "--parts", 1).returncode == 0
    job = Job(tmp_path / "job")
    units, count = job.units(), 0
    while units:
        (solved,) = job.solve(units, budget=1e-6, into=1)
        units, count = solved.left, count + 1
    assert len(solved.unit) > 100
    assert job.done() == count + 1  # and the root
    assert wmi.run("wmi", "join", job.directory, "--json").stdout == (
        wmi.run("wmi", file, "--json").stdout
    )


def test_a_journal_that_is_damaged_is_named(tmp_path):
    p, queries = problem()
    p.ask(queries[:1], journal=tmp_path / "job")
    (tmp_path / "job/input/problem.smt2").unlink()
    with pytest.raises(ciber.Error, match=r"input/problem.smt2: cannot be read"):
        p.ask(queries[:1], journal=tmp_path / "job")
    (tmp_path / "job/job.json").write_text("{")
    with pytest.raises(ciber.Error, match=r"job.json: is damaged"):
        p.ask(queries[:1], journal=tmp_path / "job")


def test_joblib_solves_a_job(tmp_path, wmi, root, build):
    pytest.importorskip("joblib", reason="no joblib")
    p, queries = problem()
    file = tmp_path / "problem.smt2"
    file.write_text(p.to_smtlib(queries))
    job = tmp_path / "job"
    assert wmi.run("wmi", "split", file, "--out", job, "--parts", 12).returncode == 0
    subprocess.run(
        [sys.executable, root / "docs/examples/scale/with_joblib.py", job, "2"],
        check=True,
        env={"PYTHONPATH": str(build / "python"), "PATH": "/usr/bin:/bin"},
    )
    assert wmi.run("wmi", "join", job, "--json").stdout == wmi.run("wmi", file, "--json").stdout


def test_the_model_of_many_cores_agrees_with_what_can_be_counted(root):
    simulate = runpy.run_path(str(root / "docs/examples/scale/simulate.py"))["simulate"]

    def model(seconds, cores, **given):
        free = {"start": 0, "budget": math.inf, "into": 4, "split": 0, "join": 0}
        return simulate(seconds, cores, **{**free, "mtbf": 0, "restart": 1, "seed": 1, **given})

    assert model([3.0] * 8, 4) == (6.0, 0, 8)
    assert model([8.0, 1.0, 1.0, 1.0], 2)[0] == 8.0  # the longest unit decides
    # split, two units one after the other that each start a process, and join reads both.
    assert model([3.0] * 2, 1, start=1, split=2, join=0.5) == (2 + 2 * (1 + 3) + 2 * 0.5, 0, 2)
    assert model([8.0], 4, budget=4) == (4 + 1, 0, 5)  # the rest in four
    assert model([8.0], 4, budget=4, start=1) == (4 + 1 + 2, 0, 5)
    time, failures, done = model([10.0] * 50, 5, mtbf=30, restart=5)
    assert done == 50
    assert failures > 0
    assert time > 100
