"""Expressions about values that are known only between bounds.

Behind a smooth layer of a network, a term y is not known: only bounds on it are, which are terms
`lower y` and `upper y`. An expression over such terms has bounds, too: two terms that enclose its
value, or two formulas, of which the first implies it and it implies the second.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any, NamedTuple

from .errors import Error
from .expression_graph import packed
from .functions import ite, maximum, minimum
from .terms import Expression, Formula, Term


class Bracket(NamedTuple):
    """Bounds of a term, or what certainly and what possibly makes a formula true."""

    lower: Any
    upper: Any

    @property
    def exact(self) -> bool:
        return self.lower is self.upper


def bracket(expression: Any, bounded: Set[str]) -> Bracket:
    """The bounds of an expression, or of a number, where some names are known between bounds.

    >>> from ciber import real
    >>> bracket(2 - real("y"), {"y"}).upper
    2 - lower y
    >>> bracket(real("y") < real("x"), {"y"}).lower
    upper y < x
    """
    if not isinstance(expression, Expression):
        return Bracket(expression, expression)
    values: list[Bracket] = []
    for kind, operator, operands in packed(expression):
        made = Formula if kind == "Formula" else Term
        if operator in ("real", "bool"):
            values.append(_symbol(made(operator, operands), bounded))
            continue
        parts = [
            values[one[0]] if isinstance(one, tuple) else Bracket(one, one) for one in operands
        ]
        if all(part.exact for part in parts):
            node = made(operator, tuple(part.lower for part in parts))
            values.append(Bracket(node, node))
        else:
            values.append(_combined(made, operator, parts))
    return values[-1]


def names_in(*expressions: object) -> list[str]:
    """The names of the real variables of some expressions, each once."""
    result: dict[str, None] = {}
    for expression in expressions:
        if isinstance(expression, Expression):
            for _, operator, operands in packed(expression):
                if operator == "real":
                    result[operands[0]] = None
    return list(result)


def _symbol(variable: Expression, bounded: Set[str]) -> Bracket:
    name = variable.name
    if name not in bounded:
        return Bracket(variable, variable)
    return Bracket(Term("real", (f"lower {name}",)), Term("real", (f"upper {name}",)))


def _combined(made: type[Expression], operator: str, parts: list[Bracket]) -> Bracket:
    if operator in ("+", "max", "min", "and", "or"):  # monotone
        return Bracket(
            made(operator, tuple(part.lower for part in parts)),
            made(operator, tuple(part.upper for part in parts)),
        )
    if operator in ("=", "distinct") and isinstance(parts[0].lower, Formula):
        operator = {"=": "equivalence", "distinct": "xor"}[operator]
    if operator == "ite" and made is Formula:
        operator = "formula ite"
    return _RULES[operator](*parts)


def _difference(a: Bracket, b: Bracket | None = None) -> Bracket:
    if b is None:
        return Bracket(-a.upper, -a.lower)
    return Bracket(a.lower - b.upper, a.upper - b.lower)


def _product(*factors: Bracket) -> Bracket:
    result = factors[0]
    for factor in factors[1:]:
        if not result.exact and not factor.exact:
            raise Error(
                f"{result.lower} times {factor.lower}: a product of two values that are known only "
                "between bounds"
            )
        scale, value = (result, factor) if result.exact else (factor, result)
        result = _scaled(scale.lower, value)
    return result


def _scaled(scale: Any, value: Bracket) -> Bracket:
    """The upper end of a product with a negative factor comes from the lower end."""
    if value.exact:
        both = scale * value.lower
        return Bracket(both, both)
    if isinstance(scale, Term):
        up, down = maximum(scale, 0), minimum(scale, 0)
        return Bracket(up * value.lower + down * value.upper, up * value.upper + down * value.lower)
    ends = (value.lower, value.upper) if scale >= 0 else (value.upper, value.lower)
    return Bracket(scale * ends[0], scale * ends[1])


def _quotient(value: Bracket, divisor: Bracket) -> Bracket:
    ends = (value.lower, value.upper) if divisor.lower > 0 else (value.upper, value.lower)
    return Bracket(ends[0] / divisor.lower, ends[1] / divisor.lower)


def _absolute(value: Bracket) -> Bracket:
    return Bracket(maximum(value.lower, -value.upper, 0), maximum(-value.lower, value.upper))


def _power(value: Bracket, exponent: Bracket) -> Bracket:
    base = value if exponent.lower % 2 else _absolute(value)
    return Bracket(base.lower**exponent.lower, base.upper**exponent.lower)


def _choice(condition: Bracket, then: Bracket, otherwise: Bracket) -> Bracket:
    certain, possible = condition
    either = minimum(then.lower, otherwise.lower), maximum(then.upper, otherwise.upper)
    return Bracket(
        ite(certain, then.lower, ite(possible, either[0], otherwise.lower)),
        ite(certain, then.upper, ite(possible, either[1], otherwise.upper)),
    )


def _negation(a: Bracket) -> Bracket:
    return Bracket(~a.upper, ~a.lower)


def _both(a: Bracket, b: Bracket) -> Bracket:
    return Bracket(a.lower & b.lower, a.upper & b.upper)


def _either(a: Bracket, b: Bracket) -> Bracket:
    return Bracket(a.lower | b.lower, a.upper | b.upper)


def _equivalence(a: Bracket, b: Bracket) -> Bracket:
    return _either(_both(a, b), _both(_negation(a), _negation(b)))


def _formula_choice(condition: Bracket, then: Bracket, otherwise: Bracket) -> Bracket:
    return _either(_both(condition, then), _both(_negation(condition), otherwise))


def _at_most(a: Bracket, b: Bracket) -> Bracket:
    return Bracket(_compared("<=", a.upper, b.lower), _compared("<=", a.lower, b.upper))


def _less(a: Bracket, b: Bracket) -> Bracket:
    return Bracket(_compared("<", a.upper, b.lower), _compared("<", a.lower, b.upper))


def _compared(sign: str, a: Any, b: Any) -> Formula:
    return Formula(sign, (a, b))


def _equal(a: Bracket, b: Bracket) -> Bracket:
    return _both(_at_most(a, b), _at_most(b, a))


_RULES: dict[str, Callable[..., Bracket]] = {
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "^": _power,
    "abs": _absolute,
    "ite": _choice,
    "<": _less,
    "<=": _at_most,
    ">": lambda a, b: _less(b, a),
    ">=": lambda a, b: _at_most(b, a),
    "=": _equal,
    "distinct": lambda a, b: _negation(_equal(a, b)),
    "not": _negation,
    "xor": lambda a, b: _negation(_equivalence(a, b)),
    "equivalence": _equivalence,
    "=>": lambda a, b: _either(_negation(a), b),
    "formula ite": _formula_choice,
}
