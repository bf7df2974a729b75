"""Laws as distributions of scipy.stats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy
from scipy import integrate, stats

from .errors import Error

if TYPE_CHECKING:
    from .law import Law


class LawVariable(stats.rv_continuous):  # type: ignore[misc]
    """A law with a density, and perhaps with point masses: its cdf then has jumps, and it has no
    pdf, which is refused."""

    def __init__(self, law: Law, **keywords: Any) -> None:
        self.law = law
        lower, upper = (float(end) for end in law.support)
        if any(at == law.support[0] for at, _ in law.atoms):
            lower = numpy.nextafter(lower, -numpy.inf)  # scipy's cdf is 0 at the end itself
        super().__init__(**{"a": lower, "b": upper, "name": "ciber_law", **keywords})

    def _updated_ctor_param(self) -> dict[str, Any]:
        return {**super()._updated_ctor_param(), "law": self.law}

    def _cdf(self, x: Any) -> Any:
        return self.law.arrays.cdf(x)

    def _sf(self, x: Any) -> Any:
        return self.law.arrays.survival(x)

    def _pdf(self, x: Any) -> Any:
        if self.law.atoms:
            raise Error("a law with point masses has no density; use cdf and ppf")
        return self.law.arrays.pdf(x)

    def _ppf(self, q: Any) -> Any:
        return self.law.arrays.quantile(q)

    def _rvs(self, *, size: Any = None, random_state: Any = None) -> Any:
        return self._ppf(
            1.0 - random_state.random_sample(size)
            if hasattr(random_state, "random_sample")
            else 1.0 - random_state.random(size)
        )

    def _stats(self) -> tuple[float, float, float, float]:
        mean, variance = self.law.mean, self.law.var
        _, one, two, three, four = (self.law.moment(order) for order in range(5))
        third = three - 3 * mean * two + 2 * mean**3
        fourth = four - 4 * mean * three + 6 * mean**2 * two - 4 * mean**3 * one + mean**4
        skewness = float(third**2 / variance**3) ** 0.5
        return (
            float(mean),
            float(variance),
            -skewness if third < 0 else skewness,
            float(fourth / variance**2 - 3),
        )

    def _munp(self, n: int) -> float:
        return float(self.law.moment(int(n)))

    def expect(
        self,
        func: Callable[[float], float] | None = None,
        args: Any = (),
        loc: float = 0,
        scale: float = 1,
        lb: float | None = None,
        ub: float | None = None,
        conditional: bool = False,
        **options: Any,
    ) -> float:
        """The mean of a function, piece by piece, point masses included."""
        function = func or float
        least = -numpy.inf if lb is None else (lb - loc) / scale
        most = numpy.inf if ub is None else (ub - loc) / scale
        total = sum(
            float(mass) * function(float(at) * scale + loc)
            for at, mass in self.law.atoms
            if least <= at <= most
        )
        for start, end, _ in self.law.pieces:
            lower, upper = max(float(start), least), min(float(end), most)
            if lower < upper:
                total += integrate.quad(
                    lambda x: function(x * scale + loc) * float(self.law.arrays.pdf(x)),
                    lower,
                    upper,
                    **options,
                )[0]
        return total / self._mass(least, most) if conditional else total

    def _mass(self, least: float, most: float) -> float:
        ends = self.law.arrays.cdf(numpy.array([least, most]))
        at_least = sum(float(mass) for at, mass in self.law.atoms if at == least)
        return float(ends[1] - ends[0]) + at_least


def to_scipy(law: Law) -> Any:
    if law.mass != 1 or not law._core.non_negative():
        raise Error("scipy needs a law of mass 1 that is nowhere negative")
    if not law.pieces:
        places = numpy.array([float(at) for at, _ in law.atoms])
        masses = numpy.array([float(mass) for _, mass in law.atoms])
        return stats.rv_discrete(name="ciber_law", values=(places, masses / masses.sum()))()
    return LawVariable(law)()
