"""Samples of a torch module's weights, along gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

from .errors import Error


def sgd_trajectory(
    model: torch.nn.Module,
    loader: Iterable[Any],
    optimizer: torch.optim.Optimizer,
    loss: Callable[[Any, Any], torch.Tensor],
    samples: int = 20,
    every: int = 1,
) -> list[dict[str, torch.Tensor]]:
    """Trains on, and keeps the weights after every so many epochs: a state dict for each sample.

    The optimiser is the user's own. Its learning rate should keep the weights moving: rather one of
    the training than one that has decayed to nothing. The module ends with the last weights.
    """
    for name, count in (("samples", samples), ("every", every)):
        if count < 1:
            raise Error(f"{name}={count}: expected a positive number")
    device = next((one.device for one in model.parameters()), torch.device("cpu"))
    was_training = model.training
    result: list[dict[str, torch.Tensor]] = []
    model.train()
    try:
        for epoch in range(1, samples * every + 1):
            for x, y in loader:
                optimizer.zero_grad()
                value = loss(model(x.to(device)), y.to(device))
                if not torch.isfinite(value):
                    raise Error(f"epoch {epoch}: the loss is {value.item()}; lower the rate")
                value.backward()
                optimizer.step()
            if epoch % every == 0:
                weights = model.state_dict()
                result.append({name: one.detach().clone() for name, one in weights.items()})
    finally:
        model.train(was_training)
    return result
