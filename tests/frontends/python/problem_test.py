import pickle
import warnings
from fractions import Fraction

import ciber
import pytest

x, y, w = ciber.reals("x y w")
a, b = ciber.booleans("a b")


def square(**parts):
    return ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, **parts)


def test_the_questions_of_a_weighted_square():
    # The density 2x: P(x + y <= 1) = 1/3, E[x] = 2/3, E[x^2] = 1/2.
    problem = square(weights=[2 * x])
    assert problem.wmi() == 1
    assert problem.wmi(x + y <= 1) == Fraction(1, 3)
    assert problem.probability(x + y <= 1) == Fraction(1, 3)
    assert problem.probability(x + y <= 1, given=x <= y) == Fraction(1, 4)
    assert problem.expectation(x) == Fraction(2, 3)
    assert problem.variance(x) == Fraction(1, 18)
    assert problem.moment(x, 2) == Fraction(1, 2)
    assert problem.density(x, "1/2") == 1
    assert problem.cdf(x, "1/2") == Fraction(1, 4)
    assert problem.quantile(x, "1/4") == Fraction(1, 2)
    assert problem.distribution(x).pieces == [(0, 1, (0, 2))]
    assert problem.satisfiable() is True


def test_several_queries_are_answered_by_one_search():
    answers = square().ask(
        [ciber.Wmi(), ciber.Probability(x < y), ciber.Distribution(x + y), ciber.Satisfiable()]
    )
    assert answers[0] == 1
    assert answers[1] == Fraction(1, 2)
    assert answers[2].law.mean == 1
    assert answers[3].text == "sat"
    assert square().ask([]) == []


def test_a_weight_counts_where_its_formula_holds():
    problem = square()
    problem.weight(3, when=x < y)
    problem.weight(x, when=a)
    # 1/2 * 3 + 1/2 without a; with a, 3 * 1/6 + 1/3
    assert problem.wmi() == 2 + Fraction(5, 6)
    assert square(weights=[(3, x < y), (x, a)]).wmi() == problem.wmi()


def test_a_declared_boolean_doubles_the_measure():
    assert square().wmi() == 1
    assert square(variables=[a, b]).wmi() == 4


def test_observing_a_real_restricts_the_measure_to_a_slice():
    problem = square(assertions=[x + y <= 1])
    problem.observe(y, "1/4")
    assert problem.wmi() == Fraction(3, 4)
    problem.observe(y, 1)
    with pytest.raises(ciber.Error, match="observed twice"):
        problem.wmi()


def test_a_derived_real_adds_no_dimension():
    problem = ciber.Problem(bounds={w: (-3, 3)}, assertions=[y == ciber.relu(w)])
    problem.integrate(w)
    assert problem.probability(y <= 0) == Fraction(1, 2)
    assert problem.probability(y < 0) == 0
    assert problem.expectation(y) == Fraction(3, 4)


def test_a_pinned_real_that_is_integrated_is_warned_about():
    problem = ciber.Problem(bounds={w: (-3, 3), y: (-3, 3)}, assertions=[y == w])
    with pytest.warns(ciber.ModelWarning, match="y"):
        assert problem.wmi() == 0


def test_a_problem_grows_between_questions():
    problem = square()
    assert problem.wmi() == 1
    problem.add(x < y)
    assert problem.wmi() == Fraction(1, 2)
    problem.bound(x, "1/2", None)
    assert problem.wmi() == Fraction(1, 8)


def test_a_query_about_an_unknown_variable_is_refused():
    with pytest.raises(ciber.Error, match="'w' is no variable of the problem"):
        square().probability(w > 0)


def test_one_name_is_one_sort():
    with pytest.raises(ciber.Error, match="both a real and a Boolean"):
        square(assertions=[ciber.boolean("x")]).wmi()
    with pytest.raises(ciber.Error, match="'x' is a real of the problem"):
        square().probability(ciber.boolean("x"))


def test_an_unbounded_region_is_refused_by_name():
    with pytest.raises(ciber.Error, match=r"unbounded.*bound 'x' above"):
        ciber.Problem(bounds={x: (0, None)}).wmi()


def test_a_product_in_a_comparison_is_refused_by_name():
    with pytest.raises(ciber.Error, match="x"):
        square(assertions=[x * y <= 1]).wmi()


def test_wrong_parts_are_refused():
    with pytest.raises(ciber.Error, match="expected a formula"):
        square().add(x)
    with pytest.raises(ciber.Error, match="no variable"):
        square().declare(x + 1)
    with pytest.raises(ciber.Error, match="no real variable"):
        square().observe(x + y, 1)
    with pytest.raises(ciber.Error, match="no real variable"):
        square().bound(a, 0, 1)
    with pytest.raises(ciber.Error, match="natural number"):
        square().moment(x, -1)
    with pytest.raises(ciber.Error, match="probability above 0"):
        square().quantile(x, 2)
    with pytest.raises(ciber.Error, match="point mass"):
        ciber.Problem(bounds={w: (-1, 1)}).density(ciber.relu(w), 0)


def test_a_condition_of_probability_0_leaves_the_answer_undefined():
    answer = square().probability(x < y, given=x > 2)
    assert answer.undefined == "the condition has probability 0"
    assert answer.exact is None
    with pytest.raises(ciber.Error, match="probability 0"):
        float(answer)
    with pytest.raises(ciber.GaveUp, match="probability 0"):
        square().distribution(x, given=x > 2)


def test_a_problem_survives_pickling():
    problem = square(assertions=[ciber.implies(a, ciber.relu(x - y) < "1/3")], weights=[(x, a)])
    problem.observe(y, "1/2")
    again = pickle.loads(pickle.dumps(problem))
    assert again.to_smtlib() == problem.to_smtlib()
    assert again.wmi() == problem.wmi()
    assert again.probability(a & (x < "1/2")) == problem.probability(a & (x < "1/2"))
    again.add(x < "1/2")
    problem.add(x < "1/2")
    assert again.wmi() == problem.wmi()


def test_a_problem_that_was_read_has_its_variables_only():
    problem = pickle.loads(pickle.dumps(square()))
    problem.add(w > 0)
    with pytest.raises(ciber.Error, match="'w' is no variable"):
        problem.wmi()


def test_pure_text_has_standard_commands_only():
    text = square(assertions=[x < y], weights=[x]).to_smtlib(pure=True)
    assert "(set-logic QF_LRA)" in text
    assert "weight" not in text


def test_no_warning_for_an_ordinary_problem():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert square().wmi() == 1


def test_what_is_no_query_is_refused():
    with pytest.raises(ciber.Error, match=r"x < 1 is no query; write Probability\(x < 1\)"):
        square().ask([x < 1])
    assert square().ask(ciber.Wmi())[0] == square().wmi()
