"""Terms and formulas: immutable expressions over variables, made by operators.

>>> x, y = reals("x y")
>>> a = boolean("a")
>>> x + 2 * y <= "1/2"
x + 2*y <= 1/2
>>> a & ~(x < y)
a & ~(x < y)

Comparisons give formulas, `==` too, so an expression has no truth value. Python asks for one in
`0 <= x <= 1` and in `and`, `or`, `not`: write `between(x, 0, 1)`, and `&`, `|`, `~`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Union, overload

from .errors import Error
from .expression_text import text_of
from .numbers import Exact, Number, exact, exact_or_none

Operand = Union["Expression", int, Fraction, str]
TermLike = Union["Term", Number]
FormulaLike = Union["Formula", bool]


class Expression:
    """A node of an expression graph: an operator and its operands.

    Operands are expressions and exact numbers; that of a variable is its name. Expressions with
    the same structure have the same hash, and are keys of dictionaries.
    """

    __slots__ = ("operator", "operands")
    __array_ufunc__ = None  # so that numpy leaves `numpy.float64(2) * x` to us

    operator: str
    operands: tuple[Operand, ...]

    def __init__(self, operator: str, operands: tuple[Operand, ...]) -> None:
        self.operator = operator
        self.operands = operands

    def __hash__(self) -> int:
        # From the top of the graph alone: its depth may exceed Python's stack.
        return hash(
            (self.operator, *(o.operator if isinstance(o, Expression) else o for o in self.operands))
        )

    def __repr__(self) -> str:
        return text_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (_packed(self),)

    def __copy__(self) -> Expression:
        return self

    def __deepcopy__(self, memo: object) -> Expression:
        return self

    def __iter__(self) -> Iterator[Any]:
        raise Error(f"{self} is one expression; it has no parts to iterate over")

    @property
    def name(self) -> str:
        """The name of a variable."""
        if self.operator not in ("real", "bool"):
            raise Error(f"{self} is no variable, so it has no name")
        return str(self.operands[0])


class Term(Expression):
    """A real number that depends on variables: a piecewise polynomial."""

    __slots__ = ()

    def __add__(self, other: TermLike) -> Term:
        return _binary("+", self, other)

    def __radd__(self, other: Number) -> Term:
        return _reflected("+", other, self)

    def __sub__(self, other: TermLike) -> Term:
        return _binary("-", self, other)

    def __rsub__(self, other: Number) -> Term:
        return _reflected("-", other, self)

    def __mul__(self, other: TermLike) -> Term:
        return _binary("*", self, other)

    def __rmul__(self, other: Number) -> Term:
        return _reflected("*", other, self)

    def __truediv__(self, other: Number) -> Term:
        if isinstance(other, Term):
            raise Error(f"{self} / {other}: division by a term; divide by numbers only")
        divisor = exact_or_none(other)
        if divisor is None:
            return NotImplemented
        if divisor == 0:
            raise Error(f"{self} / 0: division by zero")
        return Term("/", (self, divisor))

    def __pow__(self, exponent: int) -> Term:
        power = exact_or_none(exponent)
        if power is None:
            return NotImplemented
        if power < 0 or power.denominator != 1:
            raise Error(f"{self} ** {power}: an exponent is a natural number")
        return Term("^", (self, power))

    def __neg__(self) -> Term:
        return Term("-", (self,))

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return Term("abs", (self,))

    def __lt__(self, other: TermLike) -> Formula:
        return _comparison("<", self, other)

    def __le__(self, other: TermLike) -> Formula:
        return _comparison("<=", self, other)

    def __gt__(self, other: TermLike) -> Formula:
        return _comparison(">", self, other)

    def __ge__(self, other: TermLike) -> Formula:
        return _comparison(">=", self, other)

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return _comparison("=", self, other)

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return _comparison("distinct", self, other)

    __hash__ = Expression.__hash__

    def __bool__(self) -> bool:
        raise Error(f"{self} is a term, which has no truth value; compare it")


class Formula(Expression):
    """A statement about variables: true or false where these have values."""

    __slots__ = ()

    def __and__(self, other: FormulaLike) -> Formula:
        return _connected("and", self, other)

    def __rand__(self, other: bool) -> Formula:
        return _connected("and", other, self)

    def __or__(self, other: FormulaLike) -> Formula:
        return _connected("or", self, other)

    def __ror__(self, other: bool) -> Formula:
        return _connected("or", other, self)

    def __xor__(self, other: FormulaLike) -> Formula:
        return _connected("xor", self, other)

    def __rxor__(self, other: bool) -> Formula:
        return _connected("xor", other, self)

    def __invert__(self) -> Formula:
        return Formula("not", (self,))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        return _connected("=", self, other)

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        return _connected("distinct", self, other)

    __hash__ = Expression.__hash__

    def __bool__(self) -> bool:
        """Whether both sides of an equation are the same expression, for dictionaries and `in`."""
        if self.operator in ("true", "false"):
            return self.operator == "true"
        if self.operator in ("=", "distinct"):
            return same(*self.operands) == (self.operator == "=")
        raise Error(
            f"{self} is a formula, which is neither true nor false by itself; "
            "write between(x, a, b) for a <= x <= b, and &, |, ~ for and, or, not"
        )


def _binary(operator: str, term: Term, other: object) -> Term:
    if type(other) is not Term and type(other) is not int:
        number = exact_or_none(other)
        if number is None:
            return NotImplemented
        other = number
    return Term(operator, (term, other))  # type: ignore[arg-type]


def _reflected(operator: str, other: object, term: Term) -> Term:
    number = exact_or_none(other)
    return NotImplemented if number is None else Term(operator, (number, term))


def _comparison(operator: str, term: Term, other: object) -> Formula:
    if type(other) is not Term and type(other) is not int:
        number = exact_or_none(other)
        if number is None:
            return NotImplemented
        other = number
    return Formula(operator, (term, other))  # type: ignore[arg-type]


def _connected(operator: str, a: object, b: object) -> Formula:
    if isinstance(a, (Formula, bool)) and isinstance(b, (Formula, bool)):
        return Formula(operator, (formula(a), formula(b)))
    return NotImplemented


def formula(value: object) -> Formula:
    """The value, if it is a formula or a bool."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, bool):
        return Formula("true" if value else "false", ())
    raise Error(f"expected a formula, not {value!r}")


