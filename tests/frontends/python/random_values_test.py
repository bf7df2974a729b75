"""Laws of random inputs and weights, as users write them."""

import pickle
from fractions import Fraction

import ciber
import pytest
from ciber.random_values import split_inputs, weight_laws


def test_named_laws_have_the_laws_that_they_name():
    assert ciber.uniform(0, 2).law == ciber.Law(pieces=[(0, 2, ["1/2"])])
    assert ciber.triangular(0, 1, 2).law.pdf(1) == 1
    assert ciber.bspline(0, 3, 3).law.mean == Fraction(3, 2)
    assert ciber.piecewise((0, 1), (2, 1)).law == ciber.uniform(0, 2).law
    assert ciber.gaussian(1, "1/2").law.mean == 1
    assert "normal law" in ciber.gaussian(0, 1).assumption
    assert ciber.uniform(0, 1).assumption == ""


def test_normal_laws_have_texts_and_no_formula():
    assert str(ciber.normal_law(0, "1/2")) == "normal(0, 1/2)"
    assert str(ciber.normal_law(0, 1, -1, 3)) == "normal(0, 1, -1, 3)"
    assert ciber.normal_law(0, 1).assumption == ""
    with pytest.raises(ciber.Error, match="has no formula"):
        _ = ciber.normal_law(0, 1).law
    with pytest.raises(ciber.Error, match="at both ends"):
        ciber.normal_law(0, 1, 2)


def test_joint_laws_are_values_of_several_entries():
    law = ciber.joint_normal([0, 0.5], [[1, "1/2"], ["1/2", 1]])
    assert str(law) == "normal([0, 1/2], [[1, 1/2], [1/2, 1]])"
    assert pickle.loads(pickle.dumps(law)) == law
    assert len({law, ciber.JointNormal(["0", "1/2"], law.covariance)}) == 1
    assert split_inputs((2,), law) == ([0, 0], [("input[0],input[1]", str(law))])
    numbers, laws = split_inputs((3,), {2: 4, "input[0..1]": law})
    assert (numbers, laws) == ([0, 0, 4], [("input[0..1]", str(law))])
    assert weight_laws({"a": (2,)}, {"a": law}) == [("a[0],a[1]", str(law))]
    assert weight_laws({"a": (3,)}, {"a[0..1]": law}) == [("a[0..1]", str(law))]
    with pytest.raises(ciber.Error, match="2 means need a covariance of 2 rows"):
        ciber.joint_normal([0, 0], [[1]])
    with pytest.raises(ciber.Error, match="a joint law is one of several entries"):
        split_inputs((2,), [law, 0])


def test_named_laws_are_values():
    law = ciber.triangular(-1, 0.5, 1)
    assert repr(law) == "triangular(-1, 1/2, 1)"
    assert pickle.loads(pickle.dumps(law)) == law
    assert len({law, ciber.triangular(-1, "1/2", 1)}) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ciber.uniform(1, 0), "empty"),
        (lambda: ciber.gaussian(0, -1), "gaussian"),
        (lambda: ciber.bspline(0, 1, 99), "order"),
        (lambda: ciber.piecewise((0, 1)), "two points"),
    ],
)
def test_a_law_that_is_none_is_refused_at_once(make, message):
    with pytest.raises(ciber.Error, match=message):
        make()


def test_inputs_are_numbers_or_laws_by_index():
    numbers, laws = split_inputs((2, 2), {0: 3, (0, 1): (0, 1), "input[1,1]": "gaussian(0,1)"})
    assert numbers == [3, 0, 0, 0]
    assert laws == [("input[0,1]", "uniform(0, 1)"), ("input[1,1]", "gaussian(0,1)")]


def test_inputs_are_a_value_each_or_a_law_for_all():
    assert split_inputs((2,), [1, (0, 1)]) == ([1, 0], [("input[1]", "uniform(0, 1)")])
    assert split_inputs((2, 1), [[1], ["1/2"]])[0] == [1, Fraction(1, 2)]
    assert [name for name, _ in split_inputs((2,), ciber.uniform(0, 1))[1]] == [
        "input[0]",
        "input[1]",
    ]


@pytest.mark.parametrize("index", [4, -1, (2, 0), (0,), "input[0]", "input[a,b]", "x", True])
def test_an_index_that_does_not_exist_is_refused(index):
    with pytest.raises(ciber.Error, match="is no input; the shape of the input is"):
        split_inputs((2, 2), {index: 0})


def test_a_tensor_stands_for_all_its_entries():
    laws = weight_laws({"fc.bias": (2,)}, {"fc.bias": (0, 1), "fc.weight[0,0]": 3})
    assert laws == [
        ("fc.bias[0]", "uniform(0, 1)"),
        ("fc.bias[1]", "uniform(0, 1)"),
        ("fc.weight[0,0]", "3"),
    ]
