"""Exact numbers, of what users write.

An int, a Fraction, a Decimal and a text are the numbers they spell. A float is the number that it
is: 0.1 is 3602879701896397/36028797018963968, and "0.1" is 1/10.
"""

from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _core
from .errors import Error

if TYPE_CHECKING:
    import numpy

Exact: TypeAlias = int | Fraction
"""A number as the package keeps it."""

Number: TypeAlias = "int | Fraction | Decimal | str | float | numpy.number[Any]"
"""A number as users may write it."""


def exact(value: object) -> Exact:
    """The exact value of a number.

    >>> exact("0.1"), exact("1/3"), exact(0.5), exact(7)
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), 7)
    >>> exact(float("nan"))
    Traceback (most recent call last):
    ciber.errors.Error: nan is not a number that a problem can have
    """
    number = exact_or_none(value)
    if number is None:
        raise Error(f"expected a number, not {_described(value)}")
    return number


def exact_or_none(value: object) -> Exact | None:
    """The exact value of a number; None if the value is nothing like a number."""
    kind = type(value)
    if kind is int or kind is Fraction:
        return value  # type: ignore[return-value]
    if isinstance(value, bool) or kind.__name__ == "bool_" or kind.__name__ == "bool":
        raise Error(f"{value} is a Boolean, not a number; use ite(condition, 1, 0)")
    if isinstance(value, str):
        return _core.parse_number(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise Error(f"{value} is not a number that a problem can have")
        return _core.parse_number(str(value))
    return _of_ratio(value)


def _of_ratio(value: object) -> Exact | None:
    """A float, a scalar of numpy, an integer or fraction of another type."""
    ratio = getattr(value, "as_integer_ratio", None)
    if ratio is None:
        item = getattr(value, "item", None)  # of an array or tensor of one number
        if item is not None:
            return exact_or_none(item()) if getattr(value, "ndim", None) == 0 else None
        index = getattr(type(value), "__index__", None)
        return None if index is None else int(index(value))
    try:
        numerator, denominator = ratio()
    except (ValueError, OverflowError):
        raise Error(f"{value} is not a number that a problem can have") from None
    return Fraction(int(numerator), int(denominator))


def _described(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else type(value).__name__


def fraction_text(number: Exact, most: int) -> str | None:
    """The number as text; None if that has more than so many characters."""
    bits = number.numerator.bit_length() + number.denominator.bit_length()
    if bits > 4 * most:  # Python refuses to write very long numbers
        return None
    text = str(number)
    return text if len(text) <= most else None


def path_of(value: object, expected: str) -> str:
    """The path of a file. Raises Error that says what else was expected."""
    if not isinstance(value, (str, os.PathLike)):
        raise Error(f"expected {expected}, or the path of a file, not {type(value).__name__}")
    return os.fspath(value)
