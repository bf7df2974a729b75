"""Laws in floats, for arrays of numpy.

Between two neighbouring knots the density is a polynomial. It is expanded exactly in the local
coordinate u from 0 to 1, and only then rounded, so that evaluating it cancels nothing; its integral
is added to the exact mass at the knot.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy

from .errors import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .law import Law

    Array = NDArray[numpy.float64]

_BISECTIONS = 60  # an interval of doubles is then as short as it gets


class LawArrays:
    """A law, ready to be evaluated at many places at once.

    knots         ascending: point masses and ends of pieces
    at_knots      the mass at or below each knot
    after_knots   coefficients of the integral of the density from each knot to the next, in the
                  local coordinate, ascending; one row for each gap, 0 where there is no density
    """

    knots: Array
    at_knots: Array
    before_knots: Array
    after_knots: Array

    def __init__(self, law: Law) -> None:
        atoms, pieces = dict(law.atoms), law.pieces
        knots = sorted({*atoms, *(end for start, to, _ in pieces for end in (start, to))})
        if not knots:
            raise Error("the zero measure has no distribution")
        self.non_negative = law._core.non_negative()
        self.mass = float(law.mass)
        starting = {start: (to, density) for start, to, density in pieces}
        degree = max((len(density) for _, _, density in pieces), default=0)
        self.knots = _floats(knots)
        self.after_knots = numpy.zeros((len(knots), degree + 1))
        masses, below, mass = [], [], Fraction(0)
        current: tuple[Fraction, tuple[Fraction, ...]] | None = None
        for i, knot in enumerate(knots):
            below.append(mass)
            mass += atoms.get(knot, Fraction(0))
            masses.append(mass)
            if current is not None and current[0] <= knot:
                current = None
            current = starting.get(knot, current)
            if current is None or i + 1 == len(knots):
                continue
            integral = _local_integral(current[1], knot, knots[i + 1])
            self.after_knots[i, : len(integral)] = _floats(integral)
            mass += sum(integral, Fraction(0))
        self.at_knots, self.before_knots = _floats(masses), _floats(below)

    def cdf(self, at: ArrayLike) -> Array:
        values = numpy.asarray(at, dtype=float)
        gap, local = self._places(values)
        inside = self.at_knots[gap] + _evaluated(self.after_knots[gap], local)
        return numpy.where(values < self.knots[0], 0.0, inside)

    def pdf(self, at: ArrayLike) -> Array:
        values = numpy.asarray(at, dtype=float)
        gap, local = self._places(values)
        if len(self.knots) == 1:
            return numpy.zeros_like(values)
        lengths = numpy.append(numpy.diff(self.knots), 1.0)
        powers = numpy.arange(1, self.after_knots.shape[1])
        derivative = self.after_knots[:, 1:] * powers
        inside = _evaluated(derivative[gap], local) / lengths[gap]
        outside = (values < self.knots[0]) | (values >= self.knots[-1])
        return numpy.where(outside, 0.0, inside)

    def quantile(self, probability: ArrayLike) -> Array:
        if not self.non_negative:
            raise Error("the law is negative somewhere, so it has no quantiles and no draws")
        levels = numpy.asarray(probability, dtype=float)
        if not numpy.all((levels >= 0) & (levels <= 1)):
            raise Error("a quantile needs probabilities from 0 to 1")
        sought = levels * self.mass
        knot = numpy.minimum(numpy.searchsorted(self.at_knots, sought), len(self.knots) - 1)
        gap = numpy.maximum(knot - 1, 0)
        at_knot = (sought >= self.before_knots[knot]) | (knot == 0)
        missing = sought - self.at_knots[gap]
        rows = self.after_knots[gap]
        lower, upper = numpy.zeros_like(sought), numpy.ones_like(sought)
        for _ in range(_BISECTIONS):
            middle = (lower + upper) / 2
            short = _evaluated(rows, middle) < missing
            lower, upper = numpy.where(short, middle, lower), numpy.where(short, upper, middle)
        start, end = self.knots[gap], self.knots[knot]
        inside = start + (lower + upper) / 2 * (end - start)
        return numpy.where(at_knot, self.knots[knot], inside)

    def sample(self, size: int, rng: numpy.random.Generator) -> Array:
        return self.quantile(1.0 - rng.random(size))  # above 0

    def _places(self, values: Array) -> tuple[Any, Array]:
        """The last knot at or below each value, and the local coordinate after it."""
        gap = numpy.maximum(numpy.searchsorted(self.knots, values, side="right") - 1, 0)
        following = numpy.minimum(gap + 1, len(self.knots) - 1)
        length = self.knots[following] - self.knots[gap]
        with numpy.errstate(invalid="ignore", divide="ignore"):
            local = (values - self.knots[gap]) / numpy.where(length > 0, length, 1.0)
        return gap, numpy.where(length > 0, numpy.clip(local, 0.0, 1.0), 0.0)


def _floats(numbers: Any) -> Array:
    return numpy.array([float(number) for number in numbers], dtype=float)


def _evaluated(rows: Array, at: Array) -> Array:
    """The polynomials with these coefficients, one in each row, each at its place."""
    result = numpy.zeros_like(at)
    for column in range(rows.shape[-1] - 1, -1, -1):
        result = result * at + rows[..., column]
    return result


def _local_integral(
    density: tuple[Fraction, ...], start: Fraction, end: Fraction
) -> list[Fraction]:
    """The integral of the density from `start` to start + u (end - start), as a polynomial in u."""
    length = end - start
    shifted = list(density)
    for done in range(len(shifted)):  # Taylor's shift by repeated synthetic division
        for power in range(len(shifted) - 2, done - 1, -1):
            shifted[power] += start * shifted[power + 1]
    result, scale = [Fraction(0)], Fraction(1)
    for power, coefficient in enumerate(shifted):
        scale *= length
        result.append(coefficient * scale / (power + 1))
    return result
