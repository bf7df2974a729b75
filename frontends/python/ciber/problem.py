"""Problems of weighted model integration."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _core
from .answer import Answer
from .cells import Cell, Cells, polynomial
from .certificate import Certificate
from .errors import Error, GaveUp, ModelWarning
from .law import Law
from .numbers import Exact, Number, exact
from .options import Options, core_options, takes_units
from .queries import (
    Cdf,
    Density,
    Distribution,
    Expectation,
    Moment,
    Probability,
    Quantile,
    Query,
    Satisfiable,
    Variance,
    Wmi,
)
from .terms import Expression, Formula, FormulaLike, Term, TermLike, formula, is_variable, term

if TYPE_CHECKING:
    from typing_extensions import Unpack

Bounds: TypeAlias = "Mapping[Term, tuple[Number | None, Number | None]]"
WeightLike: TypeAlias = "TermLike | tuple[TermLike, FormulaLike]"


class Problem:
    """Variables, assertions and weights: a measure, about which questions are asked.

    The measure is the integral over the reals and the sum over the Booleans of the product of all
    weights, where the assertions hold. Variables are those that occur; `variables` declares more,
    such as a Boolean that only doubles the measure.

    >>> import ciber
    >>> x, y = ciber.reals("x y")
    >>> a = ciber.boolean("a")
    >>> p = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}, weights=[(2 * x, a)])
    >>> p.add(ciber.implies(a, x + y <= 1))
    >>> p.wmi()
    Answer(4/3 = 1.3333333333333333)
    >>> p.probability(a, given=x > y)
    Answer(1/3 = 0.33333333333333333)
    """

    __slots__ = (
        "_base",
        "_variables",
        "_bounds",
        "_assertions",
        "_weights",
        "_observations",
        "_integrated",
        "_compiled",
    )

    def __init__(
        self,
        *,
        bounds: Bounds | None = None,
        assertions: Iterable[FormulaLike] = (),
        weights: Iterable[WeightLike] = (),
        variables: Iterable[Expression] = (),
    ) -> None:
        self._base: _core.Problem | None = None
        self._variables: list[Expression] = []
        self._bounds: list[tuple[Expression, Exact | None, Exact | None]] = []
        self._assertions: list[Formula] = []
        self._weights: list[tuple[Formula, Term | Exact]] = []
        self._observations: list[tuple[Expression, Exact]] = []
        self._integrated: list[Expression] | None = None
        self._compiled: _core.Problem | None = None
        if variables:
            self.declare(*variables)
        if bounds:
            for variable, (lower, upper) in bounds.items():
                self.bound(variable, lower, upper)
        if assertions:
            self.add(*assertions)
        for one in weights:
            self.weight(*one) if isinstance(one, tuple) else self.weight(one)

    @classmethod
    def of_core(cls, base: _core.Problem) -> Problem:
        """A problem that was read."""
        problem = cls()
        problem._base = base
        return problem

    # What it says

    def declare(self, *variables: Expression) -> None:
        """Adds variables that may occur nowhere else."""
        for variable in variables:
            if not is_variable(variable):
                raise Error(f"{variable!r} is no variable")
        self._variables.extend(variables)
        self._compiled = None

    def bound(self, variable: Term, lower: Number | None, upper: Number | None) -> None:
        """lower <= variable <= upper; None is no bound."""
        if not isinstance(variable, Term):
            raise Error(f"{variable!r} has bounds, but it is no real variable")
        least = None if lower is None else exact(lower)
        self._bounds.append((variable, least, None if upper is None else exact(upper)))
        self._compiled = None

    def add(self, *assertions: FormulaLike) -> None:
        """Adds assertions: only where they hold is there measure."""
        self._assertions.extend(map(formula, assertions))
        self._compiled = None

    def weight(self, value: TermLike, when: FormulaLike = True) -> None:
        """Multiplies the measure by a term, where the formula `when` holds."""
        self._weights.append((formula(when), term(value)))
        self._compiled = None

    def observe(self, variable: Term, value: Number) -> None:
        """Restricts the measure to the slice variable = value, which has one dimension less."""
        self._observations.append((self._real(variable), exact(value)))
        self._compiled = None

    def integrate(self, *variables: Term) -> None:
        """Names the reals to integrate over; all others must be functions of them."""
        self._integrated = (self._integrated or []) + [self._real(one) for one in variables]
        self._compiled = None

    @staticmethod
    def _real(variable: object) -> Expression:
        if not isinstance(variable, Term) or not is_variable(variable):
            raise Error(f"{variable!r} is no real variable")
        return variable

    def _core(self) -> _core.Problem:
        if self._compiled is None:
            self._compiled = _core.Problem(
                self._base,
                self._variables,
                self._bounds,
                self._assertions,
                self._weights,
                self._observations,
                self._integrated,
            )
        return self._compiled

    @property
    def reals(self) -> list[str]:
        """The names of the real variables."""
        return [name for name, _ in self._core().reals()]

    @property
    def booleans(self) -> list[str]:
        """The names of the Boolean variables."""
        return self._core().booleans()

    def to_smtlib(self, queries: Sequence[Query] = (), *, pure: bool = False) -> str:
        """The problem and some queries as SMT-LIB text, which `wmi` and `ciber.parse` read.

        `pure`: without commands of our own, for other solvers.

        >>> import ciber
        >>> x = ciber.real("x")
        >>> print(ciber.Problem(bounds={x: (0, 1)}).to_smtlib([ciber.Expectation(x)]), end="")
        (declare-const x Real)
        (assert (>= x 0))
        (assert (<= x 1))
        (get-expectation x)
        """
        return self._core().smtlib([query.parts() for query in queries], pure)

    def __repr__(self) -> str:
        count = len(self.reals), len(self.booleans)
        return f"<Problem with {count[0]} reals and {count[1]} Booleans>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_state, self._core().state()

    # Questions

    def ask(self, queries: Iterable[Query], **options: Unpack[Options]) -> list[Answer]:
        """The answers to several queries, found by one search. See `Options` for the keywords.

        >>> import ciber
        >>> x = ciber.real("x")
        >>> p = ciber.Problem(bounds={x: (0, 3)})
        >>> p.ask([ciber.Probability(x > 1), ciber.Variance(x)])
        [Answer(2/3 = 0.66666666666666667), Answer(3/4 = 0.75)]
        """
        asked = list(queries) if isinstance(queries, Iterable) else [queries]
        for query in asked:
            if not isinstance(query, Query):
                raise Error(
                    f"{query!r} is no query; write Probability({query!r}), Expectation(...)"
                )
        if takes_units(options):
            from .jobs import ask_in_units

            digits = options.get("digits")
            core_options({"digits": digits})  # is it a number?
            found, cautions = ask_in_units(
                self, asked, options.get("client"), options["journal"] or "", digits
            )
            warn(cautions)
            return [Answer(*one, None) for one in zip(asked, found, strict=True)]
        parts = [query.parts() for query in asked]
        records, cautions, proof = self._core().ask(parts, core_options(options))
        if cautions:
            warn(cautions)
        certificate = None
        if proof is not None:
            certificate = Certificate(proof, self.to_smtlib(asked))
        return [Answer(*one, certificate) for one in zip(asked, records, strict=True)]

    def wmi(self, event: FormulaLike | None = None, **options: Unpack[Options]) -> Answer:
        """The raw integral of the weight, over all models or those of an event."""
        return self.ask([Wmi(event)], **options)[0]

    def satisfiable(self, **options: Unpack[Options]) -> bool:
        """Is there a model, in the plain meaning of SMT?"""
        answer = self.ask([Satisfiable()], **options)[0]
        if not answer.text:
            raise GaveUp("it is not known whether there is a model: stopped by the timeout")
        return bool(answer)

    def probability(
        self, event: FormulaLike, given: FormulaLike | None = None, **options: Unpack[Options]
    ) -> Answer:
        """The probability of an event, given a condition."""
        return self.ask([Probability(event, given)], **options)[0]

    def expectation(
        self, value: TermLike, given: FormulaLike | None = None, **options: Unpack[Options]
    ) -> Answer:
        """The mean of a term, any piecewise polynomial."""
        return self.ask([Expectation(value, given)], **options)[0]

    def variance(
        self, value: TermLike, given: FormulaLike | None = None, **options: Unpack[Options]
    ) -> Answer:
        """The variance of a term."""
        return self.ask([Variance(value, given)], **options)[0]

    def moment(
        self,
        value: TermLike,
        order: int,
        given: FormulaLike | None = None,
        **options: Unpack[Options],
    ) -> Answer:
        """The mean of a term to the power `order`."""
        return self.ask([Moment(value, order, given)], **options)[0]

    def density(
        self,
        value: TermLike,
        at: Number,
        given: FormulaLike | None = None,
        **options: Unpack[Options],
    ) -> Answer:
        """The density of a piecewise affine term at a number."""
        return self.ask([Density(value, at, given)], **options)[0]

    def cdf(
        self,
        value: TermLike,
        at: Number,
        given: FormulaLike | None = None,
        **options: Unpack[Options],
    ) -> Answer:
        """The probability that a piecewise affine term is at most a number."""
        return self.ask([Cdf(value, at, given)], **options)[0]

    def quantile(
        self,
        value: TermLike,
        probability: Number,
        given: FormulaLike | None = None,
        **options: Unpack[Options],
    ) -> Answer:
        """The least number that a piecewise affine term is at most with this probability."""
        return self.ask([Quantile(value, probability, given)], **options)[0]

    def distribution(
        self, value: TermLike, given: FormulaLike | None = None, **options: Unpack[Options]
    ) -> Law:
        """The law of a piecewise affine term. Raises Error if it is undefined or takes too long.

        >>> import ciber
        >>> w = ciber.real("w")
        >>> law = ciber.Problem(bounds={w: (-3, 3)}).distribution(ciber.relu(w))
        >>> law.atoms, law.mean
        ([(Fraction(0, 1), Fraction(1, 2))], Fraction(3, 4))
        """
        answer = self.ask([Distribution(value, given)], **options)[0]
        if answer.law is None:
            raise GaveUp(f"the law of {value!r}: {answer}")
        return answer.law

    def cells(self, event: FormulaLike | None = None, *, timeout: float | None = None) -> Cells:
        """The cells that the answers are made of, or those of an event: for pictures.

        Each has vertices, the polynomial that the weight is on it, and its integral. Booleans are
        summed over: where they differ, cells may overlap. Raises GaveUp if it takes too long.

        >>> import ciber
        >>> x, y = ciber.reals("x y")
        >>> cells = ciber.Problem(bounds={x: (0, 1), y: (0, 1)}).cells(x + y <= "1/2")
        >>> [[str(number) for number in vertex] for vertex in cells[0].vertices]
        [['0', '1/2'], ['0', '0'], ['1/2', '0']]
        """
        core_options({"timeout": timeout})  # is it a number?
        variables, found = _core.cells(self._core(), [Wmi(event).parts()], timeout)
        return Cells(
            variables,
            [
                Cell(vertices, polynomial(variables, weight), mass)
                for vertices, weight, mass in found
            ],
        )


def warn(messages: Iterable[str]) -> None:
    for message in messages:
        warnings.warn(message, ModelWarning, stacklevel=4)


def _of_state(text: str, names: list[str], assumptions: list[str]) -> Problem:
    return Problem.of_core(_core.Problem.of_state(text, names, assumptions))
