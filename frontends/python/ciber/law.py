"""Laws of terms: point masses and piecewise polynomial densities, both exact."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from math import sqrt
from typing import TYPE_CHECKING, Any, overload

from . import _core
from .errors import Error
from .numbers import Number, exact, fraction_text

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from .law_arrays import LawArrays

    Array = NDArray[numpy.float64]

Atom = tuple[Fraction, Fraction]
"""Where a point mass is, and how much."""
Piece = tuple[Fraction, Fraction, tuple[Fraction, ...]]
"""From, to, and the coefficients of the density between, ascending in the value itself."""

_QUANTILE_DIGITS = 19


class Law:
    """The distribution of a real quantity.

    A number gives a Fraction, exactly; an array of numpy gives floats, one by one.

    >>> law = Law(atoms=[(0, "1/2")], pieces=[(0, 3, ["1/6"])])  # of max(w, 0), w in [-3, 3]
    >>> law.mean, law.var, law.cdf(0), law.pdf(1)
    (Fraction(3, 4), Fraction(15, 16), Fraction(1, 2), Fraction(1, 6))
    >>> law.quantile(0.75)
    Fraction(3, 2)
    """

    __slots__ = ("_core", "_arrays")

    def __init__(
        self,
        atoms: Sequence[tuple[Number, Number]] = (),
        pieces: Sequence[tuple[Number, Number, Sequence[Number]]] = (),
    ) -> None:
        self._core = _core.Law(
            [(exact(at), exact(mass)) for at, mass in atoms],
            [(exact(a), exact(b), [exact(c) for c in density]) for a, b, density in pieces],
        )
        self._arrays: LawArrays | None = None

    @classmethod
    def of_core(cls, core: _core.Law) -> Law:
        law = cls.__new__(cls)
        law._core = core
        law._arrays = None
        return law

    @property
    def atoms(self) -> list[Atom]:
        """The point masses, ascending."""
        return self._core.atoms()

    @property
    def pieces(self) -> list[Piece]:
        """The pieces of the density, ascending and disjoint."""
        return self._core.pieces()

    @property
    def mass(self) -> Fraction:
        """The whole mass: 1, for the law of a term."""
        return self._core.mass()

    @property
    def mean(self) -> Fraction:
        return self._core.mean()

    @property
    def var(self) -> Fraction:
        return self._core.variance()

    @property
    def std(self) -> float:
        return sqrt(self.var)

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value."""
        ends = [at for at, _ in self.atoms]
        for start, end, _ in self.pieces:
            ends += [start, end]
        if not ends:
            raise Error("the zero measure has no support")
        return min(ends), max(ends)

    def moment(self, order: int) -> Fraction:
        """The mean of the value to a power."""
        if not 0 <= order <= 10_000:
            raise Error(f"the order of a moment is a natural number up to 10000, not {order}")
        return self._core.moment(order)

    @overload
    def cdf(self, at: Array) -> Array: ...
    @overload
    def cdf(self, at: Number) -> Fraction: ...
    def cdf(self, at: Any) -> Any:
        """The mass at or below a value."""
        return self.arrays.cdf(at) if _is_array(at) else self._core.cdf(exact(at))

    @overload
    def pdf(self, at: Array) -> Array: ...
    @overload
    def pdf(self, at: Number) -> Fraction: ...
    def pdf(self, at: Any) -> Any:
        """The density at a value, point masses aside; the limit from the right where it jumps."""
        return self.arrays.pdf(at) if _is_array(at) else self._core.density(exact(at))

    @overload
    def quantile(self, probability: Array) -> Array: ...
    @overload
    def quantile(self, probability: Number) -> Fraction: ...
    def quantile(self, probability: Any) -> Any:
        """The least value with this much mass at or below it.

        It is exact where it is rational, else good to 19 digits; `quantile_bounds` encloses it.
        """
        if _is_array(probability):
            return self.arrays.quantile(probability)
        lower, upper = self.quantile_bounds(probability)
        return lower if lower == upper else (lower + upper) / 2

    def quantile_bounds(
        self, probability: Number, digits: int = _QUANTILE_DIGITS
    ) -> tuple[Fraction, Fraction]:
        """Two numbers that enclose the quantile, to so many digits."""
        return self._core.quantile(exact(probability), digits)

    def interval(self, confidence: Number) -> tuple[Fraction, Fraction]:
        """The central interval: as much mass below it as above.

        >>> Law(pieces=[(0, 1, [1])]).interval("0.9")
        (Fraction(1, 20), Fraction(19, 20))
        """
        level = Fraction(exact(confidence))
        if not 0 < level < 1:
            raise Error(f"the confidence of an interval is between 0 and 1, not {confidence}")
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def sample(self, size: int, rng: numpy.random.Generator | int | None = None) -> Array:
        """Independent draws, by inverting the distribution function at uniform numbers.

        `rng` is a Generator of numpy, or the seed of one.
        """
        import numpy

        return self.arrays.sample(size, numpy.random.default_rng(rng))

    @property
    def arrays(self) -> LawArrays:
        """The law in floats, for arrays."""
        if self._arrays is None:
            from .law_arrays import LawArrays

            self._arrays = LawArrays(self)
        return self._arrays

    def plot(self, ax: Any = None) -> Any:
        """Draws the density, and the point masses as stems, with matplotlib; returns the axes."""
        from .law_plot import plot

        return plot(self, ax)

    def to_scipy(self) -> Any:
        """The law as a frozen distribution of scipy.stats; a discrete one if it is."""
        from .law_scipy import to_scipy

        return to_scipy(self)

    def to_torch(self) -> Any:
        """The law as a torch.distributions.Distribution, with `icdf`."""
        from .law_torch import to_torch

        return to_torch(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Law):
            return NotImplemented
        return self.atoms == other.atoms and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash((tuple(self.atoms), tuple(self.pieces)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Law, (self.atoms, self.pieces)

    def __repr__(self) -> str:
        counts = []
        for number, noun in ((len(self.atoms), "point mass"), (len(self.pieces), "piece")):
            if number:
                plural = {"point mass": "point masses", "piece": "pieces"}[noun]
                counts.append(f"{number} {noun if number == 1 else plural}")
        if not counts:
            return "<Law: zero>"
        lower, upper = self.support
        mean = _core.decimal(self.mean, 6) if self.mass else "none"
        ends = f"{_core.decimal(lower, 6)} to {_core.decimal(upper, 6)}"
        return f"<Law: mean {mean}, {' and '.join(counts)} from {ends}>"

    def _repr_html_(self) -> str:
        rows = [
            _row(f"mass {_short(mass)}", f"at {_short(at)}") for at, mass in self.atoms[:_SHOWN]
        ] + [
            _row(f"density {_polynomial(density)}", f"from {_short(start)} to {_short(end)}")
            for start, end, density in self.pieces[:_SHOWN]
        ]
        return f"<div>{escape(repr(self))}<table>{''.join(rows)}</table></div>"

    def _repr_latex_(self) -> str:
        return rf"$\text{{{repr(self)[1:-1]}}}$"


_SHOWN = 12  # point masses, pieces
_LONGEST = 40  # characters of a number


def _is_array(value: object) -> bool:
    """An array of at least one dimension; a scalar of numpy is a number."""
    return getattr(value, "ndim", 0) > 0 or isinstance(value, (list, tuple))


def _row(*entries: str) -> str:
    """A row of a table; notebooks align it to the right otherwise."""
    cells = (f'<td style="text-align: left">{escape(entry)}</td>' for entry in entries)
    return f"<tr>{''.join(cells)}</tr>"


def _short(number: Fraction) -> str:
    return fraction_text(number, _LONGEST) or _core.decimal(number, 6)


def _polynomial(coefficients: Sequence[Fraction]) -> str:
    """1/2 - s + 3*s^2, s being the value"""
    result = ""
    for power, coefficient in enumerate(coefficients):
        if coefficient == 0:
            continue
        sign = "-" if coefficient < 0 else "+" if result else ""
        result += f" {sign} " if result else sign
        variable = "" if power == 0 else "s" if power == 1 else f"s^{power}"
        size = _short(abs(coefficient))
        result += size if not variable else variable if size == "1" else f"{size}*{variable}"
    return result or "0"
