"""The laws of the outcomes that an estimator predicts, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .errors import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[numpy.float64]

Ask = Callable[[Sequence[float], "Array | None"], dict[str, "Array"]]
"""What `ciber predict` says about each row: the levels of central intervals, the outcomes to score
if there are any; a column for each quantity."""


class PredictedLaws:
    """The law of the outcome for each of some rows: a mixture over samples of a network's weights,
    with the last layer averaged exactly.

    Every answer is an array with an entry for each row. The engine is asked once for each question.
    """

    def __init__(self, rows: int, ask: Ask) -> None:
        self._rows = rows
        self._ask = ask
        self._moments: dict[str, Array] | None = None

    def __len__(self) -> int:
        return self._rows

    @property
    def mean(self) -> Array:
        return self._known()["mean"]

    @property
    def std(self) -> Array:
        return self._known()["deviation"]

    @property
    def var(self) -> Array:
        return self.std**2

    def quantile(self, probability: Any) -> Array:
        """The value with this much probability below it; a column for each of several."""
        wanted = numpy.asarray(probability, dtype=float)
        if wanted.ndim > 1 or not ((wanted > 0) & (wanted < 1)).all():
            raise Error(f"quantile: expected probabilities between 0 and 1, not {probability}")
        # The engine gives central intervals: one of level 1 - 2p begins at the quantile p. The
        # level of the median is the least number above 0, which is the same point in doubles.
        levels = numpy.maximum(numpy.abs(1 - 2 * wanted.ravel()), numpy.finfo(float).tiny)
        if (levels >= 1).any():
            raise Error(f"quantile: {probability} is too close to 0 or 1 for doubles")
        asked = list(dict.fromkeys(levels.tolist()))
        columns = list(self._ask(asked, None).values())[_QUANTITIES:]
        found = [
            columns[2 * asked.index(level) + int(p > 0.5)]
            for level, p in zip(levels.tolist(), wanted.ravel(), strict=True)
        ]
        return found[0] if wanted.ndim == 0 else numpy.stack(found, axis=1)

    def interval(self, confidence_level: float = 0.9) -> Array:
        """The central interval: two columns, with as much probability below as above."""
        if not 0 < confidence_level < 1:
            raise Error(f"the level of an interval is between 0 and 1, not {confidence_level}")
        columns = list(self._ask([float(confidence_level)], None).values())
        return numpy.stack(columns[_QUANTITIES:], axis=1)

    def cdf(self, outcome: Any) -> Array:
        """The probability of an outcome up to this one; a number for all rows, or one for each."""
        return self._scored(outcome)["cdf"]

    def log_prob(self, outcome: Any) -> Array:
        """The logarithm of the density at these outcomes."""
        return self._scored(outcome)["log_density"]

    def crps(self, outcome: Any) -> Array:
        """The continuous ranked probability score of these outcomes; less is better."""
        return self._scored(outcome)["crps"]

    def _known(self) -> dict[str, Array]:
        if self._moments is None:
            self._moments = self._ask([], None)
        return self._moments

    def _scored(self, outcome: Any) -> dict[str, Array]:
        outcomes = numpy.broadcast_to(numpy.asarray(outcome, dtype=float), (self._rows,))
        if not numpy.isfinite(outcomes).all():
            raise Error("an outcome is a finite number")
        return self._ask([], outcomes)

    def __repr__(self) -> str:
        return f"<PredictedLaws: {self._rows} rows>"


_QUANTITIES = 2  # columns before those of intervals: mean, deviation
