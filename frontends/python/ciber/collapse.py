"""Collapsed inference for torch modules: samples of the weights, with the last layer averaged.

>>> import ciber, torch
>>> _ = torch.manual_seed(0)
>>> x = torch.linspace(-1, 1, 50).reshape(-1, 1)
>>> model = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
>>> collapse = ciber.Collapse(model, likelihood="regression").fit([(x, x**2)])
>>> collapse(x).interval(0.9).shape
torch.Size([50, 2])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, log
from os import PathLike
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

import numpy
import torch

from . import _core
from .errors import Error
from .outcome_laws import Certified, CertifiedLaws, OutcomeLaws
from .torch_head import Activations, StateDict, TorchHead

if TYPE_CHECKING:
    from typing_extensions import Self

_LIKELIHOODS = ("regression", "heteroscedastic", "classification")


class Collapse:
    """A torch module whose last layer has a posterior instead of weights.

    `likelihood` says what the module returns: `regression` a mean, `heteroscedastic` a mean and
    the logarithm of a variance (another `link`: softplus), `classification` logits, or one logit
    of the second of two classes. `noise` is the standard deviation of a regression; without it, it
    is that of the residuals of each sample, on validation rows if `fit` has them, else on the
    training rows, where a large network leaves too little of it. `subset` are the weights of the
    last layer that are unknown (`last`, `last:K`, `none`), `posterior` is `conditional` on the
    sampled weights and the data, `conditional-box`, `moment`, `minmax` or `triangular`.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        likelihood: str,
        subset: str = "last",
        posterior: str = "conditional",
        *,
        prior_precision: float = 0.3,
        temperature: float = 1.0,
        width: float = 1.0,
        noise: float | None = None,
        link: str = "exponential",
        least_variance: float = 1e-6,
    ) -> None:
        if likelihood not in _LIKELIHOODS:
            raise Error(f"no likelihood is called {likelihood!r}; there are {_LIKELIHOODS}")
        for name, value in (
            ("prior_precision", prior_precision),
            ("temperature", temperature),
            ("width", width),
            ("noise", 1.0 if noise is None else noise),
        ):
            if not (isfinite(value) and value > 0):
                raise Error(f"{name}={value}: expected a positive number")
        self.likelihood = likelihood
        self.subset = subset
        self.posterior = posterior
        self._posterior = (posterior, float(prior_precision), float(temperature), float(width))
        self._noise = noise
        self._link = (link, float(least_variance))
        self._head = TorchHead(model)
        self._samples: list[dict[str, torch.Tensor]] = []
        self._core: _core.CollapsedModel | None = None

    def fit(
        self,
        loader: Iterable[Any],
        samples: Iterable[StateDict] | None = None,
        trajectories: Sequence[int] = (),
        validation: Iterable[Any] | None = None,
    ) -> Self:
        """Finds the posterior of the last layer, for each sample of the other weights.

        The loader gives the training rows, in batches (x, y); it is run through once. Samples are
        state dicts, such as `sgd_trajectory` returns; without any, the weights of the module are
        the only one. Samples of the same training have the same number in `trajectories`. The
        loader `validation` gives rows that were not trained on, for the noise of a regression.
        """
        if isinstance(samples, Mapping):
            raise Error("samples is a list of state dicts; write samples=[...] for one")
        chosen = (
            [self._head.state_dict()] if samples is None else list(map(self._head.check, samples))
        )
        if not chosen:
            raise Error("there are no samples of the weights")
        if validation is not None and (self.likelihood != "regression" or self._noise is not None):
            raise Error("validation rows are for the noise of a regression that has no noise=")
        found, outcomes = self._run_all(chosen, loader, "the loader")
        held_out = found, outcomes
        if validation is not None:
            held_out = self._run_all(chosen, validation, "validation")
        heads = []
        for sample, training, other in zip(chosen, found, held_out[0], strict=True):
            variance = self._raw_variance(other.outputs, held_out[1])
            heads.append((*self._head.layer(sample), variance, *training))
        self._core = _core.CollapsedModel(
            self._head.name,
            self._observation(len(heads[0][0])),
            self.subset,
            self._posterior,
            heads,
            list(trajectories),
            outcomes,
        )
        self._samples = chosen
        return self

    def __call__(self, x: torch.Tensor, digits: int | None = None) -> Any:
        """The laws of the outcomes of a batch; of classes, a row of probabilities for each.

        In doubles; with `digits` certified: CertifiedLaws, or for each class an enclosure.
        """
        if self._core is None:
            raise Error("the posterior is not known yet; call fit")
        if digits is not None and not (isinstance(digits, int) and 1 <= digits <= 1000):
            raise Error(f"digits={digits}: expected a number from 1 to 1000")
        if isinstance(x, torch.Tensor) and len(x) == 0:
            raise Error("a batch without rows")
        found = [tuple(self._head.run(sample, x)) for sample in self._samples]
        if self.likelihood == "classification":
            if digits is None:
                return torch.from_numpy(self._core.probabilities(found))
            rows = self._core.certified_probabilities(found, digits)
            return [[Certified(*ends) for ends in row] for row in rows]
        laws = self._core.laws(found)
        return OutcomeLaws(laws) if digits is None else CertifiedLaws(laws, digits)

    def _run_all(
        self, samples: list[dict[str, torch.Tensor]], loader: Iterable[Any], name: str
    ) -> tuple[list[Activations], Any]:
        """The activations of each sample on all rows of a loader, and the outcomes of the rows."""
        parts: list[list[Activations]] = [[] for _ in samples]
        targets: list[Any] = []
        for batch in loader:
            if not isinstance(batch, (tuple, list)) or len(batch) != 2:
                raise Error(f"{name} gives batches (x, y); for one batch write [(x, y)]")
            x, y = batch
            if isinstance(x, torch.Tensor) and len(x) == 0:
                continue
            for sample, found in zip(samples, parts, strict=True):
                found.append(self._head.run(sample, x))
            targets.append(torch.as_tensor(y).detach().cpu().double().reshape(-1).numpy())
        if not targets:
            raise Error(f"{name} has no batches")
        joined = [Activations(*map(numpy.concatenate, zip(*part, strict=True))) for part in parts]
        return joined, numpy.concatenate(targets)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the samples and their posteriors, without the module, which `load` takes."""
        if self._core is None:
            raise Error("the posterior is not known yet; call fit")
        content = {
            "likelihood": self.likelihood,
            "subset": self.subset,
            "posterior": self._posterior,
            "noise": self._noise,
            "link": self._link,
            "samples": self._samples,
            "state": _tensors(self._core.state()),
        }
        torch.save(content, path)

    @classmethod
    def load(cls, path: str | PathLike[str], model: torch.nn.Module) -> Collapse:
        """What `save` has written, for a module of the same layers. No code in it is run."""
        try:
            content = torch.load(path, weights_only=True, map_location="cpu")
            name, prior_precision, temperature, width = content["posterior"]
            link, least_variance = content["link"]
            result = cls(
                model,
                content["likelihood"],
                content["subset"],
                name,
                prior_precision=prior_precision,
                temperature=temperature,
                width=width,
                noise=content["noise"],
                link=link,
                least_variance=least_variance,
            )
            result._core = _core.CollapsedModel.of_state(_arrays(content["state"]))
            result._samples = [
                result._head.check(sample, str(path)) for sample in content["samples"]
            ]
        except (KeyError, TypeError, ValueError, RuntimeError, UnpicklingError) as error:
            if isinstance(error, Error):
                raise
            raise Error(f"{path}: this is no saved Collapse: {error}") from error
        return result

    def _observation(self, outputs: int) -> tuple[str, str, float]:
        if self.likelihood == "regression":
            if outputs != 1:
                raise Error(f"regression: the module has {outputs} outputs, not the mean alone")
            return ("homoscedastic", "exponential", 0.0)
        if self.likelihood == "heteroscedastic":
            if outputs != 2:
                raise Error(f"heteroscedastic: the module has {outputs} outputs, not two")
            return ("heteroscedastic", *self._link)
        return ("sigmoid" if outputs == 1 else "softmax", "exponential", 0.0)

    def _raw_variance(self, outputs: Any, outcomes: Any) -> float:
        """The logarithm of the variance of the noise, of a regression."""
        if self.likelihood != "regression":
            return 0.0
        if self._noise is not None:
            return 2 * log(self._noise)
        if outputs.shape != (len(outcomes), 1):
            raise Error(f"regression: {outputs.shape} outputs do not fit {len(outcomes)} targets")
        variance = float(numpy.mean((outputs[:, 0] - outcomes) ** 2))
        if not (isfinite(variance) and variance > 0):
            raise Error(f"the residuals have the mean square {variance}; say noise=")
        return log(variance)


def _tensors(value: Any) -> Any:
    """With tensors instead of arrays, which torch reads without running code."""
    if isinstance(value, (tuple, list)):
        return type(value)(_tensors(one) for one in value)
    return torch.from_numpy(value) if isinstance(value, numpy.ndarray) else value


def _arrays(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)(_arrays(one) for one in value)
    return value.numpy() if isinstance(value, torch.Tensor) else value
