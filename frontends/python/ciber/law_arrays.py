"""Laws in floats, for arrays of numpy.

Between two neighbouring knots the density is a polynomial. It is expanded exactly about both knots,
in the local coordinate from 0 to 1, and only then rounded; a place is evaluated about the nearer
knot, so that nothing cancels where the density falls to 0. Its integral is added to the exact mass
at the knot.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from .errors import Error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .law import Law

    Array = NDArray[numpy.float64]

_BISECTIONS = 60  # an interval of doubles is then as short as it gets


class _Places(NamedTuple):
    """Where values are: the last knot at or below each, and the distances from it and to the next,
    as shares of the gap."""

    gap: Any
    after: Array
    before: Array

    @property
    def near_start(self) -> Any:
        return self.after <= 0.5


class LawArrays:
    """A law, ready to be evaluated at many places at once.

    knots          ascending: point masses and ends of pieces
    at_knots       the mass at or below each knot
    before_knots   the mass below each knot
    above_knots    the mass above each knot
    from_knots     the mass at or above each knot
    from_start     coefficients of the density after each knot, times the length of the gap, in the
                   local coordinate, ascending; one row for each gap, 0 where there is no density
    from_end       the same in the distance to the next knot
    """

    knots: Array
    at_knots: Array
    before_knots: Array
    above_knots: Array
    from_knots: Array
    from_start: Array
    from_end: Array

    def __init__(self, law: Law) -> None:
        atoms, pieces = dict(law.atoms), law.pieces
        knots = sorted({*atoms, *(end for start, to, _ in pieces for end in (start, to))})
        if not knots:
            raise Error("the zero measure has no distribution")
        self.non_negative = law._core.non_negative()
        self.mass = float(law.mass)
        starting = {start: (to, density) for start, to, density in pieces}
        degree = max((len(density) for _, _, density in pieces), default=1)
        self.knots = _floats(knots)
        self.from_start = numpy.zeros((len(knots), degree))
        self.from_end = numpy.zeros((len(knots), degree))
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
            length, density = knots[i + 1] - knot, current[1]
            local = _expanded(density, knot, length)
            self.from_start[i, : len(local)] = _floats(local)
            self.from_end[i, : len(local)] = _floats(_expanded(density, knots[i + 1], -length))
            mass += sum((c / (power + 1) for power, c in enumerate(local)), Fraction(0))
        self.at_knots, self.before_knots = _floats(masses), _floats(below)
        self.above_knots = _floats([mass - at for at in masses])
        self.from_knots = _floats([mass - before for before in below])

    def cdf(self, at: ArrayLike) -> Array:
        values = numpy.asarray(at, dtype=float)
        places = self._places(values)
        up = self.at_knots[places.gap] + _integral(self.from_start, places.gap, places.after)
        down = self.before_knots[self._next(places.gap)] - _integral(
            self.from_end, places.gap, places.before
        )
        inside = numpy.where(places.near_start, up, down)
        return _or_nan(values, numpy.where(values < self.knots[0], 0.0, inside))

    def survival(self, at: ArrayLike) -> Array:
        """The mass above, accurate also where it is small."""
        values = numpy.asarray(at, dtype=float)
        places = self._places(values)
        up = self.above_knots[places.gap] - _integral(self.from_start, places.gap, places.after)
        down = self.from_knots[self._next(places.gap)] + _integral(
            self.from_end, places.gap, places.before
        )
        inside = numpy.where(places.near_start, up, down)
        return _or_nan(values, numpy.where(values < self.knots[0], self.mass, inside))

    def pdf(self, at: ArrayLike) -> Array:
        values = numpy.asarray(at, dtype=float)
        places = self._places(values)
        lengths = numpy.append(numpy.diff(self.knots), 1.0)[places.gap]
        up = _evaluated(self.from_start[places.gap], places.after)
        down = _evaluated(self.from_end[places.gap], places.before)
        inside = numpy.where(places.near_start, up, down) / lengths
        outside = (values < self.knots[0]) | (values >= self.knots[-1])
        return _or_nan(values, numpy.where(outside, 0.0, inside))

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
        lower, upper = numpy.zeros_like(sought), numpy.ones_like(sought)
        for _ in range(_BISECTIONS):
            middle = (lower + upper) / 2
            short = _integral(self.from_start, gap, middle) < missing
            lower, upper = numpy.where(short, middle, lower), numpy.where(short, upper, middle)
        start, end = self.knots[gap], self.knots[knot]
        inside = start + (lower + upper) / 2 * (end - start)
        return numpy.where(at_knot, self.knots[knot], inside)

    def sample(self, size: int, rng: numpy.random.Generator) -> Array:
        return self.quantile(1.0 - rng.random(size))  # above 0

    def _next(self, gap: Any) -> Any:
        return numpy.minimum(gap + 1, len(self.knots) - 1)

    def _places(self, values: Array) -> _Places:
        gap = numpy.maximum(numpy.searchsorted(self.knots, values, side="right") - 1, 0)
        gap = numpy.minimum(gap, len(self.knots) - 1)
        start, end = self.knots[gap], self.knots[self._next(gap)]
        length = numpy.where(end > start, end - start, 1.0)
        with numpy.errstate(invalid="ignore"):
            after = numpy.clip((values - start) / length, 0.0, 1.0)
            before = numpy.clip((end - values) / length, 0.0, 1.0)
        inner = end > start
        return _Places(gap, numpy.where(inner, after, 0.0), numpy.where(inner, before, 0.0))


def _or_nan(values: Array, result: Array) -> Array:
    return numpy.where(numpy.isnan(values), numpy.nan, result)


def _floats(numbers: Any) -> Array:
    return numpy.array([float(number) for number in numbers], dtype=float)


def _evaluated(rows: Array, at: Array) -> Array:
    """The polynomials with these coefficients, one in each row, each at its place."""
    result = numpy.zeros_like(at)
    for column in range(rows.shape[-1] - 1, -1, -1):
        result = result * at + rows[..., column]
    return result


def _integral(rows: Array, gap: Any, at: Array) -> Array:
    """Those of some gaps, integrated from 0 to each place."""
    return _evaluated(rows[gap] / numpy.arange(1, rows.shape[1] + 1), at) * at


def _expanded(density: tuple[Fraction, ...], origin: Fraction, length: Fraction) -> list[Fraction]:
    """The coefficients of |length| density(origin + t length), ascending in t."""
    shifted = list(density)
    for done in range(len(shifted)):  # Taylor's shift by repeated synthetic division
        for power in range(len(shifted) - 2, done - 1, -1):
            shifted[power] += origin * shifted[power + 1]
    result, scale = [], abs(length)
    for coefficient in shifted:
        result.append(coefficient * scale)
        scale *= length
    return result
