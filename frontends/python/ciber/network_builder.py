"""Networks that are put together layer by layer, as safetensors files (docs/network.md)."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

_TYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16"}


@dataclass(frozen=True)
class Value:
    """What a layer puts out: its name, and the shape without a batch."""

    layer: str
    shape: tuple[int, ...]


class Layers:
    """The layers of a network so far, and their tensors, those of torch."""

    def __init__(self, shape: Sequence[int]) -> None:
        self.input = Value("input", tuple(shape))
        self._layers: list[dict[str, Any]] = []
        self._tensors: dict[str, Any] = {}
        self._names = {"input"}
        self.logits_of = ""  # the softmax of the outputs, which is left out

    def add(
        self,
        name: str,
        type: str,
        sources: Value | Sequence[Value],
        shape: Sequence[int],
        tensors: Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
    ) -> Value:
        """Adds a layer; its name gets a number if there is one of that name."""
        inputs = [sources] if isinstance(sources, Value) else list(sources)
        unique = self._unique(name)
        layer: dict[str, Any] = {
            "name": unique,
            "type": type,
            "from": [one.layer for one in inputs],
        }
        self._layers.append(layer | dict(attributes or {}))
        for key, tensor in (tensors or {}).items():
            if tensor is not None:
                self._tensors[f"{unique}.{key}"] = tensor
        return Value(unique, tuple(shape))

    def _unique(self, name: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9._]", "_", name)
        result, number = plain, 1
        while result in self._names:
            result, number = f"{plain}_{number}", number + 1
        self._names.add(result)
        return result

    def rearranged(
        self,
        name: str,
        value: Value,
        shape: Sequence[int],
        entries: list[int] | None = None,
        fill: Any = 0,
    ) -> Value:
        """Entries of a value in another shape; -1 among them is padding."""
        identity = entries is None or entries == list(range(prod(value.shape)))
        if identity and tuple(shape) == value.shape:
            return value
        if identity and len(shape) == 1:
            return self.add(name, "flatten", value, shape)
        attributes: dict[str, Any] = {"shape": list(shape)}
        if not identity:
            attributes["entries"] = entries
        if fill != 0:
            attributes["fill"] = fill
        return self.add(name, "rearrange", value, shape, None, attributes)

    def safetensors(self, outputs: Sequence[Value]) -> bytes:
        """The bytes of the file."""
        network: dict[str, Any] = {"input": list(self.input.shape), "layers": self._layers}
        network["output"] = [one.layer for one in outputs]
        if self.logits_of:
            network["logits_of"] = self.logits_of
        header: dict[str, Any] = {"__metadata__": {"network": json.dumps(network)}}
        data = bytearray()
        for name, tensor in self._tensors.items():
            kind = str(tensor.dtype).removeprefix("torch.")
            if kind not in _TYPES:
                tensor, kind = tensor.double(), "float64"
            start = len(data)
            data += _little_endian(tensor)
            header[name] = {
                "dtype": _TYPES[kind],
                "shape": list(tensor.shape),
                "data_offsets": [start, len(data)],
            }
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        return struct.pack("<Q", len(text)) + text + bytes(data)


def _little_endian(tensor: Any) -> bytes:
    import torch

    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy().tobytes())
