"""The syntax tree of the oracle: SMT-LIB text and Python meaning of the same term.

Reals are affine in each cell; products occur in weights and in expectations. Every node knows how
it is written, how it is evaluated at a point, and the affine forms that it may be, whose zeros
bound the cells.
"""

from dataclasses import dataclass
from fractions import Fraction


def number(value):
    """A literal of SMT-LIB."""
    value = Fraction(value)
    text = str(abs(value.numerator))
    if value.denominator != 1:
        text = f"(/ {text} {value.denominator})"
    return f"(- {text})" if value < 0 else text


@dataclass(frozen=True)
class Affine:
    """a . x + c"""

    row: tuple  # coefficients of the coordinates, then the constant
    names: tuple

    def text(self):
        parts = [name if a == 1 else f"(* {number(a)} {name})"
                 for a, name in zip(self.row, self.names) if a != 0]
        if self.row[-1] != 0 or not parts:
            parts.append(number(self.row[-1]))
        return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"

    def at(self, x, booleans):
        return sum((a * b for a, b in zip(self.row, x) if a), self.row[-1])

    def pieces(self):
        return [self.row]

    def planes(self):
        return []

    degree = 1


@dataclass(frozen=True)
class Choice:
    """(ite F A B) of reals"""

    condition: object
    then: object
    otherwise: object

    def text(self):
        return f"(ite {self.condition.text()} {self.then.text()} {self.otherwise.text()})"

    def at(self, x, booleans):
        return (self.then if self.condition.holds(x, booleans) else self.otherwise).at(x, booleans)

    def pieces(self):
        return self.then.pieces() + self.otherwise.pieces()

    def planes(self):
        return self.condition.planes() + self.then.planes() + self.otherwise.planes()

    @property
    def degree(self):
        return max(self.then.degree, self.otherwise.degree)


@dataclass(frozen=True)
class Named:
    """A real that is defined elsewhere: by define-fun, or as a derived real."""

    name: str
    meaning: object

    def text(self):
        return self.name

    def at(self, x, booleans):
        return self.meaning.at(x, booleans)

    def pieces(self):
        return self.meaning.pieces()

    def planes(self):
        return self.meaning.planes()

    @property
    def degree(self):
        return self.meaning.degree


@dataclass(frozen=True)
class Product:
    factors: tuple

    def text(self):
        return f"(* {' '.join(factor.text() for factor in self.factors)})"

    def at(self, x, booleans):
        result = Fraction(1)
        for factor in self.factors:
            result *= factor.at(x, booleans)
        return result

    def planes(self):
        return [plane for factor in self.factors for plane in factor.planes()]

    @property
    def degree(self):
        return sum(factor.degree for factor in self.factors)


@dataclass(frozen=True)
class Atom:
    """TERM <= 0 or TERM < 0, written as a comparison with 0"""

    term: object
    strict: bool

    def text(self):
        return f"({'<' if self.strict else '<='} {self.term.text()} 0)"

    def holds(self, x, booleans):
        value = self.term.at(x, booleans)
        return value < 0 or (value == 0 and not self.strict)

    def planes(self):
        return self.term.planes() + [row for row in self.term.pieces() if any(row[:-1])]


@dataclass(frozen=True)
class Boolean:
    name: str
    index: int

    def text(self):
        return self.name

    def holds(self, x, booleans):
        return booleans[self.index]

    def planes(self):
        return []


@dataclass(frozen=True)
class Connective:
    """and, or, not, xor, =>, = of formulas"""

    name: str
    parts: tuple

    def text(self):
        return f"({self.name} {' '.join(part.text() for part in self.parts)})"

    def holds(self, x, booleans):
        values = [part.holds(x, booleans) for part in self.parts]
        if self.name == "and":
            return all(values)
        if self.name == "or":
            return any(values)
        if self.name == "not":
            return not values[0]
        if self.name == "=>":
            return values[-1] or not all(values[:-1])
        if self.name == "xor":
            return sum(values) % 2 == 1
        return values[0] == values[1]

    def planes(self):
        return [plane for part in self.parts for plane in part.planes()]


@dataclass(frozen=True)
class Truth:
    def text(self):
        return "true"

    def holds(self, x, booleans):
        return True

    def planes(self):
        return []
