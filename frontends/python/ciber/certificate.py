"""Certificates: proofs of answers, and the independent checker of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from . import _core
from .errors import Error
from .queries import Query

if TYPE_CHECKING:
    from .problem import Problem
    from .script import Script

_MARK = b"wmi-certificate 2\n"


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


Source: TypeAlias = "Certificate | bytes | str | os.PathLike[str]"


def check(
    certificate: Source,
    problem: Problem | Script | str | os.PathLike[str] | None = None,
    queries: Sequence[Query] = (),
) -> Report:
    """Checks a certificate (or the file of one) without the solver.

    `problem` is the problem it must be about: a Problem, with the `queries` asked of it, a Script,
    or the path of a file. A Certificate has a problem of its own. Raises Rejected if the
    certificate does not prove what it claims.
    """
    from .problem import Problem
    from .script import Script, parse, read

    data = _data(certificate)
    if problem is None:
        if not isinstance(certificate, Certificate):
            raise Error("a certificate is about a problem; give it as problem=")
        problem = parse(certificate.problem, "smtlib")
    if isinstance(problem, Problem):
        if not queries:
            raise Error("give the queries that were asked of the problem, as queries=")
        found = _core.check_problem(problem._core(), [query.parts() for query in queries], data)
    else:
        if queries:
            raise Error("a script has its own queries; leave out queries=")
        script = problem if isinstance(problem, Script) else read(problem)
        found = _core.check_script(script._core, data)
    answers, nodes, cells, left_open = found
    return Report([Proven(*answer) for answer in answers], nodes, cells, left_open)


def _data(certificate: Source) -> bytes:
    if isinstance(certificate, Certificate):
        return certificate.data
    if isinstance(certificate, bytes):
        return bytes(certificate)
    try:
        return Path(certificate).read_bytes()
    except OSError as error:
        raise Error(f"{os.fspath(certificate)}: cannot be read: {error.strerror}") from None
