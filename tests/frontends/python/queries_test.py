import pickle

import ciber

x = ciber.real("x")


def test_a_query_prints_as_it_is_written():
    assert repr(ciber.Probability(x > 0, given=x < 1)) == "Probability(x > 0, given=x < 1)"
    assert repr(ciber.Moment(x, 3)) == "Moment(x, 3)"
    assert repr(ciber.Density(x + 1, at="1/2")) == "Density(x + 1, 1/2)"
    assert repr(ciber.Wmi()) == "Wmi()"


def test_a_query_survives_pickling():
    for query in (
        ciber.Quantile(x, "1/2", given=x > 0),
        ciber.Cdf(x, 1),
        ciber.Satisfiable(),
        ciber.Moment(x, 3),
    ):
        again = pickle.loads(pickle.dumps(query))
        assert type(again) is type(query)
        assert repr(again) == repr(query)
