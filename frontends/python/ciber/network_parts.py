"""What a network is made of and asked about: layers, outputs as terms, what is random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias, TypedDict

from .functions import real
from .numbers import Number
from .options import Options
from .random_values import Inputs, Weights
from .terms import FormulaLike, Term, TermLike


class Outputs:
    """The outputs of a network as terms: `out[0]`; a unit or an input by name: `out["fc1[3]"]`."""

    __slots__ = ("_size",)

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int | str) -> Term:
        if isinstance(index, str):
            return real(index)
        if not -self._size <= index < self._size:
            raise IndexError(f"there is no output {index}; there are {self._size}")
        return real(f"out[{index % self._size}]")

    def __iter__(self) -> Iterator[Term]:
        return (self[i] for i in range(self._size))

    def __repr__(self) -> str:
        return f"<{self._size} outputs>"


Event: TypeAlias = "FormulaLike | Callable[[Outputs], FormulaLike]"
"""A formula about outputs, or a function that makes one of them."""
Output: TypeAlias = "int | str | Term | Callable[[Outputs], TermLike]"
"""The number of an output, the name of a unit, a term, or a function that makes one of outputs."""


class Setting(TypedDict, total=False):
    """What is random; the rest is known."""

    inputs: Inputs | None
    """The inputs: numbers or laws, by index (others are 0) or in order; or a law for all."""
    weights: Weights | None
    """The weights that are random, or other numbers than in the network, by name."""
    width: Number | None
    """Of the bounds of each smooth layer; without it, as the layers say."""
    likelihood: str | None
    """What questions are about that name no output: `triangular(r)`, an outcome `y` that scatters
    around the first output, at most r away; `cubic(d)`, the probability `class` of a class whose
    logit is the first output, by a cubic sigmoid that reaches 1 at d."""


class Question(Options, Setting, total=False):
    """The keywords of every question to a network."""

    given: Event | None
    """A condition."""


class Layer(NamedTuple):
    """A layer: its name, its type (`docs/network.md` has all), and the names of its inputs."""

    name: str
    type: str
    inputs: tuple[str, ...]


class Pattern(NamedTuple):
    """A pattern of units, on or off, and how likely it is."""

    active: Mapping[str, bool]
    lower: Fraction
    upper: Fraction
    cells: int

    @property
    def probability(self) -> Fraction:
        """The middle of its bounds, which nearly always are equal."""
        return self.lower if self.lower == self.upper else (self.lower + self.upper) / 2
