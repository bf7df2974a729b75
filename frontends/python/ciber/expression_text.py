"""Expressions as text, as one would write them in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .numbers import fraction_text

if TYPE_CHECKING:
    from .terms import Expression, Operand


class _Infix(NamedTuple):
    sign: str
    strength: int
    left: int  # strength that the first operand needs to go without parentheses
    right: int


_INFIX = {
    "=": _Infix(" == ", 1, 2, 2),
    "distinct": _Infix(" != ", 1, 2, 2),
    "<": _Infix(" < ", 1, 2, 2),
    "<=": _Infix(" <= ", 1, 2, 2),
    ">": _Infix(" > ", 1, 2, 2),
    ">=": _Infix(" >= ", 1, 2, 2),
    "or": _Infix(" | ", 2, 2, 3),
    "xor": _Infix(" ^ ", 3, 3, 4),
    "and": _Infix(" & ", 4, 4, 5),
    "+": _Infix(" + ", 5, 5, 6),
    "-": _Infix(" - ", 5, 5, 6),
    "*": _Infix("*", 6, 6, 7),
    "/": _Infix("/", 6, 6, 7),
    "^": _Infix("**", 8, 9, 9),
}
_PREFIX = {"-": ("-", 7), "not": ("~", 7)}
_NAMES = {"=>": "implies", "and": "conjunction", "or": "disjunction"}
_ATOM = 10
_MOST_NODES, _MOST_DEPTH = 60, 30
_LONGEST_NUMBER = 200  # characters


def text_of(expression: Expression) -> str:
    """The expression as text; where it is large, `...` stands for its parts."""
    return _Writer().text(expression, 0, 0)


class _Writer:
    def __init__(self) -> None:
        self.nodes = 0

    def text(self, operand: Operand, strength: int, depth: int) -> str:
        """In parentheses, unless the operand binds at least so strongly."""
        written, own = self._written(operand, depth)
        return written if own >= strength else f"({written})"

    def _written(self, operand: Operand, depth: int) -> tuple[str, int]:
        operator: str | None = getattr(operand, "operator", None)
        if operator is None:
            number = _number_text(operand)
            return number, 6 if "/" in number else 7 if number.startswith("-") else _ATOM
        operands: tuple[Operand, ...] = operand.operands  # type: ignore[union-attr]
        if operator in ("real", "bool"):
            return str(operands[0]), _ATOM
        self.nodes += 1
        if self.nodes > _MOST_NODES or depth > _MOST_DEPTH:
            return "...", _ATOM
        if operator in _PREFIX and len(operands) == 1:
            sign, strength = _PREFIX[operator]
            return sign + self.text(operands[0], strength, depth + 1), strength
        if operator in _INFIX and len(operands) >= 2:
            infix = _INFIX[operator]
            parts = [self.text(operands[0], infix.left, depth + 1)]
            parts += [self.text(one, infix.right, depth + 1) for one in operands[1:_MOST_NODES]]
            if len(operands) > _MOST_NODES:
                parts.append("...")
            return infix.sign.join(parts), infix.strength
        if not operands:
            return {"true": "True", "false": "False"}.get(operator, f"{operator}()"), _ATOM
        inner = ", ".join(self.text(one, 0, depth + 1) for one in operands[:_MOST_NODES])
        return f"{_NAMES.get(operator, operator)}({inner})", _ATOM


def _number_text(number: Operand) -> str:
    if isinstance(number, str):
        return number
    return fraction_text(number, _LONGEST_NUMBER) or "..."  # type: ignore[arg-type]
