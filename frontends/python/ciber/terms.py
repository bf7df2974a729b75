"""Terms and formulas: immutable expressions over variables, made by operators.

>>> import ciber
>>> x, y = ciber.reals("x y")
>>> a = ciber.boolean("a")
>>> x + 2 * y <= "1/2"
x + 2*y <= 1/2
>>> a & ~(x < y)
a & ~(x < y)

Comparisons give formulas, `==` too, so an expression has no truth value. Python asks for one in
`0 <= x <= 1` and in `and`, `or`, `not`: write `between(x, 0, 1)`, and `&`, `|`, `~`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from .errors import Error
from .expression_graph import packed, same
from .expression_text import text_of
from .numbers import Exact, Number, exact, exact_or_none

Operand: TypeAlias = "Expression | int | Fraction | str"
TermLike: TypeAlias = "Term | Number"
FormulaLike: TypeAlias = "Formula | bool"


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
            (
                self.operator,
                *(o.operator if isinstance(o, Expression) else o for o in self.operands),
            )
        )

    def __repr__(self) -> str:
        return text_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (packed(self),)

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
        operand = _operand(other)
        return NotImplemented if operand is None else Term("+", (self, operand))

    def __radd__(self, other: Number) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("+", (operand, self))

    def __sub__(self, other: TermLike) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("-", (self, operand))

    def __rsub__(self, other: Number) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("-", (operand, self))

    def __mul__(self, other: TermLike) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("*", (self, operand))

    def __rmul__(self, other: Number) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("*", (operand, self))

    def __truediv__(self, other: TermLike) -> Term:
        if isinstance(other, Term):
            return Term("/", (self, other))
        divisor = exact_or_none(other)
        if divisor is None:
            return NotImplemented
        if divisor == 0:
            raise Error(f"{self} / 0: division by zero")
        return Term("/", (self, divisor))

    def __rtruediv__(self, other: Number) -> Term:
        operand = _operand(other)
        return NotImplemented if operand is None else Term("/", (operand, self))

    def __pow__(self, exponent: int) -> Term:
        power = exact_or_none(exponent)
        if power is None:
            return NotImplemented
        if power < 0 or power.denominator != 1:
            raise Error(f"{self} ** {exponent!s:.40}: an exponent is a natural number")
        return Term("^", (self, power))

    def __neg__(self) -> Term:
        return Term("-", (self,))

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return Term("abs", (self,))

    def __lt__(self, other: TermLike) -> Formula:
        operand = _operand(other)
        return NotImplemented if operand is None else Formula("<", (self, operand))

    def __le__(self, other: TermLike) -> Formula:
        operand = _operand(other)
        return NotImplemented if operand is None else Formula("<=", (self, operand))

    def __gt__(self, other: TermLike) -> Formula:
        operand = _operand(other)
        return NotImplemented if operand is None else Formula(">", (self, operand))

    def __ge__(self, other: TermLike) -> Formula:
        operand = _operand(other)
        return NotImplemented if operand is None else Formula(">=", (self, operand))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        operand = _operand(other)
        return NotImplemented if operand is None else Formula("=", (self, operand))

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        operand = _operand(other)
        return NotImplemented if operand is None else Formula("distinct", (self, operand))

    __hash__ = Expression.__hash__

    def __bool__(self) -> bool:
        raise Error(f"{self} is a term, which has no truth value; compare it")


class Formula(Expression):
    """A statement about variables: true or false where these have values."""

    __slots__ = ()

    def __and__(self, other: FormulaLike) -> Formula:
        result = _connection("and", self, other)
        return NotImplemented if result is None else result

    def __rand__(self, other: bool) -> Formula:
        result = _connection("and", other, self)
        return NotImplemented if result is None else result

    def __or__(self, other: FormulaLike) -> Formula:
        result = _connection("or", self, other)
        return NotImplemented if result is None else result

    def __ror__(self, other: bool) -> Formula:
        result = _connection("or", other, self)
        return NotImplemented if result is None else result

    def __xor__(self, other: FormulaLike) -> Formula:
        result = _connection("xor", self, other)
        return NotImplemented if result is None else result

    def __rxor__(self, other: bool) -> Formula:
        result = _connection("xor", other, self)
        return NotImplemented if result is None else result

    def __invert__(self) -> Formula:
        return Formula("not", (self,))

    def __eq__(self, other: object) -> Formula:  # type: ignore[override]
        result = _connection("=", self, other)
        return NotImplemented if result is None else result

    def __ne__(self, other: object) -> Formula:  # type: ignore[override]
        result = _connection("distinct", self, other)
        return NotImplemented if result is None else result

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


def _operand(value: object) -> Term | Exact | None:
    """The value, if it is a term or a number."""
    if type(value) is Term or type(value) is int:
        return value
    return exact_or_none(value)


def _connection(operator: str, a: object, b: object) -> Formula | None:
    if isinstance(a, Formula | bool) and isinstance(b, Formula | bool):
        return Formula(operator, (formula(a), formula(b)))
    return None


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


def is_variable(value: object) -> bool:
    """Is it a variable?"""
    return isinstance(value, Expression) and value.operator in ("real", "bool")


def _unpacked(nodes: list[tuple[str, str, tuple[Any, ...]]]) -> Expression:
    result: list[Expression] = []
    for kind, operator, operands in nodes:
        made = tuple(result[o[0]] if isinstance(o, tuple) else o for o in operands)
        result.append((Formula if kind == "Formula" else Term)(operator, made))
    return result[-1]
