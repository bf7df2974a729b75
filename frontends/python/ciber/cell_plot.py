"""Pictures of cells, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as pyplot
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba

from .errors import Error

if TYPE_CHECKING:
    from .cells import Cells

_FACE = 0.25  # of the opacity of the borders


def plot(cells: Cells, ax: Any, color: Any, label: str | None, edges: bool) -> Any:
    if len(cells.variables) != 2:
        raise Error(f"a picture has two dimensions, and cells over {cells.variables} have not")
    if ax is None:
        ax = pyplot.gca()
    polygons = [[tuple(map(float, vertex)) for vertex in cell.vertices] for cell in cells]
    ax.add_collection(
        PolyCollection(
            polygons,
            facecolors=[to_rgba(color, _FACE)],
            edgecolors=color if edges else "none",
            linewidths=0.8,
            label=label,
        )
    )
    ax.autoscale_view()
    ax.set_xlabel(cells.variables[0])
    ax.set_ylabel(cells.variables[1])
    return ax
