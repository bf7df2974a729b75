"""The steps of torch that have layers, each a function: a converter.

A converter takes the step and the arguments that torch's function takes, or the module and its
input. What depends on the network's input is a Value, all else is what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import torch
from torch.nn import functional as F  # noqa: N812

from .network_builder import Layers, Value


class Unsupported(Exception):
    """Why a step has no layers."""


class Step(NamedTuple):
    """One step of a traced module."""

    layers: Layers
    name: str
    result: Any
    """What torch computes, a batch of one: for its shape."""
    apply: Callable[[Any], Any]
    """The step itself, as a function of its first input."""
    last: bool
    notes: list[str]

    @property
    def shape(self) -> tuple[int, ...]:
        return without_batch(self.result)

    def add(
        self,
        type: str,
        sources: Value | Sequence[Value],
        tensors: dict[str, Any] | None = None,
        shape: Sequence[int] | None = None,
        **attributes: Any,
    ) -> Value:
        """A layer with the name of the step, and its shape."""
        size = self.shape if shape is None else shape
        return self.layers.add(self.name, type, sources, size, tensors, attributes)


def without_batch(tensor: Any) -> tuple[int, ...]:
    if tensor.ndim == 0 or tensor.shape[0] != 1:
        raise Unsupported("it does not keep the batch, which is the first axis")
    return tuple(tensor.shape[1:])


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Unsupported(what)


def value(x: Any) -> Value:
    """The argument, if it depends on the network's input."""
    require(isinstance(x, Value), "its first argument is a constant")
    return x  # type: ignore[no-any-return]


# Entries in other places


def moved(step: Step, x: Any, *others: Any, **_: Any) -> Any:
    """Any step that moves entries: it is applied to their numbers."""
    if isinstance(x, tuple | list):  # one of several results, or of several values
        return x[others[0]]
    x = value(x)
    numbers = torch.arange(prod(x.shape), dtype=torch.float64).reshape(1, *x.shape)
    found = step.apply(numbers)
    if isinstance(found, torch.Tensor):
        return _of_numbers(step, x, found)
    return tuple(_of_numbers(step, x, one) for one in found)


def _of_numbers(step: Step, x: Value, numbers: Any, fill: Any = 0) -> Value:
    entries = [int(one) for one in numbers.reshape(-1).tolist()]
    return step.layers.rearranged(step.name, x, without_batch(numbers), entries, fill)


def broadcast(step: Step, x: Value, shape: tuple[int, ...]) -> Value:
    if x.shape == shape:
        return x
    numbers = torch.arange(prod(x.shape)).reshape(x.shape).expand(shape)
    return step.layers.rearranged(f"{step.name}.expand", x, shape, numbers.reshape(-1).tolist())


def padded(
    step: Step, x: Any, pad: Sequence[int], mode: str = "constant", value: Any = None
) -> Value:
    if mode != "constant":
        return moved(step, x)  # type: ignore[no-any-return]
    numbers = torch.arange(prod(x.shape), dtype=torch.float64).reshape(1, *x.shape)
    return _of_numbers(step, x, F.pad(numbers, list(pad), value=-1), value or 0)


def padded_by_module(step: Step, m: Any, x: Any) -> Value:
    return padded(step, x, m.padding, value=m.value)


def same(step: Step, x: Any, *_: Any, **__: Any) -> Value:
    """A step that changes nothing, such as a conversion between floats."""
    require(step.result.dtype.is_floating_point, "it rounds to whole numbers")
    return value(x)


def concatenated(step: Step, tensors: Sequence[Any], dim: int = 0) -> Value:
    require(all(isinstance(one, Value) for one in tensors), "one of its inputs is a constant")
    axis = dim % step.result.ndim
    require(axis > 0, "it does not keep the batch, which is the first axis")
    return step.add("concatenate", list(tensors), axis=axis - 1)


def stacked(step: Step, tensors: Sequence[Any], dim: int = 0) -> Value:
    require(all(isinstance(one, Value) for one in tensors), "one of its inputs is a constant")
    axis = dim % step.result.ndim - 1
    require(axis >= 0, "it does not keep the batch, which is the first axis")
    parts = []
    for one in tensors:
        shape = (*one.shape[:axis], 1, *one.shape[axis:])
        parts.append(step.layers.rearranged(f"{step.name}.part", one, shape))
    return step.add("concatenate", parts, axis=axis)


# Sums and multiples


def affine(step: Step, x: Value, **constants: Any) -> Value:
    """(weight x + bias) / divisor for constants that are numbers or tensors."""
    x = broadcast(step, x, step.shape)
    tensors = {}
    for name, constant in constants.items():
        tensor = (
            constant
            if isinstance(constant, torch.Tensor)
            else torch.tensor(float(constant), dtype=torch.float64)
        )
        if tensor.ndim == len(x.shape) + 1 and tensor.shape[0] == 1:
            tensor = tensor[0]
        tensors[name] = tensor.reshape(1) if tensor.ndim == 0 else tensor
    return step.add("affine", x, tensors)


