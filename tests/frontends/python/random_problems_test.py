"""Random problems, asked in Python, from their text, and by the command line: the same answers."""

import json
import operator
import os
from fractions import Fraction
from functools import cache

import ciber
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

LONG = "WMI_LONG" in os.environ
REALS = ciber.reals("x y z")
BOOLEANS = ciber.booleans("a b")

numbers = st.one_of(st.integers(-3, 3), st.fractions(min_value=-2, max_value=2, max_denominator=6))
SIGNS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
CONNECTIVES = [operator.and_, operator.or_, operator.xor, operator.eq, ciber.implies]


@cache
def terms_of(depth):
    """Terms in which so many operators are nested."""
    leaf = st.sampled_from(REALS)
    if depth == 0:
        return leaf
    inner = terms_of(depth - 1)
    other = st.one_of(inner, numbers)
    return st.one_of(
        leaf,
        st.builds(operator.add, inner, other),
        st.builds(operator.sub, other, inner),
        st.builds(operator.mul, numbers, inner),
        st.builds(operator.neg, inner),
        st.builds(operator.truediv, inner, st.integers(1, 4)),
        st.builds(ciber.relu, inner),
        st.builds(abs, inner),
        st.builds(ciber.maximum, inner, other),
        st.builds(ciber.minimum, other, inner),
        st.builds(ciber.ite, formulas_of(depth - 1), inner, other),
    )


@cache
def formulas_of(depth):
    """Formulas, likewise."""
    leaf = st.sampled_from(BOOLEANS)
    if depth == 0:
        return leaf
    inner = formulas_of(depth - 1)
    term = terms_of(depth - 1)
    return st.one_of(
        leaf,
        st.builds(lambda sign, a, b: sign(a, b), st.sampled_from(SIGNS), term, term),
        st.builds(lambda sign, a, b: sign(a, b), st.sampled_from(SIGNS), term, numbers),
        st.builds(operator.invert, inner),
        st.builds(lambda join, f, g: join(f, g), st.sampled_from(CONNECTIVES), inner, inner),
        st.builds(ciber.ite, inner, inner, inner),
    )


terms = terms_of(2)
terms_or_numbers = st.one_of(terms, numbers)
formulas = formulas_of(3)
conditions = st.one_of(st.none(), formulas)
weights = st.one_of(
    st.tuples(st.builds(lambda a, b: a * b + 1, terms, terms), formulas),
    st.builds(lambda a: a**2, terms),
    numbers,
)
queries = st.one_of(
    st.builds(ciber.Wmi, conditions),
    st.builds(ciber.Probability, formulas, conditions),
    st.builds(ciber.Expectation, terms_or_numbers, conditions),
    st.builds(ciber.Variance, terms, conditions),
    st.builds(ciber.Moment, terms, st.integers(0, 3), conditions),
    st.builds(ciber.Cdf, terms, numbers, conditions),
    st.builds(ciber.Density, terms, numbers, conditions),
    st.builds(ciber.Distribution, terms, conditions),
    st.builds(ciber.Quantile, terms, st.sampled_from(["1/4", "1/2", "9/10"]), conditions),
)


@st.composite
def problems(draw):
    problem = ciber.Problem(
        bounds={real: (draw(st.integers(-1, 0)), draw(st.integers(1, 2))) for real in REALS[:2]},
        assertions=draw(st.lists(formulas, max_size=2)),
        weights=draw(st.lists(weights, max_size=2)),
        variables=draw(st.lists(st.sampled_from(BOOLEANS))),
    )
    problem.bound(REALS[2], 0, "1/2")
    problem.declare(*BOOLEANS)
    if draw(st.booleans()):
        problem.observe(REALS[2], "1/3")
    return problem


def answers_or_error(ask):
    """Everything that answers say, or the error."""
    try:
        return [
            (one.complete, one.lower, one.upper, one.left, one.law, one.text, one.undefined)
            for one in ask()
        ]
    except ciber.Error as error:
        return str(error)


@pytest.mark.filterwarnings("ignore::ciber.ModelWarning")
@settings(
    max_examples=600 if LONG else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(problem=problems(), asked=st.lists(queries, min_size=1, max_size=3))
def test_a_problem_and_its_text_have_the_same_answers(problem, asked):
    try:
        text = problem.to_smtlib(asked)
    except ciber.Error:
        with pytest.raises(ciber.Error):
            problem.ask(asked)
        return
    script = ciber.parse(text)
    assert script.to_smtlib() == text
    expected = answers_or_error(lambda: problem.ask(asked, threads=1))
    assert answers_or_error(lambda: script.answers(threads=1)) == expected
    assert answers_or_error(lambda: problem.ask(asked, threads=3)) == expected


@pytest.mark.filterwarnings("ignore::ciber.ModelWarning")
@settings(
    max_examples=150 if LONG else 15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(problem=problems(), asked=st.lists(queries, min_size=1, max_size=3))
def test_the_command_line_has_the_same_answers(wmi, problem, asked):
    try:
        text = problem.to_smtlib(asked)
        answers = problem.ask(asked)
    except ciber.Error:
        return
    for answer, line in zip(answers, wmi.answers(text), strict=True):
        assert (None if answer.exact is None else str(answer.exact)) == line["exact"]
        assert answer.cells == line["cells"]
        assert answer.undefined == line.get("undefined", "")
        if answer.law is not None:
            atoms = [(Fraction(one["at"]), Fraction(one["mass"])) for one in line["atoms"]]
            assert answer.law.atoms == atoms
            assert [
                (str(start), str(end), [*map(str, density)])
                for start, end, density in answer.law.pieces
            ] == [(one["from"], one["to"], one["coefficients"]) for one in line["pieces"]]


@pytest.mark.parametrize("name", ["relu.smt2"])
def test_an_example_has_the_same_answers(root, wmi, name):
    finished = wmi.run("wmi", "--json", root / "docs/examples" / name)
    lines = [json.loads(line) for line in finished.stdout.splitlines()]
    lines = [line for line in lines if "query" in line]
    answers = ciber.read(root / "docs/examples" / name).answers()
    assert [str(answer.exact) for answer in answers] == [line["exact"] for line in lines]
    assert [answer.query for answer in answers] == [line["query"] for line in lines]
