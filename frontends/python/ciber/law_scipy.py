"""Laws as distributions of scipy.stats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from scipy import stats

from .errors import Error

if TYPE_CHECKING:
    from .law import Law


class LawVariable(stats.rv_continuous):  # type: ignore[misc]
    """A law with a density, and perhaps with point masses: its cdf then has jumps."""

    def __init__(self, law: Law, **keywords: Any) -> None:
        self.law = law
        lower, upper = (float(end) for end in law.support)
        super().__init__(**{"a": lower, "b": upper, "name": "ciber_law", **keywords})

    def _updated_ctor_param(self) -> dict[str, Any]:
        return {**super()._updated_ctor_param(), "law": self.law}

    def _cdf(self, x: Any) -> Any:
        return self.law.arrays.cdf(x)

    def _pdf(self, x: Any) -> Any:
        return self.law.arrays.pdf(x)

    def _ppf(self, q: Any) -> Any:
        return self.law.arrays.quantile(q)

    def _rvs(self, *, size: Any = None, random_state: Any = None) -> Any:
        return self._ppf(
            1.0 - random_state.random_sample(size)
            if hasattr(random_state, "random_sample")
            else 1.0 - random_state.random(size)
        )

    def _stats(self) -> tuple[float, float, None, None]:
        return float(self.law.mean), float(self.law.var), None, None

    def _munp(self, n: int) -> float:
        return float(self.law.moment(int(n)))


def to_scipy(law: Law) -> Any:
    if law.mass != 1 or not law._core.non_negative():
        raise Error("scipy needs a law of mass 1 that is nowhere negative")
    if not law.pieces:
        places = numpy.array([float(at) for at, _ in law.atoms])
        masses = numpy.array([float(mass) for _, mass in law.atoms])
        return stats.rv_discrete(name="ciber_law", values=(places, masses / masses.sum()))()
    return LawVariable(law)()
