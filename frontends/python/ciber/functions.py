"""Variables, and functions of terms and formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

from .errors import Error
from .terms import Formula, FormulaLike, Operand, Term, TermLike, formula, term


def real(name: str) -> Term:
    """A real variable. Those of one name are one variable.

    >>> real("x") + 1
    x + 1
    """
    return Term("real", (_checked_name(name),))


def reals(names: str | Iterable[str]) -> list[Term]:
    """Several real variables, by their names: `x, y = reals("x y")`, or with commas."""
    return [real(name) for name in _separated(names)]


def boolean(name: str) -> Formula:
    """A Boolean variable."""
    return Formula("bool", (_checked_name(name),))


def booleans(names: str | Iterable[str]) -> list[Formula]:
    """Several Boolean variables, by their names: `a, b = booleans("a b")`."""
    return [boolean(name) for name in _separated(names)]


def _separated(names: str | Iterable[str]) -> Iterable[str]:
    return names.replace(",", " ").split() if isinstance(names, str) else names


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise Error(f"the name of a variable is a text, not {name!r}")
    if not name.isprintable() or "|" in name or "\\" in name:
        raise Error(f"{name!r} is no name: it has control characters, '|' or a backslash")
    return name


def conjunction(*formulas: FormulaLike) -> Formula:
    """All of the formulas.

    >>> x, y = reals("x y")
    >>> conjunction(x < y, y < 1)
    (x < y) & (y < 1)
    """
    return Formula("and", tuple(formula(one) for one in formulas))


def disjunction(*formulas: FormulaLike) -> Formula:
    """Any of the formulas."""
    return Formula("or", tuple(formula(one) for one in formulas))


def implies(condition: FormulaLike, conclusion: FormulaLike) -> Formula:
    """The conclusion holds wherever the condition does."""
    return Formula("=>", (formula(condition), formula(conclusion)))


def between(value: Term, lower: TermLike, upper: TermLike) -> Formula:
    """lower <= value <= upper

    >>> between(real("x"), 0, 1)
    (x >= 0) & (x <= 1)
    """
    return (value >= lower) & (value <= upper)


def total(terms: Iterable[TermLike]) -> Term:
    """The sum of many terms."""
    return Term("+", (0, *(term(one) for one in terms)))


@overload
def ite(  # type: ignore[overload-overlap]
    condition: FormulaLike, then: FormulaLike, otherwise: FormulaLike
) -> Formula: ...
@overload
def ite(condition: FormulaLike, then: TermLike, otherwise: TermLike) -> Term: ...
def ite(condition: FormulaLike, then: Any, otherwise: Any) -> Term | Formula:
    """`then` where the condition holds, else `otherwise`: two terms, or two formulas.

    >>> x = real("x")
    >>> ite(x > 0, x, 0)
    ite(x > 0, x, 0)
    """
    if isinstance(then, Formula | bool) and isinstance(otherwise, Formula | bool):
        return Formula("ite", (formula(condition), formula(then), formula(otherwise)))
    return Term("ite", (formula(condition), term(then), term(otherwise)))


def maximum(*terms: TermLike) -> Term:
    """The largest of some terms.

    >>> x, y = reals("x y")
    >>> maximum(x, y, "1/2")
    max(x, y, 1/2)
    """
    return Term("max", _some(terms))


def minimum(*terms: TermLike) -> Term:
    """The smallest of some terms."""
    return Term("min", _some(terms))


def relu(value: TermLike) -> Term:
    """max(value, 0)"""
    return Term("max", (term(value), 0))


def absolute(value: TermLike) -> Term:
    """The absolute value; `abs(x)` is the same."""
    return Term("abs", (term(value),))


def exp(value: TermLike) -> Term:
    """e to a term. Like the other smooth functions, it stands in weights and in terms of
    expectations, variances and moments; answers are enclosures then.

    >>> exp(real("x") / 2)
    exp(x/2)
    """
    return Term("exp", (term(value),))


def log(value: TermLike) -> Term:
    """The natural logarithm of a term that is above 0 wherever there is weight."""
    return Term("log", (term(value),))


def sqrt(value: TermLike) -> Term:
    """The square root of a term that is nowhere negative."""
    return Term("sqrt", (term(value),))


def erf(value: TermLike) -> Term:
    """The error function."""
    return Term("erf", (term(value),))


def sigmoid(value: TermLike) -> Term:
    """1 / (1 + e^-value)"""
    return Term("sigmoid", (term(value),))


def tanh(value: TermLike) -> Term:
    """The hyperbolic tangent."""
    return Term("tanh", (term(value),))


def normal(value: TermLike, mean: TermLike = 0, deviation: TermLike = 1) -> Term:
    """The density of a normal law at a term: as a weight, it makes a variable normal.

    >>> x, y = reals("x y")
    >>> normal(y, x / 2, "0.5")
    normal(y, x/2, 1/2)
    """
    return Term("normal", (term(value), term(mean), term(deviation)))


def _some(terms: tuple[TermLike, ...]) -> tuple[Operand, ...]:
    if not terms:
        raise Error("the extreme of no terms; give at least one")
    return tuple(term(one) for one in terms)
