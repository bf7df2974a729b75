"""How likely a network violates a property of the verification competitions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from . import _core
from .answer import Answer
from .certificate import Certificate
from .errors import Error, GaveUp
from .network import Network
from .numbers import Number, exact, path_of
from .options import Options, core_options
from .random_values import JointNormal, NamedLaw

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Witness(NamedTuple):
    """A point where the network is unsafe, checked in exact numbers."""

    inputs: tuple[Fraction, ...]
    outputs: tuple[tuple[Fraction, Fraction], ...]
    """Bounds; equal, if the network has no smooth layers."""
    weights: Mapping[str, Fraction]
    """Those that are random."""


class UnsafeRegion(NamedTuple):
    """One of several regions whose union the property is."""

    text: str
    probability: Answer


class Verification(NamedTuple):
    """What was found of a property."""

    verdict: str
    """`holds`, `violated` or `unknown`"""
    probability: Answer
    """That the network is unsafe, for inputs in the region that the property gives them."""
    regions: list[UnsafeRegion]
    witness: Witness | None
    no_witness: str
    """Why there is none, if the property is violated."""
    no_counterexample: bool
    """Proven: no input is unsafe, not even in a set of measure 0."""

    def __repr__(self) -> str:
        return f"<Verification: {self.verdict}, probability {self.probability}>"


LawLike = NamedLaw | JointNormal | tuple[Number, Number] | str


def verify(
    network: Network | str | os.PathLike[str],
    vnnlib: str | os.PathLike[str],
    *,
    law: LawLike | Mapping[int | str | tuple[int, ...], LawLike] | None = None,
    free: Iterable[int | str] | None = None,
    inputs: Iterable[Number] | None = None,
    weights: Mapping[str, LawLike] | None = None,
    width: Number | None = None,
    **options: Unpack[Options],
) -> Verification:
    """The probability that a network violates a property: VNN-LIB 1.0, perhaps compressed.

    Inputs are uniform on the region that the property gives them, unless they have another `law`:
    one for all, or by input (`{0: ciber.gaussian(0, 1)}`), or a joint one of several (`{(0, 1):
    ciber.joint_normal(mean, covariance)}`). If inputs are `free`, only these are
    random; others stay at the midpoints of their intervals, or at `inputs`.

    >>> import ciber
    >>> found = ciber.verify("docs/examples/net.onnx", "docs/examples/net.vnnlib")
    >>> found.verdict, found.probability
    ('violated', Answer(49/380 = 0.12894736842105263))

    With `certify=True` the probability has a certificate, which `ciber.check(certificate,
    network=...)` checks against the network itself.
    """
    if not isinstance(network, Network):
        network = Network.load(path_of(network, "a Network, such as Network.from_torch(...) makes"))
    laws = law if isinstance(law, Mapping) else {} if law is None else {"": law}
    try:
        verdict, record, regions, witness, no_witness, none, proof, text = _core.verify(
            network._core,
            os.fspath(vnnlib),
            [_named(key, value) for key, value in laws.items()],
            [f"{name}={_text(value)}" for name, value in (weights or {}).items()],
            ",".join(_input_name(one) for one in free or ()),
            ",".join(str(exact(one)) for one in inputs or ()),
            "" if width is None else str(exact(width)),
            core_options(options),
        )
    except GaveUp:
        raise
    except Error as error:
        raise Error(_OPTION.sub(_keyword, str(error))) from None
    certificate = None if proof is None else Certificate(proof, text)
    return Verification(
        verdict,
        Answer("P(unsafe)", record, certificate),
        [UnsafeRegion(name, Answer(f"P({name})", one, certificate)) for name, one in regions],
        None if witness is None else Witness(*witness),
        no_witness,
        none,
    )


_OPTION = re.compile(r"--(law|free|input|unknown|width)\b")
_KEYWORDS = {"input": "inputs", "unknown": "weights"}


def _keyword(option: re.Match[str]) -> str:
    """The keyword that an option of the command line is here."""
    return _KEYWORDS.get(option[1], option[1]) + "="


def _named(key: int | str | tuple[int, ...], law: LawLike) -> str:
    return _text(law) if key == "" else f"{_input_name(key)}={_text(law)}"


def _input_name(key: int | str | tuple[int, ...]) -> str:
    if isinstance(key, tuple):
        return ",".join(_input_name(one) for one in key)
    return key if isinstance(key, str) else f"X_{key}"


def _text(law: LawLike) -> str:
    if isinstance(law, tuple):
        return f"[{exact(law[0])},{exact(law[1])}]"
    return str(law)
