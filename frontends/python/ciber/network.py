"""Networks, partly random, and questions about their outputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import _core
from .answer import Answer
from .brackets import names_in
from .certificate import Certificate
from .enclosures import enclosure
from .errors import Error, GaveUp
from .functions import conjunction
from .law import Law
from .network_parts import Event, Layer, Output, Outputs, Pattern, Question, Setting
from .numbers import Number, exact
from .options import Options, core_options
from .problem import Problem, warn
from .queries import (
    Cdf,
    Density,
    Distribution,
    Expectation,
    Probability,
    Quantile,
    Query,
    Variance,
)
from .random_values import Inputs, Weights, flat, split_inputs, weight_laws
from .terms import Formula, TermLike, formula

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Network:
    """A network of known layers, in exact numbers.

    >>> import ciber
    >>> network = ciber.Network.load("docs/examples/net.safetensors")
    >>> network([1, "1/2"])
    (Fraction(21, 16), Fraction(3, 8))
    >>> random = {"fc1.weight[0,0]": (-1, 1)}
    >>> network.probability(lambda out: out[0] > 1, inputs=[1, 0.5], weights=random)
    Answer(5/32 = 0.15625)
    """

    __slots__ = ("_core", "_notes", "_size")

    def __init__(self, core: _core.Network, notes: Iterable[str] = ()) -> None:
        self._core = core
        self._notes = (*core.notes(), *notes)
        self._size: int | None = None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Network:
        """Reads a safetensors file with a description of its layers, or an ONNX model."""
        return cls(_core.Network.read(os.fspath(path)))

    @classmethod
    def from_onnx(cls, path: str | os.PathLike[str]) -> Network:
        """Reads an ONNX model, perhaps compressed; see `notes` for what was left out."""
        return cls(_core.Network.read(os.fspath(path)))

    @classmethod
    def from_torch(cls, module: Any, input_shape: int | Iterable[int]) -> Network:
        """The network of a module of torch, in evaluation mode, by symbolic tracing.

        `input_shape` is that of one input, without a batch. Weights are the exact numbers that the
        floats are. Raises Error, naming the module, for what is not supported, and if the network
        does not put out what the module does on random inputs.
        """
        from .torch_check import check_conversion
        from .torch_network import to_safetensors

        shape = (input_shape,) if isinstance(input_shape, int) else tuple(input_shape)
        data, notes = to_safetensors(module, shape)
        core = _core.Network.parse(data)
        check_conversion(module, core, shape, softmax=bool(notes))
        return cls(core, notes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the network as a safetensors file, which `load` and the command line read."""
        self._core.save(os.fspath(path))

    # What it is

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of one input, without a batch."""
        return self._core.input_shape()

    @property
    def output_size(self) -> int:
        """How many numbers it puts out."""
        if self._size is None:
            self._size = self._core.output_size()
        return self._size

    @property
    def outputs(self) -> Outputs:
        """The outputs as terms, for events: `network.outputs[0] < 1`."""
        return Outputs(self.output_size)

    @property
    def layers(self) -> list[Layer]:
        """The layers, in the order in which they are run."""
        return [Layer(*one) for one in self._core.layers()]

    @property
    def parameters(self) -> Mapping[str, tuple[int, ...]]:
        """The names of all tensors, and their shapes."""
        return MappingProxyType(dict(self._core.shapes()))

    def parameter(self, name: str) -> list[Fraction]:
        """The entries of a tensor, in row-major order."""
        return self._core.parameter(name)

    @property
    def smooth(self) -> bool:
        """Has it smooth layers (tanh, ...), so that outputs are known between bounds?"""
        return self._core.smooth()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks of the reader: a final softmax that was left out."""
        return self._notes

    # Runs

    def __call__(self, x: Any) -> Any:
        """The outputs at an input.

        Of a sequence of numbers, Fractions, exactly. Of an array of numpy or a tensor of torch,
        perhaps with a batch in front, an array of the nearest floats; with smooth layers, of the
        middle of the bounds.
        """
        if hasattr(x, "ndim"):
            return self._floats(x)
        if self.smooth:
            raise Error(
                "the network has smooth layers, so that its outputs are known between bounds: "
                "network.bounds(x)"
            )
        return tuple(lower for lower, _ in self.bounds(x))

    def bounds(self, x: Any) -> list[tuple[Fraction, Fraction]]:
        """Bounds of each output at an input; equal, if there are no smooth layers."""
        return self._core.run([exact(one) for one in flat(x, self.input_shape)])

    def _floats(self, x: Any) -> Any:
        import numpy

        values = numpy.asarray(x.detach().cpu() if hasattr(x, "detach") else x)
        if values.ndim == len(self.input_shape) + 1:
            rows = [self._floats(row) for row in values]
            return numpy.array(rows).reshape(len(rows), self.output_size)
        return numpy.array([float((lower + upper) / 2) for lower, upper in self.bounds(values)])

    # Questions

    def problem(
        self,
        inputs: Inputs | None = None,
        weights: Weights | None = None,
        width: Number | None = None,
        likelihood: str | None = None,
        units: Iterable[str] = (),
    ) -> Problem:
        """The network as a problem, to ask anything about.

        Its reals are what is random, by name: `input[0]`, `fc1.weight[0,3]`. Outputs `out[0]` and
        the named `units` are terms over them; with smooth layers, `lower out[0]`, `upper out[0]`.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> problem = network.problem({0: (0, 1), 1: (0, 1)})
        >>> problem.expectation(ciber.real("out[0]") * ciber.real("input[0]"))
        Answer(173/384 = 0.45052083333333333)
        """
        setting = self._setting(inputs, weights, width, likelihood)
        return Problem.of_core(self._core.encode(setting, list(units)).problem())

    def ask(
        self,
        queries: Iterable[Query] | Callable[[Outputs], Iterable[Query]],
        *,
        inputs: Inputs | None = None,
        weights: Weights | None = None,
        width: Number | None = None,
        likelihood: str | None = None,
        **options: Unpack[Options],
    ) -> list[Answer]:
        """The answers to several queries, found by one search.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> out = network.outputs
        >>> asked = [ciber.Expectation(out[0]), ciber.Probability(out[0] > 1)]
        >>> network.ask(asked, inputs={0: (0, 1)})
        [Answer(9/8 = 1.125), Answer(3/5 = 0.6)]
        """
        asked = list(queries(self.outputs) if callable(queries) else queries)
        names = names_in(*(part for query in asked for part in query.parts()))
        setting = self._setting(inputs, weights, width, likelihood)
        encoded = self._core.encode(setting, names)
        bounded = frozenset(encoded.bounded())
        if not bounded and not options.get("certify"):
            return Problem.of_core(encoded.problem()).ask(asked, **options)
        parts, rules = _enclosing(asked, bounded)
        chosen, certificate = core_options(options), None
        if options.get("certify"):
            records, cautions, proof, text = self._core.ask_certified(
                setting, names, encoded, parts, rules, chosen
            )
            certificate = None if proof is None else Certificate(proof, text)
        else:
            records, cautions, _ = _core.ask_bounded(encoded.problem(), parts, rules, chosen)
        warn(cautions)
        return [Answer(*one, certificate) for one in zip(asked, records, strict=True)]

    def probability(self, event: Event, **question: Unpack[Question]) -> Answer:
        """The probability of an event.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> network.probability(lambda out: out[0] > 1, inputs={0: (0, 1), 1: (0, 1)})
        Answer(9/35 = 0.25714285714285714)
        """
        return self._answer(lambda given: Probability(self._event(event), given), question)

    def largest(self, output: int, **question: Unpack[Question]) -> Answer:
        """The probability that an output is larger than all others."""
        out = self.outputs
        others = [out[output] > out[i] for i in range(len(out)) if i != output % len(out)]
        return self.probability(conjunction(*others), **question)

    def mean(self, output: Output | None = None, **question: Unpack[Question]) -> Answer:
        """The mean of an output; with a likelihood, of the outcome.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> network.density(1, inputs={0: (0, 1)}, likelihood="triangular(2)")
        Answer(67/160 = 0.41875)
        """
        return self._answer(
            lambda given: Expectation(self._term(output, question), given), question
        )

    def variance(self, output: Output | None = None, **question: Unpack[Question]) -> Answer:
        """The variance of an output."""
        return self._answer(lambda given: Variance(self._term(output, question), given), question)

    def density(
        self, at: Number, output: Output | None = None, **question: Unpack[Question]
    ) -> Answer:
        """The density of an output at a number."""
        return self._answer(
            lambda given: Density(self._term(output, question), at, given), question
        )

    def cdf(
        self, at: Number, *, output: Output | None = None, **question: Unpack[Question]
    ) -> Answer:
        """The probability that an output is at most a number."""
        return self._answer(lambda given: Cdf(self._term(output, question), at, given), question)

    def quantile(
        self, probability: Number, *, output: Output | None = None, **question: Unpack[Question]
    ) -> Answer:
        """The least number that an output is at most with this probability."""
        return self._answer(
            lambda given: Quantile(self._term(output, question), probability, given), question
        )

    def law(self, output: Output | None = None, **question: Unpack[Question]) -> Law:
        """The whole law of an output. Raises GaveUp if it takes too long.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> network.law(inputs={0: (-1, 1)}).atoms
        []
        """
        answer = self._answer(
            lambda given: Distribution(self._term(output, question), given), question
        )
        if answer.law is None:
            raise GaveUp(f"the law of output {output}: {answer}")
        return answer.law

    def explain(
        self,
        output: Output | None = None,
        *,
        timeout: float | None = None,
        **setting: Unpack[Setting],
    ) -> list[Pattern]:
        """Which units are active, pattern by pattern, the likeliest first; of one output, or all.

        >>> import ciber
        >>> network = ciber.Network.load("docs/examples/net.safetensors")
        >>> for pattern in network.explain(inputs={0: (0, 1), 1: (0, 1)}):
        ...     print(pattern.probability, dict(pattern.active))
        7/8 {'relu1[0]': True}
        1/8 {'relu1[0]': False}
        """
        terms = list(self.outputs) if output is None else [self._term(output, setting)]
        encoded = self._core.encode(self._setting(**_settings(setting)), names_in(*terms))
        if encoded.bounded():
            raise Error(
                "the network has smooth layers, whose units are neither on nor off; nothing is "
                "explained"
            )
        options: Options = {} if timeout is None else {"timeout": timeout}
        queries = [Expectation(one).parts() for one in terms]
        names, patterns = encoded.explain(queries, core_options(options))
        return [
            Pattern(MappingProxyType(dict(zip(names, holds, strict=True))), *ends, cells)
            for holds, ends, cells in patterns
        ]

    def _answer(self, query: Callable[[Formula | None], Query], question: Question) -> Answer:
        given = question.get("given")
        condition = None if given is None else self._event(given)
        asked = {name: value for name, value in question.items() if name != "given"}
        return self.ask([query(condition)], **asked)[0]  # type: ignore[arg-type]

    def _event(self, event: Event) -> Formula:
        return formula(event(self.outputs) if callable(event) else event)

    def _term(self, output: Output | None, setting: Setting) -> TermLike:
        if output is None:
            output = _SUBJECTS.get(str(setting.get("likelihood") or "").partition("(")[0], 0)
        if isinstance(output, int | str):
            return self.outputs[output]
        return output(self.outputs) if callable(output) else output

    def _setting(
        self,
        inputs: Inputs | None,
        weights: Weights | None,
        width: Number | None,
        likelihood: str | None,
    ) -> _core._Setting:
        """As the engine takes it."""
        numbers, laws = split_inputs(self.input_shape, inputs)
        laws += weight_laws(self.parameters, weights)
        return numbers, laws, None if width is None else exact(width), _text(likelihood)

    # As a value

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_bytes, (self._core.bytes(), self._notes)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.input_shape))
        return f"<Network: {shape} inputs, {len(self.layers)} layers, {self.output_size} outputs>"


