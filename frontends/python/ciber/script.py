"""Files of problems and queries, in every format that `wmi` reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _core
from .answer import Answer
from .certificate import Certificate
from .options import Options, core_options
from .problem import Problem, warn

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Script:
    """A file: problems, each with the queries asked of it.

    >>> import ciber
    >>> script = ciber.parse("(declare-const x Real) (assert (<= 0 x 2)) (get-expectation x)")
    >>> script.queries, script.answers()
    (['(get-expectation x)'], [Answer(1 = 1)])
    >>> script.problem.probability(ciber.real("x") < "1/2")
    Answer(1/4 = 0.25)
    """

    __slots__ = ("_core",)

    def __init__(self, core: _core.Script) -> None:
        self._core = core

    @property
    def problems(self) -> list[Problem]:
        """The problems in order; a file without `push` and `pop` most often has one."""
        return [Problem.of_core(self._core.problem(i)) for i in range(self._core.size())]

    @property
    def problem(self) -> Problem:
        """The last problem: what the whole file says."""
        return Problem.of_core(self._core.problem(self._core.size() - 1))

    @property
    def queries(self) -> list[str]:
        """All queries in order, as they are written."""
        return [text for i in range(self._core.size()) for text in self._core.queries(i)]

    def answers(self, **options: Unpack[Options]) -> list[Answer]:
        """The answers to all queries, in order. See `Options` for the keywords."""
        result: list[Answer] = []
        proofs: list[bytes | None] = []
        chosen = core_options(options)
        for i in range(self._core.size()):
            records, cautions, proof = self._core.ask(i, chosen)
            warn(cautions)
            proofs.append(proof)
            queries = self._core.queries(i)
            result += [Answer(*one) for one in zip(queries, records, strict=True)]
        found = [proof for proof in proofs if proof is not None]
        if len(found) == len(proofs):
            certificate = Certificate.joined(found, self.to_smtlib())
            for answer in result:
                answer.certificate = certificate
        return result

    def to_smtlib(self, *, pure: bool = False) -> str:
        """The script as SMT-LIB text; `pure`: without commands of our own."""
        return self._core.smtlib(pure)

    def __repr__(self) -> str:
        return f"<Script of {len(self.queries)} queries>"

    def __reduce__(self) -> tuple[Any, ...]:
        return parse, (self.to_smtlib(), "smtlib")


def read(path: str | os.PathLike[str], format: str | None = None) -> Script:
    """Reads a file, in the format that is recognised by its content or named: smtlib, pywmi, ..."""
    return Script(_core.Script.read(os.fspath(path), format or ""))


def parse(text: str, format: str | None = None) -> Script:
    """Reads a text, likewise."""
    return Script(_core.Script.parse("text", text, format or ""))
