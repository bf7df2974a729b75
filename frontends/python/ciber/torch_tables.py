"""What is known of torch: its modules, functions and methods, and the converters of each."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

from .network_builder import Value
from .torch_layers import (
    Step,
    added,
    batch_norm,
    clamped,
    concatenated,
    divided,
    dropout,
    entrywise,
    extreme,
    gelu,
    hardtanh,
    leaky_relu,
    linear,
    moved,
    multiplied,
    multiplied_matrix,
    negated,
    padded,
    padded_by_module,
    prelu,
    require,
    same,
    softmax,
    softplus,
    stacked,
    subtracted,
)
from .torch_windows import adaptive_pool, avg_pool, convolution, max_pool, reduced

Converter = Callable[..., Any]


def of_module(convert: Converter, *names: str) -> Converter:
    """The converter of a module whose function takes these of its attributes, by name."""

    def converted(step: Step, m: Any, x: Any) -> Any:
        return convert(step, x, **{name: getattr(m, name) for name in names})

    return converted


def convolution_module(step: Step, m: Any, x: Any) -> Value:
    require(m.padding_mode == "zeros", f"padding_mode={m.padding_mode!r}")
    return convolution(step, x, m.weight, m.bias, m.stride, m.padding, m.dilation, m.groups)


def moved_by_module(step: Step, m: Any, x: Any) -> Any:
    return moved(step, x)


_BATCH_NORM = of_module(batch_norm, "running_mean", "running_var", "weight", "bias", "eps")
_MAX_POOL = of_module(
    max_pool, "kernel_size", "stride", "padding", "dilation", "ceil_mode", "return_indices"
)
_AVG_POOL = of_module(
    avg_pool, "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"
)
_ADAPTIVE_AVG = of_module(adaptive_pool("avg_pool"), "output_size")
_ADAPTIVE_MAX = of_module(adaptive_pool("max_pool"), "output_size", "return_indices")
_DROPOUT = of_module(dropout)

MODULES: dict[type, Converter] = {
    nn.Linear: of_module(linear, "weight", "bias"),
    nn.Conv1d: convolution_module,
    nn.Conv2d: convolution_module,
    nn.BatchNorm1d: _BATCH_NORM,
    nn.BatchNorm2d: _BATCH_NORM,
    nn.ReLU: of_module(entrywise("relu")),
    nn.ReLU6: of_module(entrywise("relu6")),
    nn.LeakyReLU: of_module(leaky_relu, "negative_slope"),
    nn.PReLU: of_module(prelu, "weight"),
    nn.Hardtanh: of_module(hardtanh, "min_val", "max_val"),
    nn.Hardsigmoid: of_module(entrywise("hardsigmoid")),
    nn.Hardswish: of_module(entrywise("hardswish")),
    nn.Tanh: of_module(entrywise("tanh")),
    nn.Sigmoid: of_module(entrywise("sigmoid")),
    nn.GELU: of_module(gelu, "approximate"),
    nn.Softplus: of_module(softplus, "beta", "threshold"),
    nn.MaxPool1d: _MAX_POOL,
    nn.MaxPool2d: _MAX_POOL,
    nn.AvgPool1d: _AVG_POOL,
    nn.AvgPool2d: of_module(
        avg_pool,
        "kernel_size",
        "stride",
        "padding",
        "ceil_mode",
        "count_include_pad",
        "divisor_override",
    ),
    nn.AdaptiveAvgPool1d: _ADAPTIVE_AVG,
    nn.AdaptiveAvgPool2d: _ADAPTIVE_AVG,
    nn.AdaptiveMaxPool1d: _ADAPTIVE_MAX,
    nn.AdaptiveMaxPool2d: _ADAPTIVE_MAX,
    nn.Flatten: moved_by_module,
    nn.Unflatten: moved_by_module,
    nn.Identity: moved_by_module,
    nn.PixelShuffle: moved_by_module,
    nn.ZeroPad2d: padded_by_module,
    nn.ConstantPad1d: padded_by_module,
    nn.ConstantPad2d: padded_by_module,
    nn.Dropout: _DROPOUT,
    nn.Dropout1d: _DROPOUT,
    nn.Dropout2d: _DROPOUT,
    nn.AlphaDropout: _DROPOUT,
    nn.Softmax: of_module(softmax("Softmax")),
    nn.LogSoftmax: of_module(softmax("LogSoftmax")),
}

# Functions of one name are the same as functions of torch, of torch.nn.functional, and as methods.
_NAMED: dict[str, Converter] = {
    "relu": entrywise("relu"),
    "relu_": entrywise("relu"),
    "relu6": entrywise("relu6"),
    "leaky_relu": leaky_relu,
    "prelu": prelu,
    "hardtanh": hardtanh,
    "hardsigmoid": entrywise("hardsigmoid"),
    "hardswish": entrywise("hardswish"),
    "tanh": entrywise("tanh"),
    "sigmoid": entrywise("sigmoid"),
    "gelu": gelu,
    "softplus": softplus,
    "abs": entrywise("abs"),
    "clamp": clamped,
    "clip": clamped,
    "linear": linear,
    "conv1d": convolution,
    "conv2d": convolution,
    "batch_norm": batch_norm,
    "max_pool1d": max_pool,
    "max_pool2d": max_pool,
    "avg_pool1d": avg_pool,
    "avg_pool2d": avg_pool,
    "adaptive_avg_pool1d": adaptive_pool("avg_pool"),
    "adaptive_avg_pool2d": adaptive_pool("avg_pool"),
    "adaptive_max_pool1d": adaptive_pool("max_pool"),
    "adaptive_max_pool2d": adaptive_pool("max_pool"),
    "mean": reduced("avg_pool"),
    "sum": reduced("avg_pool", by_count=True),
    "amax": reduced("max_pool"),
    "dropout": dropout,
    "softmax": softmax("Softmax"),
    "log_softmax": softmax("LogSoftmax"),
    "add": added,
    "add_": added,
    "sub": subtracted,
    "mul": multiplied,
    "div": divided,
    "neg": negated,
    "maximum": extreme("maximum"),
    "minimum": extreme("minimum"),
    "max": extreme("maximum"),
    "min": extreme("minimum"),
    "matmul": multiplied_matrix,
    "cat": concatenated,
    "concat": concatenated,
    "stack": stacked,
    "pad": padded,
    **dict.fromkeys(
        (
            "flatten",
            "unflatten",
            "reshape",
            "view",
            "permute",
            "transpose",
            "movedim",
            "swapaxes",
            "squeeze",
            "unsqueeze",
            "expand",
            "repeat",
            "tile",
            "flip",
            "roll",
            "narrow",
            "select",
            "chunk",
            "split",
            "unbind",
            "contiguous",
            "clone",
            "pixel_shuffle",
        ),
        moved,
    ),
    **dict.fromkeys(("float", "double", "to", "detach", "type"), same),
}

METHODS: dict[str, Converter] = _NAMED

FUNCTIONS: dict[Any, Converter] = {
    getattr(place, name): convert
    for place in (torch, F)
    for name, convert in _NAMED.items()
    if hasattr(place, name) and name not in ("float", "double")
} | {
    operator.add: added,
    operator.iadd: added,
    operator.sub: subtracted,
    operator.mul: multiplied,
    operator.truediv: divided,
    operator.neg: negated,
    operator.matmul: multiplied_matrix,
    operator.getitem: moved,
    abs: entrywise("abs"),
}
