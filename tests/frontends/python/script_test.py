import pickle
from fractions import Fraction

import ciber
import pytest

TEXT = """
(declare-const x Real) (declare-const a Bool)
(assert (<= 0 x 2))
(weight a x)
(get-probability a :given (< x 1))
(get-distribution x)
(check-sat)
"""


def test_a_script_answers_its_queries():
    script = ciber.parse(TEXT)
    probability, law, satisfiable = script.answers()
    assert probability == Fraction(1, 3)
    assert law.law.pieces == [(0, 2, (Fraction(1, 4), Fraction(1, 4)))]
    assert satisfiable.text == "sat"
    assert script.queries[0] == "(get-probability a :given (< x 1))"
    assert probability.query == script.queries[0]


def test_the_problem_of_a_script_is_asked_further():
    problem = ciber.parse(TEXT).problem
    x, a = ciber.real("x"), ciber.boolean("a")
    assert problem.reals == ["x"]
    assert problem.booleans == ["a"]
    assert problem.probability(a) == Fraction(1, 2)
    problem.add(x < 1)
    assert problem.probability(a) == Fraction(1, 3)


def test_push_and_pop_make_several_problems():
    script = ciber.parse(
        "(declare-const x Real) (assert (<= 0 x 1)) (get-wmi)(push 1)(assert (< x 0.5))(get-wmi)"
    )
    assert [problem.wmi().exact for problem in script.problems] == [1, Fraction(1, 2)]
    assert script.answers() == [1, Fraction(1, 2)]


@pytest.mark.parametrize("format", [None, "smtlib"])
def test_the_examples_are_read_from_files(root, format):
    answers = ciber.read(root / "docs/examples/relu.smt2", format).answers()
    assert answers[0] == 1


FILES = ["pywmi/two.json", "wmpy/four.json", "kolb/one.txt", "road/evidence.json"]


@pytest.mark.parametrize("file", [*FILES, "sequential/three.txt"])
def test_every_format_is_read_as_the_command_line_reads_it(root, wmi, file):
    path = root / "tests/fuzz/corpus" / file
    finished = wmi.run("wmi", "--write-smtlib", "-", path)
    assert finished.returncode == 0, finished.stderr
    assert ciber.read(path).to_smtlib() == finished.stdout
    assert ciber.parse(path.read_text(), path.parent.name).to_smtlib() == finished.stdout


def test_an_error_has_its_place():
    with pytest.raises(ciber.Error, match=r"^text:1:9: .*'z'"):
        ciber.parse("(assert z)")
    with pytest.raises(ciber.Error, match=r"^/nowhere/file: "):
        ciber.read("/nowhere/file")
    with pytest.raises(ciber.Error, match="format="):
        ciber.parse("what is this?")
    with pytest.raises(ciber.Error, match="no format named 'pdf'"):
        ciber.parse("(get-wmi)", "pdf")


def test_a_script_survives_pickling():
    script = ciber.parse(TEXT)
    again = pickle.loads(pickle.dumps(script))
    assert again.to_smtlib() == script.to_smtlib()
    assert again.answers()[0] == Fraction(1, 3)
    assert repr(again) == "<Script of 3 queries>"
