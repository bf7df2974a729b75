"""What is random in a network: laws of inputs and weights, as users write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _core
from .errors import Error
from .law import Law
from .numbers import Exact, Number, exact

if TYPE_CHECKING:
    from collections.abc import Iterator


class NamedLaw:
    """A law of a random number by name, as `--unknown` of the command line takes it.

    >>> triangular(-1, 0, 1)
    triangular(-1, 0, 1)
    >>> triangular(-1, 0, 1).law.var
    Fraction(1, 6)
    """

    __slots__ = ("name", "arguments")

    name: str
    arguments: tuple[Exact, ...]

    def __init__(self, name: str, arguments: Sequence[Number]) -> None:
        self.name = name
        self.arguments = tuple(exact(one) for one in arguments)
        _core.parse_law(str(self))  # throws what is wrong with it

    @property
    def law(self) -> Law:
        """The law itself; of a Gaussian, the piecewise polynomial that stands for it."""
        law = _core.parse_law(str(self))[0]
        if law is None:
            raise Error(f"{self} has no formula")
        return Law.of_core(law)

    @property
    def assumption(self) -> str:
        """What the law approximates and how closely; empty if it is exact."""
        return _core.parse_law(str(self))[1]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.arguments))})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedLaw):
            return NotImplemented
        return (self.name, self.arguments) == (other.name, other.arguments)

    def __hash__(self) -> int:
        return hash((self.name, self.arguments))

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedLaw, (self.name, self.arguments)


def uniform(start: Number, end: Number) -> NamedLaw:
    """Uniform between two numbers; as the law of an input or weight, `(start, end)` is the same."""
    return NamedLaw("uniform", (start, end))


def triangular(start: Number, mode: Number, end: Number) -> NamedLaw:
    """A density that rises linearly from `start` to `mode`, and falls to `end`."""
    return NamedLaw("triangular", (start, mode, end))


def gaussian(mean: Number, deviation: Number) -> NamedLaw:
    """A normal law, truncated at 4 deviations, as cubic pieces; answers say so as an assumption."""
    return NamedLaw("gaussian", (mean, deviation))


def normal_law(
    mean: Number, deviation: Number, start: Number | None = None, end: Number | None = None
) -> NamedLaw:
    """A normal law itself, perhaps cut to an interval; answers are enclosures."""
    ends = () if start is None and end is None else (start, end)
    if None in ends:
        raise Error("a normal law is cut at both ends, or at none")
    return NamedLaw("normal", (mean, deviation, *ends))


class JointNormal:
    """A joint normal law of several inputs or weights.

    >>> joint_normal([0, 1], [[1, "1/2"], ["1/2", 1]])
    joint_normal([0, 1], [[1, 1/2], [1/2, 1]])
    """

    __slots__ = ("mean", "covariance")

    mean: tuple[Exact, ...]
    covariance: tuple[tuple[Exact, ...], ...]

    def __init__(self, mean: Any, covariance: Any) -> None:
        self.mean = tuple(exact(one) for one in _listed(mean))
        self.covariance = tuple(
            tuple(exact(one) for one in _listed(row)) for row in _listed(covariance)
        )
        size = len(self.mean)
        if len(self.covariance) != size or any(len(row) != size for row in self.covariance):
            raise Error(f"{size} means need a covariance of {size} rows with {size} numbers")

    def __str__(self) -> str:
        return f"normal({_bracketed(self.mean)}, [{', '.join(map(_bracketed, self.covariance))}])"

    def __repr__(self) -> str:
        return f"joint_{self}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JointNormal):
            return NotImplemented
        return (self.mean, self.covariance) == (other.mean, other.covariance)

    def __hash__(self) -> int:
        return hash((self.mean, self.covariance))

    def __reduce__(self) -> tuple[Any, ...]:
        return JointNormal, (self.mean, self.covariance)


def joint_normal(mean: Any, covariance: Any) -> JointNormal:
    """A normal law of several inputs or weights together, from sequences or arrays."""
    return JointNormal(mean, covariance)


def _listed(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _bracketed(numbers: Sequence[Exact]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def bspline(start: Number, end: Number, order: int) -> NamedLaw:
    """The law of the sum of `order` equal uniform numbers, from `start` to `end`."""
    return NamedLaw("bspline", (start, end, order))


def piecewise(*points: tuple[Number, Number]) -> NamedLaw:
    """Straight lines between points (x, y), divided by the area below them.

    >>> piecewise((0, 0), (1, 2), (3, 0))
    piecewise(0, 0, 1, 2, 3, 0)
    """
    return NamedLaw("piecewise", [number for point in points for number in point])


Value: TypeAlias = "Number | tuple[Number, Number] | NamedLaw | JointNormal | Law"
"""A number, or the law of one: a pair is uniform between two numbers; a text is a number, or a law
as the command line takes it, `"triangular(-1,0,1)"`. A joint law is one of several entries."""
Inputs: TypeAlias = (
    "Mapping[int | tuple[int, ...] | str, Value] | Sequence[Value]"
    " | NamedLaw | JointNormal | Law | str | Any"
)
"""Values by index, with 0 for all others; a value for each input in order; a law for all. Several
entries are `input[0..2]` or `input[0],input[4]`."""
Weights: TypeAlias = "Mapping[str, Value]"
"""Values by name: `fc1.weight[0,3]`, or `fc1.bias` for all its entries. Several entries are
`fc1.weight[0,0..2]` or `fc1.weight[0,0],fc1.bias[0]`."""

CoreLaw: TypeAlias = "str | _core.Law"


def split_inputs(
    shape: tuple[int, ...], inputs: Inputs | None
) -> tuple[list[Exact], list[tuple[str, CoreLaw]]]:
    """The numbers of all inputs, and the names and laws of those that are random."""
    size = prod(shape)
    numbers: list[Exact] = [0] * size
    laws: list[tuple[str, CoreLaw]] = []
    if isinstance(inputs, JointNormal):
        names = [f"input{_index_text(shape, entry)}" for entry in range(size)]
        return numbers, [(",".join(names), str(inputs))]
    if isinstance(inputs, Mapping):
        joint = {name: law for name, law in inputs.items() if isinstance(law, JointNormal)}
        laws = [(str(name), str(law)) for name, law in joint.items()]
        inputs = {name: value for name, value in inputs.items() if name not in joint}
    for entry, value in _entries(shape, size, inputs):
        law = _law(value, f"input {entry}")
        if isinstance(law, int) or not isinstance(law, str | _core.Law):
            numbers[entry] = law
        else:
            laws.append((f"input{_index_text(shape, entry)}", law))
    return numbers, laws


def weight_laws(
    shapes: Mapping[str, tuple[int, ...]], weights: Weights | None
) -> list[tuple[str, CoreLaw]]:
    """The names and laws of all weights that are given one."""
    result: list[tuple[str, CoreLaw]] = []
    for name, value in (weights or {}).items():
        if isinstance(value, JointNormal):
            entries = (
                [name + index for index in _indices(shapes[name])] if name in shapes else [name]
            )
            result.append((",".join(entries), str(value)))
            continue
        law = _law(value, f"weight {name!r}")
        text = law if isinstance(law, str | _core.Law) else str(law)
        if name in shapes:
            result += [(name + index, text) for index in _indices(shapes[name])]
        else:
            result.append((name, text))
    return result


def _entries(
    shape: tuple[int, ...], size: int, inputs: Inputs | None
) -> Iterator[tuple[int, Value]]:
    if inputs is None:
        return
    if isinstance(inputs, NamedLaw | Law | str):
        yield from ((entry, inputs) for entry in range(size))
    elif isinstance(inputs, Mapping):
        seen: set[int] = set()
        for index, value in inputs.items():
            entry = _entry(shape, size, index)
            if entry in seen:
                raise Error(f"input {index!r} is given twice")
            seen.add(entry)
            yield entry, value
    else:
        values = flat(inputs, shape)
        yield from enumerate(values)


def flat(values: Any, shape: tuple[int, ...]) -> list[Any]:
    """The entries of a sequence or an array, in row-major order."""
    size = prod(shape)
    if isinstance(values, (str, bytes, Mapping)):
        raise Error(f"expected {size} numbers in order, not {type(values).__name__}")
    if hasattr(values, "detach"):  # a tensor of torch
        values = values.detach().cpu()
    if hasattr(values, "reshape"):
        values = values.reshape(-1).tolist()
    result = list(values)
    while len(shape) > 1 and result and all(isinstance(one, list) for one in result):
        result = [entry for one in result for entry in one]
    if len(result) != size:
        raise Error(f"{len(result)} values for an input of shape {list(shape)}")
    return result


def _entry(shape: tuple[int, ...], size: int, index: int | tuple[int, ...] | str) -> int:
    """The number of an entry in row-major order."""
    axes: tuple[Any, ...]
    if isinstance(index, str):
        text = index.removeprefix("input")
        inner = text[1:-1] if text.startswith("[") and text.endswith("]") else ""
        axes = tuple(int(one) if one.strip().isdecimal() else -1 for one in inner.split(","))
    elif isinstance(index, tuple):
        axes = index
    else:
        axes, shape = (index,), (size,)
    result = 0
    for one, length in zip(axes, shape, strict=False):
        fits = isinstance(one, int) and not isinstance(one, bool) and 0 <= one < length
        result = result * length + one if fits else size
    if len(axes) != len(shape) or result >= size:
        raise Error(f"{index!r} is no input; the shape of the input is {list(shape)}")
    return result


def _law(value: Value, where: str) -> Exact | CoreLaw:
    """A number, or a law as the engine takes it."""
    if isinstance(value, JointNormal):
        raise Error(f"{where}: a joint law is one of several entries: {{'input[0..1]': {value!r}}}")
    if isinstance(value, NamedLaw):
        return str(value)
    if isinstance(value, Law):
        return value._core
    if isinstance(value, str) and ("(" in value or "[" in value):
        return value
    try:
        if isinstance(value, tuple | list):
            if len(value) != 2:
                raise Error(f"a pair of numbers is a uniform law, and {value!r} is none")
            return str(uniform(*value))
        return exact(value)
    except Error as error:
        raise Error(f"{where}: {error}") from None


def _index_text(shape: tuple[int, ...], entry: int) -> str:
    axes: list[str] = []
    for length in reversed(shape):
        entry, axis = divmod(entry, length)
        axes.append(str(axis))
    return f"[{','.join(reversed(axes))}]"


def _indices(shape: tuple[int, ...]) -> list[str]:
    return [f"[{','.join(map(str, one))}]" for one in product(*map(range, shape))]
