"""Questions to a problem. Several of them are answered by one search: `problem.ask([...])`."""

from __future__ import annotations

from typing import Any, TypeAlias

from .numbers import Exact, Number, exact
from .terms import Expression, Formula, FormulaLike, Term, TermLike, formula, term

_Part: TypeAlias = "Expression | Exact | None"


class Query:
    """One question: what is asked, of which event or term, under which condition."""

    __slots__ = ("kind", "event", "given", "term", "order", "at")

    kind: str
    event: Formula | None
    given: Formula | None
    term: Term | Exact | None
    order: int | None
    at: Exact | None

    def __init__(
        self,
        kind: str,
        event: FormulaLike | None = None,
        given: FormulaLike | None = None,
        term: Term | Exact | None = None,
        order: int | None = None,
        at: Exact | None = None,
    ) -> None:
        self.kind = kind
        self.event = None if event is None else formula(event)
        self.given = None if given is None else formula(given)
        self.term = term
        self.order = order
        self.at = at

    def parts(self) -> tuple[str, _Part, _Part, _Part, int | None, Exact | None]:
        """As the engine takes it."""
        return self.kind, self.event, self.given, self.term, self.order, self.at

    def __repr__(self) -> str:
        shown = [repr(part) for part in (self.event, self.term) if part is not None]
        shown += [str(part) for part in (self.order, self.at) if part is not None]
        if self.given is not None:
            shown.append(f"given={self.given!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.parts())


def _rebuilt(kind: type[Query], parts: tuple[Any, ...]) -> Query:
    query = kind.__new__(kind)
    Query.__init__(query, *parts)
    return query


class Satisfiable(Query):
    """Is there a model, in the plain meaning of SMT?"""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("satisfiable")


class Wmi(Query):
    """The raw integral of the weight, over all models or those of an event."""

    __slots__ = ()

    def __init__(self, event: FormulaLike | None = None) -> None:
        super().__init__("wmi", event)


class Probability(Query):
    """The probability of an event."""

    __slots__ = ()

    def __init__(self, event: FormulaLike, given: FormulaLike | None = None) -> None:
        super().__init__("probability", event, given)


class Expectation(Query):
    """The mean of a term."""

    __slots__ = ()

    def __init__(self, value: TermLike, given: FormulaLike | None = None) -> None:
        super().__init__("expectation", None, given, term(value))


class Variance(Query):
    """The variance of a term."""

    __slots__ = ()

    def __init__(self, value: TermLike, given: FormulaLike | None = None) -> None:
        super().__init__("variance", None, given, term(value))


class Moment(Query):
    """The mean of a term to the power `order`."""

    __slots__ = ()

    def __init__(self, value: TermLike, order: int, given: FormulaLike | None = None) -> None:
        super().__init__("moment", None, given, term(value), order)


class Density(Query):
    """The density of a piecewise affine term at a number: the right limit, where it jumps."""

    __slots__ = ()

    def __init__(self, value: TermLike, at: Number, given: FormulaLike | None = None) -> None:
        super().__init__("density", None, given, term(value), None, exact(at))


class Cdf(Query):
    """The probability that a piecewise affine term is at most a number."""

    __slots__ = ()

    def __init__(self, value: TermLike, at: Number, given: FormulaLike | None = None) -> None:
        super().__init__("cdf", None, given, term(value), None, exact(at))


class Quantile(Query):
    """The least number that a piecewise affine term is at most with this probability."""

    __slots__ = ()

    def __init__(
        self, value: TermLike, probability: Number, given: FormulaLike | None = None
    ) -> None:
        super().__init__("quantile", None, given, term(value), None, exact(probability))


class Distribution(Query):
    """The whole law of a piecewise affine term; the answer is its mean, and has it as `law`."""

    __slots__ = ()

    def __init__(self, value: TermLike, given: FormulaLike | None = None) -> None:
        super().__init__("distribution", None, given, term(value))
