"""Exponentials and normal densities on unbounded cones, whose integrals are rational numbers.

With l = L x - c the cone is l >= 0, and for r > 0

    integral of (product of l_i^k_i) e^-(r.l)      = product of (k_i! / r_i^(k_i + 1)) / |det L|,
    integral of s^m e^(-s^2 / 2),  s = r.l         = 2^k k! / ((n - 1)! product of r_i |det L|)

where n - 1 + m = 2k + 1. A factor sigmoid(t) + sigmoid(-t) changes nothing.
"""

from fractions import Fraction
from math import factorial, prod


def literal(number):
    return f"(- {-number})" if number < 0 else str(number)


def determinant(rows):
    if len(rows) == 1:
        return rows[0][0]
    return sum((-1)**k * rows[0][k] * determinant([row[:k] + row[k + 1:] for row in rows[1:]])
               for k in range(len(rows)))


class Problem:
    def __init__(self, rng):
        self.names = "xyz"[:rng.choice((2, 2, 3))]
        n = len(self.names)
        rows = [[0] * n]
        while determinant(rows) == 0:
            rows = [[rng.randrange(-2, 3) for _ in self.names] for _ in self.names]
        self.edges = [self.linear(row, rng.randrange(-3, 4)) for row in rows]
        rates = [Fraction(rng.randrange(1, 5), rng.choice((1, 2))) for _ in rows]
        weighted = [f"(* (/ {r.numerator} {r.denominator}) {edge})" for r, edge in zip(rates, self.edges)]
        size = abs(determinant(rows))
        if rng.random() < 0.5:
            powers = [rng.randrange(3) for _ in rows]
            self.factors = [f"(^ {edge} {k})" for edge, k in zip(self.edges, powers)]
            self.density = f"(exp (- (+ {' '.join(weighted)})))"
            self.exact = prod(factorial(k) / r**(k + 1) for k, r in zip(powers, rates)) / size
        else:
            extra = rng.choice((0, 2)) if n == 2 else rng.choice((1, 3))
            k = (n + extra - 2) // 2
            sum_of_all = f"(+ {' '.join(weighted)})"
            self.factors = [f"(^ {sum_of_all} {extra})"]
            self.density = f"(exp (* (- 0.5) {sum_of_all} {sum_of_all}))"
            self.exact = Fraction(2**k * factorial(k), factorial(n - 1)) / prod(rates) / size
        self.neutral = "1"
        if n == 2 and rng.random() < 0.3:
            form = self.linear([rng.randrange(-2, 3) for _ in self.names], rng.randrange(-2, 3))
            self.neutral = f"(+ (sigmoid {form}) (sigmoid (- {form})))"

    def linear(self, row, constant):
        terms = " ".join(f"(* {literal(a)} {name})" for a, name in zip(row, self.names))
        return f"(+ {literal(constant)} {terms})"

    def text(self):
        lines = [f"(declare-const {name} Real)" for name in self.names]
        lines += [f"(assert (>= {edge} 0))" for edge in self.edges]
        lines += [f"(weight true {factor})" for factor in [*self.factors, self.density, self.neutral]]
        return "\n".join([*lines, "(get-wmi)"]) + "\n"


def compare(programs, rng):
    problem = Problem(rng)
    programs.check(problem.text(), Fraction(problem.exact), 0, rng.choice((1, 2, 3, 5)))
