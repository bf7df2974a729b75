"""Modules of torch as networks, by symbolic tracing.

The module is traced by torch.fx in evaluation mode and then run once on zeros, a batch of one,
which gives the shapes; each step that depends on the input becomes layers.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import fx

from .errors import Error
from .network_builder import Layers, Value
from .torch_layers import Step, Unsupported
from .torch_tables import FUNCTIONS, METHODS, MODULES


def to_safetensors(module: Any, shape: tuple[int, ...]) -> tuple[bytes, list[str]]:
    """The bytes of a network file, and remarks about what was left out. Raises Error."""
    if not isinstance(module, torch.nn.Module):
        raise Error(f"expected a torch.nn.Module, not {type(module).__name__}")
    if not all(isinstance(length, int) and length > 0 for length in shape):
        raise Error(f"input_shape={shape}: expected the lengths of the axes, without a batch")
    try:
        module = copy.deepcopy(module).cpu().eval()
    except Exception as error:
        raise Error(f"{type(module).__name__} cannot be copied: {_first_line(error)}") from None
    if type(module) in MODULES:  # a module of its own, not what it is made of
        module = torch.nn.Sequential(module)
    try:
        graph = fx.Tracer().trace(module)
    except Exception as error:
        raise Error(
            f"{type(module).__name__} cannot be traced by torch.fx: {_first_line(error)}; "
            "export it to ONNX and use Network.from_onnx"
        ) from None
    _check_types(module, graph)
    conversion = _Conversion(fx.GraphModule(module, graph), shape)
    kind = next((one.dtype for one in module.parameters()), torch.get_default_dtype())
    with torch.no_grad():
        try:
            outputs = conversion.run(torch.zeros((1, *shape), dtype=kind))
        except Error:
            raise
        except Exception as error:
            raise Error(
                f"the module cannot be run on an input of shape {list(shape)}: {_first_line(error)}"
            ) from None
    return conversion.layers.safetensors(outputs), conversion.notes


def _check_types(module: torch.nn.Module, graph: fx.Graph) -> None:
    """Refuses modules that are not supported before anything is run."""
    for node in graph.nodes:
        if node.op == "call_module":
            kind = type(module.get_submodule(str(node.target)))
            if kind not in MODULES:
                raise Error(
                    f"layer '{node.target}' ({kind.__name__}): not supported; supported are "
                    + ", ".join(sorted({one.__name__ for one in MODULES}))
                )


class _Conversion(fx.Interpreter):  # type: ignore[misc]
    """Runs a graph, and collects the layers of the steps that depend on the input."""

    def __init__(self, module: fx.GraphModule, shape: tuple[int, ...]) -> None:
        super().__init__(module, garbage_collect_values=False)
        # The interpreter would show the module's source in the messages of errors.
        self.extra_traceback = False
        self.layers = Layers(shape)
        self.notes: list[str] = []
        self._values: dict[fx.Node, Any] = {}  # a Value or a tuple of them; constants have none

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        if n.op == "placeholder":
            if self._values:
                raise Error("the module has several inputs; a network has one")
            self._values[n] = self.layers.input
        elif n.op == "output":
            return self._outputs(n.args[0])
        elif _is_value(result) and any(one in self._values for one in n.all_input_nodes):
            self._values[n] = self._converted(n, result)
        return result

    def _outputs(self, given: Any) -> list[Value]:
        values: list[Value] = []
        for one in given if isinstance(given, tuple | list) else [given]:
            value = self._values.get(one) if isinstance(one, fx.Node) else None
            if value is None:
                raise Error("the module must return a tensor, or several, that depend on its input")
            values += [value] if isinstance(value, Value) else value
        return values

    def _converted(self, n: fx.Node, result: Any) -> Any:
        kind = "layer" if n.op == "call_module" else "step"
        name, described = self._described(n)
        step = Step(self.layers, name, result, self._apply(n), self._is_last(n), self.notes)
        try:
            convert = self._converter(n)
            args, kwargs = fx.node.map_arg((n.args, n.kwargs), self._value)
            if n.op == "call_module":
                return convert(step, self.submodules[str(n.target)], *args, **kwargs)
            return convert(step, *args, **kwargs)
        except Unsupported as error:
            raise Error(f"{kind} '{name}' ({described}): not supported: {error}") from None
        except TypeError:
            raise Error(f"{kind} '{name}' ({described}): not supported in this form") from None

    def _described(self, n: fx.Node) -> tuple[str, str]:
        if n.op == "call_module":
            return str(n.target), type(self.submodules[str(n.target)]).__name__
        for one in n.all_input_nodes:  # a weight that a function uses names the layer
            if one.op == "get_attr" and str(one.target).endswith(".weight"):
                return str(one.target).removesuffix(".weight"), _function_name(n)
        return n.name, _function_name(n)

    def _converter(self, n: fx.Node) -> Any:
        if n.op == "call_module":
            return MODULES[type(self.submodules[str(n.target)])]
        table: Any = METHODS if n.op == "call_method" else FUNCTIONS
        if n.target not in table:
            raise Unsupported("supported are the functions that docs/python.md lists")
        return table[n.target]

    def _value(self, n: fx.Node) -> Any:
        """The value of a step, or the constant that it is."""
        return self._values[n] if n in self._values else self.env[n]

    def _apply(self, n: fx.Node) -> Any:
        """The step itself as a function of its first input."""
        first = next(one for one in n.all_input_nodes if one in self._values)

        def applied(tensor: Any) -> Any:
            args, kwargs = fx.node.map_arg(
                (n.args, n.kwargs), lambda one: tensor if one is first else self.env[one]
            )
            return getattr(self, n.op)(n.target, args, kwargs)

        return applied

    def _is_last(self, n: fx.Node) -> bool:
        return all(user.op == "output" for user in n.users)


def _is_value(result: Any) -> bool:
    """Is it a tensor, or several?"""
    parts = result if isinstance(result, tuple | list) else [result]
    return len(parts) > 0 and all(isinstance(one, torch.Tensor) for one in parts)


def _function_name(n: fx.Node) -> str:
    return n.target if isinstance(n.target, str) else getattr(n.target, "__name__", str(n.target))


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0].split(". ")[0] or type(error).__name__
