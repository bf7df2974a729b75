"""A problem of the oracle, and what its queries should answer."""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product as cartesian

from quadrature import integrals
from syntax import Affine, Atom, Named, Truth, number


@dataclass
class Problem:
    names: tuple  # of the integrated reals
    box: tuple  # a pair of bounds for each
    booleans: tuple
    assertions: list
    weights: list  # pairs of a formula and a real
    defined: list = field(default_factory=list)  # Named, written as define-fun
    derived: list = field(default_factory=list)  # Named, written as a declared real and equations
    observed: tuple = None  # the number of a real and its value

    def text(self):
        lines = [f"(declare-const {name} Real)" for name in self.names]
        lines += [f"(declare-const {boolean} Bool)" for boolean in self.booleans]
        lines += [f"(define-fun {each.name} () Real {each.meaning.text()})" for each in self.defined]
        lines += [f"(declare-const {each.name} Real)" for each in self.derived]
        if self.derived:
            lines.append(f"(integrate {' '.join(self.names)})")
        for name, (low, high) in zip(self.names, self.box):
            lines.append(f"(assert (and (<= {number(low)} {name}) (<= {name} {number(high)})))")
        for each in self.derived:
            choice = each.meaning
            condition = choice.condition.text()
            lines.append(f"(assert (=> {condition} (= {each.name} {choice.then.text()})))")
            lines.append(f"(assert (=> (not {condition}) (= {each.name} "
                         f"{choice.otherwise.text()})))")
        lines += [f"(assert {each.text()})" for each in self.assertions]
        lines += [f"(weight {condition.text()} {value.text()})" for condition, value in self.weights]
        if self.observed is not None:
            lines.append(f"(observe {self.names[self.observed[0]]} {number(self.observed[1])})")
        return "\n".join(lines) + "\n"

    def planes(self, more=()):
        n = len(self.names)
        rows = set()
        for i, (low, high) in enumerate(self.box):
            for bound in (low, high):
                rows.add(tuple(Fraction(int(j == i)) for j in range(n)) + (Fraction(-bound),))
        nodes = list(self.assertions) + [node for pair in self.weights for node in pair] + list(more)
        for node in nodes:
            for row in node.planes():
                scale = next(entry for entry in row if entry != 0)
                rows.add(tuple(Fraction(entry) / scale for entry in row))
        return rows

    def weight_at(self, x, booleans):
        result = Fraction(1)
        for condition, value in self.weights:
            if condition.holds(x, booleans):
                result *= value.at(x, booleans)
        return result

    def sums(self, functions, event=Truth(), more=(), degree=0):
        """The integrals of these functions of a point and Booleans, times the weight, where the
        assertions and the event hold, over all Booleans."""
        planes = self.planes(list(more) + [event])
        low_high = self.box
        fixed = self.observed
        total = [Fraction(0)] * len(functions)
        degree += sum(value.degree for _, value in self.weights)
        dimension = len(self.names)
        if fixed is not None:  # the slice of the arrangement
            at, value = fixed
            if not low_high[at][0] <= value <= low_high[at][1]:
                return total
            kept = set()
            for row in planes:
                rest = row[:at] + row[at + 1:-1] + (row[-1] + row[at] * value,)
                if any(rest[:-1]):
                    kept.add(rest)
            planes, dimension = kept, dimension - 1

        def whole(x):
            if fixed is None:
                return x
            return x[:fixed[0]] + (Fraction(fixed[1]),) + x[fixed[0]:]

        for booleans in cartesian((False, True), repeat=len(self.booleans)):
            def holds(x, booleans=booleans):
                x = whole(x)
                return (all(low <= a <= high for a, (low, high) in zip(x, low_high))
                        and all(each.holds(x, booleans) for each in self.assertions)
                        and event.holds(x, booleans))

            def values(x, booleans=booleans):
                x = whole(x)
                weight = self.weight_at(x, booleans)
                return [weight * function(x, booleans) for function in functions]

            found = integrals(planes, dimension, degree, holds, values, len(functions))
            total = [a + b for a, b in zip(total, found)]
        return total

    def mass_below(self, term, value, given):
        """The integral where `term` is at most `value` and `given` holds."""
        return self.sums([lambda x, b: Fraction(1)], Conjunction(at_most(term, value), given))[0]


@dataclass(frozen=True)
class Conjunction:
    first: object
    second: object

    def holds(self, x, booleans):
        return self.first.holds(x, booleans) and self.second.holds(x, booleans)

    def planes(self):
        return self.first.planes() + self.second.planes()


@dataclass(frozen=True)
class AtMost:
    """TERM <= value, for a term that is no syntax of its own"""

    term: object
    value: Fraction
    strict: bool = False

    def holds(self, x, booleans):
        found = self.term.at(x, booleans)
        return found < self.value or (found == self.value and not self.strict)

    def planes(self):
        rows = [row[:-1] + (row[-1] - self.value,) for row in self.term.pieces()]
        return self.term.planes() + [row for row in rows if any(row[:-1])]


def at_most(term, value, strict=False):
    return AtMost(term, Fraction(value), strict)
