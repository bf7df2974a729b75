"""Whether a network that was traced puts out what the module itself does.

Tracing sees the steps of a module, and not what they do to memory: a step in place changes values
that are used again, hooks are no steps, and a number that was taken out of a tensor is a constant.
So both are run side by side on random inputs, and a difference is refused.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from math import prod
from typing import Any

import torch

from . import _core
from .errors import Error

_FLOATS = 1e-3  # differences of floats that are rounding, as shares of the largest output
_DOUBLES = 1e-6
_LARGE_INPUT = 1000  # entries, from which fewer inputs are run


def check_conversion(
    module: torch.nn.Module, network: _core.Network, shape: tuple[int, ...], softmax: bool
) -> None:
    """Raises Error. `softmax`: the last step of the module, which the network leaves out."""
    reference = copy.deepcopy(module).cpu().eval()
    kind = next((one.dtype for one in reference.parameters()), torch.get_default_dtype())
    rows = 16 if prod(shape) < _LARGE_INPUT else 2
    inputs = torch.randn((2 * rows, *shape), generator=torch.Generator().manual_seed(1))
    inputs[rows:] *= 8
    expected = _outputs(reference, inputs.to(kind))
    if not torch.equal(expected.nan_to_num(), _outputs(reference, inputs.to(kind)).nan_to_num()):
        raise Error("the module is random: it puts out different numbers for the same input")
    found = torch.from_numpy(network.run_floats(inputs.reshape(2 * rows, -1).double().numpy()))
    finish = _softmax if softmax else _same
    if _agree(finish(found), expected, _FLOATS):
        return
    # Floats may differ by more than usual; exact numbers and doubles decide.
    numbers = inputs.double()[:1]
    ends = network.run([Fraction(one) for one in numbers.reshape(-1).tolist()])
    middle = torch.tensor([[float((lower + upper) / 2) for lower, upper in ends]])
    width = max(float(upper - lower) for lower, upper in ends)
    doubles = _outputs(copy.deepcopy(module).cpu().double().eval(), numbers)
    if found.shape != expected.shape or not _agree(finish(middle), doubles, _DOUBLES, width):
        raise Error(
            "the network that was traced does not put out what the module does; look for steps in "
            "place on values that are used again, hooks, and numbers taken out of tensors (item)"
        )


def _outputs(module: torch.nn.Module, inputs: torch.Tensor) -> torch.Tensor:
    """A row for each input."""
    with torch.no_grad():
        try:
            return _rows(module(inputs.clone()), len(inputs))
        except Exception:  # made for batches of one
            return torch.cat([_rows(module(one[None].clone()), 1) for one in inputs])


def _rows(outputs: Any, count: int) -> torch.Tensor:
    parts = outputs if isinstance(outputs, tuple | list) else [outputs]
    return torch.cat([one.detach().double().reshape(count, -1) for one in parts], dim=1)


def _same(outputs: torch.Tensor) -> torch.Tensor:
    return outputs


def _softmax(outputs: torch.Tensor) -> torch.Tensor:
    return outputs.softmax(dim=1)


def _agree(
    found: torch.Tensor, expected: torch.Tensor, share: float, allowance: float = 0.0
) -> bool:
    if found.shape != expected.shape:
        return False
    finite = found.isfinite() & expected.isfinite()  # floats may overflow
    if not finite.any():
        return True
    size = expected[finite].abs().max()
    return bool(((found - expected)[finite].abs() <= share * size + allowance).all())
