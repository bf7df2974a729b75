"""The last layer of a torch module: the linear layer whose output is the module's."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch.func import functional_call

from .errors import Error

StateDict = Mapping[str, torch.Tensor]
Seen = dict[str, tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
"""By layer: its input, its output, and a copy of that, which later steps in place do not change."""


class Activations(NamedTuple):
    """What enters the last layer and what leaves it, a row for each row of the input."""

    features: Any
    outputs: Any


class TorchHead:
    """A copy of a module in evaluation mode, which shows what enters its last layer."""

    def __init__(self, model: torch.nn.Module) -> None:
        if not isinstance(model, torch.nn.Module):
            raise Error(f"expected a torch.nn.Module, not {type(model).__name__}")
        self._module = copy.deepcopy(model).eval()
        self._name: str | None = None

    @property
    def name(self) -> str:
        """The name of the last layer, known after the first run."""
        return self._name or "linear"  # a module that is this layer has no name for it

    def state_dict(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self._module.state_dict().items()}

    def check(self, weights: object, name: str = "a sample") -> dict[str, torch.Tensor]:
        """The weights, which must be a state dict of this module. Raises Error."""
        if not isinstance(weights, Mapping):
            raise Error(f"{name} is a state dict of the module, not {type(weights).__name__}")
        own = self._module.state_dict()
        for tensor in own:
            if tensor not in weights:
                raise Error(f"{name} has no tensor '{tensor}' of the module")
        for tensor, value in weights.items():
            if tensor not in own:
                raise Error(f"{name} has a tensor '{tensor}', which the module does not have")
            if not isinstance(value, torch.Tensor) or value.shape != own[tensor].shape:
                raise Error(
                    f"{name}: '{tensor}' is not a tensor of shape {tuple(own[tensor].shape)}"
                )
        return dict(weights)

    def layer(self, weights: StateDict) -> tuple[Any, Any]:
        """The weight and the bias (or None) of the last layer in a sample, as arrays of doubles."""
        prefix = f"{self._name}." if self._name else ""
        if prefix + "weight" not in weights:
            raise Error(f"a sample has no tensor '{prefix}weight', of the last layer")
        bias = weights.get(prefix + "bias")
        return _array(weights[prefix + "weight"]), None if bias is None else _array(bias)

    def run(self, weights: StateDict, x: Any) -> Activations:
        """Runs the module with a sample's weights on a batch."""
        if not isinstance(x, torch.Tensor):
            raise Error(f"expected a tensor of inputs, not {type(x).__name__}")
        seen: Seen = {}

        def hook(name: str) -> Any:
            def record(_: Any, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> None:
                seen[name] = (inputs[0], output, output.clone())

            return record

        layers = [
            (name, layer)
            for name, layer in self._module.named_modules()
            if isinstance(layer, torch.nn.Linear) and self._name in (None, name)
        ]
        hooks = [layer.register_forward_hook(hook(name)) for name, layer in layers]
        try:
            with torch.no_grad():
                place = next(iter(weights.values())).device
                output = functional_call(self._module, dict(weights), (x.to(place),), strict=True)
        except (RuntimeError, KeyError) as error:
            first = (str(error).splitlines() or [""])[0]
            raise Error(f"the module cannot be run with a sample's weights: {first}") from error
        finally:
            for one in hooks:
                one.remove()
        self._name = _last(seen, output)
        features, outputs, _ = seen[self._name]
        if features.ndim != 2:
            raise Error(
                f"layer '{self._name}': it receives a tensor of {features.ndim} dimensions; "
                "the last layer must receive a vector for each row"
            )
        return Activations(_array(features), _array(outputs))


def _last(seen: Seen, output: object) -> str:
    if isinstance(output, torch.Tensor):
        for name, (_, value, put_out) in seen.items():
            same = value.data_ptr() == output.data_ptr() and value.numel() == output.numel()
            if same and torch.equal(*(one.reshape(-1).nan_to_num() for one in (put_out, output))):
                return name
    raise Error(
        "the output of the module does not come from a linear layer; "
        "let it return the mean or the logits, and leave softmax or scaling to the likelihood"
    )


def _array(tensor: torch.Tensor) -> Any:
    return tensor.detach().cpu().double().numpy()
