"""The laws of outcomes that a collapsed torch module predicts, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy
import torch

from . import _core
from .errors import Error
from .numbers import Number, exact

_LEAST = 1e-10  # the least probability whose quantile doubles know


class Certified(NamedTuple):
    """Two numbers that certainly enclose a value."""

    lower: Fraction
    upper: Fraction

    def __float__(self) -> float:
        return float((self.lower + self.upper) / 2)


class OutcomeLaws:
    """The law of the outcome for each row: a mixture over collapsed samples, in doubles.

    Answers are tensors with an entry for each row.
    """

    def __init__(self, core: _core.OutcomeLaws) -> None:
        self._core = core
        self.mean: torch.Tensor = torch.from_numpy(core.mean())
        self.std: torch.Tensor = torch.from_numpy(core.deviation())

    def __len__(self) -> int:
        return len(self.mean)

    @property
    def variance_parts(self) -> dict[str, torch.Tensor]:
        """The variance as a sum: the noise of the outcome, the unknown weights within the collapsed
        samples, and the differences between the samples."""
        parts = torch.from_numpy(self._core.variances())
        return dict(zip(("noise", "within", "between"), parts.T, strict=True))

    def quantile(self, probability: Any) -> torch.Tensor:
        """The value with this much probability below it; a column for each of several."""
        wanted = numpy.asarray(probability, dtype=float)
        if wanted.ndim > 1 or not ((wanted > 0) & (wanted < 1)).all():
            raise Error(f"quantile: expected probabilities between 0 and 1, not {probability}")
        if not ((wanted >= _LEAST) & (wanted <= 1 - _LEAST)).all():
            raise Error(f"quantile: doubles know tails down to {_LEAST}; ask with digits=")
        found = [
            torch.from_numpy(self._core.quantile(numpy.full(len(self), p))) for p in wanted.ravel()
        ]
        return found[0] if wanted.ndim == 0 else torch.stack(found, dim=1)

    def interval(self, confidence_level: float = 0.9) -> torch.Tensor:
        """The central interval: two columns, with as much probability below as above."""
        if not isinstance(confidence_level, (int, float)) or not 0 < confidence_level < 1:
            raise Error(f"the level of an interval is between 0 and 1, not {confidence_level}")
        return self.quantile([(1 - confidence_level) / 2, (1 + confidence_level) / 2])

    def cdf(self, outcome: Any) -> torch.Tensor:
        """The probability of an outcome up to this one; a number for all rows, or one for each."""
        return torch.from_numpy(self._core.cdf(self._outcomes(outcome)))

    def log_prob(self, outcome: Any) -> torch.Tensor:
        """The logarithm of the density at these outcomes, also far out in the tails."""
        return torch.from_numpy(self._core.log_density(self._outcomes(outcome)))

    def crps(self, outcome: Any) -> torch.Tensor:
        """The continuous ranked probability score of these outcomes; less is better."""
        return torch.from_numpy(self._core.crps(self._outcomes(outcome)))

    def _outcomes(self, outcome: Any) -> Any:
        if isinstance(outcome, torch.Tensor):
            outcome = outcome.detach().cpu().double().reshape(-1 if outcome.ndim else ())
        outcomes = numpy.asarray(outcome, dtype=float)
        if outcomes.ndim == 1 and len(outcomes) != len(self):
            raise Error(f"there are {len(self)} rows and {len(outcomes)} outcomes")
        if not numpy.isfinite(outcomes).all():
            raise Error("an outcome is a finite number")
        return numpy.broadcast_to(outcomes, (len(self),))

    def __reduce__(self) -> tuple[Any, ...]:
        return OutcomeLaws, (self._core,)

    def __repr__(self) -> str:
        return f"<OutcomeLaws: {len(self)} rows>"


class CertifiedLaw:
    """The law of the outcome of one row: exact moments, and enclosures of everything else.

    Exact with respect to the activations of the module, taken as the numbers they are, and to the
    posterior of the last layer, whose numbers are rounded to doubles.
    """

    def __init__(self, core: _core.OutcomeLaws, row: int, digits: int) -> None:
        self._core, self._row, self._digits = core, row, digits
        self.mean, self.var = core.certified_moments(row)

    def cdf(self, outcome: Number) -> Certified:
        """The probability of an outcome up to this one."""
        return Certified(*self._core.certified_cdf(self._row, exact(outcome), self._digits))

    def pdf(self, outcome: Number) -> Certified:
        """The density."""
        return Certified(*self._core.certified_density(self._row, exact(outcome), self._digits))

    def log_prob(self, outcome: Number) -> Certified:
        """The logarithm of the density."""
        return Certified(*self._core.certified_log_density(self._row, exact(outcome), self._digits))

    def quantile(self, probability: Number) -> Certified:
        """Where the distribution function passes a probability."""
        p = exact(probability)
        if not 0 < p < 1:
            raise Error(f"quantile: expected a probability between 0 and 1, not {probability}")
        return Certified(*self._core.certified_quantile(self._row, p, self._digits))

    def interval(self, confidence_level: Number = "0.9") -> tuple[Certified, Certified]:
        """The ends of the central interval."""
        level = Fraction(exact(confidence_level))
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def __repr__(self) -> str:
        return f"<CertifiedLaw: mean {_core.decimal(self.mean, 6)}, {self._digits} digits>"


class CertifiedLaws:
    """The law of the outcome for each row, with so many certified digits."""

    def __init__(self, core: _core.OutcomeLaws, digits: int) -> None:
        self._core, self._digits = core, digits
        self._rows = len(core.mean())

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, row: int) -> CertifiedLaw:
        if not -self._rows <= row < self._rows:
            raise IndexError(f"there are {self._rows} rows, and none is {row}")
        return CertifiedLaw(self._core, row % self._rows, self._digits)

    def __iter__(self) -> Iterator[CertifiedLaw]:
        return (self[row] for row in range(self._rows))

    def __repr__(self) -> str:
        return f"<CertifiedLaws: {self._rows} rows, {self._digits} digits>"
