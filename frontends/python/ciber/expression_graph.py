"""Expressions as graphs: what is shared is visited once, and nothing recurses on their depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .terms import Expression, Operand


def same(a: Operand, b: Operand) -> bool:
    """Do two expressions, numbers or names have the same structure?"""
    left: list[tuple[Any, Any]] = [(a, b)]
    known: set[tuple[int, int]] = set()
    while left:
        first, second = left.pop()
        if first is second:
            continue
        operands, others = parts(first), parts(second)
        if operands is None or others is None:
            if operands is not others or first != second:
                return False
            continue
        if (first.operator, len(operands)) != (second.operator, len(others)):
            return False
        pair = id(first), id(second)
        if pair not in known:
            known.add(pair)
            left.extend(zip(operands, others, strict=True))
    return True


def parts(operand: Operand) -> tuple[Operand, ...] | None:
    """The operands of an expression; None for a number and for a name."""
    return getattr(operand, "operands", None)


def packed(root: Expression) -> list[tuple[str, str, tuple[Any, ...]]]:
    """The nodes, operands first: type, operator, operands.

    An operand that is a node is a tuple with its position.
    """
    positions: dict[int, int] = {}
    result: list[tuple[str, str, tuple[Any, ...]]] = []
    left: list[tuple[Any, bool]] = [(root, False)]
    while left:
        node, ready = left.pop()
        if id(node) in positions:
            continue
        if not ready:
            left.append((node, True))
            left.extend((one, False) for one in node.operands if parts(one) is not None)
            continue
        operands = tuple(
            one if parts(one) is None else (positions[id(one)],) for one in node.operands
        )
        positions[id(node)] = len(result)
        result.append((type(node).__name__, node.operator, operands))
    return result
