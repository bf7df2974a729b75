"""Questions about values that are known only between bounds, as several that enclose the answer.

The rules are those of the engine (`solver/answers/bounded_query.h`), and `ciber query` asks the
same questions.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from fractions import Fraction
from typing import NamedTuple

from .brackets import Bracket, bracket
from .errors import Error
from .functions import ite, maximum
from .queries import Query
from .terms import Formula


class Enclosure(NamedTuple):
    """Queries, and the rule by which their answers enclose one."""

    rule: str
    queries: list[Query]


def enclosure(query: Query, bounded: Set[str]) -> Enclosure:
    """The queries whose answers enclose that of a query. Raises Error where there are none."""
    given = bracket(query.given, bounded)
    event, value = bracket(query.event, bounded), bracket(query.term, bounded)
    if given.exact and event.exact and value.exact:
        return Enclosure("single", [query])
    kind = _KINDS.get(query.kind)
    if kind is None:
        raise Error(
            f"{query}: it depends on a smooth layer and is known only between bounds, which say "
            "nothing of a density or a law; ask for the cdf or a quantile"
        )
    return kind(query, given, event, value)


def _probability(query: Query, given: Bracket, event: Bracket, _: Bracket) -> Enclosure:
    if given.exact:
        return _between(
            Query("probability", event.lower, query.given),
            Query("probability", event.upper, query.given),
        )
    certain, possible = given
    return Enclosure(
        "conditional_probability",
        [
            Query("probability", one)
            for one in (
                event.lower & certain,
                event.upper & possible,
                ~event.upper & certain,
                ~event.lower & possible,
                certain,
                possible,
            )
        ],
    )


def _cdf(query: Query, given: Bracket, _: Bracket, value: Bracket) -> Enclosure:
    at_most = [Formula("<=", (end, query.at or 0)) for end in (value.upper, value.lower)]
    return _probability(query, given, Bracket(*at_most), value)


def _mean(query: Query, given: Bracket, _: Bracket, value: Bracket) -> Enclosure:
    if given.exact:
        return _between(
            Query("expectation", None, query.given, value.lower),
            Query("expectation", None, query.given, value.upper),
        )
    # Where the condition may or may not hold, the term adds its negative part at least and its
    # positive part at most.
    certain, possible = given
    least = ite(certain, value.lower, ite(possible, -maximum(-1 * value.lower, 0), 0))
    most = ite(certain, value.upper, ite(possible, maximum(value.upper, 0), 0))
    return Enclosure(
        "ratio",
        [
            Query("expectation", term=least),
            Query("expectation", term=most),
            Query("probability", certain),
            Query("probability", possible),
        ],
    )


def _moment(query: Query, given: Bracket, event: Bracket, value: Bracket) -> Enclosure:
    order = query.order or 0
    base = value
    if order % 2 == 0:
        base = Bracket(
            maximum(value.lower, -1 * value.upper, 0), maximum(-1 * value.lower, value.upper)
        )
    return _mean(query, given, event, Bracket(base.lower**order, base.upper**order))


def _variance(query: Query, given: Bracket, _: Bracket, value: Bracket) -> Enclosure:
    _require_exact(query, given)
    middle = Fraction(1, 2) * (value.lower + value.upper)
    return Enclosure(
        "variance",
        [
            Query("variance", None, query.given, middle),
            Query("moment", None, query.given, value.upper - value.lower, 2),
        ],
    )


def _quantile(query: Query, given: Bracket, _: Bracket, value: Bracket) -> Enclosure:
    _require_exact(query, given)
    return _between(*(Query("quantile", None, query.given, end, None, query.at) for end in value))


def _wmi(query: Query, given: Bracket, event: Bracket, _: Bracket) -> Enclosure:
    return _between(Query("wmi", event.lower), Query("wmi", event.upper))


def _between(least: Query, most: Query) -> Enclosure:
    return Enclosure("between", [least, most])


def _require_exact(query: Query, given: Bracket) -> None:
    if not given.exact:
        raise Error(
            f"{query}: the condition depends on a smooth layer, so that it is known only between "
            "bounds; a mean, a cdf and a probability can be enclosed under it"
        )


_KINDS: dict[str, Callable[[Query, Bracket, Bracket, Bracket], Enclosure]] = {
    "probability": _probability,
    "cdf": _cdf,
    "expectation": _mean,
    "moment": _moment,
    "variance": _variance,
    "quantile": _quantile,
    "wmi": _wmi,
}