def term(value: object) -> Term | Exact:
    """The value, if it is a term or a number."""
    return value if isinstance(value, Term) else exact(value)


# Variables


def real(name: str) -> Term:
    """A real variable. Those of one name are one variable.

    >>> real("x") + 1
    x + 1
    """
    return Term("real", (_checked_name(name),))


def reals(names: str | Iterable[str]) -> list[Term]:
    """Several real variables, by their names: `x, y = reals("x y")`."""
    return [real(name) for name in _separated(names)]


def boolean(name: str) -> Formula:
    """A Boolean variable."""
    return Formula("bool", (_checked_name(name),))


def booleans(names: str | Iterable[str]) -> list[Formula]:
    """Several Boolean variables, by their names: `a, b = booleans("a b")`."""
    return [boolean(name) for name in _separated(names)]


def is_variable(value: object) -> bool:
    return isinstance(value, Expression) and value.operator in ("real", "bool")


def _separated(names: str | Iterable[str]) -> Iterable[str]:
    return names.split() if isinstance(names, str) else names


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise Error(f"the name of a variable is a text, not {name!r}")
    if not name.isprintable() or "|" in name or "\\" in name:
        raise Error(f"{name!r} is no name: it has control characters, '|' or a backslash")
    return name


# Functions


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
def ite(condition: FormulaLike, then: FormulaLike, otherwise: FormulaLike) -> Formula: ...
@overload
def ite(condition: FormulaLike, then: TermLike, otherwise: TermLike) -> Term: ...
def ite(condition: FormulaLike, then: Any, otherwise: Any) -> Term | Formula:
    """`then` where the condition holds, else `otherwise`: two terms, or two formulas.

    >>> x = real("x")
    >>> ite(x > 0, x, 0)
    ite(x > 0, x, 0)
    """
    if isinstance(then, (Formula, bool)) and isinstance(otherwise, (Formula, bool)):
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


def _some(terms: tuple[TermLike, ...]) -> tuple[Operand, ...]:
    if not terms:
        raise Error("the extreme of no terms; give at least one")
    return tuple(term(one) for one in terms)


# Graphs, walked without recursion


def same(a: Operand, b: Operand) -> bool:
    """Do two expressions have the same structure?"""
    left = [(a, b)]
    known: set[tuple[int, int]] = set()
    while left:
        first, second = left.pop()
        if first is second:
            continue
        if not isinstance(first, Expression) or not isinstance(second, Expression):
            if isinstance(first, Expression) or isinstance(second, Expression) or first != second:
                return False
            continue
        if first.operator != second.operator or len(first.operands) != len(second.operands):
            return False
        pair = id(first), id(second)
        if pair not in known:
            known.add(pair)
            left.extend(zip(first.operands, second.operands))
    return True


_Packed = list[tuple[bool, str, tuple[Any, ...]]]


def _packed(root: Expression) -> _Packed:
    """The nodes, operands first; an operand that is a node is a tuple with its position."""
    positions: dict[int, int] = {}
    result: _Packed = []
    left: list[tuple[Expression, bool]] = [(root, False)]
    while left:
        node, ready = left.pop()
        if id(node) in positions:
            continue
        if not ready:
            left.append((node, True))
            left.extend((o, False) for o in node.operands if isinstance(o, Expression))
            continue
        operands = tuple(
            (positions[id(o)],) if isinstance(o, Expression) else o for o in node.operands
        )
        positions[id(node)] = len(result)
        result.append((isinstance(node, Formula), node.operator, operands))
    return result


def _unpacked(packed: _Packed) -> Expression:
    nodes: list[Expression] = []
    for is_formula, operator, operands in packed:
        kind = Formula if is_formula else Term
        nodes.append(kind(operator, tuple(nodes[o[0]] if isinstance(o, tuple) else o for o in operands)))
    return nodes[-1]