def added(step: Step, a: Any, b: Any, alpha: Any = 1) -> Value:
    if not isinstance(a, Value):
        return affine(step, b, bias=a) if alpha == 1 else affine(step, b, weight=alpha, bias=a)
    if not isinstance(b, Value):
        return affine(step, a, bias=b * alpha)
    if alpha != 1:
        b = step.layers.add(
            f"{step.name}.scale",
            "affine",
            b,
            b.shape,
            {"weight": torch.tensor([float(alpha)], dtype=torch.float64)},
        )
    return step.add("add", [broadcast(step, one, step.shape) for one in (a, b)])


def subtracted(step: Step, a: Any, b: Any, alpha: Any = 1) -> Value:
    return added(
        step, a, b if isinstance(b, Value) else -b, -alpha if isinstance(b, Value) else alpha
    )


def multiplied(step: Step, a: Any, b: Any) -> Value:
    require(
        not (isinstance(a, Value) and isinstance(b, Value)),
        "a product of two values that depend on the input is not piecewise linear",
    )
    return affine(step, a, weight=b) if isinstance(a, Value) else affine(step, b, weight=a)


def divided(step: Step, a: Any, b: Any, rounding_mode: Any = None) -> Value:
    require(
        isinstance(a, Value) and not isinstance(b, Value) and rounding_mode is None,
        "only quotients by constants are piecewise linear",
    )
    return affine(step, a, divisor=b)


def negated(step: Step, x: Any) -> Value:
    return affine(step, value(x), weight=-1)


def extreme(type: str) -> Callable[..., Value]:
    def convert(step: Step, a: Any, b: Any) -> Value:
        require(
            isinstance(a, Value) and isinstance(b, Value),
            "one of its inputs is a constant; use clamp",
        )
        return step.add(type, [broadcast(step, one, step.shape) for one in (a, b)])

    return convert


def multiplied_matrix(step: Step, a: Any, b: Any) -> Value:
    require(
        isinstance(a, Value) and isinstance(b, torch.Tensor) and b.ndim == 2,
        "only a product x @ W with a constant matrix has a layer",
    )
    return step.add("linear", a, {"weight": b.T})


# Layers with weights


def linear(step: Step, x: Any, weight: Any, bias: Any = None) -> Value:
    require(isinstance(weight, torch.Tensor), "its weights depend on the input")
    return step.add("linear", value(x), {"weight": weight, "bias": bias})


def batch_norm(
    step: Step,
    x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Value:
    require(running_mean is not None and not training, "it has no running statistics")
    tensors = {"running_mean": running_mean, "running_var": running_var}
    return step.add("batch_norm", value(x), tensors | {"weight": weight, "bias": bias}, eps=eps)


def prelu(step: Step, x: Any, weight: Any) -> Value:
    return step.add("prelu", value(x), {"weight": weight})


# Functions of each entry


def entrywise(type: str) -> Callable[..., Value]:
    def convert(step: Step, x: Any, inplace: bool = False) -> Value:
        return step.add(type, value(x))

    return convert


def leaky_relu(step: Step, x: Any, negative_slope: float = 0.01, inplace: bool = False) -> Value:
    require(0 <= negative_slope <= 1, f"its slope {negative_slope} is not between 0 and 1")
    return step.add("leaky_relu", value(x), slope=negative_slope)


def hardtanh(
    step: Step, x: Any, min_val: float = -1, max_val: float = 1, inplace: bool = False
) -> Value:
    return step.add("hardtanh", value(x), min=min_val, max=max_val)


def clamped(step: Step, x: Any, min: Any = None, max: Any = None) -> Value:
    require(
        not isinstance(min, torch.Tensor | Value) and not isinstance(max, torch.Tensor | Value),
        "its bounds are no numbers",
    )
    if min is not None and max is not None:
        return step.add("hardtanh", value(x), min=min, max=max)
    left, right = (0, 1) if max is None else (1, 0)
    bound = max if min is None else min
    return step.add(
        "piecewise_linear",
        value(x),
        at=[bound],
        values=[bound],
        left_slope=left,
        right_slope=right,
    )


def gelu(step: Step, x: Any, approximate: str = "none") -> Value:
    require(approximate == "none", "only the exact form, approximate='none', has a layer")
    return step.add("gelu", value(x))


def softplus(step: Step, x: Any, beta: float = 1, threshold: float = 20) -> Value:
    # Above the threshold torch puts out x itself, which differs by less than e^-threshold.
    require(threshold >= 20, f"threshold={threshold} is below 20, where the function jumps")
    if beta == 1:
        return step.add("softplus", value(x))
    number = torch.tensor([float(beta)], dtype=torch.float64)
    scaled = step.layers.add(f"{step.name}.scale", "affine", x, x.shape, {"weight": number})
    soft = step.layers.add(f"{step.name}.unit", "softplus", scaled, x.shape)
    return step.add("affine", soft, {"divisor": number})


def dropout(
    step: Step, x: Any, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Value:
    require(not training, "it is in training mode")
    return value(x)


def softmax(type: str) -> Callable[..., Value]:
    """A final `Softmax` or `LogSoftmax`, which is left out."""

    def convert(step: Step, x: Any, *_: Any, **__: Any) -> Value:
        require(step.last, "only a final softmax can be left out")
        require(len(value(x).shape) == 1, "only the softmax of a vector can be left out")
        step.layers.logits_of = type
        step.notes.append(
            f"the outputs are the logits: the final {type} '{step.name}' is left out, which does "
            "not change their order"
        )
        return value(x)

    return convert
