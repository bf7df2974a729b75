"""Laws as distributions of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch.distributions import Distribution, constraints

from .errors import Error

if TYPE_CHECKING:
    from .law import Law


class LawDistribution(Distribution):  # type: ignore[misc]
    """A law with `sample`, `cdf`, `icdf`, `log_prob`, `mean` and `variance`, in double precision.

    `log_prob` is the logarithm of the density; a point mass has none, and is refused.
    """

    arg_constraints: ClassVar[dict[str, Any]] = {}
    has_rsample = False

    def __init__(self, law: Law, validate_args: bool | None = None) -> None:
        self.law = law
        super().__init__(torch.Size(), torch.Size(), validate_args=validate_args)

    @property
    def support(self) -> Any:
        lower, upper = self.law.support
        return constraints.interval(float(lower), float(upper))

    @property
    def mean(self) -> torch.Tensor:
        return torch.tensor(float(self.law.mean), dtype=torch.float64)

    @property
    def variance(self) -> torch.Tensor:
        return torch.tensor(float(self.law.var), dtype=torch.float64)

    def sample(self, sample_shape: Any = ()) -> torch.Tensor:
        return self.icdf(1.0 - torch.rand(torch.Size(sample_shape), dtype=torch.float64))

    def cdf(self, value: torch.Tensor) -> torch.Tensor:
        return _applied(self.law.arrays.cdf, value)

    def icdf(self, value: torch.Tensor) -> torch.Tensor:
        return _applied(self.law.arrays.quantile, value)

    def log_prob(self, value: torch.Tensor) -> torch.Tensor:
        if self.law.atoms:
            raise Error("a law with point masses has no density; use cdf and icdf")
        if self._validate_args:
            self._validate_sample(value)
        return _applied(self.law.arrays.pdf, value).log()

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        raise NotImplementedError("a law of ciber is of one quantity; it does not expand")


def _applied(function: Any, value: torch.Tensor) -> torch.Tensor:
    values = value.detach().to("cpu", torch.float64).numpy()
    return torch.as_tensor(function(values), dtype=torch.float64, device=value.device)


def to_torch(law: Law) -> LawDistribution:
    if law.mass != 1 or not law._core.non_negative():
        raise Error("torch needs a law of mass 1 that is nowhere negative")
    return LawDistribution(law)
