"""The cells of a problem: convex polytopes on each of which the weight is one polynomial."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from .functions import real
from .terms import Term

if TYPE_CHECKING:
    from ._core import _Monomial


class Cell(NamedTuple):
    """A convex polytope, and the polynomial that the weight is on it."""

    vertices: tuple[tuple[Fraction, ...], ...]
    """In two dimensions, in order around the cell."""
    weight: Term | Fraction
    mass: Fraction
    """The integral of the weight over the cell."""

    @property
    def centre(self) -> tuple[Fraction, ...]:
        """The mean of the vertices, a point inside."""
        count = len(self.vertices)
        return tuple(
            sum(column, Fraction(0)) / count for column in zip(*self.vertices, strict=True)
        )


class Cells(Sequence[Cell]):
    """Cells that are disjoint, if the problem has no Booleans, and their coordinates.

    >>> import ciber
    >>> x, y = ciber.reals("x y")
    >>> problem = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[(2 * x, x > y)])
    >>> for cell in problem.cells():
    ...     print(cell.weight, cell.mass)
    1 1/2
    2*x 2/3
    """

    __slots__ = ("variables", "_cells")

    variables: tuple[str, ...]
    """The reals that are the coordinates of the vertices."""

    def __init__(self, variables: Iterable[str], cells: Iterable[Cell]) -> None:
        self.variables = tuple(variables)
        self._cells = tuple(cells)

    @property
    def mass(self) -> Fraction:
        """The integral of the weight over all of them: the WMI."""
        return sum((cell.mass for cell in self), Fraction(0))

    def plot(
        self, ax: Any = None, *, color: Any = "C0", label: str | None = None, edges: bool = True
    ) -> Any:
        """Draws cells of two dimensions with matplotlib; returns the axes."""
        from .cell_plot import plot

        return plot(self, ax, color, label, edges)

    def __len__(self) -> int:
        return len(self._cells)

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> Cells: ...
    def __getitem__(self, index: int | slice) -> Cell | Cells:
        if isinstance(index, slice):
            return Cells(self.variables, self._cells[index])
        return self._cells[index]

    def __repr__(self) -> str:
        return f"<Cells: {len(self)} over {', '.join(self.variables) or 'no reals'}>"


def polynomial(variables: Sequence[str], monomials: Sequence[_Monomial]) -> Term | Fraction:
    """A polynomial as one would write it: 1/2 + 2*x*y**2 - y."""
    result: Term | Fraction = Fraction(0)
    for i, (coefficient, powers) in enumerate(monomials):
        size = coefficient if i == 0 else abs(coefficient)
        summand: Term | Fraction = size
        for j, (coordinate, exponent) in enumerate(powers):
            variable = real(variables[coordinate])
            factor = variable if exponent == 1 else variable**exponent
            summand = factor if j == 0 and size == 1 else summand * factor
        if i > 0:
            summand = result - summand if coefficient < 0 else result + summand
        result = summand
    return result