def _of_bytes(data: bytes, notes: tuple[str, ...]) -> Network:
    return Network(_core.Network.parse(data), notes)


def _text(likelihood: object) -> str:
    if likelihood is not None and not isinstance(likelihood, str):
        raise Error('likelihood: write "triangular(RADIUS)" or "cubic(REACH)"')
    return likelihood or ""


_SUBJECTS: dict[str, int | str] = {"": 0, "triangular": "y", "cubic": "class"}
"""What a question is about that names no output, by the likelihood."""
_SETTING = ("inputs", "weights", "width", "likelihood")


def _settings(setting: Setting) -> dict[str, Any]:
    for name in setting:
        if name not in _SETTING:
            raise TypeError(f"no keyword is called {name!r}; there are {', '.join(_SETTING)}")
    return {name: setting.get(name) for name in _SETTING}


def _enclosing(asked: list[Query], bounded: frozenset[str]) -> tuple[list[Any], list[str]]:
    """Queries whose answers enclose those asked for, where some names are known between bounds, and
    the rules by which they do: empty for all but the first of each."""
    queries: list[Any] = []
    rules: list[str] = []
    for query in asked:
        rule, parts = enclosure(query, bounded) if bounded else ("", [query])
        queries += [part.parts() for part in parts]
        rules += [rule] + [""] * (len(parts) - 1)
    return queries, rules
