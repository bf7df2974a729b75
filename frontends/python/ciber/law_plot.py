"""Pictures of laws, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as pyplot
import numpy

if TYPE_CHECKING:
    from .law import Law

_POINTS = 200  # of each piece


def plot(law: Law, ax: Any = None) -> Any:
    if ax is None:
        ax = pyplot.gca()
    for start, end, _ in law.pieces:
        places = numpy.linspace(float(start), float(end), _POINTS)
        heights = law.arrays.pdf(places)
        heights[-1] = float(law._core.density_left(end))
        ax.plot(places, heights, color="C0")
        ax.fill_between(places, heights, color="C0", alpha=0.2, linewidth=0)
    if law.atoms:
        at = [float(place) for place, _ in law.atoms]
        masses = [float(mass) for _, mass in law.atoms]
        ax.vlines(at, 0, masses, color="C1", label="point mass")
        ax.plot(at, masses, "o", color="C1")
        ax.legend()
    ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
    ax.set_ylabel("density")
    return ax
