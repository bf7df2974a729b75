"""Answers: exact numbers, or bounds that certainly hold."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import Error
from .law import Law
from .numbers import Exact, exact_or_none, fraction_text
from .queries import Query

if TYPE_CHECKING:
    from .certificate import Certificate

_LONGEST_FRACTION = 200  # characters that are shown
_DIGITS = 17


class Answer:
    """The answer to a query: an exact number, or bounds that certainly enclose it.

    Comparisons with numbers are certain: where the bounds do not decide, they raise Error.

    >>> import ciber
    >>> x, y = ciber.reals("x y")
    >>> p = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
    >>> answer = p.probability(x + y <= "1/2")
    >>> answer
    Answer(1/8 = 0.125)
    >>> answer.exact, float(answer), answer < 0.5
    (Fraction(1, 8), 0.125, True)
    """

    __slots__ = (
        "query",
        "lower",
        "upper",
        "left",
        "complete",
        "law",
        "text",
        "undefined",
        "cells",
        "assumptions",
        "certificate",
    )

    query: Query | str
    """What was asked; the text of a query that was read."""
    lower: Fraction | None
    """The number is at least this; None if that is not known."""
    upper: Fraction | None
    left: tuple[Fraction, Fraction] | None
    """Of a density: bounds of the limit from the left."""
    complete: bool
    """False if the search was stopped; then the bounds are those reached so far."""
    law: Law | None
    """Of a distribution, whose mean the number is."""
    text: str
    """`sat` or `unsat`, of a query that no number answers."""
    undefined: str
    """Why there is no number: the condition has probability 0."""
    cells: int
    """How many convex pieces were integrated."""
    assumptions: tuple[str, ...]
    """Modelling steps that the answer is exact with respect to."""
    certificate: Certificate | None
    """A proof, if the question was asked with `certify=True`."""

    def __init__(
        self, query: Query | str, record: Sequence[Any], certificate: Certificate | None = None
    ) -> None:
        complete, ends, left, law, text, undefined, cells, assumptions = record
        self.query = query
        self.complete = complete
        self.lower, self.upper = ends or (None, None)
        self.left = left
        self.law = None if law is None else Law.of_core(law)
        self.text = text
        self.undefined = undefined
        self.cells = cells
        self.assumptions = tuple(assumptions)
        self.certificate = certificate

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, tuple(getattr(self, name) for name in self.__slots__)

    @property
    def exact(self) -> Fraction | None:
        """The number, if it is known exactly."""
        return self.lower if self.lower is not None and self.lower == self.upper else None

    @property
    def width(self) -> Fraction | None:
        """The distance of the bounds; 0 for an exact answer."""
        if self.lower is None or self.upper is None:
            return None
        return self.upper - self.lower

    def __float__(self) -> float:
        """The nearest float to the number, or to the middle of its bounds."""
        if self.lower is None or self.upper is None:
            raise Error(f"{self.query}: there is no number: {self._described()}")
        return float(self.lower if self.lower == self.upper else (self.lower + self.upper) / 2)

    def __bool__(self) -> bool:
        if self.text:
            return self.text == "sat"
        raise Error(f"{self.query}: an answer is a number, not a truth value; compare it")

    # Comparisons

    def __lt__(self, other: object) -> bool:
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        lower, upper = ends
        return self._decided("<", other, _less(self.upper, lower), _at_most(upper, self.lower))

    def __le__(self, other: object) -> bool:
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        lower, upper = ends
        return self._decided("<=", other, _at_most(self.upper, lower), _less(upper, self.lower))

    def __gt__(self, other: object) -> bool:
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        lower, upper = ends
        return self._decided(">", other, _less(upper, self.lower), _at_most(self.upper, lower))

    def __ge__(self, other: object) -> bool:
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        lower, upper = ends
        return self._decided(">=", other, _at_most(upper, self.lower), _less(self.upper, lower))

    def __eq__(self, other: object) -> bool:
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        lower, upper = ends
        same = self.exact is not None and lower == upper == self.exact
        apart = _less(self.upper, lower) or _less(upper, self.lower)
        return self._decided("==", other, same, apart)

    def __hash__(self) -> int:
        return hash(self.lower) if self.exact is not None else hash((self.lower, self.upper))

    def _decided(self, sign: str, other: object, true: bool, false: bool) -> bool:
        if true or false:
            return true
        why = "the bounds do not decide; ask for more digits"
        if self.undefined or (isinstance(other, Answer) and other.undefined):
            why = "an undefined answer is no number"
        raise Error(f"({self}) {sign} {_shown(other)}: {why}")

    # Text

    def __repr__(self) -> str:
        return f"Answer({self._described()})"

    def __str__(self) -> str:
        return self._described()

    def __format__(self, spec: str) -> str:
        """As a float is formatted, `f"{answer:.3f}"`; without a specification, as a text."""
        return format(float(self), spec) if spec else str(self)

    def _described(self) -> str:
        if self.text:
            return self.text
        if self.lower is None and self.upper is None:
            if self.undefined:
                return f"undefined: {self.undefined}"
            return "no bound known" if not self.complete else "unknown"
        if self.exact is not None:
            fraction = fraction_text(self.exact, _LONGEST_FRACTION)
            decimal = _core.decimal(self.exact, _DIGITS)
            return decimal if fraction is None else f"{fraction} = {decimal}"
        bounds = []
        if self.lower is not None:
            bounds.append("at least " + _core.decimal(self.lower, _DIGITS, "down"))
        if self.upper is not None:
            bounds.append("at most " + _core.decimal(self.upper, _DIGITS, "up"))
        return ", ".join(bounds) + ("" if self.complete else "; stopped")

    def _repr_html_(self) -> str:
        notes = [f"{self.cells} cell{'' if self.cells == 1 else 's'}", *self.assumptions]
        title = escape("; ".join(notes), quote=True)
        return f'<span title="{title}">{escape(self._described())}</span>'

    def _repr_latex_(self) -> str:
        if self.exact is not None:
            number = _core.decimal(self.exact, _DIGITS)
            fraction = fraction_text(abs(self.exact), _LONGEST_FRACTION)
            if fraction is None or "/" not in fraction:
                return f"${number}$"
            top, bottom = fraction.split("/")
            sign = "-" if self.exact < 0 else ""
            return rf"${sign}\frac{{{top}}}{{{bottom}}} = {number}$"
        if self.lower is not None and self.upper is not None:
            lower = _core.decimal(self.lower, _DIGITS, "down")
            return f"$[{lower}, {_core.decimal(self.upper, _DIGITS, 'up')}]$"
        return rf"$\text{{{self._described()}}}$"


def _restored(*values: Any) -> Answer:
    answer = Answer.__new__(Answer)
    for name, value in zip(Answer.__slots__, values, strict=True):
        setattr(answer, name, value)
    return answer


def _ends(value: object) -> tuple[Exact | None, Exact | None] | None:
    """The bounds of an answer or a number; None for anything else."""
    if isinstance(value, Answer):
        return value.lower, value.upper
    try:
        number = exact_or_none(value)
    except Error:
        if isinstance(value, str):  # a text that is no number
            return None
        raise
    return None if number is None else (number, number)


def _less(a: Exact | None, b: Exact | None) -> bool:
    """Certainly a < b."""
    return a is not None and b is not None and a < b


def _at_most(a: Exact | None, b: Exact | None) -> bool:
    """Certainly a <= b."""
    return a is not None and b is not None and a <= b


def _shown(value: object) -> str:
    number = exact_or_none(value)
    return str(value if number is None else fraction_text(number, _LONGEST_FRACTION) or "a number")
