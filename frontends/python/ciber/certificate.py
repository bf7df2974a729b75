"""Certificates: proofs of answers, and the independent checker of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from . import _core
from .errors import Error
from .numbers import path_of
from .queries import Query

if TYPE_CHECKING:
    from .network import Network
    from .problem import Problem
    from .script import Script

_MARK = b"wmi-certificate 2\n"
_EMBEDDED = b"query-certificate 1\n"  # of one that contains its problem


class Certificate:
    """A proof of the answers to the queries of a problem, as `wmi --certificate` writes it.

    >>> import ciber
    >>> x, y = ciber.reals("x y")
    >>> p = ciber.Problem(bounds={x: (0, 1), y: (0, 1)})
    >>> answer = p.probability(x + y <= "1/2", certify=True)
    >>> ciber.check(answer.certificate).answers[0].exact
    Fraction(1, 8)
    """

    __slots__ = ("data", "problem")

    data: bytes
    problem: str
    """The problem and its queries, as SMT-LIB."""

    def __init__(self, data: bytes, problem: str) -> None:
        self.data = data
        self.problem = problem

    @classmethod
    def joined(cls, proofs: Sequence[bytes], problem: str) -> Certificate:
        """The certificate of a script, of those of its problems."""
        return cls(_MARK + b"".join(proof.removeprefix(_MARK) for proof in proofs), problem)

    def save(
        self, path: str | os.PathLike[str], problem: str | os.PathLike[str] | None = None
    ) -> None:
        """Writes the certificate, and the problem that it is about, if its path is given.

        `wmi-check PROBLEM CERTIFICATE` checks it.
        """
        Path(path).write_bytes(self.data)
        if problem is not None:
            Path(problem).write_text(self.problem)

    def check(self) -> Report:
        """Checks it against its own problem."""
        return check(self)

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.data)} bytes>"


class Proven(NamedTuple):
    """An answer that a certificate proves."""

    certified: bool
    """False for a query that certificates do not cover: a law, a quantile, satisfiability."""
    lower: Fraction | None
    upper: Fraction | None
    undefined: str

    @property
    def exact(self) -> Fraction | None:
        return self.lower if self.lower == self.upper else None


class Report(NamedTuple):
    """What the checker found in a certificate that it accepts."""

    answers: list[Proven]
    nodes: int
    cells: int
    open: int
    """Leaves that were not searched: answers are bounds."""
    trust: str
    """Of a question about a network: who encoded it, `network: re-encoded, 2 linear, 1 relu` or
    `trusted: encoder`."""


Source: TypeAlias = "Certificate | bytes | str | os.PathLike[str]"


def check(
    certificate: Source,
    problem: Problem | Script | str | os.PathLike[str] | None = None,
    queries: Sequence[Query] = (),
    *,
    network: Network | str | os.PathLike[str] | None = None,
) -> Report:
    """Checks a certificate (or the file of one) without the solver.

    `problem` is the problem it must be about: a Problem, with the `queries` asked of it, a Script,
    or the path of a file. A Certificate has a problem of its own, and so has the file of one about
    a network. With `network` (or its file) that is encoded anew, independently of the solver's
    encoder, if it consists of layers that the checker knows; `trust` says so.

    Raises Rejected if the certificate does not prove what it claims.
    """
    data = _data(certificate)
    if network is not None:
        if problem is not None or queries:
            raise Error("a certificate about a network contains its problem; leave out problem=")
        found = _core.check_embedded(_network(network), data)
    elif problem is None and data.startswith(_EMBEDDED):
        found = _core.check_embedded(None, data)
    else:
        found = _against(_problem_of(certificate) if problem is None else problem, queries, data)
    answers, nodes, cells, left_open, trust = found
    return Report([Proven(*answer) for answer in answers], nodes, cells, left_open, trust)


def _network(network: Network | str | os.PathLike[str]) -> _core.Network:
    from .network import Network

    return (network if isinstance(network, Network) else Network.load(network))._core


def _problem_of(certificate: Source) -> Script:
    from .script import parse

    if not isinstance(certificate, Certificate):
        raise Error("a certificate is about a problem; give it as problem=")
    return parse(certificate.problem, "smtlib")


def _against(
    problem: Problem | Script | str | os.PathLike[str], queries: Sequence[Query], data: bytes
) -> _core._Checked:
    from .problem import Problem
    from .script import Script, read

    if isinstance(problem, Problem):
        if not queries:
            raise Error("give the queries that were asked of the problem, as queries=")
        return _core.check_problem(problem._core(), [query.parts() for query in queries], data)
    if queries:
        raise Error("a script has its own queries; leave out queries=")
    script = problem if isinstance(problem, Script) else read(problem)
    return _core.check_script(script._core, data)


def _data(certificate: Source) -> bytes:
    if isinstance(certificate, Certificate):
        return certificate.data
    if isinstance(certificate, bytes):
        return bytes(certificate)
    certificate = path_of(certificate, "a certificate, such as answer.certificate")
    try:
        return Path(certificate).read_bytes()
    except OSError as error:
        raise Error(f"{os.fspath(certificate)}: cannot be read: {error.strerror}") from None
