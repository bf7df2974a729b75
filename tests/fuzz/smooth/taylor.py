"""exp against its Taylor polynomial p of degree 12: for |t| <= r, |e^t - p(t)| <= e^r r^13 / 13!, which
relative to e^t is at most e^2r r^13 / 13!.
"""

from fractions import Fraction
from math import factorial

DEGREE = 12


def remainder(radius):
    return 8 * Fraction(radius)**(DEGREE + 1) / factorial(DEGREE + 1)  # 8 > e^2


def literal(number):
    return f"(- {-number})" if number < 0 else str(number)


class Problem:
    radius = 1  # of the argument
    names = (1, 1, 2, 2, 2, 3)

    def __init__(self, rng):
        self.rng = rng
        self.names = "xyz"[:rng.choice(self.names)]
        cuts = [self.comparison() for _ in range(rng.randrange(3))]
        self.head = [f"(declare-const {name} Real)" for name in self.names]
        self.head += ["(declare-const b Bool)"]
        self.head += [f"(assert (<= (- 1) {name} 1))" for name in self.names]
        self.head += [f"(assert (or b {cut}))" if rng.random() < 0.5 else f"(assert {cut})"
                      for cut in cuts]
        self.argument = self.make_argument()
        self.condition = rng.choice(["true", "b", "(not b)", self.comparison()])
        square = f"(* {self.form()} {self.form()})"
        self.polynomial = rng.choice(["1", f"(+ 2 {self.form()})", f"(+ 1 (* {square} {square}))"])
        self.query = rng.choice(["(get-wmi)", f"(get-wmi {self.comparison()})"])

    def make_argument(self):
        result = self.form()
        if self.rng.random() < 0.5:
            other = self.form()
            result = f"(ite {self.rng.choice(['b', self.comparison()])} {result} {other})"
        if self.rng.random() < 0.4:  # not a ridge
            result = f"(* {result} {self.form()})"
        return result

    def comparison(self):
        bound = self.rng.choice([f"(/ {self.rng.randrange(0, 4)} 10)", "0", "(- 1)"])
        return f"({self.rng.choice(['<', '>='])} {self.form()} {bound})"

    def form(self):
        """A linear form, at most 1 in size on the box."""
        rng = self.rng
        numbers = [rng.randrange(-4, 5) for _ in self.names]
        total = sum(map(abs, numbers)) + 3
        terms = " ".join(f"(* {literal(n)} {name})" for n, name in zip(numbers, self.names))
        return f"(/ (+ {literal(rng.randrange(-3, 4))} {terms}) {total})"

    def text(self, smooth):
        lines = self.head + [f"(define-fun t () Real {self.argument})"]
        if smooth:
            value = "(exp t)"
        else:
            value = "(+ " + " ".join(f"(/ (^ t {k}) {factorial(k)})" for k in range(DEGREE + 1)) + ")"
        lines += [f"(weight {self.condition} {value})", f"(weight true {self.polynomial})", self.query]
        return "\n".join(lines) + "\n"


class Products(Problem):
    """Arguments between -1/4 and 1/4 that are neither linear nor concave: half the square of a form, or
    the product of two, and in one dimension a cube, which quadrature integrates."""

    radius = Fraction(1, 4)
    names = (1, 2)

    def make_argument(self):
        form, other = self.form(), self.form()
        if len(self.names) == 1:
            return f"(* 0.25 {form} {form} {form})"
        return self.rng.choice([f"(* 0.25 {form} {other})", f"(+ (* 0.125 {form} {form}) (* 0.125 {other}))"])


def compare_one(programs, problem, digits):
    exact = programs.exact(problem.text(False))
    programs.check(problem.text(True), exact, remainder(problem.radius) * abs(exact), digits)


def compare(programs, rng):
    compare_one(programs, Problem(rng), 8)


def compare_products(programs, rng):
    compare_one(programs, Products(rng), rng.choice([2, 4, 6]))
