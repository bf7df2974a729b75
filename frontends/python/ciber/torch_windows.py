"""Steps of torch with windows, and reductions: convolutions, pooling, means over axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch

from .network_builder import Value
from .torch_layers import Step, require, value


def convolution(
    step: Step,
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Value:
    """Over one or two axes."""
    require(isinstance(weight, torch.Tensor), "its weights depend on the input")
    axes = weight.ndim - 2
    kernel, widths = list(weight.shape[2:]), _pair(dilation, axes)
    start = end = _pair(padding, axes) if not isinstance(padding, str) else [0] * axes
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(widths, kernel, strict=True)]
        start = [one // 2 for one in total]
        end = [one - one // 2 for one in total]
    if axes == 1:
        weight = weight.unsqueeze(2)
    return _in_plane(
        step,
        value(x),
        "conv2d",
        {"weight": weight, "bias": bias},
        stride=_two(_pair(stride, axes), 1),
        padding=_two(start, 0),
        padding_end=_two(end, 0),
        dilation=_two(widths, 1),
        groups=groups,
    )


def max_pool(
    step: Step,
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Value:
    require(not return_indices, "it returns indices")
    return _pooled(
        step,
        x,
        "max_pool",
        kernel_size,
        stride,
        padding,
        dilation=dilation,
        ceil_mode=int(ceil_mode),
    )


def avg_pool(
    step: Step,
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Value:
    require(divisor_override is None, "it has a divisor of its own")
    return _pooled(
        step,
        x,
        "avg_pool",
        kernel_size,
        stride,
        padding,
        ceil_mode=int(ceil_mode),
        count_include_pad=int(count_include_pad),
    )


def adaptive_pool(type: str) -> Callable[..., Value]:
    def convert(step: Step, x: Any, output_size: Any, return_indices: bool = False) -> Value:
        lengths = value(x).shape[1:]
        wanted = [
            size or length
            for size, length in zip(_pair(output_size, len(lengths)), lengths, strict=True)
        ]
        require(
            all(length % size == 0 for size, length in zip(wanted, lengths, strict=True)),
            f"windows of different sizes: {list(lengths)} entries for {wanted}",
        )
        kernel = [length // size for size, length in zip(wanted, lengths, strict=True)]
        return _pooled(step, x, type, kernel, None, 0)

    return convert


def reduced(type: str, by_count: bool = False) -> Callable[..., Value]:
    """The mean or an extreme over some axes; the sum, with `by_count`."""

    def convert(step: Step, x: Any, dim: Any = None, keepdim: bool = False) -> Value:
        require(dim is not None, "it does not keep the batch, which is the first axis")
        rank = len(value(x).shape)
        axes = {one % (rank + 1) - 1 for one in (dim if isinstance(dim, Sequence) else [dim])}
        require(-1 not in axes, "it does not keep the batch, which is the first axis")
        order = [one for one in range(rank) if one not in axes] + sorted(axes)
        count = prod(x.shape[one] for one in axes)
        numbers = torch.arange(prod(x.shape)).reshape(x.shape).permute(order).reshape(-1, 1, count)
        rows = step.layers.rearranged(
            f"{step.name}.rows", x, tuple(numbers.shape), numbers.reshape(-1).tolist()
        )
        size = (rows.shape[0], 1, 1)
        result = step.add(type, rows, shape=size, kernel=[1, count])
        if by_count:
            factor = torch.tensor([float(count)], dtype=torch.float64)
            result = step.layers.add(f"{step.name}.sum", "affine", result, size, {"weight": factor})
        return step.layers.rearranged(f"{step.name}.out", result, step.shape)

    return convert


def _pooled(
    step: Step,
    x: Any,
    type: str,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any = None,
    **attributes: Any,
) -> Value:
    axes = len(value(x).shape) - 1
    sizes = _pair(kernel, axes)
    if dilation is not None:
        attributes["dilation"] = _two(_pair(dilation, axes), 1)
    return _in_plane(
        step,
        x,
        type,
        {},
        kernel=_two(sizes, 1),
        stride=_two(_pair(stride, axes) if stride is not None and stride != [] else sizes, 1),
        padding=_two(_pair(padding, axes), 0),
        **attributes,
    )


def _in_plane(step: Step, x: Value, type: str, tensors: dict[str, Any], **attributes: Any) -> Value:
    """A layer over [channels, height, width], of which the height is 1 if there is one axis."""
    require(len(x.shape) in (2, 3), "only windows over one or two axes have layers")
    if len(x.shape) == 3:
        return step.add(type, x, tensors, **attributes)
    channels, length = x.shape
    plane = step.layers.rearranged(f"{step.name}.plane", x, (channels, 1, length))
    out = step.shape
    result = step.add(type, plane, tensors, shape=(out[0], 1, out[1]), **attributes)
    return step.layers.rearranged(f"{step.name}.line", result, out)


def _pair(number: Any, axes: int) -> list[Any]:
    return (
        [*number] * (axes if len(number) == 1 else 1)
        if isinstance(number, tuple | list)
        else [number] * axes
    )


def _two(numbers: list[Any], first: int) -> list[Any]:
    """Height and width, the height being one number if there is one axis."""
    return [first, *numbers] if len(numbers) == 1 else numbers
